"""Cases of admission: every reason that a policy of pools gives, and every end of a compaction.

They are pinned like a lesson's cases; later lessons tell their stories.
"""

from collections.abc import Callable, Sequence
from typing import Any

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.summaries import KeptLines, ScriptedSummariser, Summariser
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.policy_registry import policy_of
from curriculum.golden.cases import Case
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust
from curriculum.trace.events import Stop
from curriculum.trace.recorder import Recorder

_PERSON: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
_MODEL: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "model"}
_TOOL: dict[str, Any] = {"trust": Trust.TOOL, "author": Author.TOOL, "source": "tool:read"}
_NOTE: dict[str, Any] = {"trust": Trust.USER, "author": Author.HARNESS, "source": "notes"}


class _Log:
    """A log that is written line by line; ids are positions."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, kind: Kind, text: str, labels: dict[str, Any], **fields: Any) -> Record:
        name = f"r{len(self.records) + 1:04d}"
        self.records.append(Record(name, kind, text=text, **labels, **fields))
        return self.records[-1]

    def user(self, text: str) -> None:
        self.add(Kind.USER, text, _PERSON)

    def note(self, kind: Kind, text: str, *tags: str) -> None:
        self.add(kind, text, _NOTE, tags=tags)

    def said(self, text: str, *tags: str) -> None:
        self.add(Kind.ASSISTANT, text, _MODEL, tags=tags)

    def read(self, *files: tuple[str, str, tuple[str, ...]]) -> None:
        """A turn that reads files: name, content and the tags of each result."""
        calls = tuple(Call(f"c{n}", "read", f'{{"file":"{f[0]}"}}') for n, f in enumerate(files, 1))
        turn = self.add(Kind.ASSISTANT, "", _MODEL, calls=calls)
        for number, (_, text, tags) in enumerate(files):
            answers = Answers(turn.id, number)
            self.add(Kind.RESULT, text, _TOOL, answers=answers, tags=tags)


def _content(file: str) -> str:
    return f"{file}: " + "a line. " * 12


def _tools() -> ToolRegistry:
    name = {"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]}
    return ToolRegistry(Tool("read", _content, "", name))


def _staged(
    policy: str, ceiling: int, log: _Log, turns: Sequence[Turn] = (Turn("Done."),), **fields: Any
) -> Staged:
    history, prompts = tuple(log.records), fields.pop("prompts", ("Go on.",))

    def build(trace: Recorder) -> AgentRunner:
        known: dict[str, Any] = {"tools": _tools(), "system_prompt": "Be brief."}
        known["budget"] = ContextBudget(max_input_chars=ceiling, max_tool_output_chars=400)
        known |= {"policy": policy_of(policy), "history": history, **fields}
        writes = known.pop("writes", None)
        known["summariser"] = writes() if writes else None  # a fresh one: it counts
        model = ScriptedModel(turns)
        return AgentRunner(model=model, trace=trace, **known)

    return Staged(build, prompts)


def _files(*names: str, words: int = 20) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return tuple((name, f"{name} " + "text " * words, ()) for name in names)


def _needless() -> _Log:
    """The same said twice, read twice, and a word that was taken back."""
    log = _Log()
    log.note(Kind.APPROVAL, "Deploys are allowed.", "about:deploy")
    log.said("I will look at the files, one after the other, and then decide.")
    log.read(*_files("a.txt"))
    log.read(*_files("c.txt", words=9))
    log.read(("b.txt", "a.txt " + "text " * 20, ()))
    log.said("I will look at the files, one after the other, and then decide.")
    log.read(*_files("a.txt", words=8), *_files("c.txt", words=3))
    log.note(Kind.DENIAL, "No deploys before Monday.", "about:deploy")
    return log


def _classes() -> _Log:
    """Documents of every class of the planner, and a history that is old."""
    log = _Log()
    log.note(Kind.MEMORY, "The spec: one page, three tables. " * 2, "active-spec")
    log.note(Kind.MEMORY, "Index of the stack's documents. " * 3, "stack-index")
    log.note(Kind.SKILL, "How to draw charts. " * 4, "lane:other")
    log.note(Kind.MEMORY, "The module billing. " * 4, "module:unaffected")
    log.note(Kind.MEMORY, "The whole handbook. " * 4, "has-summary")
    for name in ("a.txt", "b.txt", "c.txt"):
        log.user(f"Read {name}.")
        log.read(*_files(name, words=6))
        log.said(f"I have read {name}.")
    return log


def _stages() -> _Log:
    """What a stage stands on, beside what it may forget."""
    log = _Log()
    log.note(Kind.MEMORY, "Requirement: the page must load without scripts.", "stage-requirement")
    log.note(Kind.PLAN, "Plan: first the markup.")
    log.said("We could also have used another framework, which we decided against.", "historical")
    log.read(("log.txt", "error at line 7 " * 6, ("error-context",)), *_files("a.txt", words=90))
    log.note(Kind.PLAN, "Plan: now the styles.")
    for name in ("b.txt", "c.txt", "d.txt", "e.txt"):
        log.read(*_files(name, words=90))
    return log


def _talk() -> _Log:
    """Long talk before the work begins."""
    log = _Log()
    for number in range(8):
        log.user(f"Question {number}?")
        log.said(f"Answer {number}: " + "it depends. " * 10)
    return log


_READS = [Turn("Decision: read on.", calls=[call("read", {"file": f"{n}.txt"})]) for n in "abcde"]
_WORK = (*_READS, Turn("Done."))
_LONGER = (*_WORK, Turn("Yes."))
_TWO = ("Go on.", "And now?")


def _compacting(
    ceiling: int, writes: Callable[[], Summariser], log: _Log | None = None, **more: Any
) -> Staged:
    known: dict[str, Any] = {"writes": writes, "turns": _WORK, **more}
    return _staged("stage-order", ceiling, log or _Log(), **known)


class _Silent:
    """A summariser whose program is not there."""

    id = "silent@1"

    def summarise(self, request: object) -> str:
        raise OSError("these words never enter a trace")


def _fetched() -> tuple[Turn, ...]:
    """A result that is cut, and fetched again by its handle two turns later."""
    handle = ArtifactStore().put("a line of the long report. " * 40)
    fetch = call("read_artifact", {"handle": handle, "count": 3})
    turns = [Turn(calls=[call("report")]), Turn(calls=[fetch]), Turn(calls=[call("report_size")])]
    return (*turns, Turn(calls=[call("report_size")]), Turn("Done."))


def _preview() -> Staged:
    from curriculum.agent.read_artifact import read_artifact

    def build(trace: Recorder) -> AgentRunner:
        store = ArtifactStore()
        return AgentRunner(
            model=ScriptedModel(_fetched()),
            tools=ToolRegistry(
                Tool("report", lambda: "a line of the long report. " * 40),
                Tool("report_size", lambda: "1080 characters"),
                read_artifact(store),
            ),
            trace=trace,
            budget=ContextBudget(max_input_chars=1150, max_tool_output_chars=400),
            policy=policy_of("pools"),
            store=store,
        )

    return Staged(build, ("Read the report.",))


def _long() -> Staged:
    """A tool that returns more lines than the policy lets into the log."""

    def build(trace: Recorder) -> AgentRunner:
        return AgentRunner(
            model=ScriptedModel([Turn(calls=[call("log")]), Turn("Done.")]),
            tools=ToolRegistry(Tool("log", lambda: "ok\n" * 2100)),
            trace=trace,
            budget=ContextBudget(max_input_chars=9000),
            policy=policy_of("pools"),
        )

    return Staged(build, ("Read the log.",))


def _case(name: str, title: str, stops: Stop, scenario: Staged) -> Case:
    return Case(f"admission/{name}", title, stops, scenario)


_DONE = Stop.COMPLETED
CASES = (
    _case(
        "repeated",
        "what was said, read and allowed again makes the earlier record needless",
        _DONE,
        _staged("pools", 480, _needless()),
    ),
    _case(
        "repeated-short",
        "the same session with room for the newest only",
        _DONE,
        _staged("pools", 330, _needless()),
    ),
    _case(
        "fetched",
        "a preview is cleared once what it previews was fetched",
        _DONE,
        _preview(),
    ),
    _case(
        "entering",
        "the policy lets 2,000 lines of an output into the log, and no more",
        _DONE,
        _long(),
    ),
    _case(
        "classes",
        "the planner evicts class by class, and never the active spec",
        _DONE,
        _staged("planner-order", 560, _classes()),
    ),
    _case(
        "stages",
        "a stage keeps its requirement and its error, and cuts old output to a fixed size",
        _DONE,
        _staged("stage-order", 2200, _stages()),
    ),
    _case(
        "stages-wide",
        "old output steps to a fixed size before it is cleared",
        _DONE,
        _staged("stage-order", 2700, _stages()),
    ),
    _case(
        "stages-short",
        "the exchange with the error stays; the result beside it shrinks",
        _DONE,
        _staged("stage-order", 420, _stages()),
    ),
    _case(
        "smaller-mode",
        "what the stage always keeps does not fit, so only the safety rules are kept",
        _DONE,
        _staged("stage-order", 250, _stages()),
    ),
    _case(
        "worth-most",
        "three small exchanges are worth more than one large one that is newer",
        _DONE,
        _staged("exact-fit", 330, _classes()),
    ),
    _case(
        "compacted",
        "a summary stands for old turns, and a later one takes it in",
        _DONE,
        _compacting(1100, KeptLines, turns=(*_READS, *_READS, Turn("Done.")), max_turns=20),
    ),
    _case(
        "compacted-on-request",
        "a compaction that was asked for, far below the trigger",
        _DONE,
        _compacting(
            4000,
            KeptLines,
            compact_before=(2,),
            prompts=("Go on.", "And now?"),
            turns=(*_WORK, Turn("Yes.")),
        ),
    ),
    _case(
        "compaction-lost",
        "the summary leaves a decision out, so the run stops",
        Stop.COMPACTION_LOST,
        _compacting(1100, lambda: ScriptedSummariser(["All is well."])),
    ),
    _case(
        "compaction-grew",
        "a summary longer than what it replaces is rejected, and the run goes on without",
        _DONE,
        _compacting(
            1100, lambda: ScriptedSummariser(["Decision: read on.\n" + "and so on, " * 90])
        ),
    ),
    _case(
        "compaction-failed",
        "whoever writes summaries is not there; the run goes on without",
        _DONE,
        _compacting(1100, _Silent),
    ),
    _case(
        "compaction-empty",
        "the summary is blank; the run goes on without",
        _DONE,
        _compacting(1100, lambda: ScriptedSummariser([" "])),
    ),
    _case(
        "compaction-does-not-fit",
        "the request for a summary is itself over the ceiling; nothing is lost",
        _DONE,
        _compacting(700, KeptLines, _talk()),
    ),
)
