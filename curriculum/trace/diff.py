"""Two traces side by side: which facts differ, in causal order.

Events are aligned by the path of their causes, their type and their ordinal, never by seq or
record id: one record more does not make everything after it differ.
"""

import difflib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import attrs

from curriculum.context.manifest import Manifest
from curriculum.record.records import Record

from .facts import Fact, View
from .reader import Event, Trace
from .rule_table import rule_of
from .rules import Derivation, Rule
from .tables import differing


@attrs.frozen
class Difference:
    """One fact that differs. `field` is empty where a whole event is on one side only.

    `left` is the event of the first trace (expected), `right` that of the second (got).
    """

    field: str
    expected: Fact | None
    got: Fact | None
    left: Event[Any] | None
    right: Event[Any] | None
    rule: Rule | None = None

    @property
    def type(self) -> str:
        """The event's type."""
        event = self.left or self.right
        assert event is not None
        return event.type


class Alignment:
    """Which event of one trace answers which of the other."""

    def __init__(self, left: Trace, right: Trace) -> None:
        self._keys: dict[tuple[int, str, int], int] = {}
        self.pairs: list[tuple[Event[Any] | None, Event[Any] | None]]
        # Two runs of one shape, such as before and after one text has changed, need no keys:
        # each event has the key of the one at its place.
        if _same_shape(left, right):
            self.pairs = list(zip(left.events, right.events, strict=True))
        else:
            self.pairs = self._by_key(left, right)
        self.names = {
            b.data.id: a.data.id
            for a, b in self.pairs
            if a is not None and b is not None and a.type == "record.append"
        }
        self.renamed = any(a != b for a, b in self.names.items())

    def _by_key(
        self, left: Trace, right: Trace
    ) -> list[tuple[Event[Any] | None, Event[Any] | None]]:
        same = _in_order(left, right)
        ours = self._keyed(left, {})
        theirs = self._keyed(right, same)
        by_key = dict(zip(theirs, right.events, strict=True))
        pairs = [
            (event, by_key.pop(key, None)) for event, key in zip(left.events, ours, strict=True)
        ]
        seqs = {b.seq: a.seq for a, b in pairs if b is not None}
        found: list[tuple[Event[Any] | None, Event[Any] | None]] = [*pairs]
        for event in by_key.values():  # after what caused it, in its own order
            cause = event.cause or 1
            seqs[event.seq] = seqs.get(cause, cause)
            found.append((None, event))
        found.sort(key=lambda p: (p[0].seq, 0) if p[0] else (seqs[p[1].seq], p[1].seq))  # pyright: ignore
        return found

    def _keyed(self, trace: Trace, ordinals: dict[int, int]) -> list[int]:
        """A key for each event: its cause's key, its type, and its ordinal among the like.

        `ordinals` says which of the first trace's records a record of the start answers.
        """
        keys: list[int] = []
        counts: dict[tuple[int, str], int] = {}
        for event in trace.events:
            parent = keys[event.cause - 1] if event.cause and event.cause < event.seq else -1
            # One prompt less must not make the next one answer it: what the start caused goes
            # by its source. What a run caused goes by its place, whatever it has become.
            kind = f"{event.type} {_own(event)}"
            ordinal = counts[parent, kind] = counts.get((parent, kind), 0) + 1
            ordinal = ordinals.get(event.seq, ordinal)
            keys.append(self._keys.setdefault((parent, kind, ordinal), len(self._keys)))
        return keys

    def name(self, record: str) -> str:
        """The first trace's id of a record of the second; marked if it has none."""
        return self.names.get(record, f"{record}(new)")


def _same_shape(left: Trace, right: Trace) -> bool:
    """Whether the events have the same types and causes, and what started them the same sources."""
    return len(left.events) == len(right.events) and all(
        a is b or (a.type == b.type and a.cause == b.cause and _own(a) == _own(b))
        for a, b in zip(left.events, right.events, strict=True)
    )


def _own(event: Event[Any]) -> str:
    """What a record that the start caused goes by, as it has no cause of its own."""
    return event.data.source if event.type == "record.append" and event.cause == 1 else ""


