"""Reads a file of models: every field checked, and what is wrong named by file, entry and field."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import attrs

from curriculum.record.errors import CurriculumError

from .families import FAMILIES
from .models import Frame, Model

WIRES = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
T = TypeVar("T", Frame, Model)
TABLES: dict[str, type[Frame] | type[Model]] = {"frame": Frame, "model": Model}
EXAMPLE = "curriculum models gpt-4o --plain   # the fields of an entry, and values of them"
LEAST = {"window": 1, "max_output": 1}
"""Numbers that may not be 0. An output as large as the window is no error: a budget says so."""


class ModelsFileError(CurriculumError):
    """A file of models that cannot be used."""

    code = "models-file"

    def __init__(self, headline: str, *evidence: str) -> None:
        super().__init__(headline, *evidence, next=EXAMPLE)


def read(
    path: str | Path, known_frames: Mapping[str, Frame]
) -> tuple[dict[str, Frame], dict[str, Model]]:
    """The frames and models of a TOML file, by id.

    `known_frames` may be named without being in the file. Raises `ModelsFileError`.
    """
    tables = _tables(path)
    frames: dict[str, Frame] = {}
    models: dict[str, Model] = {}
    for number, entry in enumerate(tables["frame"], 1):
        frame = _made(Frame, path, f"frame {number}", entry)
        _one_of(path, f"frame {number}", "results", frame.results, ("text", "json"))
        _new(path, f"frame {number}", "id", frame.id, frames)
        frames[frame.id] = frame
    taken: dict[str, str] = {}
    for number, entry in enumerate(tables["model"], 1):
        where = f"model {number}"
        model = _made(Model, path, where, entry)
        _one_of(path, where, "family", model.family, FAMILIES)
        _one_of(path, where, "wire", model.wire, WIRES)
        _one_of(path, where, "frame", model.frame, {**known_frames, **frames})
        _one_of(path, where, "special", model.special, ("text", "token"))
        for field, name in (("id", model.id), *(("aliases", alias) for alias in model.aliases)):
            _new(path, where, field, name, taken)
            taken[name] = model.id
        models[model.id] = model
    return frames, models


def _tables(path: str | Path) -> dict[str, list[Any]]:
    try:
        data: dict[str, Any] = tomllib.loads(Path(path).read_bytes().decode())
    except FileNotFoundError:
        raise ModelsFileError(f"There is no file {str(path)!a}.") from None
    except OSError as error:
        raise ModelsFileError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ModelsFileError(f"{path} is no UTF-8: byte {error.start}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ModelsFileError(f"{path} is no TOML.", str(error)) from None
    except (ValueError, RecursionError):
        raise ModelsFileError(f"{str(path)!a} cannot be read.") from None
    for name, value in data.items():
        if name not in TABLES:
            raise ModelsFileError(f"{path} has no use for {name!a}.", "known: [[model]], [[frame]]")
        if not isinstance(value, list):
            raise ModelsFileError(f"{path}: {name} is no list.", f"write [[{name}]]")
    found = {name: cast("list[Any]", data.get(name, [])) for name in TABLES}
    if not any(found.values()):
        raise ModelsFileError(f"{path} has no models.", 'write [[model]] and id = "..." below it')
    return found


def _made(kind: type[T], path: str | Path, where: str, entry: Any) -> T:
    """The entry as `kind`. Raises `ModelsFileError` naming the first field that is wrong."""
    if not isinstance(entry, dict):
        raise ModelsFileError(f"{path}, {where} is no table.", f"it is {entry!a}")
    given = cast("dict[str, Any]", entry)
    where = f"{where} ({given['id']!a})" if "id" in given else where
    fields = {field.name: field for field in attrs.fields(kind)}
    for name in given:
        if name not in fields:
            known = f"known: {', '.join(fields)}"
            raise ModelsFileError(f"{path}, {where} has no field {name!a}.", known)
    for name, field in fields.items():
        if name in given:
            given[name] = _checked(path, where, name, given[name], field.type)
        elif field.default is attrs.NOTHING:
            raise ModelsFileError(f"{path}, {where} lacks {name}.")
    return kind(**given)


def _checked(path: str | Path, where: str, name: str, value: Any, kind: Any) -> Any:
    if name == "aliases":
        words = cast("list[Any]", value) if isinstance(value, list) else [None]
        if all(isinstance(word, str) and word for word in words):
            return tuple(words)
        wanted = "a list of names"
    elif kind is int:
        least = LEAST.get(name, 0)
        if type(value) is int and least <= value < 10**15:
            return value
        wanted = f"a whole number of tokens, at least {least}"
    elif isinstance(value, str) and (value or name == "note"):
        return value
    else:
        wanted = "a text that is not empty"
    raise ModelsFileError(f"{path}, {where}: {name} is {value!a}.", f"it must be {wanted}")


def _one_of(path: str | Path, where: str, field: str, value: str, known: Iterable[str]) -> None:
    names = list(known)
    if value not in names:
        raise ModelsFileError(
            f"{path}, {where}: {field} is {value!a}.", f"known: {', '.join(names)}"
        )


def _new(path: str | Path, where: str, field: str, name: str, taken: Mapping[str, object]) -> None:
    if name in taken:
        raise ModelsFileError(
            f"{path}, {where}: {field} {name!a} is there already.",
            "an id and an alias each stand for one entry",
        )
