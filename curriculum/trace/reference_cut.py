"""The longest lawful cut, found by a slower and separate way than the cutter's."""

import bisect
from collections.abc import Callable, Sequence
from functools import cache

from curriculum.record.clusters import boundaries
from curriculum.record.cut import Cut


def reference_cut(
    whole: Cut, limit: int, measure: Callable[[Cut], int], steady: bool = True
) -> Cut | None:
    """The longest lawful cut: every kept size is a candidate, in one order of the whole text.

    Most characters take as much as they are long, so the search begins where that leads to. Where
    more text may take less there is no such order, and the cut is the one that halving finds.
    """
    tail = whole.tail if whole.missing else whole.head
    head_ends, tail_starts = places_to_cut(whole.head), places_to_cut(tail)

    def kept(keep: int) -> Cut:
        end = head_ends[bisect.bisect_right(head_ends, (keep + 1) // 2) - 1]
        start = tail_starts[bisect.bisect_left(tail_starts, max(0, len(tail) - keep // 2))]
        return Cut(whole.head[:end], tail[start:], whole.original, whole.sha256, whole.artifact)

    @cache
    def size(keep: int) -> int:
        return measure(kept(keep))

    if not steady:
        return _halved(whole.original, limit, kept, size)
    most = min(whole.original - 1, 2 * limit + 1)
    low, high = 0, max(0, most + 1)  # the first size that is too big is one of these
    guess = limit - size(0)
    for near in (guess, guess + 1, guess - 1, guess + 2):
        if low <= near < high:
            low, high = (near + 1, high) if size(near) <= limit else (low, near)
    at = bisect.bisect_right(range(high), limit, low, high, key=size)
    return kept(at - 1) if at else None


def _halved(
    original: int, limit: int, kept: Callable[[int], Cut], size: Callable[[int], int]
) -> Cut | None:
    """The cut that is found by doubling from twice the limit, then by halving."""
    if size(0) > limit:
        return None
    fits, over = 0, 2 * limit + 1
    while over < original and size(over) <= limit:
        fits, over = over, 2 * over
    over = min(original, over) + 1
    while over - fits > 1:
        middle = (fits + over) // 2
        fits, over = (middle, over) if size(middle) <= limit else (fits, middle)
    return kept(fits)


def places_to_cut(text: str) -> Sequence[int]:
    """Where a text may be cut; of an ASCII text everywhere, which needs no list."""
    return range(len(text) + 1) if text.isascii() and "\r" not in text else boundaries(text)
