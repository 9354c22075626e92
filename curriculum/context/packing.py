"""Which groups get the room that is left: by priority, or the most that can be had.

Both are pure functions of sizes; ties go to what is newer. Nothing here knows of records.
"""

from collections.abc import Sequence

import attrs

WORK = 2_000_000
"""The most steps that the exact packing may take: groups x the value of all together."""


@attrs.frozen
class Wants:
    """What a group takes of the room (the counter's unit) and of the messages, and its worth."""

    charge: int
    messages: int
    value: int = 1


def work(wants: Sequence[Wants]) -> int:
    """The steps that the exact packing takes at most."""
    return len(wants) * sum(want.value for want in wants)


def exact(wants: Sequence[Wants], room: int) -> list[int]:
    """The groups worth most together within `room`, as indices; of equal sets the newer one.

    A 0/1 knapsack, by value: what is the least room that groups of this worth can take? `wants`
    is in log order. Of two sets of one worth the newer is that which has the newest group in
    which they differ. Raises `ValueError` if that would be more than `WORK` steps.
    """
    if work(wants) > WORK:
        raise ValueError(f"{work(wants)} steps > {WORK}")
    never = room + 1
    least = [0]  # by value: the least room for exactly this worth; of the oldest groups first
    tables = [least]
    for want in wants:
        before = least + [never] * want.value
        within = [never] * want.value + [size + want.charge for size in least]
        least = list(map(min, before, within))
        tables.append(least)
    worth = max(value for value, size in enumerate(least) if size <= room)
    chosen: list[int] = []
    for at in range(len(wants) - 1, -1, -1):
        want, table = wants[at], tables[at]
        rest = worth - want.value
        if 0 <= rest < len(table) and table[rest] + want.charge <= room:
            chosen.append(at)
            worth, room = rest, room - want.charge
    return chosen[::-1]
