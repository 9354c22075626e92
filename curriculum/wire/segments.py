"""The pieces that tile a request: what each is, and which record it belongs to."""

from collections.abc import Iterable

import attrs

from curriculum.record.records import Kind

from .request import Message, SegmentClass, Wire


@attrs.frozen
class Segment:
    """`text` as sent, with its class and the record it belongs to (None: the request's frame)."""

    kind: SegmentClass
    text: str
    record: str | None = None


def segments_of(wire: Wire, messages: Iterable[Message]) -> tuple[Segment, ...]:
    """The segments of the request that `wire` makes of `messages`, the tools first."""
    tools: list[Segment] = []
    others: list[Segment] = []
    for message in messages:
        into = tools if message.kind is Kind.TOOLS else others
        if others and into is others and wire.joint:
            others.append(Segment(SegmentClass.FRAME, wire.joint))
        into += [Segment(k, text, message.record) for k, text in wire.pieces(message) if text]
    frame = [Segment(SegmentClass.FRAME, t) for t in (wire.opening, wire.between, wire.closing)]
    tiles = [frame[0], *tools, frame[1], *others, frame[2]]
    return tuple(tile for tile in tiles if tile.text)
