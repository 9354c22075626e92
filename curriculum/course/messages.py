"""The texts of all feedback, in one catalogue: a key stands for a sentence with places in it."""

import string
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from curriculum.record.errors import CurriculumError

FILE = Path(__file__).with_name("messages.toml")


class MessageError(CurriculumError):
    """A key that has no text, or a text that lacks one of its values."""

    code = "message-unknown"


def text(key: str, params: Mapping[str, int | str] | None = None) -> str:
    """The sentence under `key`, as `predict.right`, with `params` in its places.

    Values are data: a brace in one stays a brace. Raises `MessageError` for a key that there is
    not (`message-unknown`) and for values that are not those of the text (`message-values`).
    """
    known = messages()
    if key not in known:
        import difflib

        near = difflib.get_close_matches(key, list(known), 1, 0.0)
        raise MessageError(
            f"No message is called {key!r}.",
            *(f"nearest: {name}" for name in near),
            next="add it to curriculum/course/messages.toml",
        )
    given = dict(params or {})
    if given.keys() != places(known[key]):
        odd = ", ".join(sorted(given.keys() ^ places(known[key])))
        raise MessageError(
            f"The message {key} takes other values than it was given.",
            f"only on one side: {odd}",
            code="message-values",
        )
    return known[key].format_map(given)


def places(text: str) -> set[str]:
    """The names of the values that a text of the catalogue has places for."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@cache
def messages() -> dict[str, str]:
    """Every text by its key: the table's name, a dot, the name in the table."""
    found: dict[str, str] = {}
    _flatten("", tomllib.loads(FILE.read_text(encoding="utf-8")), found)
    return found


def _flatten(prefix: str, table: dict[str, Any], found: dict[str, str]) -> None:
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else name
        if isinstance(value, dict):
            _flatten(key, value, found)  # pyright: ignore[reportUnknownArgumentType]
        else:
            found[key] = str(value)
