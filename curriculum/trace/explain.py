"""Why two traces differ: the input or rule that changed, and the first fact that shows it.

Operands differ: something before it changed, down to an input. Operands are equal and the value
differs: the rule itself changed.
"""

import attrs

from .bulk import no_collection
from .causes import Cause, causes_of, input_name, side
from .diff import Diff, Difference
from .facts import Fact
from .naming import place
from .quoting import short
from .reader import Trace
from .rule_table import rule_of
from .rules import UNKNOWN, Derivation, Operand
from .sessions import parting


@attrs.frozen
class First:
    """The first derived fact that differs, with the formula and both sides' numbers.

    `place` is the field for people, with what its record is. `chain` leads from the fact through
    operands that differ to the input, nearest first.
    """

    difference: Difference
    place: str
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
    """Explain how `right` (got) differs from `left` (expected), in the first session that does."""
    with no_collection():
        return _explained(Diff(*parting(left, right)))


def _explained(diff: Diff) -> Explanation:
    changed: list[tuple[Difference, str]] = []
    facts: list[Difference] = []
    for difference in diff.differences:
        words = input_name(diff, difference)
        if words is not None:
            changed.append((difference, words))
        elif difference.rule is None or difference.rule.kind == "derived":
            facts.append(difference)
    rules = tuple(d for d in facts if d.rule is not None and diff.same_operands(d))
    first = next((d for d in facts if d.rule is not None), None) or next(iter(facts), None)
    shown = _first(diff, first) if first is not None else None
    causes = causes_of(diff, changed)
    return Explanation(causes, rules, shown, tuple(facts), *_requests(diff))


def _first(diff: Diff, difference: Difference) -> First:
    view, event = side(diff, difference)
    where = place(view, diff.right, event, difference.field)
    if difference.rule is None:
        return First(difference, where, "an event follows its cause", "", "", ())
    ours, theirs = diff.derivations(difference)
    return First(
        difference,
        where,
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
