"""Small loops of one's own for tests: how one begins, is refused, and goes on."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from curriculum.agent.own_loop import Recording
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.context.choices import Choice
from curriculum.record.law import LawBroken
from curriculum.record.records import Call
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

KEEP = Choice.admit("kept")
READ = Tool("read", lambda: "never run here")
ONE, TWO = (Call("c1", "read"),), (Call("c1", "read"), Call("c2", "read"))


class Loop:
    """A recording and its recorder. Unless told otherwise, the policy is the harness's own."""

    def __init__(self, limit: int = 1000, *, budget: Any = None, **more: Any) -> None:
        self.recorder = Recorder()
        budget = budget or ContextBudget(max_input_chars=limit)
        more = {"policy": "last-two@1", **more}
        self.ours = not isinstance(more["policy"], str)
        self.run = Recording(self.recorder, "my-agent@1", budget=budget, **more)

    def begun(self) -> "Loop":
        """r0001 offers `read`, r0002 is an instruction, r0003 is what the user says."""
        self.run.record("tools", tools=[READ])
        self.run.record("instruction", "Be brief.")
        self.run.record("user", "Read it.")
        return self

    def sent(self) -> "Loop":
        """A request has gone out; the model is answering."""
        self.begun()
        self.run.assemble(rest=None if self.ours else KEEP)
        self.run.request()
        return self

    def asked(self, calls: tuple[Call, ...] = ONE) -> "Loop":
        """The model has asked for calls, in r0004."""
        self.sent()
        self.run.response(calls=calls)
        return self

    def read(self, output: str = "row " * 50) -> "Loop":
        """The call has run; its result is r0005."""
        self.asked()
        self.run.tool_call(0)
        self.run.tool_result(0, output)
        return self

    def refuses(self, code: str, step: Callable[[Recording], object]) -> LawBroken:
        """The step breaks the law of this code: nothing is written, and the run goes on."""
        before, records = self.recorder.text(), self.run.records
        with pytest.raises(LawBroken) as caught:
            step(self.run)
        assert code == caught.value.code
        assert before == self.recorder.text()
        assert records == self.run.records
        return caught.value

    def goes_on(self) -> Trace:
        """The run does what it should have done, to its end; the trace is lawful."""
        run = self.run
        for step in (lambda: run.assemble(rest=KEEP), run.request, lambda: run.response("Done.")):
            for answers in tuple(run._run.session.open):
                run.tool_result(answers.call, "no time", failed="not-run")
            with contextlib.suppress(LawBroken):  # it has taken this step already
                step()
        return self.stopped()

    def stopped(self, reason: str | None = None) -> Trace:
        """The run stops; the trace is lawful."""
        self.run.stop(reason)
        return self.trace()

    def trace(self) -> Trace:
        """What is written; it must be lawful."""
        trace = Trace.parse(self.recorder.text())
        assert [] == [str(breach) for breach in breaches(trace)]
        return trace


def stop_of(trace: Trace) -> str:
    """The reason that a whole trace ends with."""
    assert trace.stop is not None
    return trace.stop.reason
