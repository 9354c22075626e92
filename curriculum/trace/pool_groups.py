"""The groups of one assembly under a policy of pools: what must stay, and the pool of the rest."""

from collections.abc import Collection
from typing import NamedTuple

import attrs

from curriculum.context.pooling import EVICT, ORDINARY, PACKED, PREFER, PROTECT
from curriculum.record.exchange import Group
from curriculum.record.records import Kind, Record

from .log_reading import Reading
from .needless import Keys, Needless
from .pool_log import Form, PoolLog

TALK = (Kind.USER, Kind.ASSISTANT, Kind.RESULT, Kind.THINKING, Kind.IMAGE, Kind.SUMMARY)
"""Kinds that are part of the conversation, or stand for a part of it."""
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


@attrs.define(eq=False)
class PoolGroup:
    """A group that can be sent: `forms` are its members as the rung in hand has them."""

    members: tuple[int, ...]
    classes: tuple[Class, ...]
    results: tuple[int, ...]
    """The places in `members` of results that may give up text: those that are not protected."""
    ordinal: int
    unseen: bool
    required: bool
    pool: str
    rank: int
    framing: int
    messages: int
    forms: list[Form]
    dropped: Form | None = None

    @property
    def takes(self) -> int:
        """What it takes as it is now: members, framing between them, one joint."""
        return self.framing + sum([form.size for form in self.forms])


class Standing:
    """All groups of a log that can be sent, and why the others cannot."""

    def __init__(self, log: PoolLog, reading: Reading, smaller: bool) -> None:
        self.log, self.reading, self._smaller = log, reading, smaller
        self.defects: dict[int, str] = {}
        """Why a record cannot be sent at all, by position."""
        self.began: dict[int, int] = {}
        """Where the group of such a record begins."""
        self.compacted: dict[int, int] = {}
        """The summary, by position, that stands for a record, by position."""
        whole: list[Group] = []
        for group in reading.grouping.groups:
            why = reading.defect(group)
            if why is None:
                whole.append(group)
            else:
                self.defects |= dict.fromkeys(group.members, why)
                self.began |= dict.fromkeys(group.members, group.members[0])
                if why == "compacted":
                    summary = reading.compacted[group.members[0]]
                    self.compacted |= dict.fromkeys(group.members, summary)
        self.needless = Needless().read(self._entries(whole))
        self._overruled = self.needless.overruled
        self._waiting = frozenset(reading.waiting if log.policy.current_request else ())
        last = reading.grouping.turn
        has_results = last is not None and len(last.members) > last.lead + 1
        self.groups = [self._group(group, has_results and group is last) for group in whole]

    @property
    def turns(self) -> int:
        """How many turns there are in all."""
        return self.log.turns[self.reading.count - 1] if self.reading.count else 0

    @property
    def unseen(self) -> PoolGroup | None:
        """The exchange that the model has not seen."""
        return next((group for group in self.groups if group.unseen), None)

    def _entries(self, groups: Collection[Group]) -> list[tuple[int, int, Record, Keys]]:
        log = self.log
        found: list[tuple[int, int, Record, Keys]] = []
        for group in groups:
            turn = group.main
            for at in group.members:
                record = log.records[at]
                found.append((at, turn if record.kind is Kind.RESULT else at, record, log.keys(at)))
        return sorted(found, key=lambda entry: entry[0])

    def _group(self, group: Group, unseen: bool) -> PoolGroup:
        log, records = self.log, self.log.records
        ordinal = log.turns[group.main]
        classes = tuple([self._class(at, self.turns - ordinal) for at in group.members])
        pool, rank = _pool(classes)
        return PoolGroup(
            members=tuple(group.members),
            classes=classes,
            results=tuple(
                place
                for place, at in enumerate(group.members)
                if records[at].kind is Kind.RESULT and classes[place].protected is None
            ),
            ordinal=ordinal,
            unseen=unseen,
            required=unseen or any(one.protected is not None for one in classes),
            pool=pool,
            rank=rank,
            framing=log.framing(group),
            messages=0 if records[group.main].kind is Kind.TOOLS else len(group.members),
            forms=[Form(log.size(at)) for at in group.members],
        )

    def _class(self, at: int, age: int) -> Class:
        kind, active = self.log.records[at].kind, at not in self._overruled
        reason = _REASONS.get(kind, "protected-record")
        if at in self._waiting:
            return Class("protected-request")
        # Of the tools, only those on offer can be sent at all.
        if kind is Kind.TOOLS or (kind in self.log.policy.protect and active):
            return Class(reason)
        for rule in self.log.rules(at):
            old = rule.older_than is None or age > rule.older_than
            if old and rule.active in (None, active):
                pool = rule.pool
                if pool == PROTECT and self._smaller and rule.name in self._released:
                    pool = PREFER
                protected = reason if pool == PROTECT else None
                return Class(protected, pool, rule.rank, rule.externalize, rule.intact)
        return Class(None)

    @property
    def _released(self) -> Collection[str]:
        smaller = self.log.pooling.smaller
        return smaller.release if smaller is not None else ()


def _pool(classes: Collection[Class]) -> tuple[str, int]:
    """The pool of a group that need not stay, and its rank there."""
    said = {one.pool for one in classes if one.pool is not None}
    pool = next((name for name in PACKED if name in said), ORDINARY)
    return pool, max([one.rank for one in classes if one.pool == pool], default=1)


def evictable(group: PoolGroup, rank: int | None) -> bool:
    """Whether the ladder's step `evict`, up to a rank if one is given, drops the group."""
    return not group.required and group.pool == EVICT and (rank is None or group.rank <= rank)
