"""Where a text may be cut: between grapheme clusters of one Unicode version.

Half a family emoji or a letter without its accent is other text, not less text.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, islice
from typing import Any

from .errors import CurriculumError

UNICODE = "18.0.0"
"""The Unicode version of the cluster rules; traces name it, so a new one is seen as a change."""


@cache
def _library() -> Any:
    """The library with the rules. Most texts are ASCII and never need it, so it is loaded late."""
    import wcwidth

    found = wcwidth.list_versions()[-1]
    if found != UNICODE:
        raise CurriculumError(
            f"The installed wcwidth has the rules of Unicode {found}; traces need {UNICODE}.",
            code="component-not-installed",
            next="pip install 'wcwidth>=0.9.4,<0.10'",
        )
    return wcwidth


def clusters(text: str) -> Iterator[str]:
    """The clusters of `text`, in order."""
    if text.isascii() and "\r" not in text:
        return iter(text)
    return _library().iter_graphemes(text)


def boundaries(text: str) -> list[int]:
    """Every position (characters) at which `text` may be cut, both ends included."""
    return [0, *accumulate(map(len, clusters(text)))]


def at_or_before(text: str, position: int) -> int:
    """Return the last cluster boundary at or before `position` (characters)."""
    if position <= 0 or position >= len(text):
        return max(0, min(position, len(text)))
    if text[position - 1 : position + 1].isascii() and text[position] != "\n":
        return position  # two ASCII characters are never one cluster, except CR LF
    start = _library().grapheme_boundary_before(text, position + 1)
    # The library forgets that some signs (U+0600 and its like) belong to the letter after them.
    while start and _leads(text[start - 1], text[start]):
        start -= 1
    return start


@lru_cache(1024)
def _leads(sign: str, letter: str) -> bool:
    """Whether `sign` joins any letter after it, and so this one too."""
    return all(_cluster(sign + after, 0) == 2 for after in ("a", letter))


def _cluster(text: str, start: int) -> int:
    return len(next(islice(_library().iter_graphemes(text, start), 1)))


def at_or_after(text: str, position: int) -> int:
    """Return the first cluster boundary at or after `position` (characters)."""
    start = at_or_before(text, position)
    if start == position or start == len(text):
        return start
    return start + _cluster(text, start)
