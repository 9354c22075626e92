"""Each call has exactly one result before the next request: also denied, failed or interrupted."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from curriculum.agent.failures import Denied
from curriculum.agent.own_loop import Recording
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.course.lessons import all_cases
from curriculum.record.records import Call, Kind
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

WIDE = ContextBudget(max_input_chars=5000, max_tool_output_chars=100)


def raising(error: BaseException) -> Callable[[], str]:
    def run() -> str:
        raise error

    return run


TOOLS = ToolRegistry(
    Tool("read", lambda: "a line"),
    Tool("remove", raising(Denied("words that nobody wrote for the model"))),
    Tool("leave", raising(SystemExit(3))),
    Tool("fail", raising(ValueError("words of a library"))),
    Tool("stop", raising(KeyboardInterrupt())),
)


def results(trace: Trace) -> list[str]:
    """The texts of the results, each of which must answer a call of its own."""
    assert [] == [str(breach) for breach in breaches(trace)]
    found = [record for record in trace.records if record.answers is not None]
    calls = [(r.id, n) for r in trace.records for n in range(len(r.calls))]
    assert calls == [(r.answers.record, r.answers.call) for r in found if r.answers]
    return [record.text for record in found]


def run(*names: str, trace: Recorder | None = None) -> Trace:
    """One turn with a call of each tool, and an answer."""
    trace = trace or Recorder()
    turn = Turn(calls=[call(name) for name in names])
    model = ScriptedModel([turn, Turn("Done.")])
    with contextlib.suppress(KeyboardInterrupt):
        AgentRunner(model=model, tools=TOOLS, trace=trace, budget=WIDE).run("Go.")
    return Trace.parse(trace.text())


class StopsAt(Recorder):
    """A recorder at which Ctrl-C comes right before the first event of a type is written."""

    def __init__(self, type: str) -> None:
        super().__init__()
        self.type = type

    def emit(self, type: str, data: Any, **places: Any) -> int:
        if type == self.type:
            self.type = ""
            raise KeyboardInterrupt
        return super().emit(type, data, **places)


def test_between_a_change_of_mode_and_its_request() -> None:
    """The mode that was chosen is known, the request is not: the run ends lawfully all the same."""
    scenario, trace = all_cases()["admission/smaller-mode"].staged, StopsAt("context.assemble")
    assert scenario is not None
    with pytest.raises(KeyboardInterrupt):
        scenario.runner(trace).run(*scenario.prompts)
    read = Trace.parse(trace.text())
    assert ["context.mode", "session.stop"] == [event.type for event in read.events[-2:]]
    assert [] == [str(breach) for breach in breaches(read)]


class TestEachEndOfACall:
    """Whatever becomes of a call, the model reads one result of it, in our words."""

    def test_the_four_ends_in_one_turn(self) -> None:
        trace = run("read", "remove", "leave", "fail")
        assert [
            "a line",
            "denied: remove was not allowed to run",
            "tool-raised: leave raised SystemExit",
            "tool-raised: fail raised ValueError",
        ] == results(trace)
        assert [None, "denied", "tool-raised", "tool-raised"] == [
            event.data.failed for event in trace.of("tool.result")
        ]

    def test_the_next_request_has_a_result_for_each_call(self) -> None:
        """A line for each call and one for each result, and the one that was denied among them."""
        lines = run("read", "remove", "leave", "fail").request(2).text.split("\n")
        assert 4 == sum(line.startswith(("!", "&")) for line in lines)
        assert 4 == sum(line.startswith("=") for line in lines)
        assert "=c2 denied: remove was not allowed to run" in lines

    @pytest.mark.parametrize("at", range(3))
    def test_an_interrupt_among_parallel_calls(self, at: int) -> None:
        """What came before it stands, the others say that they did not finish."""
        names = ["read", "remove", "read"]
        names[at] = "stop"
        said = {"read": "a line", "remove": "denied: remove was not allowed to run"}
        want = [said[name] for name in names[:at]]
        want += [f"interrupted: {name} did not finish" for name in names[at:]]
        trace = run(*names)
        assert want == results(trace)
        assert trace.stop is not None
        assert "interrupted" == trace.stop.reason

    def test_a_denied_call_of_a_loop_of_ones_own_need_not_be_asked_for(self) -> None:
        recorder = Recorder()
        with Recording(recorder, "my-agent@1", budget=WIDE) as own:
            own.record("tools", tools=[Tool("read", lambda: "")])
            own.record("user", "Go.")
            own.assemble()
            own.request()
            own.response(calls=[Call("c1", "read")])
            own.tool_result(0, "the person said no", failed="denied")
        assert ["the person said no"] == results(Trace.parse(recorder.text()))


class PressedTwice(Recorder):
    """A recorder at which Ctrl-C is pressed before an event, and again before `more` later ones."""

    def __init__(self, at: int, more: int) -> None:
        super().__init__()
        self.at, self.left = at, 1 + more

    def emit(self, type: str, data: Any, **more: Any) -> int:
        if self.seq + 1 >= self.at and self.left:
            self.left -= 1
            raise KeyboardInterrupt
        return super().emit(type, data, **more)


class TestTheImpatient:
    """A second Ctrl-C, while the first is written down, changes nothing of what is written."""

    @pytest.mark.parametrize("more", [1, 2, 7])
    def test_before_any_event(self, more: int) -> None:
        whole = len(run("read", "remove", "read").events)
        for at in range(2, whole + 1):
            once = run("read", "remove", "read", trace=PressedTwice(at, 0))
            again = run("read", "remove", "read", trace=PressedTwice(at, more))
            results(again)
            assert once.events == again.events, at

    def test_twice_in_the_tools(self) -> None:
        """A tool that is interrupted while it cleans up."""

        def stubborn() -> str:
            try:
                raise KeyboardInterrupt
            finally:
                raise KeyboardInterrupt

        recorder = Recorder()
        tools = ToolRegistry(Tool("read", stubborn))
        model = ScriptedModel([Turn(calls=[call("read"), call("read")])])
        with pytest.raises(KeyboardInterrupt):
            AgentRunner(model=model, tools=tools, trace=recorder, budget=WIDE).run("Go.")
        assert ["interrupted: read did not finish"] * 2 == results(Trace.parse(recorder.text()))


def test_no_words_of_an_exception_are_in_the_log() -> None:
    trace = run("remove", "fail", "stop")
    for record in trace.records:
        assert "words" not in record.text
    assert {Kind.RESULT} == {record.kind for record in trace.records[-3:]}
