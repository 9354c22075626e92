"""Why two traces differ: the input or rule that changed, and the first fact that shows it.

Operands differ: something before it changed, down to an input. Operands are equal and the value
differs: the rule itself changed.
"""

from typing import Any

import attrs

from .bulk import no_collection
from .diff import Diff, Difference
from .facts import Fact, View
from .reader import Event, Trace
from .rule_table import rule_of
from .rules import UNKNOWN, Derivation, Operand


@attrs.frozen
class Cause:
    """An input that changed: its name, where it stands, and both values.

    `key` is what a rerun needs to put it back: the kind of input, and the field or the ordinal.
    `whole` says that the whole event stands on one side only: something came or went.
    """

    words: str
    field: str
    expected: Fact | None
    got: Fact | None
    key: tuple[str, str, int]
    whole: bool = False


@attrs.frozen
class First:
    """The first derived fact that differs, with the formula and both sides' numbers.

    `chain` leads from the fact through operands that differ to the input, nearest first.
    """

    difference: Difference
    formula: str
    expected_sum: str
    got_sum: str
    chain: tuple[str, ...]


@attrs.frozen
class Explanation:
    """What changed, what shows it first, and how far it reaches."""

    causes: tuple[Cause, ...]
    rules: tuple[Difference, ...]
    first: First | None
    facts: tuple[Difference, ...]
    requests: int
    changed: tuple[int, ...]

    @property
    def invisible(self) -> bool:
        """Whether every request is byte-identical: the model cannot see the change."""
        return not self.changed


def explain(left: Trace, right: Trace) -> Explanation:
    """Explain how `right` (got) differs from `left` (expected)."""
    with no_collection():
        return _explained(Diff(left, right))


def _explained(diff: Diff) -> Explanation:
    causes: dict[tuple[str, str, int], Cause] = {}
    facts: list[Difference] = []
    for difference in diff.differences:
        words = _input(diff, difference)
        if words is not None:
            cause = _cause(diff, difference, words)
            causes.setdefault(cause.key, cause)
        elif difference.rule is None or difference.rule.kind == "derived":
            facts.append(difference)
    rules = tuple(d for d in facts if d.rule is not None and diff.same_operands(d))
    first = next((d for d in facts if d.rule is not None), None) or next(iter(facts), None)
    shown = _first(diff, first) if first is not None else None
    return Explanation(tuple(causes.values()), rules, shown, tuple(facts), *_requests(diff))


def _side(diff: Diff, difference: Difference) -> tuple[View, Event[Any]]:
    """The side on which the event stands; the expected one if it stands on both."""
    if difference.left is not None:
        return diff.left, difference.left
    assert difference.right is not None
    return diff.right, difference.right


def _input(diff: Diff, difference: Difference) -> str | None:
    """The name of the input that the difference is; None if it follows from something."""
    if difference.rule is not None:
        return difference.rule.words if difference.rule.kind == "input" else None
    view, event = _side(diff, difference)
    if event.type == "model.response":
        return "the model's turn"
    if event.type != "record.append":
        return None
    rule = rule_of(view, event, "text")
    return rule.words if rule.kind == "input" else None


def _cause(diff: Diff, difference: Difference, words: str) -> Cause:
    view, event = _side(diff, difference)
    key, name = _key(view, event, difference.field)
    field = f"{name} {difference.field}".strip()
    whole = difference.left is None or difference.right is None
    return Cause(words, field, difference.expected, difference.got, key, whole)


def _key(view: View, event: Event[Any], field: str) -> tuple[tuple[str, str, int], str]:
    """What a rerun puts the input back by, and the input's name in the trace."""
    if event.type == "session.start":
        return ("start", field, 0), ""
    if event.type != "record.append":
        ordinal = view.ordinal(event)
        return (event.type.split(".")[-1], "", ordinal), f"{event.type} {ordinal + 1}"
    at, name = view.known(event), event.data.id
    if at < view.trace.start.history:
        return ("history", "", at), name
    cause = view.event(event.cause or 1)
    if cause.type == "model.response":
        return ("response", "", view.ordinal(cause)), name
    source = event.data.source
    kind: str = "system" if source == "system_prompt" else source
    own = [r for r in view.trace.records[view.trace.start.history : at] if r.source == source]
    return (kind, "", len(own) if kind == "prompt" else 0), name


def _first(diff: Diff, difference: Difference) -> First:
    if difference.rule is None:
        return First(difference, "an event follows its cause", "", "", ())
    ours, theirs = diff.derivations(difference)
    return First(
        difference,
        difference.rule.words or "the policy's ladder",
        _sum(ours, difference.expected),
        _sum(theirs, difference.got),
        tuple(_chain(diff, difference)),
    )


def _sum(derivation: Derivation | None, recorded: Fact | None) -> str:
    """The sum in numbers; if this code's formula gives another value, that is said."""
    if derivation is None or derivation.value in (UNKNOWN, recorded):
        return derivation.sum if derivation else ""
    here = short(derivation.value)
    return f"{short(recorded)} is recorded; this code gives {here}: {derivation.sum}"


def _chain(diff: Diff, difference: Difference) -> list[str]:
    """From a fact through the operands that differ, to the leaf."""
    links: list[str] = []
    ours, theirs = diff.derivations(difference)
    while ours is not None and theirs is not None and len(links) < 8:
        pairs = zip(ours.operands, theirs.operands, strict=False)
        found = next(((a, b) for a, b in pairs if a.value != b.value), None)
        if found is None:
            break
        a, b = found
        links.append(f"{a.name}: {short(a.value)} -> {short(b.value)}")
        step = _follow(diff, a, b)
        if step is None:
            break
        ours, theirs = diff.derivations(step)
    return links


def _follow(diff: Diff, a: Operand, b: Operand) -> Difference | None:
    left, right = diff.left.event(a.place.seq), diff.right.event(b.place.seq)
    field = a.place.field
    if field in ("text", "cut", "decisions", "cause", "type", "kind"):
        return None
    rule = rule_of(diff.left, left, field)
    return Difference(field, a.value, b.value, left, right, rule) if rule.derive else None


def _requests(diff: Diff) -> tuple[int, tuple[int, ...]]:
    """How many requests there are at most, and which (from 1) are not byte-identical."""
    ours = [event.data.fingerprint for event in diff.left.trace.of("model.request")]
    theirs = [event.data.fingerprint for event in diff.right.trace.of("model.request")]
    most = max(len(ours), len(theirs))
    pairs = zip(ours + [""] * (most - len(ours)), theirs + [""] * (most - len(theirs)), strict=True)
    return most, tuple(n for n, (a, b) in enumerate(pairs, 1) if a != b)


def short(value: Fact | None, width: int = 60) -> str:
    """A value as it is quoted: long texts by length and ends, so that no line runs away."""
    if value is None or value == UNKNOWN:
        return "nothing"
    if not isinstance(value, str) or len(value) <= width:
        return str(value) if isinstance(value, (int, bool)) else _quoted(value)
    return f"{len(value)} characters {_quoted(value[:20])}...{_quoted(value[-20:])}"


def _quoted(value: str) -> str:
    return value if value.isalnum() or value.replace("-", "").isalnum() else ascii(value)


def parted(expected: str, got: str) -> int:
    """The first character position (from 0) at which two texts part."""
    pairs = zip(expected, got, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(got)))
