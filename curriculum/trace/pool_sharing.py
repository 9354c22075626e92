"""How the room is shared where no rung of the ladder is enough."""

from typing import TYPE_CHECKING

from curriculum.context.manifest import PoolUse
from curriculum.context.pooling import PACKED, amount
from curriculum.context.share import share
from curriculum.record.cut import Cut
from curriculum.record.records import record_id

from .pool_groups import PoolGroup
from .pool_log import Form
from .pool_packing import STEPS, most_worth
from .pool_rungs import Sizes
from .reference_cut import reference_cut
from .step import Step

if TYPE_CHECKING:
    from .pool_ladder import PoolLadder

Told = dict[str, int | str]


class Sharing:
    """The room of one assembly, and who gets it: required groups, then pool after pool."""

    def __init__(self, ladder: "PoolLadder", sizes: Sizes) -> None:
        self.ladder, self.log, self.sizes = ladder, ladder.log, sizes
        self.pooling, self.limit = self.log.pooling, ladder.limit
        self.high = self.pooling.most(self.limit)
        needs = ladder.down.frame + sum(
            group.framing + sum(ladder.least[id(group)]) for group in ladder.stay
        )
        self.room = self.high - needs + self.log.joint
        lines = sum(group.messages for group in ladder.stay)
        self.places = None if ladder.places is None else ladder.places - lines
        self.target: int | None = None
        self.packing = "greedy"
        self.pools: tuple[PoolUse, ...] = ()
        self._oldest: int | None = None
        """Where the oldest group stands that has got into a pool."""

    def right(self, pool: str) -> int:
        """What a pool has a right to: its minimum, but no more than it would take."""
        least = self.pooling.pool(pool).min
        return 0 if least is None else min(amount(least, self.limit), self.sizes.pools[pool])

    def serve_required(self) -> None:
        """The unseen exchange, then the other groups that must stay, newest first."""
        rights = sum(map(self.right, PACKED))
        for group in sorted(self.ladder.stay, key=lambda g: (not g.unseen, -g.members[0])):
            room = max(0, self.room - rights if group.unseen else self.room)
            least = self.ladder.least[id(group)]
            more = group.takes - group.framing - sum(least)
            told: Told = {"more": more, "room": room}
            if more <= room:
                reason = "unseen" if group.unseen else "beside-protected"
                for place, at in enumerate(group.members):
                    self.ladder.steps[at] = self.ladder.sent(group, place, reason, told)
                self.room -= more
            else:
                self.room -= self._water(group, least, room)

    def _water(self, group: PoolGroup, least: list[int], room: int) -> int:
        """Share what a group may take among its results; return what it takes over its least."""
        full = [form.size for form in group.forms]
        shares = share(sum(least) + room, least, full)
        assert shares is not None
        turn = sum(full) - sum(full[place] for place in group.results)
        taken = 0
        for place, part in enumerate(shares):
            at, own = group.members[place], full[place]
            told: Told = {"takes": group.takes - group.framing, "room": sum(least) + room}
            told |= {"turn": turn, "results": len(group.results)}
            told |= {"share": part} if place in group.results else {}
            if own <= part:
                self.ladder.steps[at] = self.ladder.sent(group, place, "beside-cut", told)
                taken += own
                continue
            size, step = self._cut(at, own, part, told)
            self.ladder.steps[at] = step
            group.forms[place] = Form(size)
            taken += size
        return taken - sum(least)

    def _cut(self, at: int, own: int, part: int, told: Told) -> tuple[int, Step]:
        """The longest cut of a result's whole content that its share has room for."""
        rebuild = self.log.rebuild
        whole = self.log.size(at)

        def spelled(cut: Cut) -> int:
            # A cut that misses nothing is no cut: it is sent as the whole is.
            return rebuild.cut_item(at, cut).size if cut.missing else whole

        found = reference_cut(rebuild.whole(at), part, spelled, rebuild.counter.steady)
        assert found is not None
        cut = self.log.heard(at, found)
        fields: Told = {
            "size": spelled(cut), "limit": self.ladder.ceiling, "share": part, "full": own,
            "head": len(cut.head), "tail": len(cut.tail), "missing": cut.missing,
        }  # fmt: skip
        return spelled(cut), Step("cut", "cut-to-room", fields, told)

    def leave_free(self) -> None:
        """Down to a target below the line, so that the same old groups stay out for a while."""
        low, size = self.pooling.least(self.limit), self.sizes.size
        if low is not None and size > self.high:
            self.target = self.high - (self.high - size) % (self.high - low)
            self.room -= self.high - self.target

    def pack(self) -> None:
        """The pools share what is left."""
        groups = [g for g in self.ladder.standing.groups if not g.required]
        for group in groups:
            if group.dropped is not None:
                self._met(group)
        rest = [group for group in groups if group.dropped is None]
        worth = [self.pooling.pool(group.pool).value for group in rest]
        lines = sum(group.messages for group in rest)
        have_places = self.places is None or lines <= self.places
        if self.pooling.packing == "exact" and have_places and len(rest) * sum(worth) <= STEPS:
            self.packing = "exact"
            self._exact(rest, worth)
        else:
            self._greedy(rest)
        self._defects()

    def _exact(self, rest: list[PoolGroup], worth: list[int]) -> None:
        sizes = [group.takes for group in rest]
        chosen = set(most_worth(list(zip(sizes, worth, strict=True)), self.room))
        sent = sum(worth[place] for place in chosen)
        told: Told = {"worth": sent, "room": self.room}
        inside = {id(rest[place]) for place in chosen}
        used = dict.fromkeys(PACKED, 0)
        for place in chosen:
            used[rest[place].pool] += sizes[place]
        # The pools share one room, and none has any of its own.
        self.pools = tuple(PoolUse(name, max(0, self.room), used[name]) for name in PACKED)
        for group in rest:
            if id(group) in inside:
                self._in(group, told)
            else:
                self._out(group, "not-chosen", {**told, "takes": group.takes})

    def _greedy(self, groups: list[PoolGroup]) -> None:
        uses: list[PoolUse] = []
        for number, name in enumerate(PACKED):
            later = sum(map(self.right, PACKED[number + 1 :]))
            cap = self.pooling.pool(name).cap
            room = max(0, self.room - later)
            if cap is not None:
                room = min(room, amount(cap, self.limit))
            mine = [group for group in reversed(groups) if group.pool == name]
            uses.append(self._fill(name, mine, room))
            self.room -= uses[-1].used
        self.pools = tuple(uses)

    def _fill(self, name: str, groups: list[PoolGroup], room: int) -> PoolUse:
        """One pool: newest first, until one does not fit."""
        used, full = 0, None
        for at, group in enumerate(groups):
            takes = group.takes
            has_place = self.places is None or group.messages <= self.places
            if used + takes > room or not has_place:
                full = PoolUse(name, room, used, record_id(group.members[0] + 1), takes)
                told: Told = {"stopped": str(full.stopped), "used": used, "needs": takes}
                told |= {"room": room, "pool": name}
                if not has_place:
                    told |= {"places": self.places or 0, "messages": group.messages}
                for other in groups[at:]:
                    self._out(other, "pool-full", told)
                break
            self._in(group, {"used": used, "takes": takes, "room": room, "pool": name})
            used += takes
            if self.places is not None:
                self.places -= group.messages
        return full or PoolUse(name, room, used)

    def _in(self, group: PoolGroup, told: Told) -> None:
        oldest = group.members[0]
        self._oldest = oldest if self._oldest is None else min(self._oldest, oldest)
        for place, at in enumerate(group.members):
            self.ladder.steps[at] = self.ladder.sent(group, place, "in-pool", told)

    def _met(self, group: PoolGroup) -> None:
        for place, at in enumerate(group.members):
            self.ladder.steps[at] = self.ladder.sent(group, place, "", {})

    def _out(self, group: PoolGroup, reason: str, told: Told) -> None:
        step = Step("omitted", reason, {}, told)
        self.ladder.steps |= dict.fromkeys(group.members, step)

    def _defects(self) -> None:
        """What cannot be sent is named where it stands behind the first group that got in."""
        reason = "not-chosen" if self.packing == "exact" else "pool-full"
        before = Step("omitted", reason)
        for at, why in self.ladder.standing.defects.items():
            first = self.ladder.standing.began[at]
            named = why == "compacted" or (self._oldest is not None and first > self._oldest)
            self.ladder.steps[at] = self.ladder.unsent(at, why) if named else before
