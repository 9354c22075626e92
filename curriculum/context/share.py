"""Room shared by results that arrive together: water-filling, so that the small stay whole."""

from collections.abc import Sequence


def share(room: int, floors: Sequence[int], sizes: Sequence[int]) -> list[int] | None:
    """What each of `sizes` gets of `room`; None if even the floors do not fit.

    Each gets its size, or the common level, but never less than its floor. What a whole number
    leaves over goes to the first ones. Floors are at most the sizes.
    """
    if sum(floors) > room:
        return None

    def at(level: int) -> list[int]:
        return [max(f, min(s, level)) for f, s in zip(floors, sizes, strict=True)]

    low, high = 0, max(sizes, default=0)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sum(at(middle)) <= room else (low, middle - 1)
    shares = at(low)
    left = room - sum(shares)
    for position, size in enumerate(sizes):
        if left and shares[position] == low < size:
            shares[position] += 1
            left -= 1
    return shares
