"""A request as it is sent: bytes, and typed segments that tile them.

A wire turns each record into one item, which has a place in the body. A request is its items, with
the wire's framing between each two neighbours, before the first and after the last.
"""

from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING

import attrs

from curriculum.record.cut import Cut
from curriculum.record.records import Call, Image, Kind, Native, Record, ToolSpec, Trust

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

    `call_id` and `called` name the call that a result answers and its tool, `turn` the record
    that asked. `cut` holds what is sent when less than the whole text is.
    """

    kind: Kind
    text: str = ""
    cut: Cut | None = None
    calls: tuple[Call, ...] = ()
    call_id: str = ""
    tools: tuple[ToolSpec, ...] = ()
    trust: Trust | None = None
    image: Image | None = None
    native: Native | None = None
    record: str = attrs.field(default="", eq=False)
    turn: str = attrs.field(default="", eq=False)
    called: str = attrs.field(default="", eq=False)


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


def message_of(
    record: Record, sent: Cut | str | None, id: str, call: Call | None = None, turn: str = ""
) -> Message:
    """What is sent for `record` when its content is `sent`: a cut, a text instead, None: whole.

    `id` is the record's by position; a result answers `call` of the record `turn`. A cut that
    takes nothing away is sent as the text that it is: it has no marker.
    """
    if isinstance(sent, Cut) and not sent.missing:
        sent = sent.head + sent.tail
    text = record.text if sent is None else sent if isinstance(sent, str) else ""
    cut = sent if isinstance(sent, Cut) else None
    fields = record.calls, call.id if call else "", record.tools, record.trust, record.image
    named = record.native, id, turn, call.name if call else ""
    return Message(record.kind, text, cut, *fields, *named)
