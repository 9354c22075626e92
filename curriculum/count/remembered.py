"""A counter that counts a text once: the next time it is known by the text's content."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Generic, TypeVar

from .counter import Counter, Estimate

T = TypeVar("T")
ENTRIES = 100_000
"""Texts that are remembered, about 200 bytes of memory for each."""
NEAR = 16_000_000
"""Characters of texts that are kept themselves, so that they need no hash: at most 64 MB."""


class Remembered(Counter):
    """`counter` with a memory: the same id, the same answers, and one count for each text.

    Sizes and estimates of `entries` texts each are remembered by a 128-bit hash of the text; the
    oldest is forgotten first. Recent texts are held themselves, `NEAR` characters of them. A count
    that raised is not remembered: the next one tries again.
    """

    def __init__(self, counter: Counter, entries: int = ENTRIES) -> None:
        if entries < 1:
            raise ValueError("a memory has at least one entry")
        self.counter = counter
        self.id, self.unit, self.bound_name = counter.id, counter.unit, counter.bound_name
        self.steady, self.images = counter.steady, counter.images
        self._sizes = _Memory[int](counter.size, entries)
        self._estimates = _Memory[Estimate](counter.estimate, entries)

    def around(self, tools: bool) -> int:
        """As the counter inside."""
        return self.counter.around(tools)

    def size(self, text: str) -> int:
        """As the counter inside."""
        return self._sizes.get(text)

    def estimate(self, text: str) -> Estimate:
        """As the counter inside."""
        return self._estimates.get(text)


class _Memory(Generic[T]):
    def __init__(self, count: Callable[[str], T], entries: int) -> None:
        self._count, self._entries = count, entries
        self._far: dict[bytes, T] = {}
        self._near: dict[str, T] = {}
        self._held = 0

    def get(self, text: str) -> T:
        known = self._near.get(text)
        if known is None:
            known = self._hashed(text)
            self._hold(text, known)
        return known

    def _hashed(self, text: str) -> T:
        # A lone surrogate is for the counter to judge, not for the hash.
        key = blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        known = self._far.get(key)
        if known is None:
            known = self._count(text)
            if len(self._far) >= self._entries:
                del self._far[next(iter(self._far))]
            self._far[key] = known
        return known

    def _hold(self, text: str, known: T) -> None:
        if len(text) > NEAR:
            return
        if self._held + len(text) > NEAR or len(self._near) >= self._entries:
            self._near.clear()
            self._held = 0
        self._near[text] = known
        self._held += len(text)
