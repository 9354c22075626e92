"""What `newest-first@1`, or a policy without pools, must have decided, from the trace alone.

For every candidate of an assembly this gives the decision that follows from the facts before
it, with the numbers it follows from. The law checker compares; the explainer quotes. Nothing
here calls `assemble`, its plan or the cutter: kept ends are found again by a slower, separate
way. How records group and how room is shared are the rooms' common words, tested on their own.
"""

import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.context.share import share
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group, Spelled
from curriculum.record.records import Kind, record_id
from curriculum.wire.frames import charges

from .log_reading import Reading
from .rebuild import Rebuild, ends
from .reference_cut import reference_cut
from .step import Step

FITS = "newest"
"""The reason of what merely fits, newest first."""
POOLED = ("mode", "smaller", "rungs", "packing", "target", "pools", "front", "back")
"""Fields of a manifest that only policies of pools fill in."""


class Ladder:
    """The decisions of one assembly over the records that `reading` has read."""

    more: Mapping[str, int | str] = {}
    """The facts of those fields of a manifest that only policies of pools fill in."""
    mode = smaller = packing = target = None
    rungs = pools = front = back = ()

    def __init__(
        self,
        rebuild: Rebuild,
        reading: Reading,
        limit: int,
        max_messages: int | None,
        policy: Policy = NEWEST_FIRST,
    ) -> None:
        self.rebuild, self.limit, self._may_cut = rebuild, limit, policy.cut
        self.ceiling = f"max_input_{rebuild.counter.unit}"
        self.places: int | None = max_messages
        self.records = reading.records
        refuses = rebuild.wire.refuses
        stay = reading.protected(policy)
        self._tools = reading.tools is not None and bool(self.records[reading.tools].tools)
        # What the wire has no place for cannot be sent, so it is not protected either.
        self.protected = {at: why for at, why in stay.items() if refuses(self.records[at]) is None}
        self.dearest, self.joint = charges(rebuild.wire, rebuild.counter.size)
        self.steps: dict[int, Step] = {}
        """What was decided step by step, but for what merely fits."""
        self.fits: dict[int, tuple[int, int]] = {}
        """For each candidate that merely fits: what its group takes, and the room there was."""
        self.rest: Step | None = None
        self._reached: list[int] = []
        self.refused: dict[str, int | str] | None = None
        self._reading, self._groups = reading, reading.grouping.groups
        self._unseen = reading.unseen()
        self.waits = tuple(self._unseen.members) if self._unseen is not None else ()
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

    @property
    def fills(self) -> Sequence[str]:
        """Fields of the manifest that this policy fills in."""
        return ["room"] if self.refused is None else []

    @property
    def leaves(self) -> str:
        """What the frame and what must stay leave, in words."""
        return f"room {self.start_room}"

    def speakers(self, first: int, end: int, fitting: bool) -> Sequence[int]:
        """Positions in a range whose decisions stand for all of it.

        Candidates that were not reached share one decision, so one of them stands for all;
        `fitting` says that all is said already of those that merely fit. Opaque records may be
        among the positions; they have no decision.
        """
        if end - first == 1:
            return [first]
        reached = self._reached = self._reached or sorted([*self.steps, *self.fits])
        some = reached[bisect.bisect_left(reached, first) : bisect.bisect_left(reached, end)]
        if len(some) < end - first:
            known = set(some)
            rest = (at for at in range(first, end) if at not in known and self._is_candidate(at))
            some += islice(rest, 1)
        return [at for at in some if at not in self.fits] if fitting else some

    def _is_candidate(self, at: int) -> bool:
        return self.records[at].kind is not Kind.OPAQUE

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
        waits = self._unseen
        if waits is not None:
            yield waits, True
        yield from ((group, False) for group in reversed(self._groups) if group is not waits)

    def _walk(self) -> None:
        for group, required in self._order():
            first = group.members[0]
            if first in self.protected:
                continue
            # What a group takes stays as it is once it takes no more results, and late requests
            # pass the same groups again and again: so it is remembered where it is found.
            if group.spelled is None or first in self._reading.compacted:
                if (defect := self._reading.defect(group)) is not None:
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

    def _give_way(self, group: Group, required: bool, takes: int, has_place: bool) -> None:
        joints = self._framing(group)
        full = [self.size(at) for at in group.members]
        least = [self._least(at, own) for at, own in zip(group.members, full, strict=True)]
        if not self._may_cut:  # whole or not at all
            least = [sum(full)]
        needs, first = sum(least) + joints, record_id(group.members[0] + 1)
        if self._may_cut and needs <= self.room and has_place:
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
            self.parts = {record_id(at + 1): n for at, n in zip(group.members, least, strict=False)}
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
