"""How a recording of one's own loop ends: the stop agrees with the events before it."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from curriculum.record.law import LawBroken
from curriculum.record.records import Kind
from curriculum.record.text import scalar
from curriculum.trace.events import SessionStop, Stop
from curriculum.trace.reader import Event, Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.stops import must_stop

from .run_errors import RunError

if TYPE_CHECKING:
    from .runner import Run


SCRIPT = (Stop.SCRIPT_EXHAUSTED, Stop.SCRIPT_NOT_FINISHED, Stop.EXPECTATION_FAILED)
_CODE = re.compile(r"[a-z0-9][a-z0-9._-]*\Z")


def lawful_stop(recorder: Recorder, reason: Stop | None) -> Stop:
    """The reason, if the events allow it, or the one that they lead to. Raises `LawBroken`."""
    trace = Trace.parse(recorder.text())
    asked = reason or _usual(trace)
    event = Event(recorder.seq + 1, "session.stop", 0, SessionStop(asked, 0))
    must = must_stop(trace, event)
    if must in (None, asked):
        return asked
    if reason is None:
        return Stop(must)
    last = trace.events[-1].type
    raise LawBroken(0, f"The run cannot stop as {asked}.", f"after {last} it stops as {must}")


def _usual(trace: Trace) -> Stop:
    """A loop that ends while something waits for the model, at its limit, was ended by it."""
    sent = sum(1 for _ in trace.of("model.request"))
    waits = trace.records[-1:] and trace.records[-1].kind in (Kind.USER, Kind.RESULT)
    return Stop.TURN_LIMIT if waits and sent == trace.start.max_turns else Stop.COMPLETED


def failing(run: "Run", code: str, params: Mapping[str, int | str]) -> None:
    """Write the error and the stop. Calls without a result get one that says so."""
    if not isinstance(code, str) or not _CODE.match(code):  # pyright: ignore
        raise LawBroken(0, f"{code!a} is no code of an error.", "such as: model-timeout")
    if code in SCRIPT:
        raise LawBroken(0, f"{code} is said of a script, and this run has none.")
    for name, value in params.items():
        if type(value) not in (int, str):
            raise TypeError(f"{name} is a whole number or text, not {type(value).__name__}")
        if isinstance(value, int) and abs(value) >= 10**15:
            raise LawBroken(0, f"{name} has more than 15 digits; a trace cannot hold it.")
    from .endings import wind_up

    error = RunError(f"The run failed: {code}.")
    error.code = code
    error.params = {
        scalar(name): scalar(value) if isinstance(value, str) else value
        for name, value in params.items()
    }
    wind_up(run, error)


def broken_off(run: "Run", error: BaseException) -> None:
    """Write that `error` has ended the loop. A refused step goes by the law it would break."""
    from .endings import wind_up

    named = error
    if isinstance(error, LawBroken):
        named = RunError(error.headline)
        named.code = error.code
    wind_up(run, named)
