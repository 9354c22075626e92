r"""The size of a part of a request: what it counts alone, and what joining it can add.

Counts of parts do not add up to the count of the whole: where two parts meet, tokens change.
This is why the sizes here do add up to a bound of the whole.

A byte-level tokenizer first splits a text into pieces by a pattern, then counts each piece by
itself. A *fixed place* is a place between two characters that no alternative of any of these
patterns reaches across, in whatever text it stands: between a letter and a quotation mark,
between a digit and a letter, between anything visible and a space. A pattern looks at most one
character beyond what it takes. So the pieces between two fixed places are the same in the part
and in the whole. They depend on no neighbour.

Only the text before the first fixed place and the text behind the last one can be joined with
neighbours. However that comes out, it makes at most one token a byte. So a part counts, at most,
the tokens between its fixed places and the bytes of its two ends. Every piece of the whole is
in one of these, and the sum over the parts is a bound of the whole. A part with no fixed place
counts its bytes.

What had to be thought of: `don't` is one piece for o200k and two for cl100k, so an apostrophe
behind a letter is no fixed place. A word takes one sign before it, so a sign before a letter is
none. Signs take the line ends behind them, o200k's also slashes, so a sign before a line end is
none. Blanks at the end of a run look at what follows, so a blank is never the left side of one.
Digits are taken by threes from where they start, so no place is inside a run of them. A letter
here is one that every Unicode version since 3.0 calls a letter; marks are none. Where a family
brings a text to Unicode's form C first, what is right of a fixed place is never composed with
what stands before it.

SentencePiece splits nothing: it merges neighbours, and only to an entry of its vocabulary. So a
place between two characters that stand side by side in no entry is fixed. It also puts one blank
before a text: one token more for each part.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from .families import Family

_UNSEEN = (
    "\\x00-\\x20\\x7f-\\xa0\\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2581"
    "\u3000\ufe00-\ufe0f\ufeff\ufff0-\uffff\\ud800-\\udfff"
)
"""What is a blank by anybody's rule, or may not be seen; SentencePiece writes U+2581 for one."""
_LETTERS = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01f5\u0391-\u03a1\u03a3-\u03ce\u0410-\u044f"
    "\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u0905-\u0939\u0e01-\u0e30\u3041-\u3094\u30a1-\u30fa"
    "\u4e00-\u9fa5\uac00-\ud7a3"
)
_SIGNS = '!"#$%&()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~'
"""ASCII signs but the apostrophe."""
_SPACE = f"[^{_UNSEEN}](?= )"
_WIDE = "\u3001\u3002\u300c-\u300f\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
"""Signs of Chinese and Japanese."""
_FIXED = {
    "byte-bpe": f"{_SPACE}|[{_LETTERS}](?=[{_SIGNS}{_WIDE}\t\n\r])|[0-9](?=[A-Za-z{_SIGNS}'\t\n\r])"
    f"|[A-Za-z{_SIGNS}'](?=[0-9])",
    "sentencepiece": _SPACE,
}
_ENDS = 64
"""Characters of an end that is remembered: ends such as `"}` come with every message."""
Places = Callable[[str], tuple[int, int] | None]
"""The first and the last place of a text that no neighbour can change; None if it has none."""


def split_places(algorithm: str) -> Places:
    """The fixed places of a kind of tokenizer; only spaces of SentencePiece, which splits there."""
    if algorithm not in _FIXED:
        return lambda text: None
    first = re.compile(_FIXED[algorithm]).search
    last = re.compile(f"(?s:.*)(?:{_FIXED[algorithm]})").match  # tries from the end

    def places(text: str) -> tuple[int, int] | None:
        at, end = first(text), last(text)
        return (at.end(), end.end()) if at and end else None

    return places


def merge_places(entries: Iterable[str]) -> Places:
    """The fixed places of SentencePiece with this vocabulary, a blank written as a space."""
    beside = {entry[at : at + 2] for entry in entries for at in range(len(entry) - 1)}

    def places(text: str) -> tuple[int, int] | None:
        text = text.replace("\u2581", " ")
        fixed = (at for at in range(1, len(text)) if text[at - 1 : at + 1] not in beside)
        first = next(fixed, None)
        if first is None:
            return None
        ends = range(len(text) - 1, 0, -1)
        return first, next(at for at in ends if text[at - 1 : at + 1] not in beside)

    return places


class Parts:
    """The sizes of parts of a request by one counter; `count` counts a text that is alone.

    They are proven to bound the whole if `count` is of `family` and `places` are fixed for it.
    """

    def __init__(self, family: Family, count: Callable[[str], int], places: Places) -> None:
        self.family, self.count, self.places = family, count, places
        self._known_ends = lru_cache(4096)(self._ends)

    def size(self, text: str) -> int:
        """The bound in tokens of `text` as a part of a request."""
        found = self.places(text)
        if found is None:
            return self.family.bound(text)
        first, last = found
        head, tail = text[:first], text[last - 1 :]
        short = len(head) < _ENDS and len(tail) < _ENDS
        return self.count(text) + (self._known_ends if short else self._ends)(head, tail)

    def _ends(self, head: str, tail: str) -> int:
        """What the two ends can make more than they make alone.

        `tail` has one character before it, so that nothing else is put there.
        """
        alone = self.count(head) + self.count(tail) - self.count(tail[0])
        return self.family.bound(head + tail[1:]) - alone
