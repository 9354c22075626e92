"""Positions that lie side by side, kept as runs while some come and few go."""

from collections.abc import Iterable


class Runs:
    """A set of positions that knows its runs. Adding is cheap; taking one out is not."""

    def __init__(self) -> None:
        self._ends: dict[int, int] = {}
        """The end (one past the last position) of each run, by its start."""
        self._starts: dict[int, int] = {}

    def add(self, positions: Iterable[int]) -> None:
        """Take positions in that are not in yet."""
        for at in positions:
            start = self._starts.pop(at, at)
            end = self._ends.pop(at + 1, at + 1)
            self._ends[start], self._starts[end] = end, start

    def remove(self, positions: Iterable[int]) -> None:
        """Take positions out that are in."""
        for at in positions:
            start = next(s for s, e in self._ends.items() if s <= at < e)
            end = self._ends.pop(start)
            del self._starts[end]
            for low, high in ((start, at), (at + 1, end)):
                if low < high:
                    self._ends[low], self._starts[high] = high, low

    def all(self) -> list[tuple[int, int]]:
        """The runs in order: each with its first position and one past its last."""
        return sorted(self._ends.items())
