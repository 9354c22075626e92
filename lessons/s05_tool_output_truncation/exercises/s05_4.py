"""A cutter: line-safe, character-safe, honest about what is missing."""

from curriculum.record.graphemes import at_or_after, at_or_before  # noqa: F401  # you may need them


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of `text`: both ends, and a marker between them."""
    return text[:limit]
