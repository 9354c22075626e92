"""On which line of a TOML file each key and each entry of a list stands.

The standard library's reader tells values and no lines. This one tells lines and no values: it
walks a text that the other has taken already, so it asks for no more than where a token ends.
"""

import re
import tomllib
from collections.abc import Mapping

Place = tuple[str | int, ...]
"""The way to a value: keys, and the number of an entry in a list, counted from 1."""
MOST = 1000
"""Entries of one list whose lines are told; those behind stand where the list begins."""

_BLANK = re.compile(r"(?:[ \t\n]+|#[^\n]*)*")
_TEXT = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\\n])*"' r"|'[^'\n]*'",
    re.S,
)  # fmt: skip
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\[\]{}#\n]*")
_DOT = re.compile(r"[ \t]*\.[ \t]*")


def line_at(lines: Mapping[Place, int], place: Place) -> int:
    """The line of a value, or of the nearest table around it that is written out."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def lines_of(text: str) -> dict[Place, int]:
    """The line of every table, key and entry of a text that is valid TOML, counted from 1."""
    return _Walk(text.replace("\r\n", "\n")).lines


class _Walk:
    """One pass over one text."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Place, int] = {}
        self._counted = self._line = 0
        self._entries: dict[Place, int] = {}
        """How many `[[tables]]` of each name there are so far."""
        table: Place = ()
        while self._skip() < len(text):
            if text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _skip(self) -> int:
        """Go on to the next thing that is no blank, no line break and no comment."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.at

    def _mark(self, place: Place) -> None:
        """Note that `place` begins here, if it has not begun before."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        self.lines.setdefault(place, self._line + 1)

    def _key(self) -> list[str]:
        """A key, in the parts that its dots make."""
        parts: list[str] = []
        while True:
            token = _TEXT.match(self.text, self.at) or _BARE.match(self.text, self.at)
            assert token is not None  # the text is valid
            quoted = token[0][0] in "\"'"
            parts.append(tomllib.loads(f"k = {token[0]}")["k"] if quoted else token[0])
            self.at = token.end()
            dot = _DOT.match(self.text, self.at)
            if dot is None:
                return parts
            self.at = dot.end()

    def _header(self) -> Place:
        """`[a.b]` or `[[a.b]]`: the table that the keys below belong to."""
        several = self.text.startswith("[[", self.at)
        begins = self.at
        self.at += 1 + several
        self._skip()
        *before, last = self._key()
        ends, self.at = self.text.index("]", self.at), begins
        place: Place = ()
        for part in before:
            self._mark((*place, part))
            place = self._entry((*place, part))
        place = (*place, last)
        if several:
            self._mark(place)
            self._entries[place] = self._entries.get(place, 0) + 1
        place = self._entry(place)
        self._mark(place)
        self.at = ends + 1 + several
        return place

    def _entry(self, place: Place) -> Place:
        """The last entry of a list of tables, or the table itself."""
        number = self._entries.get(place)
        return place if number is None else (*place, number)

    def _pair(self, table: Place) -> None:
        """`a.b = value`."""
        begins = self.at
        parts = self._key()
        ends, self.at = self.text.index("=", self.at) + 1, begins
        for deep in range(1, len(parts) + 1):
            self._mark((*table, *parts[:deep]))
        self.at = ends
        self._value((*table, *parts))

    def _value(self, place: Place) -> None:
        """Go past a value, and note what it holds."""
        self._skip()
        opens = self.text[self.at]
        if opens not in "[{":
            token = _TEXT.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            self.at = token.end() if token else self.at
            return
        self.at += 1
        number = 0
        while self.text[self._skip()] not in "]}":
            number += 1
            if opens == "{":
                self._pair(place)
            elif number <= MOST:
                self._mark((*place, number))
                self._value((*place, number))
            else:
                self._value(place)  # nothing in it is told apart
            if self.text[self._skip()] == ",":
                self.at += 1
        self.at += 1
