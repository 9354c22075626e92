"""How much a text is in a unit, and how far an amount of it reaches from either end.

A line ends with its newline (U+000A and nothing else); a last line without one is a line too. So
a text of n lines has at least n characters, and at least as many bytes as characters.
"""

from .errors import CurriculumError

UNITS = ("chars", "bytes", "lines", "tokens")
"""Characters are code points, bytes those of UTF-8, tokens an estimate from the bytes."""
BYTES_A_TOKEN = 4
"""The estimate of codex, rounded up: codex-rs/core/src/truncate.rs:10, 293-306 at e8d7ede8."""


def size(text: str, unit: str) -> int:
    """How many of `unit` the text is. Raises `CurriculumError` for an unknown unit."""
    if unit == "chars":
        return len(text)
    if unit == "lines":
        return text.count("\n") + (bool(text) and text[-1] != "\n")
    count = _bytes(text)
    if unit == "tokens":
        return -(-count // BYTES_A_TOKEN)
    if unit != "bytes":
        raise CurriculumError(
            f"There is no unit {unit!a}.", f"known: {', '.join(UNITS)}", code="truncation-unit"
        )
    return count


def head_end(text: str, amount: int, unit: str) -> int:
    """Where the longest beginning of at most `amount` chars, bytes or lines ends (characters).

    It may stand inside a grapheme cluster.
    """
    if unit == "lines":
        parts = text.split("\n", amount)
        return len(text) - len(parts[-1]) if len(parts) > amount else len(text)
    first = text[:amount]
    if unit == "chars" or _bytes(first) <= amount:
        return len(first)
    return len(first.encode()[:amount].decode(errors="ignore"))  # the last one may be in parts


def tail_start(text: str, amount: int, unit: str) -> int:
    """Where the longest end of at most `amount` chars, bytes or lines starts (characters).

    It may stand inside a grapheme cluster.
    """
    if unit == "lines":
        body = text[:-1] if text.endswith("\n") else text
        parts = body.rsplit("\n", amount)
        return min(len(text), len(parts[0]) + 1) if len(parts) > amount else 0
    last = text[max(0, len(text) - amount) :]
    if unit == "bytes" and (over := _bytes(last) - amount) > 0:
        last = last.encode()[over:].decode(errors="ignore")  # the first one may be in parts
    return len(text) - len(last)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
