"""The trace in causal order: what happened, and which event it followed from."""

from collections.abc import Callable
from typing import Any

from curriculum.record.records import Record
from curriculum.trace.facts import View

from .screen import Part, Screen


def show_events(screen: Screen, view: View) -> None:
    """One line an event: seq, type, what it says, and the seq of its cause."""
    for event in view.trace.events:
        says = SAYS[event.type](event.data)
        because = f"  <- {event.cause}" if event.cause is not None else ""
        parts: list[Part] = [
            ("number", f"{event.seq:>4} "),
            f"turn {event.turn} ",
            ("code", f"{event.type:<16} "),
            says,
        ]
        screen.line(*parts, ("quiet", because), indent=12)


def _record(record: Record) -> str:
    what = f"{record.id} {record.kind}, label {record.trust}, by {record.author} ({record.source})"
    if record.cut is not None:
        cut = record.cut
        kept = f"head {len(cut.head)} + tail {len(cut.tail)} of {cut.original} characters"
        handle = f", whole under {cut.artifact}" if cut.artifact else ""
        return f"{what}: {kept}{handle}"
    if record.calls:
        calls = ", ".join(f"{call.id} {call.name} {call.arguments}" for call in record.calls)
        return f"{what}: {len(record.text)} characters, calls {calls}"
    if record.tools:
        return f"{what}: {', '.join(tool.name for tool in record.tools)}"
    return f"{what}: {len(record.text)} characters"


def _assemble(manifest: Any) -> str:
    refused = manifest.refused
    if refused is not None:
        return (
            f"{manifest.trigger}: refused, {refused.reason}: {refused.needed} > {refused.allowed}"
        )
    counts: dict[str, int] = {}
    for entry in manifest.decisions:
        last = int((entry.last or entry.first)[1:])
        counts[entry.decision] = counts.get(entry.decision, 0) + last - int(entry.first[1:]) + 1
    decided = ", ".join(f"{count} {name}" for name, count in counts.items())
    return f"{manifest.trigger}: {decided}; size {manifest.size} <= {manifest.limit}"


SAYS: dict[str, Callable[[Any], str]] = {
    "session.start": lambda d: (
        f"{d.session}: "
        + ", ".join(f"{name} {value}" for name, value in sorted(d.budget.items()))
        + f", max_turns {d.max_turns}; "
        + ", ".join(f"{name} {value}" for name, value in sorted(d.components.items()))
    ),
    "record.append": _record,
    "context.assemble": _assemble,
    "model.request": lambda d: f"{d.bytes} bytes, {d.messages} messages, sha256 {d.fingerprint}",
    "model.response": lambda d: (
        f"finish {d.finish}, {d.text} characters, {d.calls} calls"
        + (f", in {len(d.deltas)} deltas" if d.deltas else "")
        + (f", half a call of {d.half_call} characters dropped" if d.half_call else "")
    ),
    "tool.request": lambda d: f"{d.tool}, call {d.call} of {d.record}",
    "tool.result": lambda d: (
        f"{d.tool} returned {d.size} characters" + (f", failed: {d.failed}" if d.failed else "")
    ),
    "tool.truncate": lambda d: (
        f"gate 1, for good: kept {d.kept} + marker {d.size - d.kept} = {d.size} <= {d.limit};"
        f" {d.missing} missing"
    ),
    "artifact.store": lambda d: f"{d.artifact}: {d.size} characters kept whole",
    "error": lambda d: (
        f"{d.code} " + ", ".join(f"{name} {value}" for name, value in sorted(d.params.items()))
    ),
    "session.stop": lambda d: f"{d.reason} after {d.turns} model calls",
}
