"""The grapheme cluster rules of the pinned Unicode version, from the library that keeps them."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, islice
from typing import Any

from .errors import CurriculumError
from .text import UNICODE


@cache
def _library() -> Any:
    """The library, loaded when a text needs it. Raises `CurriculumError` for other rules."""
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


def start_of_cluster(text: str, position: int) -> int:
    """Where the cluster of the character at `position` begins."""
    start = _library().grapheme_boundary_before(text, position + 1)
    # The library forgets that some signs (U+0600 and its like) belong to the letter after them.
    while start and _leads(text[start - 1], text[start]):
        start -= 1
    return start


def cluster_length(text: str, start: int) -> int:
    """Characters of the cluster that begins at `start`."""
    return len(next(islice(_library().iter_graphemes(text, start), 1)))


@lru_cache(1024)
def _leads(sign: str, letter: str) -> bool:
    """Whether `sign` joins any letter after it, and so this one too."""
    return all(cluster_length(sign + after, 0) == 2 for after in ("a", letter))
