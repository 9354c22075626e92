"""Text of sessions and tools is data: nothing in it reaches a terminal as control.

What cannot be seen is spelled by its number, as Python spells it: `\\x1b`, `\\u202e`. What is too
long is shown by its two ends, with the number of characters between them said.
"""

import re

from curriculum.record.errors import CurriculumError

# C0 and C1 controls; blanks that are not the blank; line and paragraph separators; bidi controls
# and other invisible formatting; variation selectors and fillers; surrogates, private use and
# noncharacters. A fixed list, so that a text looks the same under every Python.
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u2800\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ufffe\uffff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def spelled(character: str) -> str:
    """An invisible character by its number, or by its short name."""
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code < 256:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    """`text` with every control and invisible character spelled out."""
    return HIDDEN.sub(lambda match: spelled(match[0]), text)


def ascii_only(text: str) -> str:
    """`visible` text for terminals that can show no more than ASCII."""
    return visible(text).encode("ascii", "backslashreplace").decode()


def error_text(error: CurriculumError) -> str:
    """What `str(error)` says, ASCII only; a line break in a part of it makes no new line."""
    evidence, next = map(ascii_only, error.evidence), ascii_only(error.next)
    return str(CurriculumError(ascii_only(error.headline), *evidence, code=error.code, next=next))


def ends(text: str, most: int) -> tuple[str, str, str]:
    """Head, note and tail of a text longer than `most` characters; note and tail empty if not."""
    if len(text) <= most:
        return text, "", ""
    keep = most // 2
    note = f" ... {len(text) - 2 * keep} characters not shown ... "
    return text[:keep], note, text[-keep:]


def brief(text: str, most: int = 120) -> str:
    """`ends` as one text, for a value that stands inside a sentence."""
    return "".join(ends(text, most))


def many(count: int, noun: str) -> str:
    """`1 request`, `2 requests`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
