"""Cases of the log: calls that do not finish, runs that go in circles, and a branch.

They are pinned like a lesson's cases; later lessons tell their stories.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from curriculum.agent.branching import branch
from curriculum.agent.failures import Denied
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.golden.cases import Case
from curriculum.record.repeats import Repeats
from curriculum.trace.events import Stop
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder


def _ctrl_c() -> str:
    raise KeyboardInterrupt


def _deny() -> str:
    raise Denied


def _leave() -> str:
    raise SystemExit(1)


def _row(number: int) -> str:
    return f"row {number}"


def _tools() -> ToolRegistry:
    numbers = count(1)
    return ToolRegistry(
        Tool("read", lambda: "a line that was read"),
        Tool("remove", _deny),
        Tool("leave", _leave),
        Tool("build", _ctrl_c),
        Tool("status", lambda: f"{next(numbers)} of 5 jobs are done"),
        Tool("row", _row, "Returns a row.", _NUMBER),
    )


_NUMBER = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
_DONE = Turn("Done.")
_READ = Turn(calls=[call("read")])


def _runner(trace: Recorder, turns: Sequence[Turn], **fields: Any) -> AgentRunner:
    known: dict[str, Any] = {
        "tools": _tools(),
        "budget": ContextBudget(max_input_chars=2000, max_tool_output_chars=400),
        "system_prompt": "Be brief.",
    }
    return AgentRunner(model=ScriptedModel(turns), trace=trace, **{**known, **fields})


def _staged(turns: Sequence[Turn], *prompts: str, **fields: Any) -> Staged:
    return Staged(lambda trace: _runner(trace, turns, **fields), prompts or ("Read.",))


def _rows(*numbers: object) -> list[Turn]:
    return [Turn(calls=[call("row", {"number": number})]) for number in numbers]


def _interrupted(trace: Recorder) -> None:
    """Ctrl-C in the third of four parallel calls; the second was denied."""
    calls = [call("read"), call("remove"), call("build"), call("read")]
    runner = _runner(trace, [Turn(calls=calls)], session_id="harness/interrupted")
    with suppress(KeyboardInterrupt):
        runner.run("Build it.")


def _branched(trace: Recorder) -> None:
    """Another question behind the first answer; of the second the branch knows nothing."""
    turns = [_READ, Turn("It was read."), Turn("It is a line.")]
    first = Recorder()
    _runner(first, turns, session_id="harness/branch").run("Read.", "What is it?")
    parent = Trace.parse(first.text())
    place = next(e.seq for e in parent.of("record.append") if e.data.text == "It was read.")
    branch(_runner(trace, [_READ, _DONE]), parent, place, "Read it again.")


def _branched_open(trace: Recorder) -> None:
    """A branch behind the first of two results: the second call is open there."""
    turn = Turn(calls=[call("read"), call("status")])
    first = Recorder()
    _runner(first, [turn, _DONE], session_id="harness/branch-open-call").run("Read.")
    parent = Trace.parse(first.text())
    place = next(e.seq for e in parent.of("record.append") if e.data.answers is not None)
    branch(_runner(trace, [_DONE]), parent, place, "Never mind.")


def _case(name: str, title: str, stops: Stop, scenario: Any) -> Case:
    return Case(f"harness/{name}", title, stops, scenario)


CASES = (
    _case(
        "interrupted",
        "Ctrl-C in the third of four parallel calls; each has exactly one result",
        Stop.INTERRUPTED,
        _interrupted,
    ),
    _case(
        "denied",
        "a call is not allowed to run, one leaves the program; both have a result",
        Stop.COMPLETED,
        _staged([Turn(calls=[call("remove"), call("leave"), call("read")]), _DONE]),
    ),
    _case(
        "repeated",
        "the same call gives the same result for the fourth time; the model is not asked again",
        Stop.REPEATED,
        _staged([_READ] * 9, repeats=Repeats(), max_turns=20),
    ),
    _case(
        "repeated-error",
        "three different arguments fail in the same words",
        Stop.REPEATED,
        _staged(_rows("one", "two", "three", 4), repeats=Repeats()),
    ),
    _case(
        "alternation",
        "two calls take turns, three times each",
        Stop.REPEATED,
        _staged([*_rows(1, 2) * 4, _DONE], repeats=Repeats(), max_turns=20),
    ),
    _case(
        "polling",
        "the same call five times, but what it says changes: no loop",
        Stop.COMPLETED,
        _staged([Turn(calls=[call("status")])] * 5 + [_DONE], repeats=Repeats()),
    ),
    _case(
        "branch",
        "a branch goes on behind the first answer of another session, and copies nothing",
        Stop.COMPLETED,
        _branched,
    ),
    _case(
        "branch-open-call",
        "a branch begins while a call is open; the call gets its result first",
        Stop.COMPLETED,
        _branched_open,
    ),
)
