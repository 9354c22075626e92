"""A group as it would be sent at each rung of a ladder: what is reduced, what is dropped, its size.

What a result takes with so many characters of it kept never changes, so it is found once.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs

from curriculum.record.cut import Cut
from curriculum.record.exchange import Group, Spelled
from curriculum.record.records import Kind

from .index import SessionIndex
from .pooling import Step
from .standing import Needless


class Reduced(NamedTuple):
    """What a result is sent as at some rung, the reason, and the record that caused it, if any.

    `item` is its spelling and `size` what that takes, in the counter's unit.
    """

    cut: Cut
    reason: str
    because: int | None
    item: str
    size: int


@attrs.frozen
class Form:
    """A group at one rung: as it is spelled, or the reason for which it is dropped.

    `charge` is what it takes of the ceiling, framing included, in the counter's unit. `alike` is
    what one row can say of many groups: nothing if all of it is whole, the reason if every result
    is only its marker; None if there is more to say.
    """

    spelled: Spelled
    reduced: Mapping[int, Reduced]
    dropped: tuple[str, int | None] | None = None
    charge: int = 0
    messages: int = 0
    alike: str | None = None


@attrs.frozen
class Weighed:
    """What decides the forms of a group: `rank` is that in the pool evict, None in any other.

    `intact` members are never reduced; a handle may stand for those that are `handed`.
    """

    group: Group
    intact: set[int]
    handed: set[int]
    rank: int | None
    required: bool
    unseen: bool
    old: bool


class Forms:
    """The forms of the groups of one log under one ladder."""

    def __init__(
        self,
        index: SessionIndex,
        steps: Sequence[Step],
        needless: Mapping[int, Mapping[str, Needless]],
    ) -> None:
        self.index, self.steps, self._needless = index, steps, needless
        self._kept: dict[tuple[int, int], tuple[Cut, str, int] | None] = {}
        self._sizes: dict[int, int] = {}
        self._items: dict[int, str] = {}
        """How records are spelled whole, while their group is at hand."""
        self._spelled: dict[tuple[tuple[int, int], ...], Spelled] = {}

    def at_rungs(self, one: Weighed) -> list[Form]:
        """The group at each rung, one after the other; the first is the whole group."""
        self._items.clear()
        now = self.form(self._spelled_whole(one.group), {})
        forms, records = [now], self.index.records
        results = [
            at
            for at in one.group.members
            if records[at].kind is Kind.RESULT and at not in one.intact
        ]
        needless = any(at in self._needless for at in one.group.members)
        if one.unseen or not (results or needless or one.rank is not None):
            return forms * (len(self.steps) + 1)  # no step changes it
        for step in self.steps:
            if now.dropped is None:
                dropped = None if one.required else self._dropped(one, step)
                if dropped is not None:
                    now = Form(now.spelled, now.reduced, dropped)
                elif results:
                    now = self._reduced(one, step, results, now)
            forms.append(now)
        return forms

    def form(self, spelled: Spelled, reduced: Mapping[int, Reduced]) -> Form:
        """The form that sends a group as it is spelled, with some of its results reduced."""
        tools = spelled.members[0] == self.index.tools
        charge = spelled.size if tools else spelled.spent
        messages = 0 if tools else len(spelled.members)
        return Form(spelled, reduced, None, charge, messages, self._alike(spelled, reduced))

    def _alike(self, spelled: Spelled, reduced: Mapping[int, Reduced]) -> str | None:
        """What one row can say of the group and its neighbours; None if it needs its own."""
        if not reduced or spelled.end < 0:
            return None if spelled.end < 0 else ""
        reasons = {one.reason for one in reduced.values()}
        odd = "stepped" in reasons or any(
            one.cut.kept or one.because is not None for one in reduced.values()
        )
        results = sum(self.index.records[at].kind is Kind.RESULT for at in spelled.members)
        return None if odd or len(reasons) != 1 or len(reduced) != results else reasons.pop()

    def _dropped(self, one: Weighed, step: Step) -> tuple[str, int | None] | None:
        """Why a step leaves the whole group out; None if it does not."""
        if step.name == "evict" and one.rank is not None:
            most = step.number
            return ("evicted", None) if most is None or one.rank <= most else None
        if len(one.group.members) > 1:
            return None
        at = one.group.members[0]
        found = self._needless.get(at, {}).get(step.name)
        if found is None or self.index.records[at].kind is Kind.RESULT:
            return None
        return found.reason, found.because

    def _reduced(self, one: Weighed, step: Step, results: list[int], now: Form) -> Form:
        """The group with its results as a step leaves them."""
        reduced = dict(now.reduced)
        for at in results:
            asked = self._asked(one, step, at)
            if asked is None:
                continue
            keep, reason, because = asked
            before = reduced[at].size if at in reduced else self._whole(at)
            made = self.kept(at, keep, reason, because)
            if made is not None and made.size < before:  # else it is no reduction
                reduced[at] = made
        if reduced == now.reduced:
            return now
        return self.form(self.spell(one.group.members, reduced), reduced)

    def _asked(self, one: Weighed, step: Step, at: int) -> tuple[int, str, int | None] | None:
        """What a step makes of a result: characters to keep, the reason, the record behind it."""
        found = self._needless.get(at, {}).get(step.name)
        if found is not None:
            return 0, found.reason, found.because
        if step.name == "clear":
            return 0, "cleared", None
        if not one.old:
            return None
        if step.name == "mask":
            return 0, "masked", None
        if step.name == "cut":
            return step.number or 0, "stepped", None
        record = self.index.records[at]
        handle = record.cut.artifact if record.cut is not None else record.artifact
        if step.name == "externalize" and at in one.handed and handle:
            return step.number or 0, "externalized", None
        return None

    def kept(self, at: int, keep: int, reason: str, because: int | None = None) -> Reduced | None:
        """A result of which `keep` characters stay; None if the log has no more than these."""
        key = at, keep
        if key not in self._kept:
            self._kept[key] = self._cut(at, keep)
        found = self._kept[key]
        return None if found is None else Reduced(found[0], reason, because, *found[1:])

    def _cut(self, at: int, keep: int) -> tuple[Cut, str, int] | None:
        index, record = self.index, self.index.records[at]
        if (len(record.text) if record.cut is None else record.cut.kept) <= keep:
            return None
        cut = record.whole().to(keep)
        # Some wires can send no blank end, so that it is missing too.
        cut = index.wire.heard(index.message(at, cut)).cut or cut
        item = index.item(at, cut)
        return cut, item, index.size(at, item)

    def _whole(self, at: int) -> int:
        if at not in self._sizes:
            self._sizes[at] = self.index.size(at, self._item(at))
        return self._sizes[at]

    def _item(self, at: int) -> str:
        if at not in self._items:
            self._items[at] = self.index.item(at)
        return self._items[at]

    def _spelled_whole(self, group: Group) -> Spelled:
        if group.spelled is None:
            items = [self._item(at) for at in group.members]
            group.spelled = self.index.spell(group.members, items)
        return group.spelled

    def spell(self, members: Sequence[int], reduced: Mapping[int, Reduced]) -> Spelled:
        """The members as they are sent with some of their results reduced."""
        key = tuple((at, reduced[at].cut.kept if at in reduced else -1) for at in members)
        if key not in self._spelled:
            index = self.index
            items = [reduced[at].item if at in reduced else self._item(at) for at in members]
            self._spelled[key] = index.spell(members, items)
        return self._spelled[key]

    def least(self, group: Group, whole: Form, protected: Mapping[int, str]) -> Form:
        """A group with every result at its marker where that is smaller, but the protected ones."""
        reduced: dict[int, Reduced] = {}
        for at in group.members:
            if self.index.records[at].kind is Kind.RESULT and at not in protected:
                made = self.kept(at, 0, "cut-to-room")
                if made is not None and made.size < self._whole(at):
                    reduced[at] = made
        return self.form(self.spell(group.members, reduced), reduced) if reduced else whole
