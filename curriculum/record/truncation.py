"""A truncation rule as data: what passes whole, and what is kept of a text that does not.

A rule is applied to a `Cut`, so that what it keeps are ends of the original, whatever was cut
before, and what is missing is counted from the original. It keeps whole grapheme clusters.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from .cut import Cut
from .longest_cut import LongestCut
from .truncation_data import known_keys, settled, shortest
from .units import BYTES_A_TOKEN, size


@attrs.frozen(init=False)
class Truncation:
    """A rule. Amounts are whole numbers; the keys of a table are the names of the fields.

    `unit`         chars, bytes (UTF-8), lines, or tokens (codex's estimate: bytes / 4, rounded up).
    `most`         A text of at most so many of `unit` passes whole.
    `keep`         So many are kept of one that does not, at both ends together; `most` unless
                   given.
    `head` `tail`  Where that is kept: shares of `keep`, "20%" and "80%", of which one gives the
                   other; or amounts of `unit`, 5 and 5, whose sum is then `keep`. Half of it at
                   each end unless given.
    `lines`        A second limit beside another unit: a text of more lines does not pass either.
    `keep_lines`   So many lines are kept at most of one that does not pass, shared as `keep` is;
                   `lines` unless given.
    `whole_lines`  Whether an end stops only where a line does; false unless given. What an
                   earlier rule has cut is taken as it is: where it cut, a line is taken to end.
    `marker`       "outside" of the limits unless given; "inside", its characters or bytes count
                   as kept, and one line for it.
    `odd`          The end that gets a unit that cannot be shared, "head" unless given, or "tail".

    The ends share a room that is as large as it can be while what they hold is within `keep`. So
    where an end is short, or its next cluster or line is long, the other may have more.

    Raises `TruncationError` for data that make no rule.
    """

    unit: str
    most: int
    keep: int
    head: str | int
    tail: str | int
    lines: int | None
    keep_lines: int | None
    whole_lines: bool
    marker: str
    odd: str

    def __init__(
        self,
        unit: str,
        most: int,
        *,
        keep: int | None = None,
        head: str | int | None = None,
        tail: str | int | None = None,
        lines: int | None = None,
        keep_lines: int | None = None,
        whole_lines: bool = False,
        marker: str = "outside",
        odd: str = "head",
    ) -> None:
        given: dict[str, Any] = {"unit": unit, "most": most, "keep": keep}
        given |= {"head": head, "tail": tail, "lines": lines, "keep_lines": keep_lines}
        given |= {"whole_lines": whole_lines, "marker": marker, "odd": odd}
        build = self.__attrs_init__  # pyright: ignore  # attrs writes it
        build(**settled(given))

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Truncation":
        """The rule that a plain table says. Raises `TruncationError` naming the key."""
        return cls(**known_keys(table))

    def table(self) -> dict[str, Any]:
        """The shortest table that says this rule: `Truncation.of(rule.table()) == rule`."""
        return shortest(attrs.asdict(self))

    @property
    def limits(self) -> dict[str, int]:
        """What passes whole, at most, in chars, bytes or lines; tokens as the bytes they stand for.

        Of every text, what the rule lets through is within each of them.
        """
        found = {self.measure: self.most * self.scale}
        return found if self.lines is None else {**found, "lines": self.lines}

    @property
    def measure(self) -> str:
        """The unit in which is measured: chars, bytes or lines."""
        return "bytes" if self.unit == "tokens" else self.unit

    @property
    def scale(self) -> int:
        """How many of `measure` a unit is."""
        return BYTES_A_TOKEN if self.unit == "tokens" else 1

    def passes(self, cut: Cut) -> bool:
        """Whether what is left of the text is within the limits, with the marker if it counts."""
        return all(self.taken(cut, unit) <= most for unit, most in self.limits.items())

    def taken(self, cut: Cut, unit: str) -> int:
        """Chars, bytes or lines of both ends, and of the marker if it stands inside."""
        ends = size(cut.head, unit) + size(cut.tail, unit)
        if self.marker == "outside" or not cut.missing:
            return ends
        return ends + (1 if unit == "lines" else size(cut.marker, unit))

    def cut(self, cut: Cut) -> Cut:
        """What the rule leaves of a text that may be cut already; the same cut if it passes.

        Raises `TruncationError` (`truncation-marker`) if a marker that counts does not fit.
        """
        return cut if self.passes(cut) else LongestCut(self, cut).find()
