"""Places of a trace for people: a record by its id and what it is, a request by its number."""

from typing import Any

from curriculum.record.records import Kind

from .facts import View
from .reader import Event

MOST = 40
"""Characters of a tool's name that stand beside an id; the id is never cut."""


def what(view: View, event: Event[Any], turn: bool = True) -> str:
    """What the record of a `record.append` is: `result of read_file`, `assistant, turn 2`."""
    record = event.data
    if record.answers is not None:
        call = view.rebuild.call(record.answers)
        tool = call.name if call is not None else record.source.removeprefix("tool:")
        return f"result of {tool if len(tool) <= MOST else tool[:MOST] + '...'}"
    if turn and record.kind is Kind.ASSISTANT and event.turn:
        return f"assistant, turn {event.turn}"
    return str(record.kind)


def named(view: View, event: Event[Any], turn: bool = True) -> str:
    """The record of a `record.append`: its id, then what it is."""
    return f"{event.data.id} ({what(view, event, turn)})"


def decided(view: View, other: View, record: str, turn: bool = True) -> str:
    """The same for a record that a decision names.

    `r0007(new)` is one of the `other` trace alone, which has no partner in this one.
    """
    own = record.removesuffix("(new)")
    at = view if own == record else other
    event = at.event(at.appended(own))
    return named(at, event, turn) if own == record else f"{own} ({what(at, event, turn)}, new)"


def place(view: View, other: View, event: Event[Any], field: str) -> str:
    """A field of an event; where it is about one record, that record in its words."""
    if event.type == "record.append":
        return f"{named(view, event)} {field}".rstrip()
    parts = field.split(".")
    if parts[0] != "decisions":
        return field
    return f"{decided(view, other, parts[1])} {parts[2]}"
