"""The pieces that tile a request: what each is, and which record it belongs to."""

from collections.abc import Iterable

import attrs

from .protocol import Wire
from .request import Message, SegmentClass


@attrs.frozen
class Segment:
    """`text` as sent, with its class and the record it belongs to (None: the request's frame)."""

    kind: SegmentClass
    text: str
    record: str | None = None


def in_order(wire: Wire, messages: Iterable[Message]) -> list[tuple[str, Message]]:
    """The messages with their places, those that lead the body first."""
    placed = [(wire.places[message.kind], message) for message in messages]
    leads = {place: number for number, place in enumerate(wire.leads)}
    return sorted(placed, key=lambda pair: leads.get(pair[0], len(leads)))


def framed(wire: Wire, items: Iterable[tuple[str, str]]) -> list[str]:
    """Framing and items in turn: what is at an even place is framing. Items are (place, text)."""
    parts, before, frames = list[str](), "", wire.frames
    for place, text in items:
        parts += (frames.get((before, place), ""), text)  # no body has two sets of tools
        before = place
    parts.append(frames[before, ""])
    return parts


def segments_of(wire: Wire, messages: Iterable[Message]) -> tuple[Segment, ...]:
    """The segments of the request that `wire` makes of `messages`."""
    tiles, before = list[Segment](), ""
    for place, message in in_order(wire, messages):
        tiles.append(Segment(SegmentClass.FRAME, wire.frames[before, place]))
        tiles += [Segment(k, text, message.record) for k, text in wire.pieces(message)]
        before = place
    tiles.append(Segment(SegmentClass.FRAME, wire.frames[before, ""]))
    return tuple(tile for tile in tiles if tile.text)
