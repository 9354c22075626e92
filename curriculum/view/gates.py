"""The two gates as a small picture: what a tool returned, what the log keeps, what a request shows.

tool 2000 -> [gate 1: 180, for good] -> log 180 -> [gate 2: 300, this request] -> request 2 ...
"""

from itertools import groupby
from typing import Any

import attrs

from curriculum.context.manifest import Decision, Manifest
from curriculum.record.cut import Cut, content_size
from curriculum.record.records import Record
from curriculum.trace.facts import View
from curriculum.trace.reader import Event
from curriculum.trace.rebuild import TableRow, own_entry, positions, sent_of

from .bar import NAMES, by_kind, shares
from .safe import brief
from .screen import Part, Screen

MOST = 12
"""Results that are pictured."""
UNITS = {"chars": "characters", "tokens": "tokens"}


@attrs.frozen
class _Seen:
    """What one request did with a result: its content's size as sent, or a word."""

    request: int
    event: Event[Manifest]
    size: int | None
    says: str
    cut: Cut | None = None


def show_gates(screen: Screen, view: View) -> None:
    """For each result that a gate cut: its size at the tool, in the log, and in each request."""
    pictured, more = 0, 0
    for event in view.trace.of("tool.result"):
        after = view.trace.events[event.seq :]
        record = next((e.data for e in after if e.type == "record.append"), None)
        if record is None:
            continue
        seen = _seen(view, event, record)
        if record.cut is None and all(s.cut is None and s.size is not None for s in seen):
            continue
        if pictured >= MOST:
            more += 1
            continue
        pictured += 1
        screen.gap()
        _picture(screen, view, event, record, seen)
    if more:
        screen.line(f"  ... {more} more results were cut; --json has them all")


def _seen(view: View, result: Event[Any], record: Record) -> list[_Seen]:
    found: list[_Seen] = []
    at = int(record.id[1:]) - 1
    for number, event in enumerate(view.trace.assemblies, 1):
        refused = event.data.refused
        if event.seq < result.seq:
            continue
        if refused is not None:
            if any(need.record == record.id for need in refused.parts):
                found.append(_Seen(number, event, None, "is not sent"))
            continue
        for entry in event.data.decisions:
            if at in positions(entry, view.trace.records):
                found.append(_in_request(number, event, record, own_entry(record, entry)))
    return found


def _in_request(number: int, event: Event[Manifest], record: Record, entry: Decision) -> _Seen:
    if entry.decision == "omitted":
        return _Seen(number, event, None, "omits it")
    sent = sent_of(record, entry)
    if isinstance(sent, str):
        return _Seen(number, event, None, f"shows {len(sent)} of another text")
    size = content_size(sent or record.whole())
    return _Seen(number, event, size, f"shows {size}", sent if entry.head is not None else None)


def _picture(
    screen: Screen, view: View, event: Event[Any], record: Record, seen: list[_Seen]
) -> None:
    budget = view.trace.start.budget
    arrow = screen.mark("→", "->")
    tool = budget.get("max_tool_output_chars", "no ceiling")
    log = content_size(record.whole())
    first: list[Part] = [
        f"tool {event.data.size} {arrow} ",
        ("code", f"[gate 1: {tool}, for good]"),
        f" {arrow} log ",
        ("number", str(log)),
    ]
    second: list[Part] = [
        f"{arrow} ",
        ("code", f"[gate 2: {budget[view.trace.start.ceiling]}, this request]"),
        f" {arrow} ",
        ("number", _requests(seen)),
    ]
    name: list[Part] = ["  ", ("R", "R "), f"{record.id} {brief(event.data.tool)}"]
    if screen.plain:
        screen.line(*name, ": ", *first, " ", *second)
    else:
        screen.line(*name, indent=4)
        wide = sum(len(p if isinstance(p, str) else p[1]) for p in [*first, *second]) + 5
        if wide <= screen.width:
            screen.line("    ", *first, " ", *second)
        else:
            screen.line("    ", *first, indent=9)
            screen.line("      ", *second, indent=8)
    _why(screen, view, event.data.size, record, seen)


def _requests(seen: list[_Seen]) -> str:
    runs: list[str] = []
    for says, group in groupby(seen, key=lambda s: s.says):
        same = list(group)
        first, last = same[0].request, same[-1].request
        named = f"request {first}" if first == last else f"requests {first} to {last}"
        runs.append(f"{named} {says}" if first == last else f"{named} {_plural(says)}")
    return "; ".join(runs) or "no request followed"


def _plural(says: str) -> str:
    return {"omits it": "omit it", "is not sent": "are not sent"}.get(
        says, says.replace("shows", "show")
    )


def _why(screen: Screen, view: View, size: int, record: Record, seen: list[_Seen]) -> None:
    """The sum that leads to what is shown, and what the model did not see."""
    first = next((s for s in seen if s.size is not None), None)
    if first is None:
        return
    if first.cut is not None:
        rows = view.rebuild.table(first.event)
        own = next(row for row in rows if row.record.id == record.id)
        said = _sum(first.event.data, rows, own, first.size or 0)
        screen.line("    ", ("quiet", "why     "), said, indent=12, sums=True)
    cut = first.cut or record.cut
    if cut is not None:
        said = f"{size} returned - head {len(cut.head)} - tail {len(cut.tail)} = {cut.missing}"
        marked: list[Part] = [f"{said} characters; the marker ", ("marker", cut.marker), " says so"]
        screen.line("    ", ("quiet", "unseen  "), *marked, indent=12)


def _sum(manifest: Manifest, rows: list[TableRow], own: TableRow, shown: int) -> str:
    others = [row for row in rows if row is not own]
    terms = [f"{NAMES[mark]} {n}" for mark, n in by_kind(shares(others, manifest.frame or 0))]
    terms = [term.replace("result ", "other results ") for term in terms]
    free = manifest.limit - (manifest.size or 0)
    terms += [f"left free {free}"] if free else []
    if manifest.unit != "chars":  # the request is not counted in what the log is counted in
        left = f"{own.size} {manifest.unit} for the result's line"
        return f"ceiling {manifest.limit} - {' - '.join(terms)} = {left}"
    around = own.size - shown
    terms += [f"the result's own line {around}"] if around else []
    return f"ceiling {manifest.limit} - {' - '.join(terms)} = {shown}"
