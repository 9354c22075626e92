"""Why a run has the number it has: where it stands, the rule, and the sum.

Rules and sums are those of the table that the golden explainer and the law checker share. What is
added here are names for the parts of a request, so that a person can follow the sum.
"""

from typing import Any

import attrs

from curriculum.context.manifest import Manifest
from curriculum.context.reasons import REASONS
from curriculum.record.cut import content_size
from curriculum.record.records import Kind, Record
from curriculum.trace.facts import View
from curriculum.trace.reader import Event, Trace
from curriculum.trace.rebuild import TableRow, sent_of
from curriculum.trace.rule_table import rule_of

from .messages import messages, text
from .slots import TERMS, Spot, fingerprint, number_at, spots_of, type_of, value_of

ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
PARTS = {
    Kind.TOOLS: "tools",
    Kind.INSTRUCTION: "system",
    Kind.USER: "user",
    Kind.RESULT: "result",
}
"""What the parts of a request are called in a sum; other kinds have their own name."""


@attrs.frozen
class Why:
    """Where a fact stands, which rule it follows, and the rule in numbers; a part may be empty.

    `seq` is the event; 0 where the fact is about no single one.
    """

    where: str
    rule: str
    sum: str
    seq: int = 0


def why(trace: Trace, locator: str, before: Trace) -> Why:
    """Why the run answers as it does at a locator."""
    view, words = View(trace), locator.split()
    if words[0] in ("same", "changed"):
        return _compared(trace, before, int(words[2]))
    if words[0] in ("stop", "turns") and trace.stop is not None:
        return _field(view, trace.events[-1], "reason" if words[0] == "stop" else "turns", 1)
    spot = next(spots_of(trace, locator), None)
    if spot is None:
        return _counted(trace, locator)
    if len(locator.split()) > 5 and not spot.record:
        return attrs.evolve(
            _field(view, spot.event, spot.field, spot.ordinal), sum=_sum(trace, locator)
        )
    truncated = _truncated(view, spot)
    if truncated is not None:
        return _field(view, truncated, "size", view.ordinal(truncated) + 1)
    if spot.record:
        return _decided(view, spot)
    if spot.event.type == "context.assemble" and spot.field == "size":
        return _request(view, spot)
    return _field(view, spot.event, spot.field, spot.ordinal)


def _counted(trace: Trace, locator: str) -> Why:
    """How many events of a type there are."""
    words = locator.split()
    type = type_of(words[1]) if len(words) > 1 else ""
    count = sum(1 for event in trace.events if event.type == type)
    return Why(f"all events of the run, {len(trace.events)}", "", f"of type {type}: {count}")


def _sum(trace: Trace, locator: str) -> str:
    """A locator of several terms, in numbers."""
    terms = [
        term if term in "+-" else str(term if term.isdigit() else number_at(trace, term))
        for term in TERMS.split(locator)
    ]
    return f"{' '.join(terms)} = {value_of(trace, locator)}"


def ordinal(number: int) -> str:
    """`first`, `second`; from the eleventh on in digits."""
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


def _where(event: Event[Any], number: int, more: str = "") -> str:
    return f"{ordinal(number)} {event.type}{', ' if more else ''}{more}"


def _truncated(view: View, spot: Spot) -> Event[Any] | None:
    """The cut at gate 1 that the text of a record in the log comes from."""
    if spot.event.type != "record.append" or spot.field != "text":
        return None
    return view.before(spot.event, "tool.truncate") if spot.event.data.cut else None


def _field(view: View, event: Event[Any], field: str, number: int) -> Why:
    """A fact by the table of rules."""
    record = f"{part(event.data)} {event.data.id}" if event.type == "record.append" else ""
    try:
        rule = rule_of(view, event, field)
    except KeyError:
        return Why(_where(event, number, record), "", "", event.seq)
    made = rule.derive(view, event, field) if rule.derive is not None else None
    sums = made.sum if made is not None else ""
    if made is not None and not sums and len(made.operands) == 1:
        source = made.operands[0]
        sums = f"{source.name} = {source.value}"
    return Why(_where(event, number, record), _words(event, field) or rule.words, sums, event.seq)


