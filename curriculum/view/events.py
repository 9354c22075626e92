"""The trace in causal order: what happened, and which event it followed from."""

from collections.abc import Callable
from typing import Any

from curriculum.context.manifest import Manifest
from curriculum.record.records import Kind, Record
from curriculum.trace.events import ToolRequest
from curriculum.trace.facts import View
from curriculum.trace.reader import Event

from .request import some
from .safe import brief, many
from .screen import Part, Screen

MANY = 240
"""Events that the rich look shows; of more, the first and the last."""


def show_events(screen: Screen, view: View) -> None:
    """One line an event: seq, the seq of its cause, type, what it says."""
    arrow = screen.mark("←", "<-")
    screen.head(f"Trace: what happened, in order ({arrow} n: because of event n)")
    events = view.trace.events
    first, hidden, last = some(events, len(events) if screen.plain else MANY)
    turn = -1
    for event in [*first, None, *last]:
        if event is None:
            if hidden:
                screen.line(f"  ... {many(hidden, 'event')} not shown; --plain has them all ...")
            continue
        if event.turn != turn and not screen.plain:
            turn = event.turn
            screen.line(("quiet", f"turn {turn}" if turn else "before the first turn"))
        show_event(screen, view, event)


def show_event(screen: Screen, view: View, event: Event[Any], causes: bool = True) -> None:
    """The line of one event; without its cause where that is a question."""
    told = causes and event.cause is not None
    because = f"{screen.mark('←', '<-')} {event.cause}" if told else ""
    gutter: list[Part] = [("number", f"{event.seq:>4} "), ("quiet", f"{because:<6} ")]
    if screen.plain:
        gutter.append(f"turn {event.turn} ")
    says = _says(view, event)
    screen.line(*gutter, ("code", f"{event.type:<16} "), says, indent=12)


def _says(view: View, event: Event[Any]) -> str:
    if event.type == "tool.request":
        return _asked(view, event.data)
    if event.type == "context.assemble":
        return _assemble(view, event.data)
    return SAYS[event.type](event.data)


def _asked(view: View, data: ToolRequest) -> str:
    call = view.trace.records[int(data.record[1:]) - 1].calls[data.call]
    return f"{brief(call.id)} {brief(data.tool)}, asked for by {data.record}"


SPOKEN = (Kind.USER, Kind.ASSISTANT)
"""Records whose words are shown: what was asked, and what came of it."""


def _record(record: Record) -> str:
    what = f"{record.id} {record.kind} by {record.author}"
    source = f"(from {brief(record.source)}; trust: {record.trust})"
    if record.cut is not None:
        cut = record.cut
        kept = f"head {len(cut.head)} + tail {len(cut.tail)} of {cut.original} characters"
        handle = f", whole under {cut.artifact}" if cut.artifact else ""
        return f"{what}, {kept}{handle} {source}"
    length = many(len(record.text), "character")
    if record.calls:
        calls = ", ".join(f"{call.id} {call.name} {call.arguments}" for call in record.calls)
        says = f"{length}, " if record.text else ""
        return f"{what}, {says}{many(len(record.calls), 'call')}: {brief(calls, 300)} {source}"
    if record.tools:
        return f"{what}, {brief(', '.join(tool.name for tool in record.tools), 300)} {source}"
    said = f': "{brief(record.text, 60)}"' if record.kind in SPOKEN and record.text else ""
    return f"{what}, {length}{said} {source}"


def _assemble(view: View, manifest: Manifest) -> str:
    trigger = f"for {manifest.trigger}"
    refused = manifest.refused
    if refused is not None:
        return f"{trigger}, refused: {refused.reason}, {refused.needed} > {refused.allowed}"
    counts: dict[str, int] = {}
    for entry in manifest.decisions:
        first, last = int(entry.first[1:]) - 1, int((entry.last or entry.first)[1:])
        some = view.trace.records[first:last] if entry.beside else ()
        whole = sum(record.kind is not Kind.RESULT for record in some)
        for decision, count in ((entry.decision, last - first - whole), ("admitted", whole)):
            counts[decision] = counts.get(decision, 0) + count
    decided = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    band = f", {manifest.band}" if manifest.band else ""
    return f"{trigger}, {decided}; size {manifest.size} <= {manifest.limit}{band}"


def _compact(d: Any) -> str:
    over = f"{d.measured} > {d.limit}" if d.trigger != "explicit" else "it was asked for"
    what = f"{many(d.records, 'record')} from {d.replaces.first} to {d.replaces.last}"
    sums = f", {d.before} -> {d.after}" if d.after is not None else ""
    lost = f": {brief('; '.join(d.lost), 200)}" if d.lost else ""
    code = f" ({brief(d.code)})" if d.code else ""
    return f"{d.trigger}: {over}; {what}{sums}; {d.outcome}{code}{lost}"


def _pairs(values: dict[str, Any]) -> str:
    return brief(", ".join(f"{name} {value}" for name, value in sorted(values.items())), 400)


SAYS: dict[str, Callable[[Any], str]] = {
    "session.start": lambda d: (
        f"{brief(d.session)}: {_pairs(d.budget)}, max_turns {d.max_turns}; {_pairs(d.components)}"
    ),
    "record.append": _record,
    "context.compact": _compact,
    "context.mode": lambda d: (
        f"{d.mode or 'the ordinary mode'}, after {d.was or 'the ordinary mode'}"
    ),
    "model.request": lambda d: (
        f"{many(d.bytes, 'byte')}, {many(d.messages, 'message')}, sha256 {d.fingerprint}"
    ),
    "model.response": lambda d: (
        f"finish {d.finish}, {many(d.text, 'character')}, {many(d.calls, 'call')}"
        + (f", in {many(len(d.deltas), 'delta')}" if d.deltas else "")
        + (f", half a call of {many(d.half_call, 'character')} dropped" if d.half_call else "")
    ),
    "tool.result": lambda d: (
        f"{brief(d.tool)} returned {many(d.size, 'character')}"
        + (f", failed: {d.failed}" if d.failed else "")
        + (f", trusted as {d.trust}" if d.trust else "")
    ),
    "tool.truncate": lambda d: (
        f"gate 1, for good: kept {d.kept} + marker {d.size - d.kept} = {d.size}"
        f" <= {d.limit}{f' {d.unit}, the policy' if d.unit else ''}; {d.missing} missing"
    ),
    "artifact.store": lambda d: f"{d.artifact}: {many(d.size, 'character')} kept whole",
    "session.branch": lambda d: (
        f"{brief(d.session)} goes on from {brief(d.parent)} after event {d.at}, "
        f"with its {many(d.records, 'record')}"
    ),
    "error": lambda d: f"{d.code} {_pairs(d.params)}",
    "session.stop": lambda d: f"{d.reason} after {many(d.turns, 'model call')}",
}
