"""The laws on one record: its place, its label, where it comes from, and the names in it."""

from collections.abc import Iterator, Sequence
from typing import Any

from curriculum.record.cut import content_size
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind, Record, Trust, check, record_id, rises

from .breach import Breach
from .compacted import compacted, position_of
from .facts import View
from .reader import Event

OF_A_TURN = {Kind.ASSISTANT: "model.response", Kind.RESULT: "tool.result"}
"""Kinds that a run writes itself, and what must have happened before: nobody hands them in."""


def of_record(view: View, event: Event[Record]) -> Iterator[Breach]:
    """Every breach of one record by itself: laws 0, 2, 5 and 10."""
    record, position = event.data, view.known(event) + 1
    if record.id != record_id(position):
        yield Breach(0, event.seq, "id", record_id(position), record.id, "ids are positions")
    try:
        check(record)
    except CurriculumError as error:
        yield Breach(10, event.seq, "trust", "a lawful label", record.trust, error.headline)
    if record.kind is Kind.RESULT and rises(record.trust, Trust.TOOL):
        yield Breach(10, event.seq, "trust", "tool or lower", record.trust, "trust never rises")
    ceiling = view.trace.start.budget.get("max_tool_output_chars")
    cause = view.event(event.cause).type if event.cause else ""
    if ceiling is not None and cause.startswith(("tool.", "artifact.")):
        size = content_size(record.cut) if record.cut else len(record.text)
        if size > ceiling:
            yield Breach(2, event.seq, "text", ceiling, size, "kept text and marker > tool ceiling")
    yield from _replaces(view, event)
    if position > view.trace.start.history:
        yield from _arrived(view, event, cause)
        yield from _names(event)
    elif cause != "session.start":
        why = "an earlier log comes with the start"
        yield Breach(0, event.seq, "cause", "session.start", cause, why)
    elif view.ordinal(event, "model.response"):
        why = "an earlier log stands before the first answer"
        yield Breach(0, event.seq, "history", "fewer records", view.trace.start.history, why)


def _replaces(view: View, event: Event[Record]) -> Iterator[Breach]:
    """What a summary stands for is earlier, and none of it has a lower label than the summary."""
    record, by, records = event.data, event.data.replaces, view.trace.records
    if by is None:
        return
    at, first, last = view.known(event), position_of(by.first), position_of(by.last)
    if first > last:
        yield Breach(
            0, event.seq, "replaces.first", f"up to {by.last}", by.first, "from first to last"
        )
    if last >= at:
        yield Breach(
            0, event.seq, "replaces.last", "an earlier record", by.last, "what is replaced"
        )
    for number, id in enumerate(by.but):
        if not first <= position_of(id) <= last or id in by.but[:number]:
            between = f"one of {by.first} to {by.last}, once"
            yield Breach(0, event.seq, f"replaces.but.{number}", between, id, "what stays")
    groups = view.reading(event).grouping.groups
    gone = compacted(groups, records, [at])
    members = [one for group in groups if group.members[0] in gone for one in group.members]
    lower = (one for one in sorted(members) if rises(record.trust, records[one].trust))
    if (one := next(lower, None)) is not None:
        why = f"{record_id(one + 1)} is replaced: trust never rises"
        yield Breach(10, event.seq, "trust", records[one].trust, record.trust, why)


def _arrived(view: View, event: Event[Record], cause: str) -> Iterator[Breach]:
    """A session file has no assembly: all of it is a log of some other time."""
    must = OF_A_TURN.get(event.data.kind)
    if cause == "record.append":
        thought = view.event(event.cause or 1)
        turns = event.data.kind in (Kind.THINKING, Kind.ASSISTANT)
        if thought.data.kind is not Kind.THINKING or thought.seq != event.seq - 1 or not turns:
            why = "what a model said follows at once what it thought"
            yield Breach(0, event.seq, "cause", "thinking", thought.data.kind, why)
    elif event.data.kind is Kind.THINKING and cause.startswith("tool."):
        yield Breach(0, event.seq, "cause", "model.response", cause, "only a model thinks")
    if must is not None and cause == "session.start" and view.trace.assemblies:
        law = 5 if event.data.kind is Kind.RESULT else 0
        why = f"a record of kind {event.data.kind} comes from a turn"
        yield Breach(law, event.seq, "cause", must, cause, why)


def _names(event: Event[Any]) -> Iterator[Breach]:
    """What a call is told apart by; only an earlier log may hold others."""
    record: Record = event.data
    tools = [tool.name for tool in record.tools]
    ids, called = [call.id for call in record.calls], [call.name for call in record.calls]
    yield from _apart(event, 0, "tools.{}.name", tools, tools)
    yield from _apart(event, 5, "calls.{}.id", ids, ids)
    yield from _apart(event, 5, "calls.{}.name", called, ())


def _apart(
    event: Event[Any], law: int, field: str, names: Sequence[str], unique: Sequence[str]
) -> Iterator[Breach]:
    """No name is empty, and none of those that are `unique` stands twice."""
    for at, name in enumerate(names):
        if not name or name in unique[:at]:
            why = "calls are told apart by name and id"
            yield Breach(law, event.seq, field.format(at), "a name of its own", name, why)
