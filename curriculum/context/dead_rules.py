"""Rules, and settings of rules, that decide nothing whatever the log holds.

A record is looked at as far as rules can: its kind, trust, author, and whether a later record
overrules it make a *cell*; tools, tags and age are compared as sets. A rule is dead if each cell
that it could match is taken before it, by `protect` or by rules above it.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from curriculum.record.records import HIGHEST, Author, Kind, Trust, rises

from .policy import Policy
from .pooling import EVICT, PROTECT, Pooling, Rule, Step
from .rule_words import conditions, title
from .standing import OVERRULED
from .toml_lines import Place

REDUCING = ("duplicates", "superseded", "previews", "externalize", "mask", "cut", "clear")
"""Steps that take from results, which `intact` forbids."""
Found = tuple[Place, str]
"""A key, and the proof that it does nothing."""


class Cell(NamedTuple):
    """Records that differ in nothing but tool, tags and age, as far as a rule can tell."""

    kind: Kind
    trust: Trust
    author: Author
    active: bool


def never(policy: Policy, pooling: Pooling) -> dict[int, str]:
    """The rules that never decide, by their number in the file, each with the proof."""
    found: dict[int, str] = {}
    above: list[tuple[Rule, Set[Cell]]] = []
    for number, rule in enumerate(pooling.rules, 1):
        cells = dict.fromkeys(_cells(rule)).keys()
        proof = _taken(rule, cells, policy, above) if cells else _nothing(rule)
        if proof:
            found[number] = proof
        above.append((rule, cells))
    return found


def _cells(rule: Rule) -> Iterator[Cell]:
    """The cells that a rule matches, if its tools, tags and age do."""
    for kind in rule.kind or Kind:
        if kind is Kind.OPAQUE or (rule.tool and kind is not Kind.RESULT):
            continue  # an opaque record is no candidate, and only a result is of a tool
        for trust in rule.trust or Trust:
            if not _lawful(kind, trust):
                continue
            for author in rule.author or Author:
                for active in (True, False):
                    if rule.active in (None, active) and (active or kind in OVERRULED):
                        yield Cell(kind, trust, author, active)


def _lawful(kind: Kind, trust: Trust) -> bool:
    """Whether a record of this kind may carry this label."""
    low = kind in (Kind.INSTRUCTION, Kind.TOOLS) and rises(Trust.DEVELOPER, trust)
    return not low and not rises(trust, HIGHEST.get(kind, Trust.SYSTEM))


def _nothing(rule: Rule) -> str:
    """Why a rule matches no record at all."""
    kinds = [kind for kind in rule.kind or Kind if kind is not Kind.OPAQUE]
    said = ", ".join(kinds)
    if rule.tool and Kind.RESULT not in kinds:
        return f"only a result is of a tool, and the rule asks for {said}"
    if not any(_lawful(kind, trust) for kind in kinds for trust in rule.trust or Trust):
        return f"no record of kind {said} may have trust {' or '.join(rule.trust)}"
    if rule.active is False and not set(kinds) & set(OVERRULED):
        return f"no later record overrules one of kind {said}"
    return f"no record has all of this: {conditions(rule)}"


def _taken(
    rule: Rule, cells: Set[Cell], policy: Policy, above: Sequence[tuple[Rule, Set[Cell]]]
) -> str:
    """The proof that each cell is taken before the rule is asked; empty if one is not."""
    wide = {
        number: (other, matched)
        for number, (other, matched) in enumerate(above, 1)
        if _as_wide(other, rule)
    }
    own = f"this one asks for {conditions(rule)}"
    for number, (other, matched) in wide.items():
        if cells <= matched and (not other.tag or (rule.tag and {*rule.tag} <= {*other.tag})):
            return f"an earlier rule decides on each of its records: {_asks(number, other)}; {own}"
    takers: dict[int, dict[Kind, None]] = {}
    for cell in cells:
        by = _takers(rule, cell, policy, wide)
        if not by:
            return ""
        for one in by:
            takers.setdefault(one, {})[cell.kind] = None
    kept = takers.pop(0, {})
    safe = [f"what is of kind {', '.join(kept)} is protected before any rule"] if kept else []
    if not takers:
        return safe[0]
    said = [f"{_asks(n, wide[n][0])} (kind {', '.join(takers[n])})" for n in sorted(takers)]
    return f"all before it together decide on each of its records: {'; '.join([*safe, *said, own])}"


def _asks(number: int, rule: Rule) -> str:
    return f"{title(number, rule)} asks for {conditions(rule)}"


def _takers(
    rule: Rule, cell: Cell, policy: Policy, wide: Mapping[int, tuple[Rule, Set[Cell]]]
) -> list[int]:
    """Who takes each record of the cell that the rule matches: rules by number, 0 for `protect`.

    None if a record is left.
    """
    if cell.kind is Kind.TOOLS or (cell.kind in policy.protect and cell.active):
        return [0]
    tags, by = set(rule.tag), list[int]()
    for number, (other, matched) in wide.items():
        if cell not in matched:
            continue
        if not other.tag:
            return [number]
        if tags & set(other.tag):
            tags -= set(other.tag)
            by.append(number)
            if not tags:
                return by
    return []


def _as_wide(other: Rule, rule: Rule) -> bool:
    """Whether `other` lets pass each age and tool that `rule` does."""
    older = other.older_than is None or (
        rule.older_than is not None and rule.older_than >= other.older_than
    )
    return older and (not other.tool or (rule.tool != () and set(rule.tool) <= set(other.tool)))


def dead_settings(pooling: Pooling, dead: Mapping[int, str]) -> Iterator[Found]:
    """Settings of rules that decide, where the rest of the policy gives them nothing to do."""
    for number, rule in enumerate(pooling.rules, 1):
        if number not in dead:
            for name, proof in (
                ("rank", _rank(rule, pooling)),
                ("externalize", _externalize(rule, pooling)),
                ("intact", _intact(rule, pooling)),
            ):
                if proof:
                    yield ("rule", number, name), proof


def externalizes(rule: Rule, pooling: Pooling) -> bool:
    """Whether a handle may stand for some record of the rule."""
    return rule.externalize and not rule.intact and not _flag(rule, pooling)


def _externalize(rule: Rule, pooling: Pooling) -> str:
    if not rule.externalize:
        return ""
    if rule.intact:
        return "the rule is intact, so nothing ever stands for its results"
    if proof := _flag(rule, pooling):
        return proof
    if all(step.name != "externalize" for step in pooling.ladder):
        return f"no step of the ladder is externalize: {steps_said(pooling.ladder)}"
    return ""


def _intact(rule: Rule, pooling: Pooling) -> str:
    if not rule.intact:
        return ""
    if all(step.name not in REDUCING for step in pooling.ladder):
        return f"no step of the ladder takes from a result: {steps_said(pooling.ladder)}"
    return _flag(rule, pooling)


def _flag(rule: Rule, pooling: Pooling) -> str:
    """Why nothing that is said of reducing results concerns the rule; empty if it may."""
    if all(cell.kind is not Kind.RESULT for cell in _cells(rule)):
        return f"only results are reduced, and the rule asks for {conditions(rule)}"
    smaller = pooling.smaller
    lifted = smaller is not None and rule.name in smaller.release
    if rule.pool == PROTECT and not lifted:
        return "what the rule protects stays whole, and no smaller mode releases it"
    return ""


def _rank(rule: Rule, pooling: Pooling) -> str:
    """Why the rank might as well be 1, which it is where a rule says nothing of it."""
    rank = rule.rank
    if rank == 1:
        return ""
    if rule.pool != EVICT:
        return f"only the pool evict has ranks, and the rule leads to {rule.pool}"
    steps = [(number, step) for number, step in enumerate(pooling.ladder, 1) if step.name == EVICT]
    if not steps:
        return f"no step of the ladder asks for ranks: {steps_said(pooling.ladder)}"
    first, own = _reached(steps, 1), _reached(steps, rank)
    if own is None:
        highest = max(step.number or 0 for _, step in steps)
        return f"no step of the ladder goes up to rank {rank}; the highest is evict {highest}"
    if own == first:
        step = pooling.ladder[own - 1]
        return f"ladder {own}, {step}, is the first step to take rank {rank}, and to take rank 1"
    return ""


def _reached(steps: Sequence[tuple[int, Step]], rank: int) -> int | None:
    """The first of these steps that takes records of a rank."""
    return next((n for n, step in steps if step.number is None or step.number >= rank), None)


def steps_said(ladder: Sequence[Step]) -> str:
    """The steps of a ladder in a row."""
    return ", ".join(map(str, ladder))
