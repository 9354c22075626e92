"""Which records a later one makes needless, found by rule as the log grows.

Each finding names the next record that takes the earlier one's place: the same text, the same
question asked again, the whole of a preview, a later word on the same subject. A record of lower
trust takes no one's place: what a tool says cannot overrule a person.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from curriculum.record.argument_value import argument_value, spelled
from curriculum.record.records import Call, Kind, Record, rises

from .pooling import Again

NARRATED = (Kind.ASSISTANT, Kind.MEMORY, Kind.SKILL, Kind.PLAN, Kind.HANDOFF)
"""Kinds of which a later record of the same text makes the earlier one needless."""
FAMILIES = {Kind.APPROVAL: "permission", Kind.DENIAL: "permission"}
"""Kinds that overrule each other; any other kind overrules only its own."""
OVERRULED = (Kind.APPROVAL, Kind.DENIAL, Kind.PLAN, Kind.MEMORY, Kind.SKILL, Kind.HANDOFF)
ABOUT = "about:"
"""How the tag begins that names a record's subject."""


@attrs.frozen
class Needless:
    """Why the record at position `at` is needless: the ladder's step, the reason, the later one."""

    at: int
    step: str
    reason: str
    because: int


class Standing:
    """What is known of a log so far: the last record under each key."""

    def __init__(self, again: Iterable[Again]) -> None:
        self._again = {one.tool: one.argument for one in again}
        self._last: dict[tuple[str, ...], tuple[int, Record]] = {}
        self._previews: dict[str, list[tuple[int, Record]]] = {}
        self._turn: dict[int, int] = {}

    def read(self, at: int, record: Record, turn: int, call: Call | None) -> Iterator[Needless]:
        """What the record at `at`, which can be sent, makes needless. `turn` is the position of the
        turn it belongs to, or its own; `call` what it answers.

        Results of one turn never make each other needless: the model asked for all of them.
        """
        self._turn[at] = turn
        value = argument_value(call.arguments) if call is not None else None
        for step, reason, key in _keys(record, call, value, self._again):
            before, earlier = self._last.get(key, (at, record))
            if rises(earlier.trust, record.trust):
                continue
            self._last[key] = at, record
            if self._turn[before] != turn:
                yield Needless(before, step, reason, at)
        for handle in _handles(value):
            stay: list[tuple[int, Record]] = []
            for before, earlier in self._previews.pop(handle, ()):
                if self._turn[before] == turn or rises(earlier.trust, record.trust):
                    stay.append((before, earlier))
                else:
                    yield Needless(before, "previews", "stale-preview", at)
            if stay:
                self._previews[handle] = stay
        if record.kind is Kind.RESULT and record.cut is not None and record.cut.artifact:
            self._previews.setdefault(record.cut.artifact, []).append((at, record))


def _keys(
    record: Record, call: Call | None, value: Any, again: dict[str, str]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The keys of a record: whoever has the same one later takes its place.

    `value` is that of the arguments of the call that it answers.
    """
    kind, text = record.kind, record.text
    if call is not None:
        whole = record.whole()
        if whole.original:
            yield "duplicates", "duplicate", ("result", whole.sha256)
        yield "superseded", "asked-again", ("call", *_asked(call, value, again))
    elif kind in NARRATED and text and not record.calls:
        yield "duplicates", "duplicate", (kind, text)
    if kind in OVERRULED and (subject := _subject(record)) is not None:
        yield "superseded", "overruled", ("about", FAMILIES.get(kind, kind), subject)


def _subject(record: Record) -> str | None:
    """What a record is about; a plan without a subject is the plan of the whole task."""
    subjects = [tag.removeprefix(ABOUT) for tag in record.tags if tag.startswith(ABOUT)]
    if not subjects:
        return "" if record.kind is Kind.PLAN else None
    return subjects[0]


def _asked(call: Call, arguments: Any, again: dict[str, str]) -> tuple[str, ...]:
    argument = again.get(call.name)
    if argument is not None and isinstance(arguments, dict) and argument in arguments:
        return call.name, argument, spelled(arguments[argument])
    return call.name, spelled(arguments)


def _handles(read: Any) -> list[str]:
    """The values in a call's arguments that could be handles."""
    values: list[Any] = list(read.values()) if isinstance(read, dict) else []  # pyright: ignore
    return [value for value in values if isinstance(value, str)]
