"""The one table of how each fact comes about: rule, operands with their places, formula.

The law checker recomputes facts by it; the explainer follows it from a fact that differs to the
input that changed. A field is an input (nothing in the trace explains it), a copy of another
fact, or derived by a formula.
"""

from collections.abc import Callable
from typing import Any, Literal

import attrs

from curriculum.record.cut import marker
from curriculum.record.text import sha256

from .facts import Fact, Place, View
from .reader import Event

UNKNOWN = "\0unknown"
"""The value of a fact that the trace alone cannot recompute."""


@attrs.frozen
class Operand:
    """A number or text that a fact was computed from, and where it stands."""

    name: str
    value: Fact
    place: Place


@attrs.frozen
class Derivation:
    """How one fact came about: operands, the sum in numbers, and the value it must have."""

    operands: tuple[Operand, ...]
    sum: str = ""
    value: Fact | None = UNKNOWN


Derive = Callable[[View, Event[Any], str], Derivation]


@attrs.frozen
class Rule:
    """How a field of an event type comes about. `words` is the formula, or an input's name."""

    kind: Literal["input", "copy", "derived"]
    words: str
    law: int = 0
    derive: Derive | None = None


def operand(view: View, name: str, seq: int, field: str) -> Operand:
    """The fact at a place of this trace, as an operand."""
    value: Any = view.event(seq).data
    for part in field.split("."):
        value = value.get(part) if hasattr(value, "get") else getattr(value, part)
    return Operand(name, value, Place(seq, field))


def item_operand(view: View, record: str) -> Operand:
    """The size of a record's whole item, which follows from its content; 0 if it has none."""
    at = int(record[1:]) - 1
    size = view.rebuild.item(at).size if view.rebuild.spellable(at) else 0
    content = "cut" if view.trace.records[int(record[1:]) - 1].cut else "text"
    return Operand(record, size, Place(view.appended(record), content))


def copy_of(find: Callable[[View, Event[Any]], Operand | None]) -> Derive:
    """A derivation that repeats another fact."""

    def derive(view: View, event: Event[Any], field: str) -> Derivation:
        found = find(view, event)
        return Derivation((found,), "", found.value) if found else Derivation(())

    return derive


def from_start(field: str) -> Derive:
    """A copy of a field of session.start."""
    return copy_of(lambda view, event: operand(view, field.split(".")[-1], 1, field))


def from_cause(type: str, field: str) -> Derive:
    """A copy of a field of the nearest cause of this type."""

    def find(view: View, event: Event[Any]) -> Operand | None:
        cause = view.before(event, type)
        return operand(view, f"{type} {field}", cause.seq, field) if cause else None

    return copy_of(find)


def kept(view: View, event: Event[Any], field: str) -> Derivation:
    """Gate 1: what the ceiling leaves beside the marker."""
    data = event.data
    limit = operand(view, "max_tool_output_chars", 1, "budget.max_tool_output_chars")
    result = view.before(event, "tool.result")
    operands = [limit]
    if result is not None:
        operands += [operand(view, "original", result.seq, "size")]
        operands += [operand(view, "text", result.seq, "sha256")]
    cut = [e.data.cut for e in view.effects.get(event.seq, []) if e.type == "record.append"]
    value = cut[0].kept if cut and cut[0] else UNKNOWN
    sums = f"kept {data.kept} + marker {data.size - data.kept} = {data.size} <= {limit.value}"
    return Derivation(tuple(operands), sums, value)


def artifact(view: View, event: Event[Any]) -> str | None:
    """The handle under which the whole of a cut result is kept, if it is."""
    stored = view.before(event, "artifact.store")
    return stored.data.artifact if stored is not None and stored.seq == event.cause else None


def missing(view: View, event: Event[Any], field: str) -> Derivation:
    """Gate 1: what is gone from the tool's original."""
    result = view.before(event, "tool.result")
    if result is None:
        return Derivation(())
    size, left = result.data.size, event.data.kept
    operands = (
        operand(view, "original", result.seq, "size"),
        operand(view, "kept", event.seq, "kept"),
    )
    return Derivation(operands, f"original {size} - kept {left} = {size - left}", size - left)


