"""Two decision tables side by side, range by range.

A long tail that both leave out for the same reason costs nothing, however long it is.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from curriculum.context.manifest import Decision, Manifest

from .facts import ONCE

Spans = list[tuple[int, int, Decision]]


def differing(
    ours: Manifest, theirs: Manifest, changed: set[int], moved: Mapping[int, int] | None = None
) -> set[int]:
    """The positions (from 0) at which two tables decide differently, or over other contents.

    `changed` are positions whose records differ. `moved` says where records of the second trace
    stand in the first; without it they stand at the same place.
    """
    one, two = _spans(ours), _spans(theirs)
    if moved is not None:
        two = _moved(two, moved)
    found = _other_starts(_starts(ours), _starts(theirs, moved))
    for low, high, a, b in _side_by_side(one, two):
        if a is None or b is None or _said(a) != _said(b):
            found.update(range(low, high))
        elif a.decision != "omitted":
            found.update(at for at in range(low, high) if at in changed)
            if a.last is None and a.size != b.size:
                found.add(low)
    return found


def _said(entry: Decision) -> tuple[str | None, ...]:
    return entry.decision, entry.reason, entry.beside


def _moved(spans: Spans, moved: Mapping[int, int]) -> Spans:
    """The ranges where their records stand in the other trace; new records are in none."""
    found: Spans = []
    for first, end, entry in spans:
        for at in range(first, end):
            there = moved.get(at)
            if there is None:
                continue
            if found and found[-1][2] is entry and found[-1][1] == there:
                found[-1] = found[-1][0], there + 1, entry
            else:
                found.append((there, there + 1, entry))
    return sorted(found, key=lambda span: span[0])


def _spans(manifest: Manifest) -> Spans:
    return [
        (int(entry.first[1:]) - 1, int((entry.last or entry.first)[1:]), entry)
        for entry in manifest.decisions
    ]


def _starts(manifest: Manifest, moved: Mapping[int, int] | None = None) -> dict[int, list[object]]:
    """Where each range begins, with the fields that are facts at its first record.

    A record that `because` names is told by its position, as the other trace has another id.
    """
    found: dict[int, list[object]] = {}
    for entry in manifest.decisions:
        facts: list[object] = [getattr(entry, name) for name in ONCE if name != "because"]
        because = entry.because and _place(entry.because, moved)
        first = _place(entry.first, moved)
        if first >= 0:
            found[first] = [*facts, because]
    return found


def _place(record: str, moved: Mapping[int, int] | None) -> int:
    """The record's position in the first trace; -1 if it has none."""
    at = int(record[1:]) - 1
    return at if moved is None else moved.get(at, -1)


def _other_starts(ours: dict[int, list[object]], theirs: dict[int, list[object]]) -> set[int]:
    """Where a range begins whose fields differ: they are facts at its first record."""
    return {at for at in ours.keys() | theirs.keys() if ours.get(at) != theirs.get(at)}


def _side_by_side(
    one: Spans, two: Spans
) -> Iterator[tuple[int, int, Decision | None, Decision | None]]:
    """Stretches over which neither table changes, each with both entries (None: it has none)."""
    edges = sorted(
        {edge for spans in (one, two) for first, end, _ in spans for edge in (first, end)}
    )
    for low, high in pairwise(edges):
        while one and one[0][1] <= low:
            one = one[1:]
        while two and two[0][1] <= low:
            two = two[1:]
        a = one[0][2] if one and one[0][0] <= low else None
        b = two[0][2] if two and two[0][0] <= low else None
        if a is not None or b is not None:
            yield low, high, a, b
