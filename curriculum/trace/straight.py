"""The short way from JSON to event data: a reader for each class, made once, that gives no reasons.

It takes what a recorder writes and refuses anything else; `structure` then reads it again with
the library, which names the field. A test holds that the two ways agree.
"""

import typing
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Any

import attrs

from curriculum.record.text import scalar

from .record_ids import ID_FIELDS, ID_LISTS, is_record_id

Read = Callable[[Any], Any]


class RefusedError(Exception):
    """A value that is not what the class says, or not as a recorder spells it."""


@cache
def reader_of(data: type) -> Read:
    """What makes an instance of the attrs class `data` of a JSON value.

    The reader raises whatever it trips over; every exception means the same.
    """
    hints = typing.get_type_hints(data)
    fields: tuple[Any, ...] = attrs.fields(data)
    reads = {
        field.name: _named(data.__name__, field.name) or _of(hints[field.name]) for field in fields
    }

    def read(value: dict[str, Any]) -> Any:
        # A name that there is not raises here, one that is missing in the class.
        return data(**{name: reads[name](part) for name, part in value.items()})

    return read


def _named(data: str, field: str) -> Read | None:
    """The reader of a field that names a record, or some; None for any other."""
    if (data, field) in ID_FIELDS:
        return _record_id
    return _tuple_of(_record_id) if (data, field) in ID_LISTS else None


def _of(hint: Any) -> Read:
    """The reader of one type. A recorder never spells None, so an option is read as its type."""
    options = [option for option in typing.get_args(hint) if option is not type(None)]
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {member.value: member for member in hint}.__getitem__
    if isinstance(hint, type) and attrs.has(hint):
        return reader_of(hint)
    origin = typing.get_origin(hint)
    if origin is tuple:
        return _tuple_of(_of(options[0]))
    if origin is dict:
        return _dict_of(_of(options[1]))
    assert len(options) == 1, hint
    return _of(options[0])


def text(value: Any) -> str:
    """Scalar text and nothing else: a lone surrogate could not be sent. Raises `RefusedError`."""
    if type(value) is not str or not (value.isascii() or scalar(value) == value):
        raise RefusedError
    return value


def number(value: Any) -> int:
    """A whole number of at least 0, as no size, count or place in a trace is negative.

    Raises `RefusedError`.
    """
    if type(value) is not int or value < 0:
        raise RefusedError
    return value


def either(value: Any) -> int | str:
    """Scalar text or a whole number, of either sign. Raises `RefusedError`."""
    if type(value) is int:
        return value
    return text(value)


def _record_id(value: Any) -> str:
    if not is_record_id(value):
        raise RefusedError
    return value


def _tuple_of(read: Read) -> Read:
    def read_all(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise RefusedError
        return tuple(map(read, value))  # pyright: ignore[reportUnknownArgumentType]

    return read_all


def _dict_of(read: Read) -> Read:
    return lambda value: {text(name): read(part) for name, part in value.items()}


_PLAIN: dict[Any, Read] = {str: text, int: number, int | str: either}
