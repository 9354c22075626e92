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
from curriculum.record.records import Answers, Call, Kind, Record
from curriculum.wire.frames import charges

from .needless import Entry, keys_of
from .pool_classes import Classes, holds
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


class Shape(NamedTuple):
    """A whole group: members, the places of results among them, framing, messages, forms.

    `framing` is what stands between the members, and one joint; tools have none.
    """

    members: tuple[int, ...]
    results: tuple[int, ...]
    framing: int
    messages: int
    forms: tuple[Form, ...]


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
        self.classes = {
            smaller: Classes(policy, self.records, self.rules, smaller) for smaller in (False, True)
        }
        self._kept: dict[tuple[int, int], tuple[int, Cut] | None] = {}
        self._entries: dict[int, Entry | None] = {}
        self._rules: dict[int, tuple[Rule, ...]] = {}
        self._shapes: dict[int, Shape] = {}

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

    def entry(self, at: int, main: int) -> Entry | None:
        """The record as it may take another's place; None if it never does.

        `main` is the position of its group's turn. A record that is no result belongs to itself.
        """
        if at not in self._entries:
            record = self.records[at]
            keys = keys_of(record, self._called(record.answers), self.pooling.again)
            turn = main if record.kind is Kind.RESULT else at
            some = keys.says or keys.about or keys.preview or keys.fetched
            self._entries[at] = Entry(at, turn, record, keys) if some else None
        return self._entries[at]

    def _called(self, answers: Answers | None) -> Call | None:
        return self.rebuild.call(answers) if answers is not None else None

    def rules(self, at: int) -> tuple[Rule, ...]:
        """The rules that hold for the record, whatever its age is and whether it is active."""
        if at not in self._rules:
            record = self.records[at]
            call = self._called(record.answers)
            tool = call.name if call is not None else None
            self._rules[at] = tuple(r for r in self.pooling.rules if holds(r, record, tool))
        return self._rules[at]

    def shape(self, group: Group) -> Shape:
        """The group whole; while it takes results, it is found anew."""
        known = self._shapes.get(group.members[0])
        if known is None or len(known.members) != len(group.members):
            known = self._shapes[group.members[0]] = self._shape(group)
        return known

    def _shape(self, group: Group) -> Shape:
        wire, members = self.rebuild.wire, tuple(group.members)
        kinds = [self.records[at].kind for at in members]
        tools = kinds[0] is Kind.TOOLS
        between = pairwise([wire.places[kind] for kind in kinds])
        framing = sum([self.rebuild.framing[wire.frames[pair]] for pair in between])
        return Shape(
            members,
            tuple(place for place, kind in enumerate(kinds) if kind is Kind.RESULT),
            framing + (0 if tools else self.joint),
            0 if tools else len(members),
            tuple(Form(self.size(at)) for at in members),
        )
