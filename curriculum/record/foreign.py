"""Records of another log, made at home in this one: ids by position, text that can be sent."""

import re
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any

import attrs

from .records import Answers, Record, ToolSpec, check, named, record_id
from .replacing import check_trust, renamed
from .text import scalar

if TYPE_CHECKING:
    from .session import Session

_HANDLE = re.compile("a[0-9a-f]+")


def adopt(session: "Session", records: Iterable[Record]) -> list[Record]:
    """See `Session.adopt`."""
    added = settled(records, len(session.records))
    session.records += added
    session.open = []
    return added


def settled(records: Iterable[Record], known: int) -> list[Record]:
    """The records as they follow `known` others: new ids, and answers that follow them.

    A result whose call is not among them answers itself, which no call can be: it stays an
    orphan. A summary of records that are not among them replaces nothing. Raises `UnlawfulRecord`
    for a label or a field that its kind cannot carry.
    """
    ids: dict[str, str] = {}
    found: list[Record] = []
    for position, old in enumerate(records, known + 1):
        id, record = record_id(position), _clean(old)
        changes: dict[str, Any] = {"id": id, "calls": named(record.calls)}
        changes["tools"] = tuple(map(_named, record.tools))
        changes |= _content(record)
        if old.answers is not None:
            owner = ids.get(old.answers.record, id) if old.answers.call >= 0 else id
            changes["answers"] = Answers(owner, max(0, old.answers.call))
        if old.replaces is not None:
            changes["replaces"] = renamed(old.replaces, ids)
        ids[old.id] = id
        record = attrs.evolve(record, **changes)
        check(record)
        if record.replaces is not None:
            check_trust(record, found, known)
        found.append(record)
    return found


def _clean(value: Any) -> Any:
    """The value with every text in it made of scalar values."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return scalar(value)
    if isinstance(value, tuple):
        return tuple(map(_clean, value))  # pyright: ignore[reportUnknownArgumentType]
    fields: Any = getattr(value, "__attrs_attrs__", None)
    if fields is not None:
        names = [field.name for field in fields]
        return attrs.evolve(value, **{name: _clean(getattr(value, name)) for name in names})
    return value


def _named(tool: ToolSpec) -> ToolSpec:
    return tool if tool.name else attrs.evolve(tool, name="unnamed")


def _content(record: Record) -> dict[str, Any]:
    """A cut that misses nothing is whole text; a handle that is none would forge a marker."""
    cut, artifact = record.cut, _handle(record.artifact)
    if cut is None:
        return {"artifact": artifact}
    if cut.missing > 0:
        return {"artifact": artifact, "cut": attrs.evolve(cut, artifact=_handle(cut.artifact))}
    return {"artifact": artifact, "cut": None, "text": cut.head + cut.tail}


def _handle(artifact: str | None) -> str | None:
    return artifact if artifact and _HANDLE.fullmatch(artifact) else None
