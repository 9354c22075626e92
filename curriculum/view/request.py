"""One request as it was sent: bar, then its lines with a length gutter, then the decisions."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import attrs

from curriculum.context.manifest import Manifest
from curriculum.context.reasons import REASONS
from curriculum.count.pictures import doubt
from curriculum.record.records import Kind
from curriculum.trace.facts import View
from curriculum.trace.reader import Event
from curriculum.trace.rebuild import TableRow
from curriculum.wire.request import SegmentClass
from curriculum.wire.segments import Segment

from .bar import NAMES, bar, by_kind, letter, shares
from .decisions import show_decisions
from .gates import UNITS
from .ladder import show_ladder
from .safe import ends, many
from .screen import Part, Screen

MANY = 24
"""Lines of a request that are shown; of more, the first and the last."""
T = TypeVar("T")


def show_request(
    screen: Screen, view: View, event: Event[Manifest], number: int, alone: bool = False
) -> None:
    """The request that one assembly led to, or why there is none.

    `alone` is for a request that is shown without the ones before it.
    """
    manifest = event.data
    if manifest.refused is not None:
        _refused(screen, view, event, number)
        return
    rows = view.rebuild.table(event)
    unit = UNITS.get(manifest.unit, manifest.unit)
    whole = view.rebuild.counter.estimate(view.rebuilt(event).text)
    sure = whole.kind == "exact" and whole.value == manifest.size  # parts only bound their whole
    most, how = (
        ("", "") if sure else ("at most ", f", by the {manifest.bound} bound of {manifest.counter}")
    )
    band = f", {manifest.band}" if manifest.band else ""
    screen.head(f"Request {number}: {most}{manifest.size} of {manifest.limit} {unit}{band}{how}")
    lines = list(_lines(view, event))
    order = {line.record: at for at, line in reversed(list(enumerate(lines)))}
    sent = sorted((row for row in rows if row.size), key=lambda row: order[row.record.id])
    _bar(screen, view, manifest, sent, alone or number == 1)
    doubted = doubt(view.rebuild.counter)
    if doubted and any(row.record.kind is Kind.IMAGE for row in sent):
        screen.line("  ", ("bad", "warning"), f"  {doubted}", indent=4)
    screen.gap()
    id = max((len(line.record or "frame") for line in lines), default=5)
    digits = max((len(str(line.length)) for line in lines), default=0)
    pads = max(6, digits), id
    first, hidden, last = some(lines, MANY)
    for line in first:
        _show_line(screen, line, pads)
    if hidden:
        screen.line(f"  ... {many(hidden, 'line')} not shown; --json has them all ...")
    for line in last:
        _show_line(screen, line, pads)
    screen.gap()
    show_ladder(screen, event.data)
    show_decisions(screen, view, event, rows, alone)


def some(items: Sequence[T], most: int) -> tuple[Sequence[T], int, Sequence[T]]:
    """The first and the last items, and how many stand between; all of them if they are few.

    One alone is never hidden: the line that says so would take its place.
    """
    if len(items) <= most + 1:
        return items, 0, ()
    return items[: most // 3], len(items) - most // 3 - most * 2 // 3, items[-(most * 2 // 3) :]


def _bar(screen: Screen, view: View, manifest: Manifest, rows: list[TableRow], first: bool) -> None:
    given = view.trace.start.budget.get("capacity")
    capacity = given if isinstance(given, int) else None
    parts = shares(rows, manifest.frame or 0)
    width = max(16, min(60, screen.width - 6))
    screen.line("  ", *bar(parts, manifest.limit, manifest.reserve, capacity, width))
    said: list[Part] = []
    for mark, size in by_kind(parts):
        said += [" + " if said else "  ", (mark, mark), f" {NAMES[mark]} {size}"]
    free = manifest.limit - (manifest.size or 0)
    full = f", . {free} free" if free else ", full"
    screen.line(*said, f" = {manifest.size} <= ceiling {manifest.limit}{full}", indent=4, sums=True)
    if not manifest.reserve and capacity is None:
        if first or screen.plain:
            screen.line(("quiet", "  reserve not given, capacity not given"), indent=4)
        return
    window = manifest.limit + manifest.reserve
    behind = f"  ceiling {manifest.limit} + / reserve {manifest.reserve} = {window}"
    if capacity is None:
        behind += ", capacity not given"
    if capacity is not None:
        unused = capacity - window
        behind += f" <= capacity {capacity}" + (f", : {unused} unused" if unused else "")
    screen.line(behind, indent=4, sums=True)


@attrs.define
class _Line:
    """One line of a request: its length in the counter's unit, whose it is, and its pieces."""

    length: int
    letter: str
    record: str | None
    segments: list[Segment]


