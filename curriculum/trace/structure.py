"""From JSON to event data, strictly: the types of the classes and nothing else.

The JSON Schema that ships says the same; a test holds that both refuse the same lines.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from curriculum.context.manifest import Manifest
from curriculum.record.records import Record, Replaced

from .compacting_events import ContextCompact
from .events import ToolRequest
from .record_ids import is_record_id
from .straight import either, number, reader_of, text


class BadData(Exception):
    """Data that is not what its class says; the text names the field."""


def _text(value: Any, kind: Any) -> Any:
    """The library would make "1" of 1. An enum's member by name."""
    return text(value) if kind is str else kind(text(value))


@cache
def _library() -> Any:
    """The library's reader, made for the first value that is not read straight."""
    import cattrs

    reader = cattrs.Converter(forbid_extra_keys=True)
    reader.register_structure_hook(str, _text)
    reader.register_structure_hook(int, lambda value, _: number(value))
    reader.register_structure_hook(int | str, lambda value, _: either(value))
    return reader


def structured(value: Any, data: type) -> Any:
    """The instance of `data` that `value` spells. Raises `BadData` with the field's name."""
    # The library takes most of the time of reading a long trace, and only it can say what is
    # wrong; so nearly every value is read without it.
    try:
        return reader_of(data)(value)
    except Exception:  # refused for whatever reason: the library says which
        raise BadData(wrong_field(value, data)) from None


def by_library(value: Any, data: type) -> Any:
    """The instance of `data` that the library makes of `value`. Raises what it raises."""
    return _library().structure(value, data)


def wrong_field(value: Any, data: type) -> str:
    """The field for which `value` is refused, as the library names it."""
    try:
        made = by_library(value, data)
    except Exception as error:  # whatever the library raises, the answer is the same
        return _field(error)
    wrong = (field for field, id in _ids(made) if id is not None and not is_record_id(id))
    return next(wrong, None) or _no_list(value, made) or "data"


def _no_list(value: Any, made: Any) -> str:
    """The field that should be a list and is not: the library takes an empty text for one."""
    fields: Any = getattr(made, "__attrs_attrs__", ())
    for name in [field.name for field in fields]:
        given, found = value.get(name, []), getattr(made, name)
        if isinstance(found, tuple) and type(given) is not list:
            return name
        if inner := _no_list(given, found):
            return f"{name}.{inner}"
    return ""


def dangling(data: Any, known: int) -> str | None:
    """The first field of `data` that names a record after the `known` ones; None if none does.

    A result may answer a record that is not there: foreign logs hold such, and they are not sent.
    """
    if not isinstance(data, Manifest | ToolRequest | ContextCompact):
        return None
    for field, id in _ids(data):
        if id is not None and int(id[1:]) > known:
            return field
    if isinstance(data, Manifest):
        for entry in data.decisions:
            if entry.last is not None and int(entry.last[1:]) <= int(entry.first[1:]):
                return "decisions.last"
    return None


def _field(error: Exception) -> str:
    """The first field that the library complains of, without its words."""
    import cattrs

    said = cattrs.transform_error(error)[0]
    place = said.rpartition("@ $")[2].strip(".")
    extra = re.search(r"\((.*)\)", said) if "extra fields" in said else None
    return ".".join(filter(None, [place, extra[1] if extra else ""])) or "data"


def _of_pools(data: Manifest) -> Iterator[tuple[str, str | None]]:
    for need in data.smaller.parts if data.smaller else ():
        yield "smaller.parts.record", need.record
    for use in data.pools:
        yield "pools.stopped", use.stopped
    yield from (("front", id) for id in data.front)
    yield from (("back", id) for id in data.back)


def _ids(data: Any) -> Iterator[tuple[str, str | None]]:
    """Every record id that the data holds, with its field."""
    if isinstance(data, Record):
        yield "id", data.id
        yield "answers.record", data.answers and data.answers.record
        yield from _replaced(data.replaces)
    elif isinstance(data, ContextCompact):
        yield from _replaced(data.replaces)
    elif isinstance(data, ToolRequest):
        yield "record", data.record
    elif isinstance(data, Manifest):
        for entry in data.decisions:
            yield "decisions.first", entry.first
            yield "decisions.last", entry.last
            yield "decisions.because", entry.because
        for need in data.refused.parts if data.refused else ():
            yield "refused.parts.record", need.record
        yield from _of_pools(data)


def _replaced(replaces: Replaced | None) -> Iterator[tuple[str, str | None]]:
    if replaces is not None:
        yield "replaces.first", replaces.first
        yield "replaces.last", replaces.last
        yield from (("replaces.but", id) for id in replaces.but)
