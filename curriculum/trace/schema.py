"""The JSON Schema of a trace, generated from the event classes, for readers in any language."""

import json
import types
import typing
from enum import StrEnum
from pathlib import Path
from typing import Any

import attrs

from .events import FORMAT, VERSION
from .faults import DIGITS
from .record_ids import ID_FIELDS, ID_LISTS, PATTERN
from .types import EVERY_TYPE

SHIPPED = Path(__file__).with_name("trace.schema.json")
_MOST = 10**DIGITS - 1
_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer", "minimum": 0, "maximum": _MOST},
    int | str: {
        "anyOf": [{"type": "integer", "minimum": -_MOST, "maximum": _MOST}, {"type": "string"}]
    },
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
}
_RECORD_ID = {"type": "string", "pattern": f"^{PATTERN}$"}


def schema() -> dict[str, Any]:
    """JSON Schema (draft 7) of one event line; `definitions` holds the data of each type."""
    kinds: list[dict[str, Any]] = []
    definitions: dict[str, Any] = {}
    for name, data in EVERY_TYPE.items():
        definitions[name] = of_class(data)
        constant = {"type": {"const": name}, "data": {"$ref": f"#/definitions/{name}"}}
        kinds.append({"properties": constant})
    envelope = {
        "seq": {**_PLAIN[int], "minimum": 1},
        "type": {"enum": list(EVERY_TYPE)},
        "turn": _PLAIN[int],
        "cause": {**_PLAIN[int], "minimum": 1},
        "uses": {"type": "array", "items": {"type": "string"}},
        "data": {"type": "object"},
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"{FORMAT} {VERSION}: one event",
        "type": "object",
        "properties": envelope,
        "required": ["seq", "type", "turn", "data"],
        "additionalProperties": False,
        "oneOf": kinds,
        "definitions": definitions,
    }


def of_class(data: type) -> dict[str, Any]:
    """The schema of one attrs class: its fields, and no others."""
    hints = typing.get_type_hints(data)
    fields: tuple[Any, ...] = attrs.fields(data)
    properties = {
        field.name: _named(data.__name__, field.name) or _of_type(hints[field.name])
        for field in fields
    }
    required = [field.name for field in fields if field.default is attrs.NOTHING]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _named(data: str, field: str) -> dict[str, Any] | None:
    """The schema of a field that names a record, or some; None for any other."""
    if (data, field) in ID_FIELDS:
        return _RECORD_ID
    return {"type": "array", "items": _RECORD_ID} if (data, field) in ID_LISTS else None


def _of_type(hint: Any) -> dict[str, Any]:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"enum": [member.value for member in hint]}
    if isinstance(hint, type) and attrs.has(hint):
        return of_class(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return {"type": "array", "items": _of_type(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of_type(arguments[1])}
    if origin in (types.UnionType, typing.Union):
        options = [_of_type(option) for option in arguments if option is not type(None)]
        return options[0] if len(options) == 1 else {"anyOf": options}
    raise TypeError(f"no JSON Schema for {hint}")


def text() -> str:
    """The schema as it ships."""
    return json.dumps(schema(), indent=1, sort_keys=True) + "\n"