def cut_size(view: View, event: Event[Any], field: str) -> Derivation:
    """Gate 1: kept text and marker."""
    data = event.data
    mark = len(marker(data.missing, artifact(view, event)))
    operands = (
        operand(view, "kept", event.seq, "kept"),
        operand(view, "missing", event.seq, "missing"),
    )
    return Derivation(
        operands, f"kept {data.kept} + marker {mark} = {data.kept + mark}", data.kept + mark
    )


def kept_end(view: View, event: Event[Any], field: str) -> Derivation:
    """Which end of a result the log keeps."""
    truncate = view.before(event, "tool.truncate")
    if truncate is None:
        return Derivation(())
    operands = (operand(view, "kept", truncate.seq, "kept"), *kept(view, truncate, field).operands)
    cut = event.data.cut
    sums = f"head {len(cut.head)} + tail {len(cut.tail)} = kept {cut.kept}"
    return Derivation(operands, sums)


def result_text(view: View, event: Event[Any], field: str) -> Derivation:
    """The whole text of a result is the tool's output."""
    result = view.before(event, "tool.result")
    if result is None:
        return Derivation(())
    found = operand(view, "output", result.seq, "sha256")
    same = sha256(event.data.text) == result.data.sha256
    return Derivation(
        (found,), "sha256 of the text = sha256 of the output", event.data.text if same else ""
    )


def candidates(view: View, event: Event[Any], field: str) -> Derivation:
    """Every record before the assembly, but opaque ones."""
    known = view.known(event)
    skipped = known - view.candidates_before(known)
    count = Operand("records", known, Place(event.seq, "cause"))
    return Derivation((count,), f"{known} records - {skipped} opaque", known - skipped)


def room(view: View, event: Event[Any], field: str) -> Derivation:
    """What the frame and the protected records leave of the ceiling."""
    if view.declared or view.pool_log is not None:
        return Derivation((), "", None)
    ladder = view.ladder(event)
    limit = operand(view, "limit", event.seq, "limit")
    parts = [item_operand(view, record) for record in ladder.parts]
    spelled = " + ".join(str(part.value) for part in parts) or "0"
    sums = (
        f"limit {limit.value} - frame {ladder.frame} - protected ({spelled}) = {ladder.start_room}"
    )
    value = None if ladder.refused else ladder.start_room
    return Derivation((limit, *parts), sums, value)


def request_sum(view: View, event: Event[Any], field: str) -> Derivation:
    """Size, bytes, frame, messages and fingerprint of the request that the decisions rebuild."""
    manifest = event.data
    if manifest.refused is not None:
        return Derivation((), "", None)
    rebuilt = view.rebuilt(event)
    sizes = list(rebuilt.sizes.values())
    size = rebuilt.frame + sum(sizes)
    values: dict[str, Fact] = {
        "size": rebuilt.size,
        "bytes": rebuilt.byte,
        "frame": rebuilt.frame,
        "messages": rebuilt.lines,
        "fingerprint": rebuilt.fingerprint,
    }
    operands = (
        Operand("what is sent", rebuilt.content, Place(event.seq, "decisions")),
        operand(view, "wire", 1, "components.wire"),
        operand(view, "counter", 1, "components.counter"),
    )
    spelled = " + ".join(map(str, sizes)) or "0"
    sums = f"frame {rebuilt.frame} + {spelled} = {size} <= limit {manifest.limit}"
    return Derivation(operands, sums, values[field])


def decision(view: View, event: Event[Any], field: str) -> Derivation:
    """One fact of one candidate's decision, by the ladder of the policy."""
    _, record, name = field.split(".")
    ladder, at = view.ladder(event), int(record[1:]) - 1
    step = ladder.step(at)
    facts: dict[str, Fact] = {"decision": step.decision, "reason": step.reason, **step.fields}
    because = step.fields.get("because")
    later = [item_operand(view, because)] if isinstance(because, str) else []
    place = Place(event.seq, "room" if view.pool_log is None else "decisions")
    numbers = [Operand(k, v, place) for k, v in step.sum.items() if k != "room"]
    # Under pools the numbers say more than all that they come from, so they stand before it.
    known = given(view, event)
    shown = [*known, *later, *numbers] if view.pool_log is None else [*later, *numbers, *known]
    operands = (item_operand(view, record), *shown)
    told = spell_step(step.reason, {**step.sum, **step.fields})
    return Derivation(operands, told, facts.get(name))


