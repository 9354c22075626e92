"""What never changes of a log's records under a policy of pools, remembered by record.

The decisions of each assembly are found from scratch; sizes of forms, keys and the rules that may
hold for a record are found once.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from curriculum.context.policy import Policy
from curriculum.context.pooling import Pooling, Rule
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group
from curriculum.record.records import Answers, Kind, Record
from curriculum.wire.frames import charges

from .needless import Keys, keys_of
from .rebuild import Rebuild


class Form(NamedTuple):
    """A record as it may be sent: its size and, if less than the log has, the ends it keeps.

    `reason` says why it is less, `later` which record (by position) caused that, `told` holds the
    numbers for people.
    """

    size: int
    cut: Cut | None = None
    reason: str = ""
    later: int | None = None
    told: dict[str, int | str] | None = None


class PoolLog:
    """The records of one trace under one policy: what each is whatever the assembly is."""

    def __init__(self, rebuild: Rebuild, policy: Policy) -> None:
        assert policy.pooling is not None
        self.rebuild, self.policy = rebuild, policy
        self.pooling: Pooling = policy.pooling
        self.records: Sequence[Record] = rebuild.trace.records
        self.frame, self.joint = charges(rebuild.wire, rebuild.counter.size)
        self.turns: list[int] = []
        """How many turns there are at or before each position."""
        for record in self.records:
            before = self.turns[-1] if self.turns else 0
            self.turns.append(before + (record.kind is Kind.ASSISTANT))
        self._kept: dict[tuple[int, int], tuple[int, Cut] | None] = {}
        self._keys: dict[int, Keys] = {}
        self._rules: dict[int, tuple[Rule, ...]] = {}
        self._framing: dict[tuple[int, ...], int] = {}

    def size(self, at: int) -> int:
        """The size of the record's whole item."""
        return self.rebuild.item(at).size

    def kept(self, at: int, most: int) -> tuple[int, Cut] | None:
        """The size and the ends of a result of which `most` characters are kept.

        None if the log has no more than these.
        """
        if (at, most) not in self._kept:
            self._kept[at, most] = self._cut(at, most)
        return self._kept[at, most]

    def _cut(self, at: int, most: int) -> tuple[int, Cut] | None:
        whole = self.rebuild.whole(at)
        if whole.kept <= most:
            return None
        cut = self.heard(at, whole.to(most))
        return self.rebuild.cut_item(at, cut).size, cut

    def heard(self, at: int, cut: Cut) -> Cut:
        """What the wire can send of a cut: some send no blank end, so that it is missing too."""
        return self.rebuild.wire.heard(self.rebuild.message(at, cut)).cut or cut

    def keys(self, at: int) -> Keys:
        """By what the record may take another's place."""
        if at not in self._keys:
            self._keys[at] = keys_of(self.records[at], lambda: self._called(at), self.pooling.again)
        return self._keys[at]

    def _called(self, at: int) -> tuple[str, str]:
        answers = self.records[at].answers
        call = self.rebuild.call(answers) if answers is not None else None
        return (call.name, call.arguments) if call is not None else ("", "")

    def rules(self, at: int) -> tuple[Rule, ...]:
        """The rules that hold for the record, whatever its age is and whether it is active."""
        if at not in self._rules:
            record, tool = self.records[at], self._tool(self.records[at].answers)
            self._rules[at] = tuple(r for r in self.pooling.rules if _holds(r, record, tool))
        return self._rules[at]

    def _tool(self, answers: Answers | None) -> str | None:
        call = self.rebuild.call(answers) if answers is not None else None
        return call.name if call is not None else None

    def framing(self, group: Group) -> int:
        """What stands between the members of a group, and one joint; tools have none."""
        members = tuple(group.members)
        if members not in self._framing:
            wire, kinds = self.rebuild.wire, [self.records[at].kind for at in members]
            places = [wire.places[kind] for kind in kinds]
            inner = sum([self.rebuild.framing[wire.frames[pair]] for pair in pairwise(places)])
            joint = 0 if kinds[0] is Kind.TOOLS else self.joint
            self._framing[members] = inner + joint
        return self._framing[members]


def _holds(rule: Rule, record: Record, tool: str | None) -> bool:
    """Whether a rule's lists hold for a record: of each that is given, one must match."""
    return (
        (not rule.kind or record.kind in rule.kind)
        and (not rule.author or record.author in rule.author)
        and (not rule.trust or record.trust in rule.trust)
        and (not rule.tool or tool in rule.tool)
        and (not rule.tag or bool(set(rule.tag).intersection(record.tags)))
    )
