"""A scripted model cannot lie: it says what it was given, what it expected, and what was nearest."""

from collections.abc import Callable

import attrs
import pytest

from curriculum.agent.expectations import Expect
from curriculum.agent.run_errors import (
    BadOutput,
    ExpectationFailed,
    RunError,
    ScriptExhausted,
    ScriptNotFinished,
)
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.plain import Plain
from curriculum.wire.protocol import Wire

READ = Turn(calls=[call("read")])


def run(model: ScriptedModel, wire: Wire | None = None) -> Recorder:
    recorder = Recorder()
    runner = AgentRunner(
        model=model,
        trace=recorder,
        tools=ToolRegistry(Tool("read", lambda: "the quick brown fox")),
        budget=ContextBudget(max_input_chars=5000),
        wire=wire or Plain(),
        system_prompt="Be brief.",
    )
    try:
        runner.run("Read it.")
    except RunError:
        last = Trace.parse(recorder.text()).events[-2:]
        assert ["error", "session.stop"] == [event.type for event in last]
        raise
    return recorder


class TestTheScriptsLength:
    """A call too many and a turn left over each raise their own error."""

    def test_exhausted(self) -> None:
        with pytest.raises(ScriptExhausted) as caught:
            run(ScriptedModel([READ]))
        assert "Request 2 has no turn: the script has 1." in str(caught.value)
        assert "script-exhausted" == caught.value.code == caught.value.stop

    def test_exhausted_from_the_start(self) -> None:
        with pytest.raises(ScriptExhausted, match="the script has 0"):
            run(ScriptedModel([]))

    def test_not_finished(self) -> None:
        with pytest.raises(ScriptNotFinished) as caught:
            run(ScriptedModel([Turn("Done."), Turn("More.")]))
        assert {"index": 1, "expected": 2, "got": 1} == caught.value.params
        assert "2 - 1 = 1 turns were never asked for" in str(caught.value)


class TestTurnsAreCheckedWhenGiven:
    """A bad script fails where it is written, not in the middle of a run."""

    @pytest.mark.parametrize(
        "make",
        [
            lambda: ScriptedModel([Turn("x", finish="finished")]),
            lambda: ScriptedModel([Turn("x", finish="tool-calls")]),
            lambda: ScriptedModel([Turn(calls=[call("read")], finish="done")]),
            lambda: ScriptedModel([Turn(calls=[call("")])]),
            lambda: ScriptedModel([Turn("ab", deltas=("a",))]),
        ],
    )
    def test_a_turn_that_contradicts_itself(self, make: Callable[[], object]) -> None:
        with pytest.raises(BadOutput):
            make()

    def test_a_call_without_an_id_is_numbered_in_its_turn(self) -> None:
        model = ScriptedModel([Turn(calls=[call("read"), call("read", id="mine"), call("read")])])
        assert ["c1", "mine", "c3"] == [c.id for c in model.turns[0].calls]


class TestRequestsAreFrozen:
    """What was sent is kept, and nobody can change it afterwards."""

    def test_every_request_is_kept_as_it_was_sent(self) -> None:
        model = ScriptedModel([READ, Turn("Done.")])
        recorder = run(model)
        trace = Trace.parse(recorder.text())
        assert [trace.request(1).body, trace.request(2).body] == [r.body for r in model.requests]

    def test_a_request_cannot_be_changed(self) -> None:
        model = ScriptedModel([Turn("Done.")])
        run(model)
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            model.requests[0].body = b""  # type: ignore[misc]


def fails(expect: Expect, wire: Wire | None = None) -> ExpectationFailed:
    with pytest.raises(ExpectationFailed) as caught:
        run(ScriptedModel([READ, Turn("Done.", expect=expect)]), wire)
    return caught.value


class TestExpectations:
    """What a turn expects of its request; a failure has index, expected, got and nearest."""

    @pytest.mark.parametrize("wire", [Plain(), OpenAIChat()], ids=["plain", "openai-chat"])
    def test_expectations_that_hold_let_the_turn_play(self, wire: Wire) -> None:
        expect = Expect(record="r0005", tool="read", size=5000, text="quick brown")
        run(ScriptedModel([READ, Turn("Done.", expect=expect)]), wire)

    def test_a_record_that_is_not_in_the_request(self) -> None:
        error = fails(Expect(record="r0006"))
        assert (1, "record r0006 in the request") == (
            error.params["index"],
            error.params["expected"],
        )
        assert "r0001, r0002, r0003, r0004, r0005" == error.params["got"]

    @pytest.mark.parametrize("wire", [Plain(), OpenAIChat()], ids=["plain", "openai-chat"])
    def test_a_tool_that_is_not_offered(self, wire: Wire) -> None:
        error = fails(Expect(tool="raed"), wire)
        assert ("tool raed on offer", "read", "read") == (
            error.params["expected"],
            error.params["got"],
            error.params["nearest"],
        )

    def test_a_request_that_is_too_big(self) -> None:
        """+read 6, #Be brief. 11, >Read it. 10, !c1 read {} 12, =c1 and 19 characters 24: 63."""
        error = fails(Expect(size=60))
        assert "at most 60 characters" == error.params["expected"]
        assert "63 characters, 3 over" == error.params["got"]

    def test_a_text_that_is_not_there(self) -> None:
        error = fails(Expect(text="quick red fox"))
        assert "its first 6 characters are there" == error.params["nearest"]

    def test_the_harnesss_own_marks_are_not_text(self) -> None:
        """A mark is not something that the text contains."""
        fails(Expect(text="=c1"))
