"""Who gets in under a policy of pools: the ladder is climbed down until the request fits.

1. What must be sent: the protected, and the exchange that the model has not seen. If not even
   that fits, a smaller mode is entered if the policy declares one; else nothing is sent.
2. The first rung at which the whole log fits is taken, and all of it is sent in that form.
3. Where no rung is enough, the pools share the room that is left, and the rest waits.
"""

from typing import TYPE_CHECKING, Any

import attrs

from curriculum.record.records import record_id

from .compaction import Needs, due
from .forms import Form
from .ledger import Entry, Ledger
from .manifest import Need, PoolUse, Refusal, Rung
from .ordering import OrderedPlan
from .plan import Plan, Row
from .policy import Policy
from .pooling import PACKED, amount
from .sending import drop_all, send, send_all

if TYPE_CHECKING:
    from .index import SessionIndex


@attrs.define
class Admitted:
    """What the manifest says beside the table: the numbers that the decisions rest on."""

    refused: Refusal | None = None
    room: int | None = None
    mode: str | None = None
    smaller: Refusal | None = None
    rungs: tuple[Rung, ...] = ()
    packing: str | None = None
    target: int | None = None
    pools: tuple[PoolUse, ...] = ()
    front: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    needs: Needs | None = None


def ledger_of(index: "SessionIndex", policy: Policy, mode: str = "") -> Ledger:
    """The ledger that this index keeps for a policy; read up to date."""
    key = policy.id, mode
    ledger = index.ledgers.get(key)
    if ledger is None:
        ledger = index.ledgers[key] = Ledger(index, policy, mode)
    ledger.read()
    return ledger


def admit(given: Plan, policy: Policy, summarise: str = "") -> tuple[Plan, dict[str, Any]]:
    """Decide about every candidate; return the plan, and what the manifest says beside its table.

    If `summarise`, that may be that nothing is decided: `needs` says what to summarise first.
    """
    plan = OrderedPlan(given.index, given.limit, given.places)
    made = Admission(plan, policy, "", summarise).decide()
    smaller = policy.pooling and policy.pooling.smaller
    if made.refused is not None and smaller:
        why = made.refused
        made = Admission(plan, policy, smaller.name, summarise).decide()
        made.mode, made.smaller = smaller.name, why
    return plan, attrs.asdict(made, recurse=False)


