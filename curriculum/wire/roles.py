"""What the providers' wires have in common: what they refuse, and what a reader can know."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from curriculum.record.records import Kind, Record, Trust

from .json_text import heard_arguments, is_block
from .names import heard_id
from .request import Message, Piece, SegmentClass

LABELLED = (
    *(Kind.CONSTRAINT, Kind.MEMORY, Kind.SKILL, Kind.PLAN, Kind.APPROVAL, Kind.DENIAL),
    *(Kind.SUMMARY, Kind.HANDOFF),
)
"""Kinds that have no slot of their own: sent in the user's, under the name of their kind."""
WHO = {
    Kind.INSTRUCTION: (Trust.SYSTEM, Trust.DEVELOPER),
    Kind.USER: (Trust.USER,),
    Kind.ASSISTANT: (Trust.ASSISTANT,),
    Kind.THINKING: (Trust.ASSISTANT,),
}
"""Who may speak in a slot; any other label would rise there."""


def blank(text: str) -> bool:
    """Whether a text is empty or only blanks, which providers refuse as a block of its own."""
    return not text.strip()


def refused(
    record: Record, wire: str, own: Callable[[dict[str, Any]], bool], blanks: bool = False
) -> str | None:
    """The reason code for what a provider's wire cannot carry; None for what it can.

    `own` says of a block whether the wire takes it back as it came, `blanks` that a blank text
    may stand by itself.
    """
    kind = record.kind
    if kind is Kind.THINKING and not _own(record, wire, own):
        return "not-portable"
    if record.cut is not None and kind not in (Kind.RESULT, Kind.THINKING):
        return "no-slot"  # only a result has a place for the marker
    if kind is Kind.OPAQUE or record.trust not in WHO.get(kind, Trust):
        return "no-slot"
    if kind is Kind.IMAGE:
        return None if record.image is not None and record.text else "no-slot"
    if kind in (Kind.TOOLS, Kind.RESULT, Kind.THINKING) or record.calls or blanks:
        return None
    return "empty-text" if blank(record.text) else None


def _own(record: Record, wire: str, own: Callable[[dict[str, Any]], bool]) -> bool:
    native = record.native
    if native is None or native.wire != wire or not is_block(native.block):
        return False
    return own(json.loads(native.block))


def heard(message: Message) -> Message:
    """What a reader of the body can know of a message.

    The value of a call's arguments and not its blanks; no blank text beside calls; a provider's
    own block and not what a log says of it.
    """
    if message.kind is Kind.THINKING:
        return attrs.evolve(message, text="")
    named = heard_names(message)
    if message.kind is not Kind.ASSISTANT or not message.calls:
        return named
    calls = [attrs.evolve(call, arguments=heard_arguments(call.arguments)) for call in named.calls]
    return attrs.evolve(named, calls=tuple(calls), text="" if blank(message.text) else message.text)


def heard_names(message: Message) -> Message:
    """The message with the ids of its calls, or of the call it answers, as a reader knows them."""
    if message.kind is Kind.RESULT:
        return attrs.evolve(message, call_id=heard_id(message.call_id, message.turn))
    calls = [attrs.evolve(c, id=heard_id(c.id, message.record)) for c in message.calls]
    return attrs.evolve(message, calls=tuple(calls)) if calls else message


def beside(blocks: Sequence[list[Piece]]) -> list[Piece]:
    """Blocks with commas between them."""
    found: list[Piece] = []
    for number, block in enumerate(blocks):
        found += [(SegmentClass.FRAME, ",")] if number else []
        found += block
    return found
