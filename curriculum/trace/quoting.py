"""Values as a report quotes them: two long texts by where they part, a hash by its first digits."""

import re

from .facts import Fact
from .rules import UNKNOWN

LONG = 30
"""Characters from which two texts are told by where they part, not by their ends."""
SHOWN = 20
"""Characters of each text that are quoted from there on."""
_DIGITS = 12
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")
_VERSION = re.compile(r"\S+#[0-9a-f]{8,64}\Z")
"""A component with the hash of its content."""


def short(value: Fact | None, width: int = 60) -> str:
    """A value as it is quoted: long texts by length and ends, so that no line runs away."""
    if value is None or value == UNKNOWN:
        return "nothing"
    if not isinstance(value, str):
        return str(value)
    if _SHA256.match(value):
        return f"{value[:_DIGITS]}..."
    if len(value) <= width:
        return _quoted(value)
    return f"{len(value)} characters {_quoted(value[:20])}...{_quoted(value[-20:])}"


def _quoted(value: str) -> str:
    return value if value.isalnum() or value.replace("-", "").isalnum() else ascii(value)


def parted(expected: str, got: str) -> int:
    """The first character position (from 0) at which two texts part."""
    pairs = zip(expected, got, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(got)))


def long_texts(expected: Fact | None, got: Fact | None) -> bool:
    """Whether both are texts, and one is long. A hash is none: nobody reads where it parts."""
    if not isinstance(expected, str) or not isinstance(got, str):
        return False
    texts = not any(_SHA256.match(v) or _VERSION.match(v) or v == UNKNOWN for v in (expected, got))
    return texts and max(len(expected), len(got)) > LONG


def from_there(expected: str, got: str, at: int) -> str:
    """About 20 characters of both from position `at` on."""
    return f"{expected[at : at + SHOWN]!a} -> {got[at : at + SHOWN]!a}"


def up_to(expected: str, got: str, back: int) -> str:
    """About 20 characters of both up to `back` characters before the end."""
    was, now = expected[: len(expected) - back], got[: len(got) - back]
    return f"{was[-SHOWN:]!a} -> {now[-SHOWN:]!a}"


def apart(expected: str, got: str) -> str:
    """Where two texts part, counted from 1, and what each has from there on."""
    at = parted(expected, got)
    sizes = f"{len(expected)} -> {len(got)} characters"
    return f"{sizes}; they part at character {at + 1}: {from_there(expected, got, at)}"


def change(expected: Fact | None, got: Fact | None) -> str:
    """Both values, or where they part."""
    if isinstance(expected, str) and isinstance(got, str) and long_texts(expected, got):
        return apart(expected, got)
    return f"{short(expected)} -> {short(got)}"
