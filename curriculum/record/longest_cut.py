"""The longest cut that a truncation rule allows, found by its borders alone."""

from math import gcd
from typing import TYPE_CHECKING

import attrs

from .cut import Cut
from .graphemes import at_or_after, at_or_before
from .truncation_data import TruncationError, percent
from .units import head_end, size, tail_start

if TYPE_CHECKING:
    from .truncation import Truncation


class LongestCut:
    """The search for it, in one text.

    The two ends share a room, and a larger room never holds less: of the cuts that lie one within
    another the largest is taken that is within `keep`. So cutting to a and then to b is cutting
    to the smaller of both.

    In a text that is whole the ends never meet: either it is more than is kept, or it has more
    lines than are kept, and neither end passes its own.
    """

    def __init__(self, rule: "Truncation", cut: Cut) -> None:
        self.rule, self.whole, self.unit = rule, cut, rule.measure
        text = cut.head + cut.tail
        self.head, self.tail = (cut.head, cut.tail) if cut.missing else (text, text)
        head, tail = (int(str(end).rstrip("%")) for end in (rule.head, rule.tail))
        self.shares = head // gcd(head, tail), tail // gcd(head, tail)
        kept = percent(rule.head, rule.tail)
        self.most = rule.keep * rule.scale * kept // 100
        # Beyond these places no end reaches, however large the room.
        self.end = len(self.head) if head else 0
        self.start = 0 if tail else len(self.tail)
        if rule.keep_lines is not None:
            first, last = self.shared(rule.keep_lines * kept // 100 - (rule.marker == "inside"))
            self.end = head_end(self.head, first, "lines")
            self.start = tail_start(self.tail, last, "lines")
        self.by_line = rule.whole_lines or self.unit == "lines"

    def find(self) -> Cut:
        """The cut into the largest room that fits.

        Raises `TruncationError` (`truncation-marker`) if not even the marker fits.
        """
        bare = self.kept(0, len(self.tail))
        least = self.rule.taken(bare, self.unit)
        if least > self.most:
            raise TruncationError(
                "The marker is bigger than what the rule keeps.",
                f"{bare.marker} takes {least} {self.unit}; at most {self.most} are kept",
                code="truncation-marker",
                next="raise the limit, or let the marker stand outside",
            )
        low, step, top = self.most - least, 1, self.largest()
        best = self.within(low)  # this one fits, and nearly always it is the longest
        while low < top and self.may_grow(best):
            step = min(step, top - low)
            made = self.within(low + step)
            if not self.fits(made):
                return self.between(best, low, low + step)
            best, low, step = made, low + step, 2 * step
        return best

    def between(self, best: Cut, low: int, high: int) -> Cut:
        """The cut into the largest room that fits, where that of `low` does and `high` does not."""
        while high - low > 1:
            middle = (low + high) // 2
            if self.fits(made := self.within(middle)):
                best, low = made, middle
            else:
                high = middle
        return best

    def shared(self, room: int) -> tuple[int, int]:
        """The room of each end."""
        head, tail = self.shares
        if self.rule.odd == "head":
            tail = room * tail // (head + tail)
            return room - tail, tail
        head = room * head // (head + tail)
        return head, room - head

    def within(self, room: int) -> Cut:
        """The ends that fit into their shares of the room, in whole clusters or lines."""
        first, last = self.shared(room)
        end = min(self.end, head_end(self.head, first, self.unit))
        start = max(self.start, tail_start(self.tail, last, self.unit))
        if self.rule.whole_lines:
            return self.kept(_line_before(self.head, end), _line_after(self.tail, start))
        return self.kept(at_or_before(self.head, end), at_or_after(self.tail, start))

    def kept(self, end: int, start: int) -> Cut:
        """The cut that keeps the head up to `end` and the tail from `start`."""
        return attrs.evolve(self.whole, head=self.head[:end], tail=self.tail[start:])

    def fits(self, cut: Cut) -> bool:
        """Whether a cut is within what is kept."""
        return self.rule.taken(cut, self.unit) <= self.most

    def may_grow(self, cut: Cut) -> bool:
        """Whether one more cluster or line fits: a larger room that holds more holds one more."""
        end, start = len(cut.head), len(self.tail) - len(cut.tail)
        if end < self.end:
            longer = self.head.find("\n", end) + 1 or len(self.head)
            if not self.by_line:
                longer = at_or_after(self.head, end + 1)
            if self.fits(self.kept(longer, start)):
                return True
        if start > self.start:
            longer = self.tail.rfind("\n", 0, start - 1) + 1
            if not self.by_line:
                longer = at_or_before(self.tail, start - 1)
            return self.fits(self.kept(end, longer))
        return False

    def largest(self) -> int:
        """A room in which each end that has a share holds all there is."""
        ends = size(self.head, self.unit), size(self.tail, self.unit)
        return (max(ends) + 1) * sum(self.shares)


def _line_before(text: str, position: int) -> int:
    """Where the last line that ends at or before `position` ends."""
    return position if position == len(text) else text.rfind("\n", 0, position) + 1


def _line_after(text: str, position: int) -> int:
    """Where the first line that starts at or after `position` starts."""
    if position == 0 or text[position - 1] == "\n":
        return position
    return text.find("\n", position) + 1 or len(text)
