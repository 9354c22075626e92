"""The laws on a branch: it begins where a session was between two steps, and it says where."""

from collections.abc import Iterator
from typing import Any

from curriculum.record.records import Kind

from .branch_events import SessionBranch
from .breach import Breach
from .facts import View
from .reader import Event, Trace
from .rules import Derivation, operand

PLACE = "session.start, or a record that is no thought"


def whole_at(trace: Trace, at: int) -> bool:
    """Whether a session may go on from event `at`: nothing that it belongs with comes after it.

    Behind the start and behind each record it may, but not within an earlier log, nor between a
    thought and its turn. Calls may be open there.
    """
    if not 1 + trace.start.history <= at <= len(trace.events):
        return False
    event = trace.events[at - 1]
    if event.type != "record.append" or event.data.kind is not Kind.THINKING:
        return event.type in ("session.start", "record.append")
    return event.cause == 1  # a thought of an earlier log


def of_branch(view: View, event: Event[SessionBranch]) -> Iterator[Breach]:
    """Every breach of one branch that is not the value of a field."""
    at = event.data.at
    if at != event.seq - 1:
        yield Breach(0, event.seq, "at", event.seq - 1, at, "a branch counts on from its place")
    elif event.cause != at:
        yield Breach(0, event.seq, "cause", at, event.cause, "a branch follows from its place")
    elif not whole_at(view.trace, at):
        yield Breach(0, event.seq, "at", PLACE, view.event(at).type, "where a session may go on")


def branch_records(view: View, event: Event[Any], field: str) -> Derivation:
    """How many records the branch begins with: those of its parent up to the place."""
    known = view.known(event)
    place = operand(view, "at", event.seq, "at")
    return Derivation((place,), f"{known} records up to event {event.data.at}", known)
