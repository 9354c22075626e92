"""A token budget without a tokenizer: bytes are a bound that holds for every byte-level BPE."""

from .counters import Estimate, utf8


class ByteBound:
    """Tokens, bounded by UTF-8 bytes: byte-level BPE never makes more tokens than bytes.

    Every token of such a vocabulary covers at least one byte, so the bound holds by construction
    for the text itself; what a provider adds around the request is not in it.
    """

    id = "bytes@1"
    unit = "tokens"

    def size(self, text: str) -> int:
        """UTF-8 bytes of `text`."""
        return utf8(text)

    def estimate(self, text: str) -> Estimate:
        """The bound is proven; the value is the bound, since nothing better is known here."""
        size = self.size(text)
        return Estimate(size, size, self.unit, "heuristic", "proven")
