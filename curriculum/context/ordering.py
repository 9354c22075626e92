"""In which order groups are sent. Only records outside the conversation move.

A turn and its results are one group, so no order can part them; what the wire puts first, such as
tools, stays first whatever the policy says.
"""

from collections.abc import Iterable

import attrs

from curriculum.record.cut import Cut
from curriculum.record.records import Kind

from .forms import Form
from .ledger import Ledger
from .plan import Plan
from .pooling import PREFER

CONVERSATION = (
    *(Kind.USER, Kind.ASSISTANT, Kind.RESULT, Kind.THINKING, Kind.IMAGE),
    *(Kind.SUMMARY, Kind.TOOLS),
)
"""Kinds that stay where they are: what they say depends on what stands around them."""


@attrs.define
class OrderedPlan(Plan):
    """A plan in which some groups are sent before or behind the conversation."""

    front: list[int] = attrs.field(factory=list[int])
    back: list[int] = attrs.field(factory=list[int])
    forms: list[Form] = attrs.field(factory=list[Form])
    """What is sent with its results reduced, and has no cuts of its own here."""

    def shown(self) -> dict[int, Cut | str]:
        """What is sent instead of the log's content, by position."""
        reduced = (item for form in self.forms for item in form.reduced.items())
        return {**self.cuts, **{at: one.cut for at, one in reduced}}

    def place(self, ledger: Ledger, order: str) -> None:
        """Find out what of that which is sent goes before the conversation, and what behind it."""
        leading = set(self.index.leading())
        for first in sorted(self.sent) if order != "chronological" else ():
            entry = ledger.entries[first]
            if first in leading or self.index.records[first].kind in CONVERSATION:
                continue
            if entry.protected:
                self.front.append(first)
            elif order == "edges" and entry.pool == PREFER:
                self.back.append(first)

    def ordered(self, firsts: Iterable[int]) -> list[int]:
        """The groups in sending order, by the position of their first record."""
        moved = {*self.front, *self.back}
        middle = super().ordered(at for at in firsts if at not in moved)
        return [*self.front, *middle, *self.back]
