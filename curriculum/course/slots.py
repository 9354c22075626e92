"""Where a run has the answer to a question: a locator, read from a trace.

    TYPE ORDINAL FIELD      a field of an event: `tool.result 1 size`, `request 2 r0005.size`
    ... - 5, ... + 5        less or more than that; the other side may be a locator too
    count TYPE              how many events of a type there are
    has TYPE ORDINAL        whether there is such an event
    stop, turns             how the run ended, after how many model calls
    same request 2          whether its bytes are those of the run before the change
    changed request 2       the opposite

`request` is short for context.assemble. A text counts as its length in characters, marker
included where it was cut.
"""

import re
from collections.abc import Iterator
from typing import Any

import attrs

from curriculum.record.cut import content_size
from curriculum.trace.facts import View
from curriculum.trace.reader import Event, Trace

from .exercise import Answer, Slot
from .runs import SourceError

Value = int | str | bool
"""What a question can have as its answer: a number, a word, yes or no."""
TERMS = re.compile(r"\s([-+])\s")
_RECORD = re.compile(r"r\d+\.")


class SlotError(SourceError):
    """A locator that a run has nothing at."""

    code = "exercise-locator"


@attrs.frozen
class Spot:
    """One fact of one event: what a locator of the form TYPE ORDINAL FIELD leads to."""

    event: Event[Any]
    field: str
    ordinal: int

    @property
    def record(self) -> str:
        """The record that the fact is about, if it is a decision on one."""
        parts = self.field.split(".")
        return parts[1] if parts[0] == "decisions" else ""


def value_of(trace: Trace, locator: str, before: Trace | None = None) -> Value:
    """What the run has at a locator. `before` is the run that `same` and `changed` compare with.

    Raises `SlotError`.
    """
    words = locator.split()
    match words:
        case ["stop"] if trace.stop is not None:
            return str(trace.stop.reason)
        case ["turns"] if trace.stop is not None:
            return trace.stop.turns
        case ["count", type]:
            return sum(1 for _ in trace.of(type_of(type)))
        case ["has", type, ordinal] if ordinal.isdigit():
            return sum(1 for _ in trace.of(type_of(type))) >= int(ordinal)
        case [("same" | "changed") as asked, "request", number] if before and number.isdigit():
            same = fingerprint(trace, int(number)) == fingerprint(before, int(number))
            return same if asked == "same" else not same
        case _:
            return _sum(trace, locator)


def answer_at(slot: Slot, trace: Trace, before: Trace | None = None) -> Value:
    """What the run answers to a question; to one for a number, a text by its length.

    Raises `SlotError`.
    """
    value = value_of(trace, slot.read, before)
    number = slot.type is Answer.NUMBER
    return len(value) if number and isinstance(value, str) else value


def number_at(trace: Trace, locator: str) -> int:
    """The number that the run has at a locator of one field. Raises `SlotError`."""
    value = _fact(trace, locator)
    if value is None:
        raise SlotError(f"{trace.name} has no number at {locator!r}.")
    return len(value) if isinstance(value, str) else int(value)


def spots_of(trace: Trace, locator: str) -> Iterator[Spot]:
    """The facts of events that a locator reads, in its order; none for `stop` and its like."""
    for term in TERMS.split(locator)[::2]:
        spot = _spot(trace, term)
        if spot is not None:
            yield spot


def fingerprint(trace: Trace, number: int) -> str | None:
    """The SHA-256 of request `number`, from 1; None if it was not sent."""
    sent = [event.data.fingerprint for event in trace.of("model.request")]
    return sent[number - 1] if 0 < number <= len(sent) else None


def type_of(word: str) -> str:
    """The type of an event that a word of a locator means."""
    return "context.assemble" if word == "request" else word


def _sum(trace: Trace, locator: str) -> Value:
    first, *rest = TERMS.split(locator)
    if not rest:
        value = _fact(trace, first)
        return value if isinstance(value, str) else number_at(trace, first)
    total = _term(trace, first)
    for sign, term in zip(rest[::2], rest[1::2], strict=True):
        total += _term(trace, term) if sign == "+" else -_term(trace, term)
    return total


def _term(trace: Trace, term: str) -> int:
    return int(term) if term.strip().isdigit() else number_at(trace, term.strip())


def _fact(trace: Trace, locator: str) -> Value | None:
    spot = _spot(trace, locator)
    if spot is None:
        return None
    data = spot.event.data
    if spot.field == "text" and spot.event.type == "record.append":
        return content_size(data.whole())
    return View(trace).facts(spot.event).get(spot.field)


def _spot(trace: Trace, locator: str) -> Spot | None:
    parts = locator.split()
    if len(parts) != 3 or not parts[1].isdigit():
        return None
    type, number, field = type_of(parts[0]), int(parts[1]), parts[2]
    events = list(trace.of(type))[max(0, number - 1) : number]
    name = f"decisions.{field}" if _RECORD.match(field) else field
    return Spot(events[0], name, number) if events else None
