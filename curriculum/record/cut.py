"""A cut is structure, not text: what is kept of both ends, and of what it was cut.

Every cut is computed from the original's offsets. Cutting to a and then to b therefore
keeps what cutting to min(a, b) keeps, and the missing count is always the original's.
"""

from collections.abc import Callable

import attrs

from .graphemes import at_or_after, at_or_before
from .text import sha256

CUTTER = "both-ends@1"


def marker(missing: int, artifact: str | None = None) -> str:
    """The text that stands for `missing` characters; every wire keeps content from forging it."""
    return f"[-{missing} {artifact}-]" if artifact else f"[-{missing}-]"


@attrs.frozen
class Cut:
    """The kept ends of a text of `original` characters whose UTF-8 hashes to `sha256`."""

    head: str
    tail: str
    original: int
    sha256: str
    artifact: str | None = None

    @classmethod
    def whole(cls, text: str, artifact: str | None = None) -> "Cut":
        """The cut that removes nothing yet."""
        return cls(text, "", len(text), sha256(text), artifact)

    @property
    def kept(self) -> int:
        """Characters of the original that are still here."""
        return len(self.head) + len(self.tail)

    @property
    def missing(self) -> int:
        """Characters of the original that are not here."""
        return self.original - self.kept

    @property
    def marker(self) -> str:
        """The marker that stands between the ends; empty while nothing is missing."""
        return marker(self.missing, self.artifact) if self.missing else ""

    def to(self, keep: int) -> "Cut":
        """Keep at most `keep` characters of the original, at both ends, in whole clusters.

        The head gets the odd character. An end is empty if its first cluster does not fit.
        """
        if not self.missing and keep >= self.original:
            return self
        # While nothing is missing the head holds the whole text, so the tail is taken from it.
        head, tail = self.head, self.tail if self.missing else self.head
        start = at_or_after(tail, max(0, len(tail) - keep // 2))
        return attrs.evolve(
            self, head=head[: at_or_before(head, (keep + 1) // 2)], tail=tail[start:]
        )

    def fit(self, limit: int, measure: "Callable[[Cut], int]") -> "Cut | None":
        """The longest cut whose `measure` is at most `limit`; None if not even the marker fits.

        That is so if `measure` does not shrink by more than the marker's digits as more is kept,
        as characters and bytes do. Tokens may shrink; then it is the cut that halving finds.
        """
        if measure(self) <= limit:
            return self
        if measure(self.to(0)) > limit:
            return None
        # Where a character takes one unit, one end alone is over the limit past twice of it.
        low, high = 0, 2 * limit + 1
        while high < self.original and measure(self.to(high)) <= limit:
            low, high = high, 2 * high
        high = min(self.original, high)
        while low < high:
            middle = (low + high + 1) // 2
            if measure(self.to(middle)) <= limit:
                low = middle
            else:
                high = middle - 1
        return self.to(low)


def content_size(cut: Cut) -> int:
    """Characters of the kept text and its marker: what the tool ceiling limits."""
    return cut.kept + len(cut.marker)
