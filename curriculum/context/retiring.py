"""Groups that are sent no more, because a summary stands for them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from curriculum.record.exchange import Group
from curriculum.record.records import Kind, Replaced, record_id

from .pooling import SAFETY

if TYPE_CHECKING:
    from .index import SessionIndex


def replaced(groups: list[Group], index: "SessionIndex", by: Replaced, before: int) -> list[Group]:
    """The groups that a summary at position `before` stands for: whole, and older than itself."""
    first, last = int(by.first[1:]) - 1, min(int(by.last[1:]), before) - 1
    stay = set(by.but)
    found: list[Group] = []
    for group in groups:
        kept = any(record_id(at + 1) in stay for at in group.members)
        # What may still take a result is no whole exchange yet.
        waits = group.open and group.lead < len(group.members)
        safe = waits or index.records[group.main].kind in SAFETY
        if first <= group.members[0] and max(group.members) <= last and not kept and not safe:
            found.append(group)
    return found


def retire(index: "SessionIndex", at: int, by: Replaced) -> None:
    """Let the summary at position `at` stand for what it says it replaces, from now on."""
    index.places[at] = int(by.first[1:]) - 1
    for group in replaced(index.groups, index, by, at):
        index.retired[group.members[0]] = at
        group.spelled = None


def runs(index: "SessionIndex", groups: Mapping[int, Group]) -> list[tuple[int, int, int]]:
    """What is retired, as runs of positions with one summary each; `groups` by first position."""
    by = {at: summary for first, summary in index.retired.items() for at in groups[first].members}
    found: list[tuple[int, int, int]] = []
    for at in sorted(by):
        if found and found[-1][2] == by[at]:
            between = index.records[found[-1][1] + 1 : at]
            if all(record.kind is Kind.OPAQUE for record in between):
                found[-1] = found[-1][0], at, by[at]
                continue
        found.append((at, at, by[at]))
    return found
