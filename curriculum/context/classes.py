"""To which pool a record belongs, and why: typed, never by its place in the prose."""

from typing import NamedTuple

from curriculum.record.records import Kind, Record

from .policy import Policy
from .pooling import ORDINARY, PROTECT, Pooling, Rule

_REASONS = {
    Kind.INSTRUCTION: "protected-instruction",
    Kind.TOOLS: "protected-tools",
    Kind.CONSTRAINT: "protected-constraint",
    Kind.APPROVAL: "protected-approval",
    Kind.DENIAL: "protected-approval",
    Kind.SUMMARY: "protected-summary",
}


def why_protected(kind: Kind) -> str:
    """The reason code for a record of this kind that a rule or the policy protects."""
    return _REASONS.get(kind, "protected-record")


class Facts(NamedTuple):
    """What a rule can ask of a record that its content does not say."""

    age: int = 0
    """Model turns after its own."""
    active: bool = True
    tool: str = ""
    """The tool whose result it is."""


class Classed(NamedTuple):
    """The pool of a record. `ruled` says that a rule put it there, and not the lack of one."""

    pool: str = ORDINARY
    rank: int = 1
    externalize: bool = False
    intact: bool = False
    ruled: bool = False


_PROTECTED, _ORDINARY = Classed(PROTECT, ruled=True), Classed()


def classed(record: Record, policy: Policy, pooling: Pooling, facts: Facts, mode: str) -> Classed:
    """The class of a record under `policy`; in its smaller `mode` some protection is lifted."""
    kind = record.kind
    if kind is Kind.TOOLS or (kind in policy.protect and facts.active):
        return _PROTECTED
    for rule in pooling.rules:
        if holds(rule, record, facts):
            smaller = pooling.smaller
            lifted = mode and smaller is not None and rule.name in smaller.release
            pool = "prefer" if rule.pool == PROTECT and lifted else rule.pool
            return Classed(pool, rule.rank, rule.externalize, rule.intact, True)
    return _ORDINARY


def holds(rule: Rule, record: Record, facts: Facts) -> bool:
    """Whether every condition that the rule sets is met."""
    return (
        (not rule.kind or record.kind in rule.kind)
        and (not rule.author or record.author in rule.author)
        and (not rule.trust or record.trust in rule.trust)
        and (not rule.tool or facts.tool in rule.tool)
        and (not rule.tag or any(tag in rule.tag for tag in record.tags))
        and (rule.older_than is None or facts.age > rule.older_than)
        and (rule.active is None or rule.active == facts.active)
    )
