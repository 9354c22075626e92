"""How a recording of one's own loop ends: the stop agrees with the events before it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from curriculum.record.law import LawBroken
from curriculum.record.text import scalar
from curriculum.trace.events import SessionStop, Stop
from curriculum.trace.reader import Event, Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.stops import must_stop

from .model import RunError

if TYPE_CHECKING:
    from .runner import Run


SCRIPT = (Stop.SCRIPT_EXHAUSTED, Stop.SCRIPT_NOT_FINISHED, Stop.EXPECTATION_FAILED)


def lawful_stop(recorder: Recorder, reason: Stop | None) -> Stop:
    """The reason, if the events allow it, or the one that they lead to. Raises `LawBroken`."""
    trace = Trace.parse(recorder.text())
    asked = reason or Stop.COMPLETED
    event = Event(recorder.seq + 1, "session.stop", 0, SessionStop(asked, 0))
    must = must_stop(trace, event)
    if must in (None, asked):
        return asked
    if reason is None:
        return Stop(must)
    last = trace.events[-1].type
    raise LawBroken(0, f"The run cannot stop as {asked}.", f"after {last} it stops as {must}")


def failing(run: "Run", code: str, params: Mapping[str, int | str]) -> None:
    """Write the error and the stop. Calls without a result get one that says so."""
    if code in SCRIPT:
        raise LawBroken(0, f"{code} is said of a script, and this run has none.")
    from .endings import wind_up

    error = RunError(f"The run failed: {code}.")
    error.code = scalar(code)
    error.params = {
        scalar(name): scalar(value) if isinstance(value, str) else value
        for name, value in params.items()
    }
    wind_up(run, error)
