"""What a policy of pools must have decided, recomputed from the trace alone.

It follows `context/policies/guide.md` sentence by sentence, from scratch for each assembly, and
takes nothing from the assembler but common words: groups, shares, charges, the policy as data.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from curriculum.context.manifest import Need, PoolUse, Refusal, Rung
from curriculum.record.records import Kind, record_id

from .facts import flatten
from .ladder import POOLED
from .log_reading import Reading
from .pool_groups import TALK, PoolGroup, Standing
from .pool_log import Form, PoolLog
from .pool_rungs import Rungs, Sizes
from .pool_sharing import Sharing
from .recorder import converter
from .step import Step

CUT_REASONS = ("stepped", "cut-to-room")
_SIZE = {"size"}


class PoolLadder:
    """The decisions of one assembly over the records that `reading` has read."""

    start_room = None

    def __init__(
        self, log: PoolLog, reading: Reading, limit: int, max_messages: int | None
    ) -> None:
        self.log, self.reading, self.limit, self.places = log, reading, limit, max_messages
        self.ceiling = f"max_input_{log.rebuild.counter.unit}"
        self.steps: dict[int, Step] = {}
        self.mode: str | None = None
        self.smaller: Refusal | None = None
        self.rungs: tuple[Rung, ...] = ()
        self.packing: str | None = None
        self.target: int | None = None
        self.pools: tuple[PoolUse, ...] = ()
        self.front: tuple[str, ...] = ()
        self.back: tuple[str, ...] = ()
        self._begin(False)
        if self.refusal is not None and log.pooling.smaller is not None:
            self.mode, self.smaller = log.pooling.smaller.name, self.refusal
            self._begin(True)
        self.refused: dict[str, int | str] | None = None
        if self.refusal is not None:
            names = ("reason", "limit", "allowed", "needed")
            self.refused = {name: getattr(self.refusal, name) for name in names}
        else:
            self._decide()

    @property
    def leaves(self) -> str:
        """What the frame and what must stay take, in words."""
        spelled = " + ".join(map(str, self.parts.values())) or "0"
        return f"frame {self.frame} + {spelled} of {self.limit}"

    @cached_property
    def more(self) -> dict[str, int | str]:
        """The facts of those fields of a manifest that only policies of pools fill in."""
        found: dict[str, int | str] = {}
        for name in POOLED:
            value = getattr(self, name)
            if value is not None:
                flatten(name, converter.unstructure(value), found)
        return found

    @property
    def fills(self) -> Sequence[str]:
        """Fields of the manifest that this policy fills in."""
        return list(self.more)

    @property
    def marks(self) -> tuple[int, int]:
        """The line that requests stay below, and the one they go down to if some is left out."""
        pooling = self.log.pooling
        high, low = pooling.most(self.limit), pooling.least(self.limit)
        return high, high if low is None else low

    def at_rung(self, number: int) -> tuple[Sizes, list[int]]:
        """What a rung takes, and what each group takes there."""
        down = Rungs(Standing(self.log, self.reading, self.mode is not None))
        sizes = next(islice(down.down(), number, None))
        return sizes, [group.takes for group in down.standing.groups if group.dropped is None]

    def speakers(self, first: int, end: int, fitting: bool) -> Sequence[int]:
        """Positions in a range whose decisions stand for all of it."""
        steps = self.steps
        before: Step | None = None
        found: list[int] = []
        for at in range(first, end):
            step = steps.get(at)
            if step is None or before is None or not _alike(step, before):
                found.append(at)
            before = step
        return found

    def step(self, at: int) -> Step:
        """What must have been decided for the candidate at position `at`."""
        return self.steps.get(at) or Step("missing", "missing")

    def size(self, at: int) -> int:
        """The size of the record's whole item."""
        return self.log.size(at)

    def _begin(self, smaller: bool) -> None:
        """What must stay in a mode, and whether it fits."""
        self.standing = Standing(self.log, self.reading, smaller)
        self.down = Rungs(self.standing)
        self.stay = [group for group in self.standing.groups if group.required]
        self.protected = {
            at: one.protected
            for group in self.stay
            for at, one in zip(group.members, group.classes, strict=True)
            if one.protected is not None
        }
        unseen = self.standing.unseen
        self.waits = unseen.members if unseen is not None else ()
        self.least = {id(group): self._least(group) for group in self.stay}
        self.refusal = self._refusal()

    def _least(self, group: PoolGroup) -> list[int]:
        """The least sizes of a group's members."""
        sizes = [form.size for form in group.forms]
        for place in group.results if self.log.policy.cut else ():
            bare = self.log.kept(group.members[place], 0)
            if bare is not None:
                sizes[place] = min(sizes[place], bare[0])
        return sizes

    def _needs(self, groups: Sequence[PoolGroup]) -> int:
        """What the frame and the least of some groups take."""
        takes = [group.framing + sum(self.least[id(group)]) for group in groups]
        joint = self.log.joint if any(group.messages for group in groups) else 0
        return self.down.frame + sum(takes) - joint

    def _refusal(self) -> Refusal | None:
        needed = self._needs(self.stay)
        parts = {
            at: size
            for group in self.stay
            for at, size in zip(group.members, self.least[id(group)], strict=True)
        }
        self.frame = needed - sum(parts.values())
        self.parts = {record_id(at + 1): parts[at] for at in sorted(parts)}
        if needed > self.limit:
            alone = self._needs([g for g in self.stay if any(one.protected for one in g.classes)])
            reason = "protected" if alone > self.limit else "result"
            return self._refuse(f"{reason}-does-not-fit", self.ceiling, self.limit, needed)
        lines = sum(group.messages for group in self.stay)
        if self.places is not None and lines > self.places:
            kinds = {at: self.log.records[at].kind for at in parts}
            told = [at for at in sorted(parts) if kinds[at] is not Kind.TOOLS]
            self.frame, self.parts = 0, {record_id(at + 1): 1 for at in told}
            return self._refuse("protected-does-not-fit", "max_messages", self.places, lines)
        return None

    def _refuse(self, reason: str, limit: str, allowed: int, needed: int) -> Refusal:
        parts = tuple(Need(record, size) for record, size in self.parts.items())
        return Refusal(reason, limit, allowed, needed, self.frame, parts)

    def _decide(self) -> None:
        down = self.down
        sizes: Sizes | None = None
        for sizes in down.down():
            if down.fits(sizes, self.limit, self.places):
                self._whole(down.tried[-1])
                break
        else:
            assert sizes is not None
            self._shared(sizes)
        self.rungs = tuple(down.tried)
        self._order()

    def _whole(self, rung: Rung) -> None:
        """A rung is sent as it is."""
        high = self.log.pooling.most(self.limit)
        told: dict[str, int | str] = {"rung": rung.name, "rung_size": rung.size, "high": high}
        for group in self.standing.groups:
            for place, at in enumerate(group.members):
                self.steps[at] = self.sent(group, place, "fits", told)
        for at, why in self.standing.defects.items():
            self.steps[at] = self.unsent(at, why)

    def _shared(self, sizes: Sizes) -> None:
        """No rung is enough: what must stay gets its room first, then the pools share."""
        sharing = Sharing(self, sizes)
        sharing.serve_required()
        sharing.leave_free()
        sharing.pack()
        self.packing, self.target, self.pools = sharing.packing, sharing.target, sharing.pools

    def sent(self, group: PoolGroup, place: int, reason: str, told: dict[str, int | str]) -> Step:
        """The decision for a member of a group that is sent as the last rung has it."""
        at, form, protected = (
            group.members[place],
            group.forms[place],
            group.classes[place].protected,
        )
        if group.dropped is not None:
            return dropped(group.dropped)
        if form.cut is not None:
            return reduced(form)
        if protected is not None:
            return Step("admitted", protected, {"size": form.size})
        return Step("admitted", reason, {"size": self.size(at)}, told)

    def unsent(self, at: int, why: str) -> Step:
        """The decision for a record that cannot be sent at all."""
        if why != "compacted":
            return Step("omitted", why)
        summary = self.standing.compacted[at]
        return Step("omitted", why, {"because": record_id(summary + 1)})

    def _order(self) -> None:
        """What is sent before the conversation and after it."""
        order, wire = self.log.pooling.order, self.log.rebuild.wire
        if order == "chronological":
            return
        front: list[int] = []
        back: list[int] = []
        for group in self.standing.groups:
            at = group.members[0]
            record = self.log.records[at]
            leads = wire.places[record.kind] in wire.leads
            if self.step(at).decision == "omitted" or leads or record.kind in (*TALK, Kind.TOOLS):
                continue
            if group.classes[0].protected is not None:
                front.append(at)
            elif order == "edges" and group.pool == "prefer":
                back.append(at)
        self.front = tuple(record_id(at + 1) for at in sorted(front))
        self.back = tuple(record_id(at + 1) for at in sorted(back))


def _alike(one: Step, other: Step) -> bool:
    """Whether two decisions say the same but for the size, which is added up of all in a range."""
    if one is other:
        return True
    same = one.decision == other.decision and one.reason == other.reason
    return same and one.fields.keys() <= _SIZE and other.fields.keys() <= _SIZE


def dropped(form: Form) -> Step:
    """The decision for a group that the ladder has dropped."""
    because = {} if form.later is None else {"because": record_id(form.later + 1)}
    return Step("omitted", form.reason, {**because}, dict(form.told or {}))


def reduced(form: Form) -> Step:
    """The decision for a result of which a rung keeps less than the log has."""
    assert form.cut is not None
    cut = form.cut
    fields: dict[str, int | str] = {
        "size": form.size, "head": len(cut.head), "tail": len(cut.tail), "missing": cut.missing,
    }  # fmt: skip
    if form.later is not None:
        fields["because"] = record_id(form.later + 1)
    decision = "cut" if form.reason in CUT_REASONS else "replaced"
    return Step(decision, form.reason, fields, dict(form.told or {}))
