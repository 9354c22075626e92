"""The pools at the table: what each may take of the room, and which of its groups get it.

Greedy: the pools are served in their order, each newest first until one does not fit, and each
leaves what later pools have a right to. Exact: all compete, for the most worth together.
"""

from curriculum.record.records import record_id

from .ledger import Entry, Ledger
from .manifest import PoolUse
from .ordering import OrderedPlan
from .packing import WORK, Wants, exact, work
from .pooling import PACKED, amount


class Pools:
    """One packing. Sizes are charges in the counter's unit at the ladder's last rung."""

    def __init__(self, plan: OrderedPlan, ledger: Ledger, rung: int) -> None:
        self.plan, self.ledger, self.rung = plan, ledger, rung
        self.places = plan.places

    def pack(self, packing: str, room: int) -> tuple[str, tuple[PoolUse, ...], list[Entry]]:
        """The packing that was used, what each pool took, and the groups that get in."""
        if packing == "exact":
            entries = self._all()
            wants = [self._wants(entry) for entry in entries]
            enough = self.places >= sum(want.messages for want in wants)
            if enough and work(wants) <= WORK:
                return self._exact(entries, wants, room)
        return "greedy", *self._greedy(room)

    def _all(self) -> list[Entry]:
        """Every group that competes, in log order."""
        firsts = sorted(first for name in PACKED for first in self.ledger.pools[name])
        return [self.ledger.entries[first] for first in firsts]

    def _wants(self, entry: Entry) -> Wants:
        form = entry.forms[self.rung]
        return Wants(form.charge, form.messages, self.ledger.pooling.pool(entry.pool).value)

    def _exact(
        self, entries: list[Entry], wants: list[Wants], room: int
    ) -> tuple[str, tuple[PoolUse, ...], list[Entry]]:
        chosen = [entries[at] for at in exact(wants, room)]
        used = dict.fromkeys(PACKED, 0)
        for entry in chosen:
            used[entry.pool] += entry.forms[self.rung].charge
        return "exact", tuple(PoolUse(name, room, used[name]) for name in PACKED), chosen

    def _greedy(self, room: int) -> tuple[tuple[PoolUse, ...], list[Entry]]:
        uses, chosen = list[PoolUse](), list[Entry]()
        for number, name in enumerate(PACKED):
            allowed = room - sum(map(self._right, PACKED[number + 1 :]))
            cap = self.ledger.pooling.pool(name).cap
            if cap is not None:
                allowed = min(allowed, amount(cap, self.plan.limit))
            use = self._serve(name, max(0, allowed), chosen)
            room -= use.used
            uses.append(use)
        return tuple(uses), chosen

    def _right(self, name: str) -> int:
        """What a pool is left at least, as far as it has use for it."""
        share = self.ledger.pooling.pool(name).min
        least = 0 if share is None else amount(share, self.plan.limit)
        return min(least, self.ledger.charges[self.rung][name])

    def _serve(self, name: str, allowed: int, chosen: list[Entry]) -> PoolUse:
        """The groups of one pool, newest first, until one does not fit."""
        used = 0
        for first in reversed(self.ledger.pools[name]):
            entry = self.ledger.entries[first]
            form = entry.forms[self.rung]
            if used + form.charge > allowed or form.messages > self.places:
                needs = form.charge
                return PoolUse(name, allowed, used, record_id(first + 1), needs)
            used += form.charge
            self.places -= form.messages
            chosen.append(entry)
        return PoolUse(name, allowed, used)
