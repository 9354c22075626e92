"""The rungs of a ladder: at each, what every group would take."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from curriculum.context.manifest import Rung
from curriculum.context.pooling import PACKED, Step, amount

from .needless import DUPLICATES, PREVIEWS, SUPERSEDED
from .pool_groups import PoolGroup, Standing, evictable
from .pool_log import Form

_NEEDLESS = (DUPLICATES, SUPERSEDED, PREVIEWS)
_OLD = {"externalize": "externalized", "mask": "masked", "cut": "stepped"}
"""What is done only to old exchanges, and the reason."""


class Sizes(NamedTuple):
    """What a rung takes: in all, in messages, and by pool without what must stay."""

    size: int
    messages: int
    pools: dict[str, int]


class Rungs:
    """A ladder over the groups of one assembly; going down a rung changes the groups' forms."""

    def __init__(self, standing: Standing) -> None:
        self.standing, self.log = standing, standing.log
        pooling = self.log.pooling
        step = (standing.turns - pooling.recent) // pooling.block * pooling.block
        self.line = max(0, step)
        """Exchanges up to this ordinal are old."""
        offered = standing.reading.tools
        has_tools = offered is not None and bool(self.log.records[offered].tools)
        self.frame = self.log.frame + self.log.rebuild.counter.around(has_tools)
        self.tried: list[Rung] = []

    def down(self) -> Iterator[Sizes]:
        """The sizes at each rung, from the whole log down."""
        yield self._measured("whole")
        for step in self.log.pooling.ladder:
            if step.name != "omit":
                self._apply(step)
                yield self._measured(str(step))

    def _measured(self, name: str) -> Sizes:
        sizes = self.sizes()
        self.tried.append(Rung(name, sizes.size))
        return sizes

    def sizes(self) -> Sizes:
        """What all groups take as they are now."""
        size = messages = 0
        pools = dict.fromkeys(PACKED, 0)
        for group in self.standing.groups:
            if group.dropped is None:
                takes = group.takes
                size, messages = size + takes, messages + group.messages
                if not group.required:
                    pools[group.pool] += takes
        # Of all messages, the first needs no joint before it.
        return Sizes(self.frame + size - (self.log.joint if messages else 0), messages, pools)

    def caps(self, limit: int) -> dict[str, int]:
        """What each pool may take at most, if the policy says anything of it."""
        pools = [pool for pool in self.log.pooling.pools if pool.name in PACKED]
        return {pool.name: amount(pool.cap, limit) for pool in pools if pool.cap is not None}

    def fits(self, sizes: Sizes, limit: int, places: int | None) -> bool:
        """Whether a rung can be sent as a whole."""
        if sizes.size > self.log.pooling.most(limit):
            return False
        if places is not None and sizes.messages > places:
            return False
        return all(sizes.pools[name] <= cap for name, cap in self.caps(limit).items())

    def _apply(self, step: Step) -> None:
        reduce = self._reducing(step)
        for group in self.standing.groups:
            if group.dropped is not None or group.unseen:
                continue
            if not group.required:
                group.dropped = self._dropping(step, group)
            if reduce is not None and group.dropped is None:
                for place in group.results:
                    if not group.classes[place].intact:
                        group.forms[place] = reduce(group, place)

    def _dropping(self, step: Step, group: PoolGroup) -> Form | None:
        if step.name == "evict" and evictable(group, step.number):
            told = {"pool": group.pool, "rank": group.rank}
            told |= {} if step.number is None else {"upto": step.number}
            return Form(0, None, "evicted", None, told)
        if step.name in (DUPLICATES, SUPERSEDED) and len(group.members) == 1:
            why = self.standing.needless.steps[step.name].get(group.members[0])
            if why is not None and not group.results:
                return Form(0, None, why.reason, why.later, {})
        return None

    def _reducing(self, step: Step) -> Callable[[PoolGroup, int], Form] | None:
        """What a step makes of a result, if it reduces results at all."""
        if step.name in _NEEDLESS:
            needless = self.standing.needless.steps[step.name]

            def cleared(group: PoolGroup, place: int) -> Form:
                why = needless.get(group.members[place])
                if why is None:
                    return group.forms[place]
                return self._smaller(group, place, 0, why.reason, {}, why.later)

            return cleared
        if step.name == "clear":
            return lambda group, place: self._smaller(group, place, 0, "cleared", {})
        if step.name not in _OLD:
            return None
        reason, keep = _OLD[step.name], 0 if step.name == "mask" else step.number or 0

        def aged(group: PoolGroup, place: int) -> Form:
            if group.ordinal > self.line:
                return group.forms[place]
            if step.name == "externalize" and not self._handed(group, place):
                return group.forms[place]
            told = {"ordinal": group.ordinal, "line": self.line}
            return self._smaller(group, place, keep, reason, told)

        return aged

    def _handed(self, group: PoolGroup, place: int) -> bool:
        record = self.log.records[group.members[place]]
        handle = record.cut.artifact if record.cut else record.artifact
        return group.classes[place].externalize and bool(handle)

    def _smaller(
        self,
        group: PoolGroup,
        place: int,
        keep: int,
        reason: str,
        told: dict[str, int],
        later: int | None = None,
    ) -> Form:
        """The result with `keep` characters, if it has more and becomes smaller by that."""
        before = group.forms[place]
        found = self.log.kept(group.members[place], keep)
        if found is None or found[0] >= before.size:
            return before
        numbers: dict[str, int | str] = {**told, "keep": keep, "before": before.size}
        return Form(found[0], found[1], reason, later, numbers)
