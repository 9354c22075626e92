"""Text as it enters a record: Unicode scalar values only, hashed as UTF-8."""

import hashlib
import re

UNICODE = "18.0.0"
"""The Unicode version of the cluster rules; traces name it, so a new one is seen as a change."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def scalar(text: str) -> str:
    """Return `text` with every lone surrogate visibly replaced by U+FFFD.

    UTF-8 has no bytes for a lone surrogate, so it cannot be sent, hashed or written.
    """
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", text)


def sha256(text: str) -> str:
    """Hex SHA-256 of the UTF-8 bytes of `text`."""
    return hashlib.sha256(text.encode()).hexdigest()
