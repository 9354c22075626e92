"""A request as it is sent: bytes, and typed segments that tile them.

A wire turns each record into one item. A request is
`opening + tools item + between + joint.join(other items) + closing`.
"""

from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

import attrs

from curriculum.record.cut import Cut
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Call, Kind, Record, ToolSpec, Trust

if TYPE_CHECKING:
    from .segments import Segment


class SegmentClass(StrEnum):
    """What a piece of a request is."""

    TEXT = "text"
    FRAME = "frame"
    SCHEMA = "schema"
    IMAGE = "image"
    THINKING = "thinking"


Piece = tuple[SegmentClass, str]


@attrs.frozen
class Message:
    """What a wire sends for one record, and what it gives back when it decodes.

    `call_id` names the call that a result answers. `cut` holds what is sent when less than the
    whole text is.
    """

    kind: Kind
    text: str = ""
    cut: Cut | None = None
    calls: tuple[Call, ...] = ()
    call_id: str = ""
    tools: tuple[ToolSpec, ...] = ()
    trust: Trust | None = None
    record: str = attrs.field(default="", eq=False)


class WireError(CurriculumError):
    """A message that this wire cannot carry."""

    code = "wire"


class Wire(Protocol):
    """A versioned format. `id` names it in traces; old versions stay runnable."""

    id: str
    opening: str
    between: str
    joint: str
    closing: str

    def carries(self, record: Record) -> bool:
        """Whether there is a place for a record of this kind and trust."""
        ...

    def pieces(self, message: Message) -> list[Piece]:
        """The item of one message, as pieces that tile it."""
        ...

    def decode(self, body: bytes) -> list[Message]:
        """The messages of a request body. Raises `WireError` if it is none of this wire's."""
        ...


@attrs.frozen
class Request:
    """The exact bytes of one request, frozen. Its segments are found when they are asked for."""

    body: bytes
    _tiles: "Callable[[], tuple[Segment, ...]]" = attrs.field(eq=False, repr=False)

    @property
    def segments(self) -> "tuple[Segment, ...]":
        """Typed pieces that tile the body, each with the record it belongs to."""
        return self._tiles()

    @property
    def text(self) -> str:
        """The body as text; the wires here send UTF-8."""
        return self.body.decode()

    @property
    def fingerprint(self) -> str:
        """Hex SHA-256 of the body."""
        return sha256(self.body).hexdigest()


def message_of(record: Record, sent: Cut | str | None, call_id: str = "") -> Message:
    """What is sent for `record` when its content is `sent`: a cut, a text instead, None: whole."""
    text = sent if isinstance(sent, str) else "" if sent else record.text
    cut = None if isinstance(sent, str) else sent
    return Message(
        record.kind, text, cut, record.calls, call_id, record.tools, record.trust, record.id
    )