def _lines(view: View, event: Event[Manifest]) -> Iterator[_Line]:
    """The request line by line; a record whose item has several lines gives several."""
    kinds = {record.id: record.kind for record in view.trace.records}
    counter = view.rebuild.counter
    groups: list[list[Segment]] = []
    for segment in view.rebuild.request(event).segments:
        before = groups[-1][-1] if groups else None
        if before is None or before.record != segment.record or _ends_line(before):
            groups.append([])
        groups[-1].append(segment)
    for group in groups:
        record = group[0].record
        mark = letter(kinds[record]) if record else "-"
        length = counter.size("".join(segment.text for segment in group))
        if record and kinds[record] is Kind.IMAGE:  # it is charged by a rule, not as text
            length = view.rebuild.item(int(record[1:]) - 1).size
        yield _Line(length, mark, record, group)
    items = view.rebuilt(event).messages
    if added := counter.around(any(message.tools for message in items)):
        note = Segment(SegmentClass.FRAME, "(no byte: the reply begun, the prompt for tools)")
        yield _Line(added, "-", None, [note])


def _ends_line(segment: Segment) -> bool:
    return segment.kind is SegmentClass.FRAME and segment.text.endswith("\n")


def _show_line(screen: Screen, line: _Line, pads: tuple[int, int]) -> None:
    wide, id = pads
    gutter: list[Part] = [
        ("number", f"{line.length:>{wide}} "),
        (line.letter, f"{line.letter} "),
        ("quiet", f"{line.record or 'frame':<{id}}  "),
    ]
    pieces = [piece for s in line.segments for piece in _piece(screen, line.letter, s)]
    screen.line(*gutter, *pieces, indent=wide + 5 + id, keep=True)


def _piece(screen: Screen, style: str, segment: Segment) -> list[Part]:
    """A piece of the request; blanks at the end of a text and line ends are made visible."""
    text = segment.text
    if segment.kind is SegmentClass.FRAME:
        if text.endswith("\n"):
            return [("code", text[:-1]), ("quiet", screen.mark("↵", "$"))]
        return [("marker" if text.startswith("[-") else "code", text)]
    head, note, tail = ends(text, screen.longest)
    last = tail or head
    blanks = len(last) - len(last.rstrip(" "))
    shown: list[Part] = [(style, head), ("marker", note)] if note else []
    shown.append((style, last[: len(last) - blanks]))
    return [*shown, ("quiet", screen.mark("·", "_") * blanks)]


def _refused(screen: Screen, view: View, event: Event[Manifest], number: int) -> None:
    refused = event.data.refused
    assert refused is not None
    kinds = {record.id: record.kind for record in view.trace.records}
    screen.head(f"Request {number}: not sent")
    reason = REASONS[refused.reason].sentence
    screen.line("  ", ("bad", reason), ("quiet", f" [{refused.reason}]"), indent=2)
    small = refused.reason == "result-does-not-fit"
    for need in refused.parts:
        kind = kinds[need.record]
        least = ", as its marker alone" if small and kind == "result" else ""
        gutter: list[Part] = [("number", f"{need.size:>6} "), (letter(kind), f"{letter(kind)} ")]
        screen.line(*gutter, f"{need.record}  {kind}{least}", indent=9)
    if refused.frame:
        screen.line(("number", f"{refused.frame:>6} "), "- frame")
    terms = [str(n) for n in (refused.frame, *(need.size for need in refused.parts)) if n]
    limit = event.data.limit
    room = f"room {refused.allowed}" if small else f"ceiling {refused.allowed}"
    over = f"{refused.needed - refused.allowed} over"
    screen.line(f"  {' + '.join(terms)} = {refused.needed} > {room}: {over}", indent=4)
    if small:
        stays = limit - refused.allowed
        screen.line(f"  {room} = ceiling {limit} - {stays} that must stay", indent=4)
