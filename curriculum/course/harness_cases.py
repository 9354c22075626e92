"""Cases of the harness itself: how runs go wrong on purpose, and every reason a decision has.

They are pinned like a lesson's cases; later lessons tell their stories.
"""

from collections.abc import Sequence
from typing import Any

from curriculum.agent.expectations import Expect
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.golden.cases import Case
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.records import Answers, Author, Call, Kind, Record, ToolSpec, Trust
from curriculum.trace.events import Stop
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat


def _boom() -> str:
    raise ValueError("these words never enter a record")


def _rows_of(rows: int) -> str:
    return "row. " * rows


def _tools() -> ToolRegistry:
    limit = {"type": "object", "properties": {"rows": {"type": "integer"}}, "required": ["rows"]}
    return ToolRegistry(
        Tool("read", lambda: "a line that was read"),
        Tool("rows", _rows_of, "Returns rows.", limit),
        Tool("boom", _boom),
    )


def _staged(turns: Sequence[Turn], prompts: Sequence[str] = ("Read.",), **fields: Any) -> Staged:
    def build(trace: Recorder) -> AgentRunner:
        wide = ContextBudget(max_input_chars=2000, max_tool_output_chars=400)
        known: dict[str, Any] = {"tools": _tools(), "budget": wide, "system_prompt": "Be brief."}
        return AgentRunner(model=ScriptedModel(turns), trace=trace, **{**known, **fields})

    return Staged(build, tuple(prompts))


def _rows(*counts: int) -> Turn:
    return Turn(calls=[call("rows", {"rows": count}) for count in counts])


_TOKENS = ContextBudget(
    capacity_tokens=700, max_input_tokens=600, output_reserve_tokens=100, max_tool_output_chars=400
)
_EURO = ToolRegistry(Tool("euro", lambda: "5 \u20ac, " * 40))
_DONE = Turn("Done.")
_READ = Turn(calls=[call("read")])


def _odd_history() -> tuple[Record, ...]:
    """A foreign log: an old tool set, an image, an interrupted call, a result that came late."""
    model: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "model"}
    tool: dict[str, Any] = {"trust": Trust.TOOL, "author": Author.TOOL, "source": "tool:read"}
    old = (ToolSpec("old_read"),)
    harness: dict[str, Any] = {"trust": Trust.DEVELOPER, "author": Author.HARNESS}
    person: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
    return (
        Record("r0001", Kind.TOOLS, tools=old, source="registry", **harness),
        Record("r0002", Kind.USER, text="What was in the picture?", **person),
        Record("r0003", Kind.IMAGE, **person),
        Record("r0004", Kind.ASSISTANT, calls=(Call("c1", "old_read"),), **model),
        Record("r0005", Kind.ASSISTANT, text="I was interrupted.", **model),
        Record("r0006", Kind.RESULT, text="too late", answers=Answers("r0004", 0), **tool),
    )


def _case(name: str, title: str, stops: Stop, scenario: Staged) -> Case:
    return Case(f"harness/{name}", title, stops, scenario)


def _small(chars: int) -> ContextBudget:
    return ContextBudget(max_input_chars=chars, max_tool_output_chars=400)


CASES = (
    _case(
        "turn-limit",
        "the model asks for a tool once more than the run allows",
        Stop.TURN_LIMIT,
        _staged([_READ, _READ, _READ], max_turns=2),
    ),
    _case(
        "script-exhausted",
        "the harness asks for a turn that the script does not have",
        Stop.SCRIPT_EXHAUSTED,
        _staged([_READ]),
    ),
    _case(
        "script-not-finished",
        "the run completes although the script has a turn left",
        Stop.SCRIPT_NOT_FINISHED,
        _staged([_DONE, _DONE]),
    ),
    _case(
        "expectation-failed",
        "the second request offers no tool of the name that the script expects",
        Stop.EXPECTATION_FAILED,
        _staged([_READ, Turn("Done.", expect=Expect(tool="raed"))]),
    ),
    _case(
        "unknown-tool",
        "the model calls a tool that is not offered; it is told so",
        Stop.COMPLETED,
        _staged([Turn(calls=[call("write")]), _DONE]),
    ),
    _case(
        "bad-arguments",
        "the model calls a tool with arguments that break its schema; it is told which",
        Stop.COMPLETED,
        _staged([Turn(calls=[call("rows", {"rows": "many"})]), _DONE]),
    ),
    _case(
        "tool-raised",
        "a tool raises; its words stay out of the log",
        Stop.COMPLETED,
        _staged([Turn(calls=[call("boom")]), _DONE]),
    ),
    _case(
        "output-limit",
        "the model's output ends in the middle of a call; half a call is none",
        Stop.OUTPUT_LIMIT,
        _staged(
            [
                Turn(
                    "I will read",
                    finish="output-limit",
                    deltas=["I will", " read"],
                    half_call='{"name":"re',
                )
            ]
        ),
    ),
    _case(
        "parallel-results",
        "three results arrive together and share the room; the small one stays whole",
        Stop.COMPLETED,
        _staged([_rows(70, 2, 60), _DONE], budget=_small(420)),
    ),
    _case(
        "parallel-results-openai",
        "the same on a JSON wire: results by id, schemas counted",
        Stop.COMPLETED,
        _staged([_rows(70, 2, 60), _DONE], budget=_small(1500), wire=OpenAIChat()),
    ),
    _case(
        "long-session",
        "five requests in a row: newest exchanges first, one cut, the older ones left out",
        Stop.COMPLETED,
        _staged(
            [_rows(20), _DONE] * 5,
            ["Read some rows, please."] * 5,
            budget=_small(410),
            max_turns=20,
        ),
    ),
    _case(
        "no-room",
        "an older exchange does not fit even as its marker",
        Stop.COMPLETED,
        _staged(
            [Turn("A long answer. " * 12), _DONE], ["Tell me.", "And now?"], budget=_small(250)
        ),
    ),
    _case(
        "message-limit",
        "three messages at most: the oldest question waits, although it would fit",
        Stop.COMPLETED,
        _staged(
            [_DONE, _DONE],
            ["One.", "Two."],
            budget=ContextBudget(max_input_chars=2000, max_messages=3),
        ),
    ),
    _case(
        "token-budget",
        "a ceiling in tokens, admitted by their proven bound: UTF-8 bytes",
        Stop.COMPLETED,
        _staged(
            [Turn(calls=[call("euro")]), _DONE], budget=_TOKENS, tools=_EURO, wire=OpenAIChat()
        ),
    ),
    _case(
        "odd-history",
        "a foreign log: what cannot be sent is named, record by record",
        Stop.COMPLETED,
        _staged([_DONE], history=_odd_history(), wire=OpenAIChat()),
    ),
    _case(
        "artifact",
        "what gate 1 cuts is kept under a handle, and fetched again",
        Stop.COMPLETED,
        Staged(lambda trace: _with_store(trace), ("Read.",)),
    ),
)


def _with_store(trace: Recorder) -> AgentRunner:
    from curriculum.agent.read_artifact import read_artifact

    store = ArtifactStore()
    registry = _tools()
    registry.add(read_artifact(store))
    text = "row. " * 100
    handle = store.put(text)
    fetch = {"handle": handle, "start": 480, "count": 20, "unit": "characters"}
    turns = [_rows(100), Turn(calls=[call("read_artifact", fetch)]), _DONE]
    return AgentRunner(
        model=ScriptedModel(turns),
        tools=registry,
        trace=trace,
        system_prompt="Be brief.",
        budget=_small(2000),
        store=store,
    )
