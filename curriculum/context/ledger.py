"""What a whole log would take at each rung of a policy's ladder, kept up to date as it grows.

A record changes its class or its form only when something happens: a turn passes, a later record
takes its place, a summary stands for it. Only the groups concerned are weighed again, so that a
turn costs what is new and not what is old. Made anew or kept, the ledger says the same.
"""

import bisect

import attrs

from curriculum.record.exchange import Group
from curriculum.record.records import Call, Kind, Record

from .classes import Classed, Facts, classed, why_protected
from .forms import Form, Forms, Weighed
from .index import SessionIndex
from .policy import Policy
from .pooling import EVICT, PACKED, PROTECT, Pooling
from .retiring import runs
from .runs import Runs
from .standing import Needless, Standing

WHOLE = "whole"
"""The first rung: everything as the log has it."""


@attrs.define
class Entry:
    """A group that can be sent: its pool, the members that stay whole, its form at each rung."""

    group: Group
    pool: str
    protected: dict[int, str]
    required: bool
    forms: list[Form]
    first: int
    """The position of its first record."""


class Ledger:
    """The entries of one log under one policy, and their sums at each rung."""

    def __init__(self, index: SessionIndex, policy: Policy, mode: str = "") -> None:
        assert policy.pooling is not None
        self.index, self.policy, self.mode = index, policy, mode
        self.pooling: Pooling = policy.pooling
        self._start()

    def _start(self) -> None:
        """Nothing is read yet."""
        self.steps = [step for step in self.pooling.ladder if step.name != "omit"]
        self.rungs = [WHOLE, *map(str, self.steps)]
        self.entries: dict[int, Entry] = {}
        """By the position of the group's first record."""
        self.defects: dict[int, tuple[Group, str]] = {}
        self.pools: dict[str, list[int]] = {name: [] for name in PACKED}
        """By pool, the first positions of the groups that compete for its room, in log order."""
        self.live: list[list[int]] = [[] for _ in self.rungs]
        """By rung, the first positions of the groups that it has not dropped, in log order."""
        self.evicted = [Runs() for _ in self.rungs]
        """By rung, the positions of what has been evicted there."""
        self.named: list[set[int]] = [set() for _ in self.rungs]
        """By rung, the first positions of what was dropped for a later record's sake."""
        self.required: list[int] = []
        self.charges = [dict.fromkeys(PACKED, 0) for _ in self.rungs]
        """What each pool takes at each rung; `needed` is what must be sent takes there."""
        self.needed = [0] * len(self.rungs)
        self.messages = [0] * len(self.rungs)
        self.needless: dict[int, dict[str, Needless]] = {}
        self.forms = Forms(self.index, self.steps, self.needless)
        self._standing = Standing(self.pooling.again)
        self._unready: list[Group] = []
        """Groups that cannot be sent, but may once their turn or their results have come."""
        self._known = self._groups = 0
        self._turns: list[int] = []
        self._home: dict[int, int] = {}
        self._by_first: dict[int, Group] = {}
        self._tools: list[int] = []
        self._runs: list[tuple[int, int, int]] | None = None
        self._moving: set[int] = set()
        self._line = 0
        self._ages = sorted({r.older_than for r in self.pooling.rules if r.older_than is not None})

    @property
    def retired(self) -> list[tuple[int, int, int]]:
        """What summaries stand for, in runs: first and last position, and the summary's."""
        if self._runs is None:
            self._runs = runs(self.index, self._by_first)
        return self._runs

    @property
    def retired_records(self) -> int:
        """How many candidates summaries stand for."""
        return sum(len(self._by_first[first].members) for first in self.index.retired)

    def recent_from(self, recent: int) -> int:
        """The position at which the newest `recent` turns begin; 0 if there are no more."""
        return self._home[self._turns[-recent]] if len(self._turns) > recent else 0

    def total(self, rung: int) -> int:
        """What the whole log would take at a rung, dearest framing included."""
        index = self.index
        frame = index.frame + index.counter.around(index.offers)
        joint = index.joint if self.messages[rung] else 0
        return frame - joint + self.needed[rung] + sum(self.charges[rung].values())

    def read(self) -> None:
        """Take in what the index has read since the last time."""
        index, groups = self.index, self.index.groups
        if any(record.replaces is not None for record in index.records[self._known :]):
            self._start()  # what a summary stands for takes no other record's place any more
        touched = set(self._moving)  # what was waited for, and what had not been seen
        touched |= {g.members[0] for g in groups[max(0, self._groups - 2) :]}
        before = len(self._turns)
        for at in range(self._known, len(index.records)):
            if index.records[at].kind is Kind.ASSISTANT:
                self._turns.append(at)
        for group in groups[max(0, self._groups - 2) :]:
            self._by_first[group.members[0]] = group
            for at in group.members:
                self._home[at] = group.members[0]
        for at in range(self._known, len(index.records)):
            touched |= self._read(at, index.records[at])
        touched |= self._stand(groups[self._groups :])
        touched |= self._passed(before)
        self._known, self._groups = len(index.records), len(groups)
        unseen = index.unseen()
        self._moving = {group.members[0] for group in index.request}
        if unseen is not None:
            self._moving.add(unseen.members[0])
        for first in sorted(touched | self._moving):
            self._weigh(first)

    def _read(self, at: int, record: Record) -> set[int]:
        """The groups that a new record makes look different."""
        if record.kind is Kind.OPAQUE:
            return set()
        if at in self.index.grouping.turns:
            self._home[at] = self._home[self.index.grouping.turns[at]]
        touched = {self._home.get(at, at)}
        if record.kind is Kind.TOOLS:  # earlier sets are offered no more
            touched |= set(self._tools)
            self._tools.append(at)
        return touched

    def _stand(self, fresh: list[Group]) -> set[int]:
        """The groups that look different because others, which can be sent now, take their place.

        What a group may wait for comes before the next turn, and no key of an exchange is one of
        what may stand between its results: so nothing is read too late.
        """
        touched, unready = set[int](), list[Group]()
        for group in (*self._unready, *fresh):
            defect = self.index.defect(group)
            if defect in ("unanswered-call", "unpaired-thinking"):
                unready.append(group)
            elif defect is None:
                for at in sorted(group.members):
                    turn = self.index.grouping.turns.get(at, at)
                    record, call = self.index.records[at], self.call(at)
                    for found in self._standing.read(at, record, turn, call):
                        self.needless.setdefault(found.at, {})[found.step] = found
                        touched.add(self._home.get(found.at, found.at))
        last = self._turns[-1] if self._turns else 0
        self._unready = [one for one in unready if max(one.members) >= last]
        return touched

    def call(self, at: int) -> Call | None:
        """The call that a paired result answers."""
        turn, answers = self.index.grouping.turns.get(at), self.index.records[at].answers
        if turn is None or answers is None:
            return None
        return self.index.records[turn].calls[answers.call]

    def _passed(self, before: int) -> set[int]:
        """The groups that have grown older than some line since there were `before` turns."""
        now, touched = len(self._turns), set[int]()
        for age in self._ages:
            for ordinal in range(max(0, before - age), max(0, now - age)):
                touched |= self._of_turn(ordinal)
        line = now - self.pooling.recent
        line = max(0, line - line % self.pooling.block)
        for ordinal in range(self._line, line):
            touched |= self._of_turn(ordinal + 1)
        self._line = line
        return touched

    def _of_turn(self, ordinal: int) -> set[int]:
        """The groups whose age counts from this many turns: those up to the next turn's."""
        start = self._turns[ordinal - 1] if ordinal else 0
        end = self._turns[ordinal] if ordinal < len(self._turns) else len(self.index.records)
        return {self._home[at] for at in range(start, end) if at in self._home}

    def ordinal(self, group: Group) -> int:
        """How many turns there were when the group's own had been said."""
        return bisect.bisect_right(self._turns, group.main)

    def old(self, group: Group) -> bool:
        """Whether the group stands before the line from which results are recent."""
        return self.ordinal(group) <= self._line

    def _weigh(self, first: int) -> None:
        """Find out again what the group at `first` is, and count it anew."""
        self.defects.pop(first, None)
        old, new = self.entries.pop(first, None), None
        group = self._by_first.get(first)
        if group is not None:
            defect = self.index.defect(group)
            if defect is None:
                new = self.entries[first] = self._entry(group)
            elif defect != "compacted":
                self.defects[first] = group, defect
        if old is not None:
            self._count(old, -1)
        if new is not None:
            self._count(new, 1)
        was, now = _competes(old), _competes(new)
        if was != now:
            if was is not None:
                _take_out(self.required if was == PROTECT else self.pools[was], first)
            if now is not None:
                bisect.insort(self.required if now == PROTECT else self.pools[now], first)
        entry = old or new
        if entry is not None:
            for rung in range(len(self.rungs)):
                before, after = _state(old, rung), _state(new, rung)
                if before != after:
                    self._place(rung, first, before, after, entry)

    def _place(self, rung: int, first: int, was: str | None, now: str | None, entry: Entry) -> None:
        """Note what a rung makes of a group: it lives on, is evicted, or is dropped by name."""
        if was == "live":
            _take_out(self.live[rung], first)
        elif was == "evicted":
            self.evicted[rung].remove(entry.group.members)
        elif was is not None:
            self.named[rung].discard(first)
        if now == "live":
            bisect.insort(self.live[rung], first)
        elif now == "evicted":
            self.evicted[rung].add(entry.group.members)
        elif now is not None:
            self.named[rung].add(first)

    def _count(self, entry: Entry, sign: int) -> None:
        for rung, form in enumerate(entry.forms):
            if form.dropped is None:
                if entry.required:
                    self.needed[rung] += sign * form.charge
                else:
                    self.charges[rung][entry.pool] += sign * form.charge
                self.messages[rung] += sign * form.messages

    def _entry(self, group: Group) -> Entry:
        index, records = self.index, self.index.records
        age = len(self._turns) - self.ordinal(group)
        classes: dict[int, Classed] = {}
        for at in group.members:
            call, found = self.call(at), self.needless.get(at, {}).get("superseded")
            active = found is None or found.reason != "overruled"
            facts = Facts(age, active, call.name if call else "")
            classes[at] = classed(records[at], self.policy, self.pooling, facts, self.mode)
        protected = {
            at: why_protected(records[at].kind)
            for at, one in classes.items()
            if one.pool == PROTECT
        }
        if self.policy.current_request and any(group is one for one in index.request):
            protected[group.members[0]] = "protected-request"
        required = bool(protected) or group is index.unseen()
        ruled = [one for one in classes.values() if one.ruled and one.pool != PROTECT]
        best = min(ruled, key=lambda one: (PACKED.index(one.pool), -one.rank), default=Classed())
        one = Weighed(
            group,
            intact={at for at, one in classes.items() if one.intact or at in protected},
            handed={at for at, one in classes.items() if one.externalize},
            rank=best.rank if best.pool == EVICT and not required else None,
            required=required,
            unseen=group is index.unseen(),
            old=self.old(group),
        )
        return Entry(
            group, best.pool, protected, required, self.forms.at_rungs(one), group.members[0]
        )


def _competes(entry: Entry | None) -> str | None:
    """The pool in which a group competes, `protect` if it must be sent; None if it does not."""
    if entry is None or entry.forms[-1].dropped is not None:
        return None
    return PROTECT if entry.required else entry.pool


def _state(entry: Entry | None, rung: int) -> str | None:
    """What a rung makes of a group."""
    if entry is None:
        return None
    dropped = entry.forms[rung].dropped
    return "live" if dropped is None else dropped[0]


def _take_out(firsts: list[int], first: int) -> None:
    del firsts[bisect.bisect_left(firsts, first)]
