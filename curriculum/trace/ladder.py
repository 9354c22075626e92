"""What `newest-first@1` must have decided, recomputed from the trace alone.

For every candidate of an assembly this gives the decision that follows from the facts before
it, with the numbers it follows from. The law checker compares; the explainer quotes. Nothing
here calls `assemble`, its plan or the cutter: kept ends are found again by a slower, separate
way. How records group and how room is shared are the rooms' common words, tested on their own.
"""

import bisect
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import attrs

from curriculum.context.share import share
from curriculum.record.clusters import boundaries
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group, Grouping, Spelled
from curriculum.record.records import Kind, Record, record_id
from curriculum.wire.frames import charges
from curriculum.wire.protocol import Wire

from .rebuild import Rebuild, ends

FITS = "newest"
"""The reason of what merely fits, newest first."""


@attrs.frozen
class Step:
    """What must stand in the table for one candidate, by the numbers in `sum`."""

    decision: str
    reason: str
    fields: dict[str, int | str] = attrs.field(factory=dict[str, int | str])
    sum: dict[str, int | str] = attrs.field(factory=dict[str, int | str])


def reference_cut(
    whole: Cut, limit: int, measure: Callable[[Cut], int], steady: bool = True
) -> Cut | None:
    """The longest lawful cut: every kept size is a candidate, in one order of the whole text.

    Most characters take as much as they are long, so the search begins where that leads to. Where
    more text may take less there is no such order, and the cut is the one that halving finds.
    """
    tail = whole.tail if whole.missing else whole.head
    head_ends, tail_starts = places_to_cut(whole.head), places_to_cut(tail)

    def kept(keep: int) -> Cut:
        end = head_ends[bisect.bisect_right(head_ends, (keep + 1) // 2) - 1]
        start = tail_starts[bisect.bisect_left(tail_starts, max(0, len(tail) - keep // 2))]
        return Cut(whole.head[:end], tail[start:], whole.original, whole.sha256, whole.artifact)

    @cache
    def size(keep: int) -> int:
        return measure(kept(keep))

    if not steady:
        return _halved(whole.original, limit, kept, size)
    most = min(whole.original - 1, 2 * limit + 1)
    low, high = 0, max(0, most + 1)  # the first size that is too big is one of these
    guess = limit - size(0)
    for near in (guess, guess + 1, guess - 1, guess + 2):
        if low <= near < high:
            low, high = (near + 1, high) if size(near) <= limit else (low, near)
    at = bisect.bisect_right(range(high), limit, low, high, key=size)
    return kept(at - 1) if at else None


def _halved(
    original: int, limit: int, kept: Callable[[int], Cut], size: Callable[[int], int]
) -> Cut | None:
    """The cut that is found by doubling from twice the limit, then by halving."""
    if size(0) > limit:
        return None
    fits, over = 0, 2 * limit + 1
    while over < original and size(over) <= limit:
        fits, over = over, 2 * over
    over = min(original, over) + 1
    while over - fits > 1:
        middle = (fits + over) // 2
        fits, over = (middle, over) if size(middle) <= limit else (fits, middle)
    return kept(fits)


def places_to_cut(text: str) -> Sequence[int]:
    """Where a text may be cut; of an ASCII text everywhere, which needs no list."""
    return range(len(text) + 1) if text.isascii() and "\r" not in text else boundaries(text)


def defect(group: Group, record: Record, wire: Wire, latest: bool) -> str | None:
    """Why a group that begins with `record` cannot be sent at all; None if it can.

    `latest` says that it is the newest set of tools; older ones are superseded.
    """
    if group.orphan:
        return "unpaired-result"
    if group.lead == len(group.members):
        return "unpaired-thinking"
    if group.open:
        return "unanswered-call"
    if record.kind is Kind.TOOLS and not latest:
        return "superseded"
    return wire.refuses(record)


class Reading:
    """A log read up to some record; reading on costs only what is new."""

    def __init__(self, records: Sequence[Record], refuses: Callable[[Record], str | None]) -> None:
        self.records, self.refuses = records, refuses
        self._start()

    def _start(self) -> None:
        self.count = 0
        self.grouping = Grouping(self.refuses)
        self.instructions: list[int] = []
        self.tools: int | None = None
        self.waiting: list[int] = []

    def upto(self, count: int) -> "Reading":
        """Read until `count` records are known, from the start if more were."""
        if count < self.count:
            self._start()
        fresh = self.records[self.count : count]
        self.grouping.read(fresh, self.count)
        for at, record in enumerate(fresh, self.count):
            if record.kind is Kind.INSTRUCTION:
                self.instructions.append(at)
            elif record.kind is Kind.TOOLS:
                self.tools = at
            elif record.kind is Kind.USER:
                self.waiting.append(at)
            elif record.kind is Kind.ASSISTANT and not record.calls:
                self.waiting = []
        self.count = count
        return self

    def protected(self) -> dict[int, str]:
        """The positions that must stand whole in a request made now, each with its reason."""
        stay = dict.fromkeys(self.instructions, "protected-instruction")
        stay |= dict.fromkeys(self.waiting, "protected-request")
        return stay if self.tools is None else {**stay, self.tools: "protected-tools"}


class Ladder:
    """The decisions of one assembly over the records that `reading` has read."""

    def __init__(
        self, rebuild: Rebuild, reading: Reading, limit: int, max_messages: int | None
    ) -> None:
        self.rebuild, self.limit = rebuild, limit
        self.ceiling = f"max_input_{rebuild.counter.unit}"
        self.places: int | None = max_messages
        self.records = reading.records
        refuses = rebuild.wire.refuses
        stay = reading.protected()
        self._tools = reading.tools is not None and bool(self.records[reading.tools].tools)
        # What the wire has no place for cannot be sent, so it is not protected either.
        self.protected = {at: why for at, why in stay.items() if refuses(self.records[at]) is None}
        self.dearest, self.joint = charges(rebuild.wire, rebuild.counter.size)
        self.steps: dict[int, Step] = {}
        """What was decided step by step, but for what merely fits."""
        self.fits: dict[int, tuple[int, int]] = {}
        """For each candidate that merely fits: what its group takes, and the room there was."""
        self.rest: Step | None = None
        self.refused: dict[str, int | str] | None = None
        self._groups, self._last = reading.grouping.groups, reading.grouping.turn
        self.waits: tuple[int, ...] = ()
        self._protect()
        if self.refused is None:
            self._walk()

    def step(self, at: int) -> Step:
        """What must have been decided for the candidate at position `at`."""
        if at in self.fits:
            takes, room = self.fits[at]
            return Step("admitted", FITS, {"size": self.size(at)}, {"takes": takes, "room": room})
        return self.steps.get(at) or self.rest or Step("missing", "missing")

    def size(self, at: int) -> int:
        """The size of the record's whole item."""
        return self.rebuild.item(at).size

    def _protect(self) -> None:
        stay = self.protected
        told = [at for at in sorted(stay) if self.records[at].kind is not Kind.TOOLS]
        lines = len(told)
        self.frame = self.dearest + self.joint * max(0, lines - 1)
        self.frame += self.rebuild.counter.around(self._tools)
        self.parts = {record_id(at + 1): self.size(at) for at in sorted(stay)}
        needed = self.frame + sum(self.parts.values())
        # Every later message pays for a joint. If none stands yet, the first of them has none.
        self.room = self.start_room = self.limit - needed + (0 if lines else self.joint)
        if needed > self.limit:
            self._refuse("protected-does-not-fit", self.ceiling, self.limit, needed)
        elif self.places is not None and lines > self.places:
            self._refuse("protected-does-not-fit", "max_messages", self.places, lines)
            self.parts = {record_id(at + 1): self.size(at) for at in told}
        for at, reason in stay.items():
            self.steps[at] = Step("admitted", reason, {"size": self.size(at)})
        if self.places is not None:
            self.places -= lines

    def _refuse(self, reason: str, limit: str, allowed: int, needed: int) -> None:
        self.refused = {"reason": reason, "limit": limit, "allowed": allowed, "needed": needed}

    def _order(self) -> Iterator[tuple[Group, bool]]:
        last = self._last
        if last is not None and len(last.members) > last.lead + 1 and self._defect(last) is None:
            self.waits = tuple(last.members)
            yield last, True
        waits = last if self.waits else None
        yield from ((group, False) for group in reversed(self._groups) if group is not waits)

    def _walk(self) -> None:
        for group, required in self._order():
            first = group.members[0]
            if first in self.protected:
                continue
            # What a group takes stays as it is once it takes no more results, and late requests
            # pass the same groups again and again: so it is remembered where it is found.
            if group.spelled is None:
                if (defect := self._defect(group)) is not None:
                    self.steps |= {at: Step("omitted", defect) for at in group.members}
                    continue
                sizes = [self.size(at) for at in group.members]
                spent = sum(sizes) + self._framing(group)
                group.spelled = Spelled(b"", sum(sizes), 0, spent, tuple(group.members), -1)
            spelled = group.spelled
            has_place = self.places is None or len(spelled.members) <= self.places
            if spelled.spent > self.room or not has_place:
                self._give_way(group, required, spelled.spent, has_place)
                return
            taken = spelled.spent, self.room
            for at in spelled.members:
                self.fits[at] = taken
            self.room -= spelled.spent
            if self.places is not None:
                self.places -= len(spelled.members)

    def _framing(self, group: Group) -> int:
        """What stands between the members of a group, and one joint at its dearest."""
        wire = self.rebuild.wire
        places = [wire.places[self.records[at].kind] for at in group.members]
        return self.joint + sum([self.rebuild.framing[wire.frames[p]] for p in pairwise(places)])

    def _defect(self, group: Group) -> str | None:
        return defect(group, self.records[group.main], self.rebuild.wire, False)

    def _give_way(self, group: Group, required: bool, takes: int, has_place: bool) -> None:
        joints = self._framing(group)
        full = [self.size(at) for at in group.members]
        least = [self._least(at, own) for at, own in zip(group.members, full, strict=True)]
        needs, first = sum(least) + joints, record_id(group.members[0] + 1)
        if needs <= self.room and has_place:
            shares = share(self.room - joints, least, full)
            assert shares is not None
            results = [at for at in group.members if self.records[at].kind is Kind.RESULT]
            turn = joints + sum(own for at, own in zip(group.members, full, strict=True)
                                if at not in results)  # fmt: skip
            for at, own, part in zip(group.members, full, shares, strict=True):
                sums: dict[str, int | str] = {"takes": takes, "room": self.room, "turn": turn}
                sums |= {"results": len(results), "share": part} if at in results else {}
                if own <= part:
                    self.steps[at] = Step("admitted", "beside-cut", {"size": own}, sums)
                    continue

                def spelled(cut: Cut, at: int = at, own: int = own) -> int:
                    # A cut that misses nothing is no cut: it is sent as the whole is.
                    return self.rebuild.cut_item(at, cut).size if cut.missing else own

                steady = self.rebuild.counter.steady
                cut = reference_cut(self.rebuild.whole(at), part, spelled, steady)
                assert cut is not None
                # Some wires can send no blank end, so that it is missing too.
                cut = self.rebuild.wire.heard(self.rebuild.message(at, cut)).cut or cut
                self.steps[at] = Step(
                    "cut", "cut-to-room", _cut_fields(cut, own, part, self.ceiling, spelled), sums
                )
            self.rest = Step("omitted", "behind-cut", {"because": first})
            return
        limit, room = (self.ceiling, self.room) if has_place else ("max_messages", self.places or 0)
        if not has_place:
            joints, least = 0, [1] * len(group.members)
        needs = joints + sum(least)
        if required:
            self._refuse("result-does-not-fit", limit, room, needs)
            self.frame = joints
            self.parts = {record_id(at + 1): n for at, n in zip(group.members, least, strict=True)}
            return
        fields: dict[str, int | str] = {
            "because": first, "limit": limit, "needs": needs, "room": room
        }  # fmt: skip
        self.rest = Step("omitted", "no-room", fields, dict(fields))

    def _least(self, at: int, full: int) -> int:
        record = self.records[at]
        if record.kind is not Kind.RESULT:
            return full
        bare = ends(self.rebuild.whole(at), 0, 0)
        return min(full, self.rebuild.cut_item(at, bare).size) if bare.missing else full


def _cut_fields(
    cut: Cut, full: int, part: int, ceiling: str, spelled: Callable[[Cut], int]
) -> dict[str, Any]:
    return {
        "size": spelled(cut),
        "limit": ceiling,
        "share": part,
        "full": full,
        "head": len(cut.head),
        "tail": len(cut.tail),
        "missing": cut.missing,
    }
