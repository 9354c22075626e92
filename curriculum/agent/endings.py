"""How an output or a run ends early: no call without a result, one error, one stop.

Ctrl-C can come between any two events. What has been written is the truth that this goes by;
events that belong together are written to the last.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from curriculum.context.unworkable import BudgetError
from curriculum.record.artifacts import ArtifactError
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Answers, Kind, Record
from curriculum.record.session import Session
from curriculum.trace import events
from curriculum.trace.events import Stop
from curriculum.trace.reader import Trace

from .failures import builtin_name, failure
from .run_errors import RunError
from .runner import SMALLEST_WITH_HANDLE, START

if TYPE_CHECKING:
    from .runner import AgentRunner, Run


def refusal(runner: "AgentRunner") -> CurriculumError:
    """Why a runner with these limits cannot work."""
    unit, counter = runner.budget.unit, runner.counter
    if counter is not None and counter.unit != unit:
        return BudgetError(
            f"The ceiling is in {unit}, but {counter.id} counts {counter.unit}.",
            "what is limited and what is counted have one unit",
            code="budget-counter-unit",
            next=f"give max_input_{counter.unit}",
        )
    if runner.summariser is not None and runner.policy.pooling is None:
        return CurriculumError(
            f"{runner.policy.id} asks for no summary, so it has no use for a summariser.",
            code="summariser-unused",
            next="give a policy with [compact], or no summariser",
        )
    most = runner.max_turns
    if type(most) is not int or most < 1:
        return CurriculumError(
            f"max_turns is {most!r}; it must be a whole number, at least 1.", code="max-turns"
        )
    if most >= 10**15:
        why = "max_turns has more than 15 digits; a trace cannot hold it."
        return CurriculumError(why, code="max-turns")
    tool = runner.budget.max_tool_output_chars
    return BudgetError(
        f"max_tool_output_chars={tool} has no room for a marker with a handle.",
        f"marker 26 + 2 ends 2 = {SMALLEST_WITH_HANDLE} > {tool}",
        code="budget-tool-ceiling-too-small",
    )


def skip(run: "Run", turn: Record, cause: int, finish: str) -> None:
    """Give the calls of an output that ended early a result that says they were not run."""
    for number, call in enumerate(turn.calls):
        run.take(turn, number, failure("not-run", tool=call.name, finish=finish), cause)


def wind_up(run: "Run", error: BaseException, fresh: bool = True) -> None:
    """Write what is missing of a run that `error` has broken off; nothing if it has stopped.

    Nothing either if the trace is another run's, which `fresh` denies, or has not begun.
    """
    trace = run.trace
    if not fresh or not trace.seq or trace.seqs("session.stop"):
        return
    assembled = trace.seqs("context.assemble")
    run.turn = len(assembled)
    stop, failed = Stop.ERROR, events.Error("raised", {"type": builtin_name(error)})
    if isinstance(error, RunError):
        stop, failed = error.stop, events.Error(error.code, error.params)
    elif isinstance(error, ArtifactError):  # what is written from here on is not stored
        failed, run.runner = events.Error(error.code, {}), attrs.evolve(run.runner, store=None)
    elif isinstance(error, KeyboardInterrupt):
        refused = run.refused if assembled[-1:] == [trace.seq] else None
        stop, failed = refused or Stop.INTERRUPTED, None
    try:
        patient(lambda: written(run))
        if failed is not None:
            patient(lambda: _once(run, "error", failed))
    finally:
        ended = events.SessionStop(stop, len(trace.seqs("model.request")))
        patient(lambda: _once(run, "session.stop", ended))


PATIENCE = 100
"""Further interrupts that are put off until what belongs together is written."""


def patient(step: Callable[[], None]) -> None:
    """Take `step`, which can be taken again, to its end: a second Ctrl-C must not stop it."""
    for _ in range(PATIENCE):
        with suppress(KeyboardInterrupt):
            return step()
    return step()


def written(run: "Run") -> None:
    """Write what is missing, and a result for each call of the last turn that has none.

    It goes by what is written, so it can be done again where it was broken off.
    """
    _finish_writing(run)
    _settle(run)


def _once(run: "Run", type: str, data: Any) -> None:
    if not run.trace.seqs(type):
        run.emit(type, data)


def _finish_writing(run: "Run") -> None:
    """The rest of the history, and of the events that belong together."""
    for record in run.history[len(run.trace.seqs("record.append")) :]:
        run.emit("record.append", record, START)
    cause, before, steps = run.chain
    done = run.trace.seq - before
    for type, data in steps[done:]:
        cause = run.emit(type, data, run.trace.seq if done else cause)
        done += 1


def _settle(run: "Run") -> None:
    """Give every call of the last turn that has no result one that says so."""
    seqs = run.trace.seqs("record.append")
    log = run.session.records[: len(seqs)]
    own = list(enumerate(log))[len(run.history) :]
    turns = [(at, record) for at, record in own if record.kind is Kind.ASSISTANT]
    if not turns:
        return
    at, turn = turns[-1]
    answered = [r.answers.call for _, r in own if r.answers and r.answers.record == turn.id]
    left = [number for number in range(len(turn.calls)) if number not in answered]
    # The session as it is written: an interrupt may have come before its last record was.
    run.session = Session(run.session.id)
    run.session.records = log
    run.session.open = [Answers(turn.id, number) for number in left]
    requests = Trace.parse(run.trace.text()).of("tool.request") if left else ()
    asked = {event.data.call: event.seq for event in requests if event.seq > seqs[at]}
    for number in left:
        output = failure("interrupted", tool=turn.calls[number].name)
        run.take(turn, number, output, asked.get(number, seqs[at]))
