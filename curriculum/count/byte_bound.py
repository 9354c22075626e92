"""A token budget without a tokenizer: UTF-8 bytes bound the tokens of every family."""

from .counter import Counter, Estimate
from .families import Family, family_of


class ByteBound(Counter):
    """Tokens, bounded by UTF-8 bytes: `bytes@1:FAMILY`.

    `bytes@1` holds for every byte-level BPE that counts a text as it is; Qwen brings it to a
    Unicode form first and has its own bound.
    What a provider adds around the request is not in it. Raises `CurriculumError` for a family
    that is not known.
    """

    unit = "tokens"

    def __init__(self, family: str = "") -> None:
        self.id = f"bytes@1:{family}" if family else "bytes@1"
        self.family: Family = family_of(family or "o200k")
        self.bound_name = self.family.bound_name

    def size(self, text: str) -> int:
        """The family's factor x UTF-8 bytes of `text`, and what a text has beside them."""
        return self.family.bound(text)

    def estimate(self, text: str) -> Estimate:
        """The value is the bound, since nothing better is known here."""
        size = self.size(text)
        return Estimate(size, size, self.unit, "heuristic", self.bound_name)
