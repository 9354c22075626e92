"""What a loop of one's own hands in, put into the form in which a trace can hold it.

A value of the wrong Python type is a `TypeError`; a word that a closed list does not have, or a
label that cannot be, is refused by the law that it would break.
"""

from collections.abc import Iterable
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.record.law import LawBroken
from curriculum.record.records import Author, Image, Kind, ToolSpec, Trust, rises
from curriculum.record.text import scalar

from .runner import PERSON, REGISTRY, SYSTEM
from .tools import Tool, ToolRegistry

E = TypeVar("E", bound=StrEnum)

_LABELS: dict[Kind, dict[str, Any]] = {
    Kind.USER: PERSON,
    Kind.INSTRUCTION: {**SYSTEM, "author": Author.HARNESS},
    Kind.TOOLS: {**REGISTRY, "author": Author.HARNESS},
}
"""Who says what, unless told otherwise. Any other kind begins with the lowest label."""


def text(value: object, what: str) -> str:
    """The text with lone surrogates replaced, as they cannot be sent. Raises `TypeError`."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is text, not {type(value).__name__}")
    return scalar(value)


def word(words: type[E], value: object, what: str) -> E:
    """The member of a closed list that `value` names. Raises `LawBroken`."""
    try:
        return words(value)
    except ValueError:
        known = f"known: {', '.join(words)}"
        raise LawBroken(0, f"{value!a} is no {what}.", known) from None


def labels(kind: Kind, trust: object, author: object, source: object) -> dict[str, Any]:
    """The trust, author and source of a record; None stands for what the kind begins with."""
    found = {"trust": Trust.EXTERNAL, "author": Author.HARNESS, "source": str(kind)}
    found |= _LABELS.get(kind, {})
    if trust is not None:
        found["trust"] = word(Trust, trust, "label of trust")
    if author is not None:
        found["author"] = word(Author, author, "author")
    if source is not None:
        found["source"] = text(source, "a source")
    return found


def of_result(trust: object) -> Trust | None:
    """The label of a result where it is lower than `tool`. Raises `LawBroken` for a higher one."""
    label = Trust.TOOL if trust is None else word(Trust, trust, "label of trust")
    if rises(label, Trust.TOOL):
        raise LawBroken(10, f"A result is trusted as a tool's text or less, not as {label}.")
    return None if label is Trust.TOOL else label


def offered(kind: Kind, tools: ToolRegistry | Iterable[Tool | ToolSpec]) -> tuple[ToolSpec, ...]:
    """The tools of one record. Raises `LawBroken` for names that a call could not tell apart."""
    given = tools.specs if isinstance(tools, ToolRegistry) else tools
    specs = tuple(_spec(tool) for tool in given)
    if specs and kind is not Kind.TOOLS:
        todo = 'record("tools", tools=[...])'
        raise LawBroken(0, f"A record of kind {kind} offers no tools.", next=todo)
    names = [spec.name for spec in specs]
    for at, name in enumerate(names):
        if not name or name in names[:at]:
            raise LawBroken(0, f"The tool name {name!a} is empty or taken.", f"tool {at}")
    return specs


def pictured(
    kind: Kind, image: bytes | str | PathLike[str] | Image, said: str
) -> tuple[str, Image]:
    """The text of a picture's record and what picture it is, from the file, or as it is said.

    Raises `LawBroken` where a text stands beside a file, and `CurriculumError`.
    """
    from curriculum.record.picture import picture

    if isinstance(image, Image):
        return said, image
    if kind is not Kind.IMAGE:
        raise LawBroken(0, f"A record of kind {kind} is no picture.", next='record("image", ...)')
    if said:
        todo = 'record("user", ...) for what is said of it'
        raise LawBroken(4, "The text of a picture is the picture itself.", next=todo)
    if not isinstance(image, bytes):
        try:
            image = Path(image).read_bytes()
        except (OSError, ValueError) as error:
            raise CurriculumError(
                f"The picture {str(image)!a} cannot be read.",
                type(error).__name__,
                code="image-unreadable",
            ) from None
    return picture(image)


def _spec(tool: Tool | ToolSpec) -> ToolSpec:
    if isinstance(tool, Tool):
        return tool.spec
    if not isinstance(tool, ToolSpec):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a tool on offer is a Tool or a ToolSpec, not {type(tool).__name__}")
    fields = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return attrs.evolve(tool, **{name: text(value, name) for name, value in fields.items()})
