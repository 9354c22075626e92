"""Which reason a run must stop with, by the events before its stop."""

from typing import Any

from .events import BY_FINISH, Finish, Stop
from .reader import Event, Trace

BY_ERROR = {
    "script-exhausted": Stop.SCRIPT_EXHAUSTED,
    "script-not-finished": Stop.SCRIPT_NOT_FINISHED,
    "expectation-failed": Stop.EXPECTATION_FAILED,
}


def must_stop(trace: Trace, stop: Event[Any]) -> str | None:
    """The reason; None if the events before the stop leave it open (an interrupt or a crash)."""
    before = trace.events[: stop.seq - 1]
    last = before[-1]
    if last.type == "error":
        return BY_ERROR.get(last.data.code, Stop.ERROR)
    if last.type == "context.assemble" and last.data.refused is not None:
        return last.data.refused.reason
    responses = [event for event in before if event.type == "model.response"]
    if stop.data.reason == Stop.INTERRUPTED:
        return None
    if not responses:
        return None
    finish = responses[-1].data.finish
    if finish != Finish.TOOL_CALLS:
        return BY_FINISH[finish]
    sent = sum(event.type == "model.request" for event in before)
    return Stop.TURN_LIMIT if sent == trace.start.max_turns else None
