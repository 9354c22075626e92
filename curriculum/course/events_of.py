"""Events of a run as an exercise names them, and which of them had to come before which."""

from collections.abc import Iterable
from typing import Any

from curriculum.trace.laws import breaches
from curriculum.trace.reader import Event, Trace

from .exercise import Exercise
from .misconceptions import harness_of, wrong_run
from .runs import case_of, trace_of
from .slots import SlotError

NAMED = "request"
"""What stands for context.assemble in the name of an event."""


def run_of_exercise(exercise: Exercise) -> Trace:
    """The run that an exercise is about: its case, or that under one of its wrong harnesses."""
    if not exercise.harness:
        return trace_of(exercise.case)
    return wrong_run(harness_of(exercise, exercise.harness), case_of(exercise.case))


def event_at(trace: Trace, name: str) -> Event[Any]:
    """The event of a name such as `tool.truncate 1`. Raises `SlotError`."""
    type, _, number = name.partition(" ")
    events = list(trace.of(type))
    at = int(number) if number.isdigit() else 0
    if not 0 < at <= len(events):
        raise SlotError(f"{trace.name} has {len(events)} events {type}; there is no {name!r}.")
    return events[at - 1]


def shown_events(trace: Trace, types: Iterable[str]) -> list[Event[Any]]:
    """The events of these types, in order; `*` stands for all."""
    known = set(types)
    return [event for event in trace.events if event.type in known or "*" in known]


def before(trace: Trace, seq: int) -> set[int]:
    """The events without which this one would not be: its causes, and theirs.

    An assembly reads the whole log, so every record before it is among them. Two events that
    only happen to stand in some order are not.
    """
    found: set[int] = set()
    left = [seq]
    while left:
        event = trace.events[left.pop() - 1]
        causes = [event.cause] if event.cause else []
        if event.type == "context.assemble":
            causes += [e.seq for e in trace.of("record.append") if e.seq < event.seq]
        new = [cause for cause in causes if cause not in found]
        found.update(new)
        left += new
    return found


def path(trace: Trace, first: int, last: int) -> list[int]:
    """From `last` back to `first` by causes; only the two where the way goes by the log."""
    way, seq = [last], trace.events[last - 1].cause
    while seq is not None and seq >= first:
        way.append(seq)
        if seq == first:
            return way
        seq = trace.events[seq - 1].cause
    return [last, first]


def broken_law(trace: Trace, seq: int) -> str:
    """What the law checker says of an event; empty if it keeps all laws."""
    return next((str(breach) for breach in breaches(trace) if breach.seq == seq), "")
