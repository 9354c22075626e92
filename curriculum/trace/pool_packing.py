"""Which groups share the room: one pool after the other, or those that are worth most together."""

import bisect
from collections.abc import Sequence
from typing import NamedTuple

STEPS = 2_000_000
"""Groups times their worth in all: above it, the exact packing is not tried."""


class Point(NamedTuple):
    """The most that some groups can be worth in a room; a smaller room is worth less."""

    takes: int
    worth: int


def most_worth(groups: Sequence[tuple[int, int]], room: int) -> list[int]:
    """The places of those `groups` (takes, worth; oldest first) that are worth most in `room`.

    Of sets that are worth the same it is the newer one: the newest group in which two differ is
    in it. Found by the fronts of the first group, the first two, and so on.
    """
    fronts = [[Point(0, 0)]]
    for takes, worth in groups:
        fronts.append(_front(fronts[-1], takes, worth, room))
    chosen: list[int] = []
    for place in range(len(groups) - 1, -1, -1):
        takes, worth = groups[place]
        without = _best(fronts[place], room)
        if takes <= room and worth + _best(fronts[place], room - takes) >= without:
            chosen.append(place)
            room -= takes
    return chosen[::-1]


def _front(front: list[Point], takes: int, worth: int, room: int) -> list[Point]:
    """The front when one group more may be taken: a point that takes more is worth more."""
    more = [Point(p.takes + takes, p.worth + worth) for p in front if p.takes + takes <= room]
    found: list[Point] = []
    for point in sorted([*front, *more], key=lambda p: (p.takes, -p.worth)):
        if not found or point.worth > found[-1].worth:
            found.append(point)
    return found


def _best(front: list[Point], room: int) -> int:
    at = bisect.bisect_right(front, room, key=lambda point: point.takes)
    return front[at - 1].worth if at else -1
