"""The size of a text in characters, which is exact, and in UTF-8 bytes; the counter of a unit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .counter import Counter, Estimate


def utf8(text: str) -> int:
    """UTF-8 bytes of `text`."""
    return len(text) if text.isascii() else len(text.encode())


class Characters:
    """Unicode characters of the request: exact, for counting by eye; not what a provider counts."""

    id = "chars@1"
    unit = "chars"
    bound_name = "proven"
    steady = True
    images = "unknown"

    def around(self, tools: bool) -> int:
        """Nothing: every character is in the request."""
        return 0

    def size(self, text: str) -> int:
        """Characters of `text`."""
        return len(text)

    def estimate(self, text: str) -> "Estimate":
        """Exact: a character count has nothing to be unsure of."""
        from .counter import Estimate

        return Estimate(len(text), len(text), self.unit, "exact", self.bound_name)


def counter_for(unit: str) -> "Counter":
    """The counter of a budget's unit unless another is given: chars, or the bound of tokens."""
    if unit == "chars":
        return Characters()
    from .byte_bound import ByteBound

    return ByteBound()
