"""Which groups of a log a summary stands for, found again from the records alone."""

import bisect
from collections.abc import Sequence

from curriculum.context.pooling import SAFETY
from curriculum.record.exchange import Group
from curriculum.record.records import Record


def position_of(id: str) -> int:
    """The position (from 0) of the record with this id."""
    return int(id[1:]) - 1


def compacted(
    groups: Sequence[Group], records: Sequence[Record], summaries: Sequence[int]
) -> dict[int, int]:
    """The summary, by position, that stands for a group, by the position of its first member.

    `groups` are in the order of their first members, `summaries` the records that say what they
    replace. A later summary takes over what an earlier one stood for.
    """
    found: dict[int, int] = {}
    starts = [group.members[0] for group in groups] if summaries else []
    for summary in summaries:
        replaces = records[summary].replaces
        assert replaces is not None
        first, last = position_of(replaces.first), min(position_of(replaces.last), summary - 1)
        stay = {position_of(id) for id in replaces.but}
        at = bisect.bisect_left(starts, first)
        for group in groups[at : bisect.bisect_right(starts, last)]:
            within = max(group.members) <= last and not stay.intersection(group.members)
            if within and not _waits(group) and records[group.main].kind not in SAFETY:
                found[group.members[0]] = summary
    return found


def _waits(group: Group) -> bool:
    """Whether a call of the turn has no result yet; it may still come."""
    return group.open and group.lead < len(group.members)
