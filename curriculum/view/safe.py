"""Text of sessions and tools is data: nothing in it reaches a terminal as control."""

import re

# C0 and C1 controls, line and paragraph separators, bidi controls, other invisible formatting,
# surrogates, and private use: each is shown by its number.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _spelled(match: "re.Match[str]") -> str:
    character = match[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{{{code:x}}}")


def visible(text: str) -> str:
    """`text` with every control and invisible character spelled out, as `\\x1b` or `\\u{202e}`."""
    return _HIDDEN.sub(_spelled, text)


def ascii_only(text: str) -> str:
    """`visible` text for terminals that can show no more than ASCII."""
    return visible(text).encode("ascii", "backslashreplace").decode()
