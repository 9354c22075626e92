"""What a policy of pools says of one record: protected or not, its pool, what may become of it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from curriculum.context.policy import Policy
from curriculum.context.pooling import PREFER, PROTECT, Rule
from curriculum.record.records import Kind, Record

_REASONS = {
    Kind.TOOLS: "protected-tools",
    Kind.INSTRUCTION: "protected-instruction",
    Kind.CONSTRAINT: "protected-constraint",
    Kind.APPROVAL: "protected-approval",
    Kind.DENIAL: "protected-approval",
    Kind.SUMMARY: "protected-summary",
}


class Class(NamedTuple):
    """What a policy says of one record: `pool` is None where no rule says anything."""

    protected: str | None
    pool: str | None = None
    rank: int = 1
    externalize: bool = False
    intact: bool = False


REQUEST = Class("protected-request")


class Classes:
    """The classes of a log's records under a policy, in its smaller mode or not."""

    def __init__(
        self,
        policy: Policy,
        records: Sequence[Record],
        rules: Callable[[int], Sequence[Rule]],
        smaller: bool,
    ) -> None:
        """`rules` gives those that hold for the record at a position but for age and standing."""
        self._policy, self._records, self._rules = policy, records, rules
        terms = policy.pooling.smaller if policy.pooling is not None and smaller else None
        self._released = terms.release if terms is not None else ()
        self._settled: dict[int, Class | None] = {}

    def of(self, at: int, age: int, active: bool) -> Class:
        """The class of a record of this age; `active` says that none overrules it."""
        if not active:
            return self._found(at, age, False)
        # What no age changes is found once.
        if at not in self._settled:
            ages = any(rule.older_than is not None for rule in self._rules(at))
            self._settled[at] = None if ages else self._found(at, age, True)
        return self._settled[at] or self._found(at, age, True)

    def _found(self, at: int, age: int, active: bool) -> Class:
        kind = self._records[at].kind
        reason = _REASONS.get(kind, "protected-record")
        # Of the tools, only those on offer can be sent at all.
        if kind is Kind.TOOLS or (kind in self._policy.protect and active):
            return Class(reason)
        for rule in self._rules(at):
            old = rule.older_than is None or age > rule.older_than
            if old and rule.active in (None, active):
                released = rule.pool == PROTECT and rule.name in self._released
                pool = PREFER if released else rule.pool
                protected = reason if pool == PROTECT else None
                return Class(protected, pool, rule.rank, rule.externalize, rule.intact)
        return Class(None)


def holds(rule: Rule, record: Record, tool: str | None) -> bool:
    """Whether a rule's lists hold for a record: of each that is given, one must match."""
    return (
        (not rule.kind or record.kind in rule.kind)
        and (not rule.author or record.author in rule.author)
        and (not rule.trust or record.trust in rule.trust)
        and (not rule.tool or tool in rule.tool)
        and (not rule.tag or bool(set(rule.tag).intersection(record.tags)))
    )
