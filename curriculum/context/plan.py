"""The state of one assembly: what is admitted so far, and the room that is left."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import attrs

from curriculum.count.counters import utf8
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group, Spelled
from curriculum.record.records import Kind, record_id

from .index import SessionIndex
from .manifest import Decision, Refusal
from .policy import Policy
from .share import share


class Row(NamedTuple):
    """A decision for the candidates at positions `first` to `last`."""

    first: int
    last: int
    decision: str
    reason: str
    size: int | None = None
    bytes: int | None = None
    more: dict[str, Any] | None = None


@attrs.define
class Plan:
    """What one assembly has decided. Sizes are in the counter's unit, joints included."""

    index: SessionIndex
    limit: int
    places: int
    room: int = 0
    sent: dict[int, Spelled] = attrs.field(factory=dict[int, Spelled])
    """What will be sent, by the position of its first record."""
    cuts: dict[int, Cut | str] = attrs.field(factory=dict[int, Cut | str])
    """What is sent instead of the log's content, by position."""
    rows: list[Row] = attrs.field(factory=list[Row])
    rest: Row | None = None
    """The decision for every candidate that has no row of its own."""

    @property
    def ceiling(self) -> str:
        """The input ceiling's name, as the budget has it."""
        return f"max_input_{self.index.counter.unit}"

    def messages(self, members: Sequence[int]) -> int:
        """How many messages the members are: the tools are none, they stand beside them."""
        return len(members) if members[0] != self.index.tools else 0

    def protect(self, policy: Policy) -> Refusal | None:
        """Admit what must stay whole, or say what does not fit."""
        index = self.index
        kept = [(index.spelled(group), why) for group, why in index.protected(policy)]
        messages = sum(self.messages(one.members) for one, _ in kept)
        frame = index.frame + index.joint * max(0, messages - 1)
        frame += index.counter.around(index.offers)
        needed = frame + sum(one.size for one, _ in kept)
        # Every later message pays for a joint. If none stands yet, the first of them has none.
        self.room = self.limit - needed + (0 if messages else index.joint)
        if needed > self.limit or messages > self.places:
            from .refusing import too_much

            return too_much(self, [one for one, _ in kept], frame)
        for one, why in kept:
            at = one.members[0]
            self.rows.append(Row(at, at, "admitted", why, one.size, one.bytes))
            self._send(one, 0)
        return None

    def take(self, groups: Iterable[Group]) -> Group | None:
        """Admit whole groups, newest first; return the first that does not fit.

        This runs once for each group that is sent, so it only adds up: groups that stand side by
        side in the log share one row.
        """
        index, sent, room, places = self.index, self.sent, self.room, self.places
        offered = index.tools
        runs, start, stop, sizes, bytes = list[Row](), 0, 0, 0, 0
        left = None
        for group in groups:
            at = group.members[0]
            if at in sent:
                continue
            spelled = group.spelled
            if spelled is None:
                if (defect := index.defect(group)) is not None:
                    self.rows += [Row(at, at, "omitted", defect) for at in group.members]
                    continue
                spelled = index.spelled(group)
            _, size, byte, spent, members, end, _, _ = spelled
            takes = len(members) if at != offered else 0  # the tools are no message
            if spent > room or takes > places:
                left = group
                break
            sent[at] = spelled
            room -= spent
            places -= takes
            if end == start:
                start = at
                sizes += size
                bytes += byte
            elif end < 0:  # another record stands among the results
                self.rows += [self._whole(at, "newest") for at in members]
            else:
                runs.append(Row(start, stop, "admitted", "newest", sizes, bytes))
                start, stop, sizes, bytes = at, end - 1, size, byte
        runs.append(Row(start, stop, "admitted", "newest", sizes, bytes))
        self.rows += runs[1:]  # before the first group there is a run of none
        self.room, self.places = room, places
        return left

    def _whole(self, at: int, reason: str) -> Row:
        item = self.index.item(at)
        return Row(at, at, "admitted", reason, self.index.size(at, item), utf8(item))

    def _send(self, spelled: Spelled, spent: int) -> None:
        self.sent[spelled.members[0]] = spelled
        self.room -= spent
        self.places -= self.messages(spelled.members)

    def least(self, group: Group) -> list[int]:
        """The least each member can be sent with: results as their marker, others whole."""
        index, least = self.index, list[int]()
        for at in group.members:
            least.append(index.size(at, index.item(at)))
            if index.records[at].kind is Kind.RESULT:
                bare = index.records[at].whole().to(0)
                least[-1] = min(least[-1], self._cut_size(at, bare, least[-1]))
        return least

    def _cut_size(self, at: int, cut: Cut, whole: int) -> int:
        """What the record takes as `cut`; a cut that misses nothing is no cut: it takes `whole`."""
        return self.index.counter.size(self.index.item(at, cut)) if cut.missing else whole

    def cut(self, group: Group) -> bool:
        """Cut the results of an exchange to the room that is left, if its markers fit."""
        index = self.index
        joints = index.spelled(group).framing
        full = [index.size(at, index.item(at)) for at in group.members]
        shares = share(self.room - joints, self.least(group), full)
        if shares is None or self.messages(group.members) > self.places:
            return False
        items: list[str] = []
        for at, whole, part in zip(group.members, full, shares, strict=True):
            if whole <= part:
                items.append(index.item(at))
                self.rows.append(self._whole(at, "beside-cut"))
                continue
            measure = partial(self._cut_size, at, whole=whole)
            cut = index.records[at].whole().fit(part, measure)
            assert cut is not None  # the share is at least the marker's size
            # Some wires can send no blank end, so that it is missing too.
            cut = self.cuts[at] = index.wire.heard(index.message(at, cut)).cut or cut
            items.append(index.item(at, cut))
            sums = {"limit": self.ceiling, "share": part, "full": whole}
            ends = {"head": len(cut.head), "tail": len(cut.tail), "missing": cut.missing}
            own = index.counter.size(items[-1]), utf8(items[-1])
            self.rows.append(Row(at, at, "cut", "cut-to-room", *own, sums | ends))
        spelled = index.spell(group.members, items)
        self._send(spelled, spelled.spent)
        return True

    def shown(self) -> dict[int, Cut | str]:
        """What is sent instead of the log's content, by position."""
        return self.cuts

    def ordered(self, firsts: Iterable[int]) -> list[int]:
        """The groups in sending order: a summary stands where what it replaces began."""
        places = self.index.places
        return sorted(firsts, key=lambda at: (places.get(at, at), at)) if places else sorted(firsts)

    def table(self) -> tuple[Decision, ...]:
        """One entry for each run of candidates with the same decision and reason, in log order."""
        records, rows, end = self.index.records, list[Row](), -1
        for row in [*sorted(self.rows), None]:
            first = row.first if row else len(records)
            gap = (at for at in range(end + 1, first) if records[at].kind is not Kind.OPAQUE)
            if self.rest and (start := next(gap, None)) is not None:
                rows.append(self.rest._replace(first=start, last=first - 1))
            if row:
                last = rows[-1] if rows else None
                if last and last.more is None and row.more is None and last[2:4] == row[2:4]:
                    rows[-1] = _joined(last, row)
                else:
                    rows.append(row)
                end = row.last
        return tuple(_decision(row) for row in rows)


def _joined(a: Row, b: Row) -> Row:
    if a.size is None or b.size is None or a.bytes is None or b.bytes is None:
        return a._replace(last=b.last)
    return a._replace(last=b.last, size=a.size + b.size, bytes=a.bytes + b.bytes)


def _decision(row: Row) -> Decision:
    last = record_id(row.last + 1) if row.last > row.first else None
    byte = row.bytes if row.bytes != row.size else None
    first = record_id(row.first + 1)
    return Decision(first, row.decision, row.reason, last, row.size, byte, **row.more or {})
