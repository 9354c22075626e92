"""From JSON to event data, strictly: the types of the classes and nothing else.

The JSON Schema that ships says the same; a test holds that both refuse the same lines.
"""

import re
from collections.abc import Iterator
from typing import Any

import cattrs

from curriculum.context.manifest import Manifest
from curriculum.record.records import Record
from curriculum.record.text import scalar

from .events import ToolRequest

_RECORD_ID = re.compile(r"r(?=.*[1-9])[0-9]{4,}\Z")
_reader = cattrs.Converter(forbid_extra_keys=True)


class BadData(Exception):
    """Data that is not what its class says; the text names the field."""


def _text(value: Any, kind: Any) -> Any:
    """Scalar text and nothing else; the library would make "1" of 1. An enum's member by name."""
    if type(value) is not str or scalar(value) != value:
        raise TypeError
    return value if kind is str else kind(value)


def _number(value: Any, _: Any) -> int:
    """A whole number of at least 0; no size, count or place in a trace is negative."""
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _either(value: Any, _: Any) -> int | str:
    if type(value) not in (int, str):
        raise TypeError
    return value


_reader.register_structure_hook(str, _text)
_reader.register_structure_hook(int, _number)
_reader.register_structure_hook(int | str, _either)
_structure: Any = _reader.structure


def structured(value: Any, data: type) -> Any:
    """The instance of `data` that `value` spells. Raises `BadData` with the field's name."""
    try:
        made = _structure(value, data)
    except Exception as error:  # whatever the library raises, the answer is the same
        raise BadData(_field(error)) from None
    for field, id in _ids(made):
        if id is not None and not is_record_id(id):
            raise BadData(field)
    return made


def is_record_id(value: Any) -> bool:
    """Whether `value` is the id of some position, counted from 1."""
    return isinstance(value, str) and _RECORD_ID.match(value) is not None


def dangling(data: Any, known: int) -> str | None:
    """The first field of `data` that names a record after the `known` ones; None if none does.

    A result may answer a record that is not there: foreign logs hold such, and they are not sent.
    """
    if isinstance(data, Record):
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
    said = cattrs.transform_error(error)[0]
    place = said.rpartition("@ $")[2].strip(".")
    extra = re.search(r"\((.*)\)", said) if "extra fields" in said else None
    return ".".join(filter(None, [place, extra[1] if extra else ""])) or "data"


def _ids(data: Any) -> Iterator[tuple[str, str | None]]:
    """Every record id that the data holds, with its field."""
    if isinstance(data, Record):
        yield "id", data.id
        yield "answers.record", data.answers and data.answers.record
    elif isinstance(data, ToolRequest):
        yield "record", data.record
    elif isinstance(data, Manifest):
        for entry in data.decisions:
            yield "decisions.first", entry.first
            yield "decisions.last", entry.last
            yield "decisions.because", entry.because
        for need in data.refused.parts if data.refused else ():
            yield "refused.parts.record", need.record
