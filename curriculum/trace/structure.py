"""From JSON to event data, strictly: the types of the classes and nothing else.

The JSON Schema that ships says the same; a test holds that both refuse the same lines.
"""

import re
from collections.abc import Iterator
from typing import Any

import cattrs

from curriculum.context.manifest import Manifest
from curriculum.record.records import Record

from .events import ToolRequest

_RECORD_ID = re.compile(r"r[0-9]{4,}\Z")
_reader = cattrs.Converter(forbid_extra_keys=True)


class BadData(Exception):
    """Data that is not what its class says; the text names the field."""


def _only(*kinds: type) -> Any:
    """Take a value of exactly these types; by itself the library would turn "1" into 1."""

    def hook(value: Any, _: Any) -> Any:
        if type(value) not in kinds:
            raise TypeError
        return value

    return hook


for _kind in (str, int):
    # By identity: an enum of strings is a class of its own, and has to be one of its members.
    _reader.register_structure_hook_func(lambda t, kind=_kind: t is kind, _only(_kind))
_reader.register_structure_hook(int | str, _only(int, str))
_structure: Any = _reader.structure


def structured(value: Any, data: type) -> Any:
    """The instance of `data` that `value` spells. Raises `BadData` with the field's name."""
    try:
        made = _structure(value, data)
    except Exception as error:  # whatever the library raises, the answer is the same
        raise BadData(_field(error)) from None
    for field, id in _ids(made):
        if id is not None and not _RECORD_ID.match(id):
            raise BadData(field)
    return made


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