def given(view: View, event: Event[Any]) -> list[Operand]:
    """What a decision is computed from beside the record itself and the numbers of its sum.

    Newest first, the room sums up all that stands before; under pools no single number does.
    """
    if view.pool_log is None:
        return [operand(view, "room", event.seq, "room")]
    budget = view.trace.start.budget
    limits = [name for name in ("max_messages", view.trace.start.ceiling) if name in budget]
    return [
        operand(view, "policy", 1, "components.policy"),
        operand(view, "wire", 1, "components.wire"),
        operand(view, "counter", 1, "components.counter"),
        *[operand(view, name, 1, f"budget.{name}") for name in limits],
        Operand("the log", view.said(event), Place(event.seq, "cause")),
    ]


def spell_step(reason: str, n: dict[str, int | str]) -> str:
    """The arithmetic of one decision, in numbers."""
    if reason == "newest":
        return f"takes {n['takes']} <= room {n['room']}"
    if reason == "beside-cut":
        own = f"; itself {n['size']} <= share {n['share']}" if "share" in n else ""
        return f"call and results take {n['takes']} > room {n['room']}{own}"
    if reason == "cut-to-room":
        left = int(n["room"]) - int(n["turn"])
        shared = f"{left} for {n['results']} results, share" if n["results"] != 1 else "share"
        mark, ends = len(marker(int(n["missing"]))), int(n["head"]) + int(n["tail"])
        rest = int(n["size"]) - ends - mark
        return (
            f"room {n['room']} - the call {n['turn']} = {shared} {n['share']} < whole {n['full']}; "
            f"head {n['head']} + marker {mark} + tail {n['tail']} + line {rest} = {n['size']}; "
            f"{n['missing']} missing"
        )
    if reason == "no-room":
        return f"{n['because']} needs {n['needs']} > room {n['room']} ({n['limit']})"
    if reason == "behind-cut":
        return f"after {n['because']}, which was cut"
    from .pool_sums import spell_pooled

    return spell_pooled(reason, n)


def refused(view: View, event: Event[Any], field: str) -> Derivation:
    """Why nothing could be sent."""
    ladder = view.ladder(event)
    must = ladder.refused
    limit = operand(view, "limit", event.seq, "limit")
    if must is None:
        return Derivation((limit,), f"{ladder.leaves}, and everything required fits", None)
    parts = [item_operand(view, record) for record in ladder.parts]
    spelled = " + ".join(map(str, ladder.parts.values()))
    frame = 0 if must["limit"] == "max_messages" else ladder.frame
    sums = f"frame {frame} + {spelled} = {must['needed']} > {must['allowed']}"
    facts: dict[str, Fact] = {**must, "frame": frame}
    name = field.removeprefix("refused.")
    if name.startswith("parts."):
        _, number, what = name.split(".")
        entries = list(ladder.parts.items())[int(number) : int(number) + 1]
        one = (
            1
            if must["limit"] == "max_messages" and must["reason"] == "protected-does-not-fit"
            else None
        )
        for record, size in entries:
            return Derivation((limit, *parts), sums, record if what == "record" else one or size)
        return Derivation((limit, *parts), sums, None)
    return Derivation((limit, *parts), sums, facts.get(name))


def stop_reason(view: View, event: Event[Any], field: str) -> Derivation:
    """The stop that agrees with the events before it."""
    from .stops import must_stop

    last = view.event(event.seq - 1)
    value = must_stop(view.trace, event)
    found = Operand("what happened last", last.type, Place(last.seq, "type"))
    extra = [operand(view, "max_turns", 1, "max_turns")] if value == "turn-limit" else []
    return Derivation(
        (found, *extra), f"after {last.type} the run stops with {value}", value or UNKNOWN
    )
