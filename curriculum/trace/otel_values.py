"""How OTLP spells values in JSON: attributes, times and ids.

Numbers of 64 bits are decimal strings, ids are hex. Every text of a session is the value of a
JSON string, so nothing in it can change the shape of the file.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, cast

from .otel_names import NANOSECONDS

Json = dict[str, Any]


def fits(number: int) -> bool:
    """Whether a whole number has room in 64 bits."""
    return -(2**63) <= number < 2**63


def value(of: Any) -> Json:
    """The `AnyValue` of text, a whole number, a truth value, None, a list or a mapping."""
    if of is None:
        return {}
    if isinstance(of, bool):
        return {"boolValue": of}
    if isinstance(of, int) and fits(of):
        return {"intValue": str(of)}
    if isinstance(of, dict):
        pairs = cast(dict[str, Any], of).items()
        return {"kvlistValue": {"values": attributes(pairs)}}
    if isinstance(of, (list, tuple)):
        return {"arrayValue": {"values": [value(part) for part in cast(list[Any], of)]}}
    return {"stringValue": str(of)}  # also a number that has no room in 64 bits: no digit is lost


def attributes(pairs: Iterable[tuple[str, Any]]) -> list[Json]:
    """`KeyValue`s in the order given."""
    return [{"key": key, "value": value(of)} for key, of in pairs]


def time(seq: int) -> str:
    """The time of an event in nanoseconds: logical, and later for every later event."""
    return str(seq * NANOSECONDS)


def hex_id(text: str, size: int) -> str:
    """An id of `size` bytes that depends on `text` alone. Its last bit is set: no id is zero."""
    digest = sha256(text.encode()).digest()[:size]
    return (digest[:-1] + bytes([digest[-1] | 1])).hex()
