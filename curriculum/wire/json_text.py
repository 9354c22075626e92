"""JSON as the wires spell it: no blanks, UTF-8 as it is, keys in the order they are given.

This is also how the providers' own clients spell a body, so their bytes are the same.
"""

import json
import re
from typing import Any, cast

from curriculum.record.schemas import canonical

from .errors import WireError

RAW = "_arguments"
"""The one member of an arguments object that stands for text which is no plain JSON object."""
DEEPEST = 64
"""Levels of nesting that are sent as an object; how deep a JSON reader goes differs by version."""
LONGEST_INTEGER = 640
"""Digits that every interpreter reads, however its limit is set."""
# A string without an end is taken to its last character, so that it is read only once.
_NESTING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)


_spell = json.JSONEncoder(ensure_ascii=False).encode  # `json.dumps` would make one for each text


def model_name(name: str) -> str:
    """The name as a body has it. Raises `WireError` for one that no trace could name again."""
    if not name or not _scalar(name):
        raise WireError(
            f"A request cannot name the model {name!a}.",
            "a name has a character, and no half of one",
            code="wire-model",
            next="curriculum models",
        )
    return quoted(name)


def quoted(text: str) -> str:
    """`text` as a JSON string."""
    return _spell(text)


def compact(value: object) -> str:
    """A JSON value in the wires' spelling. Raises `ValueError` for NaN and infinity."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def schema(parameters: str, empty: str) -> str:
    """A tool's parameters as they are sent; `empty` stands for none. Raises `WireError`.

    Parameters with an escaped lone surrogate, which has no bytes in UTF-8, keep their escapes.
    """
    try:
        spelled = compact(json.loads(parameters)) if parameters else empty
    except (ValueError, RecursionError) as error:
        raise WireError(f"The parameters {parameters[:60]!a} are no JSON.") from error
    return spelled if _scalar(spelled) else parameters


def parameters(value: object, empty: str) -> str:
    """A tool's parameters as a log has them: `schema` undone."""
    return "" if compact(value) == empty else canonical(value)


def argument_object(arguments: str) -> str:
    """The arguments of a call where a wire wants a JSON object.

    Text that is no such object, or one that no reader would give back as it is (a key twice,
    numbers beyond what JSON readers keep, too deep), is sent whole under one member, `_arguments`.
    """
    found = _plain_object(arguments)
    return compact({RAW: arguments}) if found is None else compact(found)


def arguments_of(value: object) -> str:
    """The arguments that an object stands for, in the wires' spelling: what a reader can know."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        if list(members) == [RAW] and isinstance(members[RAW], str):
            return members[RAW]
    return compact(cast(object, value))


def heard_arguments(arguments: str) -> str:
    """What a reader of the body knows of a call's arguments: the value, not its blanks."""
    found = _plain_object(arguments)
    return arguments if found is None else compact(found)


def is_block(text: str) -> bool:
    """Whether `text` is one JSON object in the wires' spelling, so that it can be sent as it is."""
    found = _plain_object(text)
    return found is not None and compact(found) == text


def _plain_object(text: str) -> dict[str, Any] | None:
    if not text.startswith("{") or _depth(text) > DEEPEST:
        return None
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no,
                           parse_float=_same, parse_int=_short)  # fmt: skip
        spelled = compact(value)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or spelled.startswith(f'{{"{RAW}":') or not _scalar(spelled):
        return None
    return cast(dict[str, Any], value)


def _scalar(text: str) -> bool:
    """Whether the text can be sent: an escaped lone surrogate cannot."""
    return text.isascii() or not re.search("[\ud800-\udfff]", text)


def _depth(text: str) -> int:
    depth = most = 0
    for token in _NESTING.findall(text):
        depth += (token in "[{") - (token in "]}")
        most = max(most, depth)
    return most


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _same(number: str) -> object:
    read = json.loads(number)
    if compact(read) != number:
        raise ValueError("a number that another reader would spell otherwise")
    return read


def _short(number: str) -> int:
    if len(number) > LONGEST_INTEGER:
        raise ValueError("more digits than some readers take")
    return int(number)


def _no(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
