"""Which reason a run must stop with, by the events before its stop."""

from typing import Any

from curriculum.record.records import Kind

from .compacting_events import Compacted
from .events import BY_FINISH, Finish, Stop
from .reader import Event, Trace
from .repeat_laws import repeated

BY_ERROR = {
    "script-exhausted": Stop.SCRIPT_EXHAUSTED,
    "script-not-finished": Stop.SCRIPT_NOT_FINISHED,
    "expectation-failed": Stop.EXPECTATION_FAILED,
}


def must_stop(trace: Trace, stop: Event[Any]) -> str | None:
    """The reason; None where the events leave it open.

    An interrupt comes from outside, so it may stand wherever no error and no refusal does.
    """
    before = trace.events[: stop.seq - 1]
    last = before[-1]
    if last.type == "error":
        return BY_ERROR.get(last.data.code, Stop.ERROR)
    if last.type == "context.assemble" and last.data.refused is not None:
        return last.data.refused.reason
    if last.type == "context.compact" and last.data.outcome is Compacted.LOST:
        return Stop.COMPACTION_LOST
    if stop.data.reason == Stop.INTERRUPTED:
        return None
    if "harness" in trace.start.components and last.type == "record.append":
        return _of_own_loop(trace, stop)
    if last.type != "record.append" or trace.start.history == len(trace.records):
        return Stop.INTERRUPTED
    sent = sum(event.type == "model.request" for event in before)
    said = [event.data.finish for event in before if event.type == "model.response"]
    waits = last.data.kind in (Kind.USER, Kind.RESULT) and (
        last.data.kind is Kind.USER or said[-1:] == [Finish.TOOL_CALLS]
    )
    if waits:  # the next request would have been made, but for the limit
        if sent == trace.start.max_turns:
            return Stop.TURN_LIMIT
        return Stop.REPEATED if repeated(trace, stop.seq) is not None else Stop.INTERRUPTED
    return BY_FINISH.get(said[-1], Stop.INTERRUPTED) if said else Stop.INTERRUPTED


def _of_own_loop(trace: Trace, stop: Event[Any]) -> str | None:
    """A loop of one's own may end when it likes, but not say that the limit did it if it did not.

    An output that ended early is no completed run.
    """
    before = trace.events[: stop.seq - 1]
    sent = sum(event.type == "model.request" for event in before)
    said = [event.data.finish for event in before if event.type == "model.response"]
    early = BY_FINISH.get(said[-1], Stop.COMPLETED) if said else Stop.COMPLETED
    if before[-1].data.kind is not Kind.ASSISTANT:
        early = Stop.COMPLETED
    if stop.data.reason == Stop.TURN_LIMIT and sent == trace.start.max_turns:
        return None
    return early
