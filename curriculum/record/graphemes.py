"""Where a text may be cut: between grapheme clusters of one Unicode version.

Half a family emoji or a letter without its accent is other text, not less text.
"""

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
    return grapheme_boundary_before(text, position + 1)


def at_or_after(text: str, position: int) -> int:
    """Return the first cluster boundary at or after `position` (characters)."""
    start = at_or_before(text, position)
    if start == position or start == len(text):
        return start
    return start + len(next(islice(iter_graphemes(text, start), 1)))
