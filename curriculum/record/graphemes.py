"""Where a text may be cut: between grapheme clusters of one Unicode version.

Half a family emoji or a letter without its accent is other text, not less text. Most texts are
ASCII, where the answer is plain; the rules themselves are loaded for the first that is not.
"""


def at_or_before(text: str, position: int) -> int:
    """Return the last cluster boundary at or before `position` (characters)."""
    if position <= 0 or position >= len(text):
        return max(0, min(position, len(text)))
    if text[position - 1 : position + 1].isascii() and text[position] != "\n":
        return position  # two ASCII characters are never one cluster, except CR LF
    from .clusters import start_of_cluster

    return start_of_cluster(text, position)


def at_or_after(text: str, position: int) -> int:
    """Return the first cluster boundary at or after `position` (characters)."""
    start = at_or_before(text, position)
    if start == position or start == len(text):
        return start
    from .clusters import cluster_length

    return start + cluster_length(text, start)