def _words(event: Event[Any], field: str) -> str:
    """The rule of a field in words for a learner; empty where the table's own will do."""
    kind = event.type.replace(".", "-")
    for key in (f"rule.{kind}-{field}", f"rule.{kind}"):
        if key in messages():
            return text(key)
    return ""


def _decided(view: View, spot: Spot) -> Why:
    """What a request shows of a record."""
    event, name = spot.event, spot.record
    manifest: Manifest = event.data
    row = next(row for row in view.rebuild.rows(manifest) if row.record.id == name)
    where = _where(event, spot.ordinal, f"{part(row.record)} {name}")
    if part(row.record) == "result":
        where = _where(event, spot.ordinal, f"tool result {name}")
    rule = rule_of(view, event, spot.field)
    made = rule.derive(view, event, spot.field) if rule.derive is not None else None
    key, reason = f"rule.{row.reason}", REASONS.get(row.reason)
    words = reason.sentence if reason is not None else rule.words
    if key in messages():
        words = text(key, {"ceiling": view.trace.start.ceiling})
    sized = spot.field.endswith(".size") and manifest.size == manifest.limit
    if row.decision == "cut" and sized:
        return Why(where, words, _left(view, event, row), event.seq)
    return Why(where, words, made.sum if made is not None else "", event.seq)


def _left(view: View, event: Event[Manifest], row: TableRow) -> str:
    """What a cut result is left: the ceiling less everything beside it."""
    content = shown(row)
    beside: dict[str, int] = {}
    for other in view.rebuild.rows(event.data):
        if other.decision != "omitted" and other.record.id != row.record.id:
            name = part(other.record)
            beside[name] = beside.get(name, 0) + other.size
    marks = row.size - content
    if marks and "call" in beside:
        beside["call and marks"] = beside.pop("call") + marks
    elif marks:
        beside["marks"] = marks
    if event.data.frame:
        beside["frame"] = event.data.frame
    terms = " + ".join(f"{size} {name}" for name, size in beside.items())
    return f"{event.data.limit} - ({terms}) = {content}"


def _request(view: View, spot: Spot) -> Why:
    """How long a request is."""
    manifest: Manifest = spot.event.data
    rule = rule_of(view, spot.event, "size")
    sizes: dict[str, int] = {"frame": manifest.frame} if manifest.frame else {}
    for row in view.rebuild.rows(manifest):
        if row.decision != "omitted":
            sizes[part(row.record)] = sizes.get(part(row.record), 0) + row.size
    terms = " + ".join(f"{size} {name}" for name, size in sizes.items())
    return Why(
        _where(spot.event, spot.ordinal),
        text("rule.request") if "rule.request" in messages() else rule.words,
        f"{terms} = {manifest.size} <= {manifest.limit}",
        spot.event.seq,
    )


def _compared(trace: Trace, before: Trace, number: int) -> Why:
    """Whether two runs send the same bytes."""
    one, other = fingerprint(before, number), fingerprint(trace, number)
    sign, key = ("=", "same") if one == other else ("is not", "changed")
    short = [mark[:8] if mark else "not sent" for mark in (one, other)]
    return Why(
        f"{ordinal(number)} model.request of both runs",
        text(f"rule.{key}-bytes"),
        f"fingerprints {short[0]} {sign} {short[1]}",
    )


def shown(row: TableRow) -> int:
    """Characters of a record's content that a request shows, marker included."""
    sent = sent_of(row.record, row.entry)
    if isinstance(sent, str):
        return len(sent)
    return content_size(sent if sent is not None else row.record.whole())


def part(record: Record) -> str:
    """What a record is called as a part of a request."""
    if record.kind is Kind.ASSISTANT:
        return "call" if record.calls else "answer"
    return PARTS.get(record.kind, str(record.kind))