class Admission:
    """One assembly under a policy of pools. Sizes are charges in the counter's unit."""

    def __init__(self, plan: OrderedPlan, policy: Policy, mode: str, summarise: str) -> None:
        assert policy.pooling is not None
        self.summarise = summarise
        self.plan, self.policy, self.index = plan, policy, plan.index
        self.pooling = policy.pooling
        self.ledger = ledger_of(plan.index, policy, mode)
        self.high = self.pooling.most(plan.limit)
        self.made = Admitted()

    def decide(self) -> Admitted:
        """Find the rung, and write a row for every candidate."""
        plan, ledger = self.plan, self.ledger
        if self.summarise:
            asked = "explicit" if self.summarise == "explicit" else ""
            self.made.needs = due(ledger, plan.limit, asked)
            if self.made.needs is not None:
                return self.made
        required = [ledger.entries[first] for first in ledger.required]
        self.made.refused = self._too_much(required)
        if self.made.refused is not None:
            return self.made
        for first, end, by in ledger.retired:
            more = {"because": record_id(by + 1)}
            plan.rows.append(Row(first, end, "omitted", "compacted", more=more))
        rungs = list[Rung]()
        for number, name in enumerate(ledger.rungs):
            if name == "summarise" and self.summarise:
                self.made.needs = due(ledger, plan.limit, "overflow")
                if self.made.needs is not None:
                    return self.made
            rungs.append(Rung(name, ledger.total(number)))
            if self._fits(number):
                self._send_all(number)
                break
        else:
            self._share(required)
        self.made.rungs = tuple(rungs)
        plan.place(ledger, self.pooling.order)
        self.made.front = tuple(record_id(at + 1) for at in plan.front)
        self.made.back = tuple(record_id(at + 1) for at in plan.back)
        return self.made

    # -- what must be sent

    def _too_much(self, required: list[Entry]) -> Refusal | None:
        """Why not even what must be sent fits; None if it does."""
        index, plan = self.index, self.plan
        frame = index.frame + index.counter.around(index.offers)
        messages = sum(entry.forms[0].messages for entry in required)
        least = [self._least(entry) for entry in required]
        needed = frame - (index.joint if messages else 0) + sum(one.charge for one in least)
        if needed <= plan.limit and messages <= plan.places:
            return None
        sizes = sorted(
            (at, size)
            for entry, one in zip(required, least, strict=True)
            for at, size in zip(entry.group.members, self._sizes(entry, one), strict=True)
        )
        if needed <= plan.limit:
            parts = tuple(Need(record_id(at + 1), 1) for at, _ in sizes if at != index.tools)
            return Refusal(
                "protected-does-not-fit", "max_messages", plan.places, messages, 0, parts
            )
        parts = tuple(Need(record_id(at + 1), size) for at, size in sizes)
        framing = needed - sum(part.size for part in parts)
        unseen = index.unseen()
        seen = [
            (entry.forms[0].messages, one.charge)
            for entry, one in zip(required, least, strict=True)
            if entry.group is not unseen or entry.protected
        ]
        alone = frame + sum(charge for _, charge in seen)
        alone -= index.joint if any(told for told, _ in seen) else 0
        reason = "protected-does-not-fit" if alone > plan.limit else "result-does-not-fit"
        return Refusal(reason, plan.ceiling, plan.limit, needed, framing, parts)

    def _least(self, entry: Entry) -> Form:
        """A required group with its results as small as the policy lets them be."""
        whole = entry.forms[0]
        if not self.policy.cut or whole.messages < 2:
            return whole
        return self.ledger.forms.least(entry.group, whole, entry.protected)

    def _sizes(self, entry: Entry, form: Form) -> list[int]:
        index, cuts = self.index, {at: one.cut for at, one in form.reduced.items()}
        return [index.size(at, index.item(at, cuts.get(at))) for at in entry.group.members]

    # -- a rung at which everything fits

    def _fits(self, rung: int) -> bool:
        """Whether the whole log fits at this rung: ceiling, messages, and each pool's cap."""
        ledger, plan = self.ledger, self.plan
        if ledger.total(rung) > self.high or ledger.messages[rung] > plan.places:
            return False
        return all(
            ledger.charges[rung][pool.name] <= amount(pool.cap, plan.limit)
            for pool in self.pooling.pools
            if pool.cap is not None
        )

    def _send_all(self, rung: int) -> None:
        """Send every group in its form of this rung."""
        ledger = self.ledger
        send_all(self.plan, (ledger.entries[at] for at in ledger.live[rung]), rung, "fits")
        drop_all(self.plan, ledger, rung)
        for group, defect in self.ledger.defects.values():
            self.plan.rows += [Row(at, at, "omitted", defect) for at in group.members]

    # -- the pools share what is left

    def _share(self, required: list[Entry]) -> None:
        """Send what must be sent, then what each pool has room for; the rest waits."""
        plan, ledger, index = self.plan, self.ledger, self.index
        last = len(ledger.rungs) - 1
        frame = index.frame + index.counter.around(index.offers)
        least = [self._least(entry) for entry in required]
        told = any(one.messages for one in least)
        plan.room = self.high - frame + (index.joint if told else 0)
        plan.room -= sum(one.charge for one in least)
        for entry, one in sorted(zip(required, least, strict=True), key=self._turn_first):
            self._required(entry, one, entry.forms[last])
        floor = self._packed(last, told)
        for first, (group, defect) in ledger.defects.items():
            if first >= floor:
                plan.rows += [Row(at, at, "omitted", defect) for at in group.members]

    def _turn_first(self, pair: tuple[Entry, Form]) -> tuple[bool, int]:
        """What the model has not seen goes first, then what is newer."""
        return pair[0].group is not self.index.unseen(), -pair[0].first

    def _required(self, entry: Entry, least: Form, form: Form) -> None:
        """Send a group that must be sent: in its form if there is room, else cut to the room."""
        unseen = entry.group is self.index.unseen()
        spare = self.plan.room - (self._reserved(PACKED) if unseen else 0)
        if form.charge <= least.charge + max(0, spare) or least is form:
            self.plan.room -= form.charge - least.charge
            reason = "unseen" if unseen else "beside-protected"
            self.plan.places -= send(self.plan, entry, form, reason)
            return
        from .squeezing import squeeze

        self.plan.room -= squeeze(self.plan, entry, form, least, max(0, spare)) - least.charge

    def _reserved(self, pools: tuple[str, ...]) -> int:
        """What these pools are left at least, as far as they have use for it."""
        last = len(self.ledger.rungs) - 1
        found = 0
        for name in pools:
            share = self.pooling.pool(name).min
            if share is not None:
                found += min(amount(share, self.plan.limit), self.ledger.charges[last][name])
        return found

    def _packed(self, last: int, told: bool) -> int:
        """Let each pool take what it has room for; return where the first group that got in is."""
        plan, ledger = self.plan, self.ledger
        over, slack = ledger.total(last) - self.high, 0
        low = self.pooling.least(plan.limit)
        if low is not None and over > 0:
            slack = -over % (self.high - low)
            self.made.target = self.high - slack
        plan.room += 0 if told else self.index.joint
        room = max(0, plan.room - slack)
        from .pools import Pools

        pools = Pools(plan, ledger, last)
        packing, uses, chosen = pools.pack(self.pooling.packing, room)
        self.made.packing, self.made.pools = packing, uses
        send_all(plan, sorted(chosen, key=lambda entry: entry.first), last, "in-pool")
        drop_all(plan, ledger, last)
        rest = "not-chosen" if packing == "exact" else "pool-full"
        plan.rest = Row(0, 0, "omitted", rest)
        return min((entry.first for entry in chosen), default=len(self.index.records))
