"""How big a text is, and how sure we are.

A counter measures a whole request and each item of it. The counters here are additive: the
size of a request is the sum of the sizes of its parts.
"""

from typing import Protocol

import attrs

from curriculum.record.errors import CurriculumError


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


def counter_for(unit: str) -> Counter:
    """The built-in counter of a budget's unit: chars or tokens."""
    return counter_of("chars@1" if unit == "chars" else "bytes@1")


def counter_of(id: str) -> Counter:
    """The counter that a trace names. Raises `CurriculumError` for one that is not built in."""
    if id == "chars@1":
        return Characters()
    if id == "bytes@1":
        from .byte_bound import ByteBound

        return ByteBound()
    raise CurriculumError(
        f"No counter is called {id!r}.", "known: chars@1, bytes@1", code="counter-unknown"
    )
