"""The value that the arguments of a call spell, the same wherever they are read.

Two spellings of one value are one question. What JSON readers disagree on (how deep, how many
digits, NaN) is no value here: the text stands for itself.
"""

import json
import re
from typing import Any, cast

import attrs

DEEPEST = 64
"""Levels of nesting; how deep an interpreter reads depends on its version and on its caller."""
# A string without an end is taken to its last character, so that it is read only once.
_TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)


@attrs.frozen
class Number:
    """A number as it is spelled: 1 and 1.0 are two, and none is rounded."""

    text: str


def argument_value(arguments: str) -> Any:
    """The JSON value, no text at all being `{}`; the text itself where it spells no value."""
    if _depth(arguments) > DEEPEST:
        return arguments
    try:
        return json.loads(
            arguments or "{}", parse_constant=_refused, parse_float=Number, parse_int=Number
        )
    except ValueError:
        return arguments


def spelled(value: Any) -> str:
    """One spelling for each value, whatever the order of its keys was."""
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        pairs = [f"{json.dumps(key)}:{spelled(members[key])}" for key in sorted(members)]
        return f"{{{','.join(pairs)}}}"
    if isinstance(value, list):
        parts = cast(list[Any], value)
        return f"[{','.join(map(spelled, parts))}]"
    return json.dumps(value)


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _depth(text: str) -> int:
    depth = most = 0
    for token in _TOKENS.findall(text):
        depth += (token in "[{") - (token in "]}")
        most = max(most, depth)
    return most
