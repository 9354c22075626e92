"""The state of one assembly: what is admitted so far, and the room that is left."""

from typing import Any, NamedTuple

import attrs

from curriculum.count.counters import utf8
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group
from curriculum.record.records import Kind, record_id

from .index import SessionIndex
from .manifest import Decision, Need, Refusal
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
    places: int | None
    room: int = 0
    sent: list[tuple[int, str]] = attrs.field(factory=list[tuple[int, str]])
    cuts: dict[int, Cut] = attrs.field(factory=dict[int, Cut])
    rows: list[Row] = attrs.field(factory=list[Row])
    rest: Row | None = None
    """The decision for every candidate that has no row of its own."""

    @property
    def joint(self) -> int:
        """What one joint between items takes."""
        return self.index.counter.size(self.index.wire.joint)

    def protect(self, policy: Policy) -> Refusal | None:
        """Admit what must stay whole, or say what does not fit."""
        wire, records = self.index.wire, self.index.records
        reasons = self.index.protected(policy)
        groups = {at: Group([at]) for at in sorted(reasons)}
        sizes = {at: self.index.spelled(group)[1] for at, group in groups.items()}
        joints = sum(records[at].kind is not Kind.TOOLS for at in groups) - 1
        frame = self.index.counter.size(wire.opening + wire.between + wire.closing)
        frame += self.joint * joints
        needed = frame + sum(sizes.values())
        self.room = self.limit - needed
        parts = tuple(Need(records[at].id, size) for at, size in sizes.items())
        reason = "protected-does-not-fit"
        if self.room < 0:
            return Refusal(reason, "max_input", self.limit, needed, frame, parts)
        if self.places is not None and len(groups) > self.places:
            ones = tuple(Need(part.record, 1) for part in parts)
            return Refusal(reason, "max_messages", self.places, len(groups), 0, ones)
        for at, group in groups.items():
            self._admit(group, reasons[at], 0)
        return None

    def admit(self, group: Group) -> bool:
        """Admit the group whole if it fits."""
        spent = self.index.spelled(group)[1] + self.joint * len(group.members)
        if spent > self.room or not self.has_place(group):
            return False
        self._admit(group, "newest", spent)
        return True

    def has_place(self, group: Group) -> bool:
        """Whether the message limit leaves room for the group's members."""
        return self.places is None or len(group.members) <= self.places

    def _admit(self, group: Group, reason: str, spent: int) -> None:
        text, size, byte = self.index.spelled(group)
        members = group.members
        self._send(group, text, spent)
        if max(members) - members[0] == len(members) - 1:
            self.rows.append(Row(members[0], max(members), "admitted", reason, size, byte))
        else:  # another record stands among the results
            self.rows += [self._whole(at, reason) for at in members]

    def _whole(self, at: int, reason: str) -> Row:
        item = self.index.item(at)
        return Row(at, at, "admitted", reason, self.index.counter.size(item), utf8(item))

    def _send(self, group: Group, text: str, spent: int) -> None:
        self.sent.append((group.members[0], text))
        self.room -= spent
        if self.places is not None:
            self.places -= len(group.members)

    def omit(self, group: Group, reason: str) -> None:
        """Leave the group out for a reason that no room would change."""
        self.rows += [Row(at, at, "omitted", reason) for at in group.members]

    def least(self, group: Group) -> list[int]:
        """The least each member can be sent with: results as their marker, others whole."""
        index, least = self.index, list[int]()
        for at in group.members:
            spelled = [index.item(at)]
            if index.records[at].kind is Kind.RESULT:
                spelled.append(index.item(at, index.records[at].whole().to(0)))
            least.append(min(index.counter.size(text) for text in spelled))
        return least

    def cut(self, group: Group) -> bool:
        """Cut the results of an exchange to the room that is left, if its markers fit."""
        index, size = self.index, self.index.counter.size
        joints = self.joint * len(group.members)
        full = [size(index.item(at)) for at in group.members]
        shares = share(self.room - joints, self.least(group), full)
        if shares is None or not self.has_place(group):
            return False
        items: list[str] = []
        for at, whole, part in zip(group.members, full, shares, strict=True):
            if whole <= part:
                items.append(index.item(at))
                self.rows.append(self._whole(at, "beside-cut"))
                continue
            cut = index.records[at].whole().fit(part, lambda c, at=at: size(index.item(at, c)))
            assert cut is not None  # the share is at least the marker's size
            self.cuts[at] = cut
            items.append(index.item(at, cut))
            sums = {"limit": "max_input", "share": part, "full": whole}
            ends = {"head": len(cut.head), "tail": len(cut.tail), "missing": cut.missing}
            own = size(items[-1]), utf8(items[-1])
            self.rows.append(Row(at, at, "cut", "cut-to-room", *own, sums | ends))
        text = index.wire.joint.join(items)
        self._send(group, text, sum(map(size, items)) + joints)
        return True

    def table(self) -> tuple[Decision, ...]:
        """One entry for each run of candidates with the same decision and reason, in log order."""
        rows: list[Row] = []
        end = -1
        for row in [*sorted(self.rows), None]:
            first = row.first if row else len(self.index.records)
            gap = range(end + 1, first)
            if self.rest and any(self.index.records[at].kind is not Kind.OPAQUE for at in gap[:1]):
                rows.append(self.rest._replace(first=end + 1, last=first - 1))
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
