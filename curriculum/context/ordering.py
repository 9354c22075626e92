"""In which order groups are sent. Only records outside the conversation move.

A turn and its results are one group, so no order can part them; what the wire puts first, such as
tools, stays first whatever the policy says.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from curriculum.record.records import Kind

from .pooling import PREFER

if TYPE_CHECKING:
    from .ledger import Ledger
    from .plan import Plan

CONVERSATION = (
    *(Kind.USER, Kind.ASSISTANT, Kind.RESULT, Kind.THINKING, Kind.IMAGE),
    *(Kind.SUMMARY, Kind.TOOLS),
)
"""Kinds that stay where they are: what they say depends on what stands around them."""


def place(plan: "Plan", ledger: "Ledger", order: str) -> None:
    """Say what of that which is sent goes before the conversation, and what behind it."""
    index = plan.index
    leading = set(index.leading())
    for first in sorted(plan.sent):
        entry = ledger.entries[first]
        if first in leading or index.records[first].kind in CONVERSATION:
            continue
        if order != "chronological" and entry.protected:
            plan.front.append(first)
        elif order == "edges" and entry.pool == PREFER:
            plan.back.append(first)


def ordered(plan: "Plan", firsts: Iterable[int]) -> list[int]:
    """The groups in sending order; a summary stands where what it replaces began."""
    moved = {*plan.front, *plan.back}
    middle = sorted((at for at in firsts if at not in moved), key=plan.index.place)
    return [*plan.front, *middle, *plan.back]