def _in_order(left: Trace, right: Trace) -> dict[int, int]:
    """For records that the start caused, seq in `right` -> ordinal of the one that it answers.

    Prompts and records of a history have no cause of their own, so they go by what they say:
    one that is gone does not shift all that come after it.
    """
    found: dict[int, int] = {}
    sources = {e.data.source for e in left.of("record.append") if e.cause == 1}
    for source in sorted(sources):
        ours, theirs = _started(left, source), _started(right, source)
        if len(ours) == len(theirs) or max(len(ours), len(theirs)) > 2000:
            continue  # as many on both sides: they answer each other in order
        shown = [[repr(attrs.evolve(e.data, id="r0001")) for e in side] for side in (ours, theirs)]
        spare = len(ours)
        matcher = difflib.SequenceMatcher(None, *shown, autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            for at in range(c, d):
                pairs = tag in ("equal", "replace") and a + at - c < b
                spare += not pairs
                found[theirs[at].seq] = a + at - c + 1 if pairs else spare
    return found


def _started(trace: Trace, source: str) -> list[Event[Any]]:
    appended = trace.of("record.append")
    return [event for event in appended if event.cause == 1 and event.data.source == source]


def _bare(record: Record) -> Record:
    """The record without what only says where it stands."""
    return attrs.evolve(record, id="", answers=None, replaces=None)


_NAMES = ("record", "because", "stopped")
_LISTS = ("front", "back", "replaces")
"""Fields whose values are ids of records: by their own name, or by what they are part of."""


def _translated(facts: dict[str, Fact], alignment: Alignment) -> dict[str, Fact]:
    """Facts of the second trace with the record ids of the first."""
    if not alignment.renamed:
        return facts
    found: dict[str, Fact] = {}
    for field, value in facts.items():
        parts = field.split(".")
        if parts[0] == "decisions":
            parts[1] = alignment.name(parts[1])
        # The id of a call is the model's; only a record's own id stands alone.
        names = parts[-1] in _NAMES or parts[0] in _LISTS or field == "id"
        if names and isinstance(value, str):
            value = alignment.name(value)
        found[".".join(parts)] = value
    return found


class Diff:
    """The differences of two traces, and how each side came to its value."""

    def __init__(self, left: Trace, right: Trace) -> None:
        self.left, self.right = View(left), View(right)
        self.alignment = Alignment(left, right)
        self.differences = tuple(self._find())

    def _find(self) -> Iterator[Difference]:
        for a, b in self.alignment.pairs:
            if a is None or b is None:
                yield Difference("", a and a.type, b and b.type, a, b)
                continue
            if not self.alignment.renamed and (a is b or a.data == b.data):
                continue
            here = there = None
            if a.type == "context.assemble":
                here, there = self._where(a, b)
            ours = self.left.facts(a, here)
            theirs = _translated(self.right.facts(b, there), self.alignment)
            for field in sorted(ours.keys() | theirs.keys(), key=lambda f: _rank(f, ours, theirs)):
                expected, got = ours.get(field), theirs.get(field)
                if expected != got:
                    side, event = (self.left, a) if field in ours else (self.right, b)
                    yield Difference(
                        field, expected, got, a, b, rule_of(side, event, self._own(field))
                    )

    def _where(self, a: Event[Manifest], b: Event[Manifest]) -> tuple[set[int], set[int]]:
        """The positions of each trace at which the tables of two assemblies differ."""
        changed, moved = self._records
        if not self.alignment.renamed and len(moved) == len(self.right.trace.records):
            same = differing(a.data, b.data, changed)
            return same, same
        here = differing(a.data, b.data, changed, moved)
        new = set(range(self.right.known(b))) - moved.keys()
        return here, new | {at for at, place in moved.items() if place in here}

    @cached_property
    def _records(self) -> tuple[set[int], dict[int, int]]:
        """Which positions of the first trace have other contents, and where the second's stand."""
        changed: set[int] = set()
        moved: dict[int, int] = {}
        ours, theirs = (
            {seq: at for at, seq in enumerate(view.rebuild.appended)}
            for view in (self.left, self.right)
        )
        for a, b in self.alignment.pairs:
            if a is None or b is None or a.type != "record.append":
                continue
            place = moved[theirs[b.seq]] = ours[a.seq]
            if a is not b and _bare(a.data) != _bare(b.data):
                changed.add(place)
        return changed, moved

    def _own(self, field: str) -> str:
        return field.replace("(new)", "")

    def derivations(self, difference: Difference) -> tuple[Derivation | None, Derivation | None]:
        """How the fact came about on each side; None where it does not stand."""
        rule, field = difference.rule, difference.field
        if rule is None or rule.derive is None:
            return None, None
        sides: list[Derivation | None] = []
        for view, event in ((self.left, difference.left), (self.right, difference.right)):
            own = field if view is self.left else self._theirs(field)
            known = event is not None and "(new)" not in own
            sides.append(rule.derive(view, event, own) if event and known else None)
        return sides[0], sides[1]

    def _theirs(self, field: str) -> str:
        if not field.startswith("decisions.") or not self.alignment.renamed:
            return field
        back = {a: b for b, a in self.alignment.names.items()}
        _, record, name = field.split(".")
        return f"decisions.{back.get(record, self._own(record))}.{name}"

    def same_operands(self, difference: Difference) -> bool | None:
        """Whether both sides computed the fact from the same operands; None if there are none."""
        ours, theirs = self.derivations(difference)
        if ours is None or theirs is None or not ours.operands or not theirs.operands:
            return None
        named = [(self.alignment.names.get(o.name, o.name), o.value) for o in theirs.operands]
        return [(o.name, o.value) for o in ours.operands] == named


def _rank(field: str, ours: dict[str, Fact], theirs: dict[str, Fact]) -> tuple[int, int]:
    """Fields in the order of the trace, those of the second trace alone last."""
    names = list(ours) if field in ours else list(theirs)
    return (0 if field in ours else 1), names.index(field)
