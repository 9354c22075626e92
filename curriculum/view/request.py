"""One request as it was sent: bar, lines with a length gutter, decisions with their sums."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from curriculum.context.manifest import Manifest
from curriculum.context.reasons import REASONS
from curriculum.trace.facts import View
from curriculum.trace.reader import Event
from curriculum.trace.rebuild import TableRow
from curriculum.trace.rules import rule_of
from curriculum.wire.request import Segment, SegmentClass

from .bar import bar, letter
from .screen import Part, Screen

UNITS = {"chars": "characters", "tokens": "tokens"}
MANY = 24
"""Rows of a table or lines of a request that are shown one by one before ranges are used."""


def show_request(screen: Screen, view: View, event: Event[Manifest], number: int) -> None:
    """The request that one assembly led to, or why there is none."""
    manifest = event.data
    unit = UNITS.get(manifest.unit, manifest.unit)
    if manifest.refused is not None:
        _refused(screen, view, event, number)
        return
    rows = view.rebuild.table(event)
    screen.head(f"Request {number}: {manifest.size} of {manifest.limit} {unit}")
    width = min(60, screen.width - 24)
    screen.line("  ", *bar(rows, manifest.limit, manifest.reserve, width))
    room = manifest.limit - (manifest.size or 0)
    numbers = f"  ceiling {manifest.limit} - sent {manifest.size} = free {room}"
    screen.line(numbers + _reserve(view, manifest), indent=2)
    screen.gap()
    for line in _lines(screen, view, event):
        screen.line(*line, indent=12)
    screen.gap()
    runs = list(_runs(rows))
    for run in runs[:MANY]:
        screen.line(*decision(view, event, run), indent=8)
    if len(runs) > MANY:
        screen.line(f"  ... {len(runs) - MANY} more decisions; --json has them all")
    _sum(screen, view, event, rows)


def _reserve(view: View, manifest: Manifest) -> str:
    capacity = view.trace.start.budget.get("capacity")
    if capacity is None:
        given = "not given" if not manifest.reserve else str(manifest.reserve)
        return f"; reserve {given}, capacity not given"
    total = manifest.limit + manifest.reserve
    sums = f"ceiling {manifest.limit} + reserve {manifest.reserve} = {total} <= capacity {capacity}"
    return f"; {sums}"


def _lines(screen: Screen, view: View, event: Event[Manifest]) -> Iterator[list[Part]]:
    """Each record's item with its length in the gutter; trailing blanks and line ends visible."""
    kinds = {record.id: record.kind for record in view.trace.records}
    groups: list[tuple[str | None, list[Segment]]] = []
    for segment in view.rebuild.request(event).segments:
        if not groups or groups[-1][0] != segment.record:
            groups.append((segment.record, []))
        groups[-1][1].append(segment)
    size = view.rebuild.counter.size
    for name, segments in groups[:MANY]:
        letters = letter(kinds[name]) if name else "-"
        length = size("".join(segment.text for segment in segments))
        shown = [_piece(screen, letters, segment) for segment in segments]
        gutter: list[Part] = [("number", f"{length:>6} "), (letters, f"{letters} ")]
        yield [*gutter, ("quiet", name or "frame"), " ", *shown]
    if len(groups) > MANY:
        yield [f"  ... {len(groups) - MANY} more items; --json has them all"]


def _piece(screen: Screen, style: str, segment: Segment) -> Part:
    text = segment.text
    if text.endswith("\n") and segment.kind is SegmentClass.FRAME:
        return ("quiet", text[:-1] + screen.mark("↵", "$"))
    if segment.kind is SegmentClass.FRAME:
        return ("marker", text) if text.startswith("[-") else ("code", text)
    blanks = len(text) - len(text.rstrip(" "))
    dots = screen.mark("·", "_") * blanks
    return (style, text[: len(text) - blanks] + dots) if blanks else (style, text)


def _runs(rows: list[TableRow]) -> Iterator[list[TableRow]]:
    """Omitted neighbours with one reason together, everything else by itself."""
    for _, group in groupby(
        rows, key=lambda r: r.entry.first if r.decision == "omitted" else r.record.id
    ):
        yield list(group)


def decision(view: View, event: Event[Manifest], run: list[TableRow]) -> list[Part]:
    """One candidate or omitted run: the decision, the reason in words, the sum in numbers."""
    row, last = run[0], run[-1].record.id
    name = row.record.id if len(run) == 1 else f"{row.record.id}..{last} ({len(run)} records)"
    at = f"decisions.{row.record.id}.reason"
    derive = rule_of(view, event, at).derive
    assert derive is not None
    sums = derive(view, event, at).sum
    parts: list[Part] = [
        (letter(row.record.kind), f"  {letter(row.record.kind)} "),
        f"{name} {row.decision:<8} ",
        ("code", row.reason),
        f": {REASONS[row.reason].sentence}",
    ]
    return [*parts, ("quiet", f" ({sums})")] if sums else parts


def _sum(screen: Screen, view: View, event: Event[Manifest], rows: list[TableRow]) -> None:
    manifest = event.data
    sent = [row for row in rows if row.size]
    if len(sent) > MANY:
        return
    terms = [f"{row.record.id} {row.size}" for row in sent]
    if manifest.frame:
        terms.insert(0, f"frame {manifest.frame}")
    screen.line(f"  sum: {' + '.join(terms)} = {manifest.size} <= {manifest.limit}", indent=8)


def _refused(screen: Screen, view: View, event: Event[Manifest], number: int) -> None:
    refused = event.data.refused
    assert refused is not None
    screen.head(f"Request {number}: not sent")
    screen.line(("bad", f"  {refused.reason}"), f": {REASONS[refused.reason].sentence}", indent=4)
    terms = [f"{need.record} {need.size}" for need in refused.parts]
    start = [f"frame {refused.frame}"] if refused.frame else []
    over = refused.needed - refused.allowed
    what = "room" if refused.reason == "result-does-not-fit" else "limit"
    sums = f"{' + '.join([*start, *terms])} = {refused.needed} > {what} {refused.allowed}"
    screen.line(f"  sum: {sums}, {over} over ({refused.limit})", indent=8)
    if refused.reason == "result-does-not-fit":
        ladder: Any = view.ladder(event)
        screen.line(f"  room: limit {event.data.limit} - protected and frame = {ladder.start_room}")
