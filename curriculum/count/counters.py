"""How big a text is, and how sure we are.

A counter measures a whole request and each item of it. The counters here are additive: the
size of a request is the sum of the sizes of its parts.
"""

from typing import Protocol

import attrs


@attrs.frozen
class Estimate:
    """A size in `unit`, with the bound that a budget admits by, and the bound's name.

    `kind` is exact, calibrated, heuristic or fallback; `bound_name` is proven or p99. A bound
    without a name does not exist.
    """

    value: int
    bound: int
    unit: str
    kind: str
    bound_name: str


def utf8(text: str) -> int:
    """UTF-8 bytes of `text`."""
    return len(text) if text.isascii() else len(text.encode())


class Counter(Protocol):
    """Measures serialized text. `id` names it in traces, `unit` is what a budget limits."""

    id: str
    unit: str

    def size(self, text: str) -> int:
        """The bound that a budget admits `text` by, in `unit`."""
        ...

    def estimate(self, text: str) -> Estimate:
        """The size of `text` with its bound and kind."""
        ...


class Characters:
    """Unicode characters of the request: exact, for counting by eye; not what a provider counts."""

    id = "chars@1"
    unit = "chars"

    def size(self, text: str) -> int:
        """Characters of `text`."""
        return len(text)

    def estimate(self, text: str) -> Estimate:
        """Exact: a character count has nothing to be unsure of."""
        return Estimate(len(text), len(text), self.unit, "exact", "proven")
