"""Where a line breaks: after a blank, never inside a word that fits on a line of its own.

No character is lost, so what a request shows can be counted across the break.
"""

import re
from collections.abc import Iterator

from rich.cells import cell_len

_TERM = re.compile(r" (?=(?:[-+=<>]|<=|>=) )")


def breaks(text: str, width: int, indent: int, sums: bool = False) -> Iterator[int]:
    """Offsets in `text` where a new line begins, for lines of `width` columns.

    The lines after the first have `indent` columns less. The last column is left for a blank.
    With `sums`, a line breaks in front of a sign, so that a term stays with its number.
    """
    start, room = 0, width
    while True:
        end = _fill(text, start, room)
        if end == len(text):
            return
        start = _after_blank(text, start, end, room, width - indent, sums)
        yield start
        room = width - indent


def _fill(text: str, start: int, room: int) -> int:
    """The offset that `room` columns from `start` reach; one blank may stand in the last."""
    used = 0
    for at in range(start, len(text)):
        wide = cell_len(text[at])
        if used + wide > room - (text[at] != " ") and at > start and wide:
            rest = cell_len(text[at:]) if len(text) - at <= room else room
            return len(text) if used + rest <= room else at
        used += wide
    return len(text)


def _after_blank(
    text: str, start: int, end: int, room: int, next_room: int, sums: bool = False
) -> int:
    if sums:
        signs = [match.end() for match in _TERM.finditer(text, start + 1, min(len(text), end + 3))]
        if good := [at for at in signs if at <= end and text[start:at].strip()]:
            return good[-1]
    if text[end - 1] == " ":
        return end
    blank = text.rfind(" ", start, end)
    if blank < 0 or not text[start:blank].strip():
        return end
    word = text[blank + 1 : blank + 1 + next_room].partition(" ")[0]
    whole = cell_len(word) < next_room
    return blank + 1 if whole or cell_len(text[start:blank]) > room * 2 // 3 else end
