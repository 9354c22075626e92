"""A cutter: line-safe, character-safe, honest about what is missing."""

from curriculum.record.graphemes import at_or_after, at_or_before


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of `text`: both ends, and a marker between them."""
    if len(text) <= limit:
        return text
    digits = 1
    while True:  # more digits leave less room, so more is missing: some guess comes true
        room = limit - len("[--]") - digits
        head, tail = ends(text, room - room // 2, room // 2)
        missing = len(text) - len(head) - len(tail)
        if len(str(missing)) == digits:
            return f"{head}[-{missing}-]{tail}"
        digits += 1


def ends(text: str, first: int, last: int) -> tuple[str, str]:
    """Whole lines of at most so many characters at each end, or, if there are none, parts."""
    end = text.rfind("\n", 0, first) + 1
    start = text.find("\n", len(text) - last - 1) + 1 or len(text)
    if end or start < len(text):
        return text[:end], text[start:]
    return text[: at_or_before(text, first)], text[at_or_after(text, len(text) - last) :]
