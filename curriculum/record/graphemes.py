"""Where a text may be cut: between grapheme clusters of one Unicode version.

Half a family emoji or a letter without its accent is other text, not less text.
"""

from functools import lru_cache
from itertools import islice

from wcwidth import grapheme_boundary_before, iter_graphemes, list_versions

UNICODE = list_versions()[-1]
"""The Unicode version of the cluster rules; traces name it, so a new one is seen as a change."""


def at_or_before(text: str, position: int) -> int:
    """Return the last cluster boundary at or before `position` (characters)."""
    if position <= 0 or position >= len(text):
        return max(0, min(position, len(text)))
    if text[position - 1 : position + 1].isascii() and text[position] != "\n":
        return position  # two ASCII characters are never one cluster, except CR LF
    start = grapheme_boundary_before(text, position + 1)
    # The library forgets that some signs (U+0600 and its like) belong to the letter after them.
    while start and _leads(text[start - 1], text[start]):
        start -= 1
    return start


@lru_cache(1024)
def _leads(sign: str, letter: str) -> bool:
    """Whether `sign` joins any letter after it, and so this one too."""
    return all(_cluster(sign + after, 0) == 2 for after in ("a", letter))


def _cluster(text: str, start: int) -> int:
    return len(next(islice(iter_graphemes(text, start), 1)))


def at_or_after(text: str, position: int) -> int:
    """Return the first cluster boundary at or after `position` (characters)."""
    start = at_or_before(text, position)
    if start == position or start == len(text):
        return start
    return start + _cluster(text, start)
