"""The groups of one assembly under a policy of pools: what must stay, and the pool of the rest."""

from collections.abc import Collection

import attrs

from curriculum.context.pooling import EVICT, ORDINARY, PACKED
from curriculum.record.exchange import Group
from curriculum.record.records import Kind

from .log_reading import Reading
from .needless import Entry, Needless
from .pool_classes import REQUEST, Class
from .pool_log import Form, PoolLog

TALK = (Kind.USER, Kind.ASSISTANT, Kind.RESULT, Kind.THINKING, Kind.IMAGE, Kind.SUMMARY)
"""Kinds that are part of the conversation, or stand for a part of it."""


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
        self.log, self.reading = log, reading
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
        self._classes = log.classes[smaller]
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

    def _entries(self, groups: Collection[Group]) -> list[Entry]:
        found = [self.log.entry(at, group.main) for group in groups for at in group.members]
        return sorted(entry for entry in found if entry is not None)

    def _group(self, group: Group, unseen: bool) -> PoolGroup:
        log, shape = self.log, self.log.shape(group)
        ordinal = log.turns[group.main]
        age = self.turns - ordinal
        classes = tuple([self._class(at, age) for at in shape.members])
        pool, rank = _pool(classes)
        return PoolGroup(
            members=shape.members,
            classes=classes,
            results=tuple([p for p in shape.results if classes[p].protected is None]),
            ordinal=ordinal,
            unseen=unseen,
            required=unseen or any(one.protected is not None for one in classes),
            pool=pool,
            rank=rank,
            framing=shape.framing,
            messages=shape.messages,
            forms=list(shape.forms),
        )

    def _class(self, at: int, age: int) -> Class:
        if at in self._waiting:
            return REQUEST
        return self._classes.of(at, age, at not in self._overruled)


def _pool(classes: Collection[Class]) -> tuple[str, int]:
    """The pool of a group that need not stay, and its rank there."""
    said = {one.pool for one in classes if one.pool is not None}
    pool = next((name for name in PACKED if name in said), ORDINARY)
    return pool, max([one.rank for one in classes if one.pool == pool], default=1)


def evictable(group: PoolGroup, rank: int | None) -> bool:
    """Whether the ladder's step `evict`, up to a rank if one is given, drops the group."""
    return not group.required and group.pool == EVICT and (rank is None or group.rank <= rank)
