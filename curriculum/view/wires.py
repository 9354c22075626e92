"""The wires, with what becomes of each kind of record on them; and what a provider objects to."""

from collections.abc import Sequence
from typing import Any

import attrs

from curriculum.context.reasons import REASONS
from curriculum.wire.protocol import Wire
from curriculum.wire.provider_bodies import ANTHROPIC, CHAT, GEMINI, RESPONSES
from curriculum.wire.provider_rules import Objection
from curriculum.wire.slots import slots

from .safe import many
from .screen import Screen

NOUNS = {CHAT: "message", RESPONSES: "item", ANTHROPIC: "message", GEMINI: "content"}
"""What a conversation in each format is a list of."""
MANY = 24
"""Breaches that the rich look shows."""


def name_of(wire: Wire) -> str:
    """Its name and version, without what else its bodies hold."""
    return wire.id.partition(":")[0]


def show_wires(screen: Screen, wires: Sequence[Wire], known: dict[str, str]) -> None:
    """Each wire as a table: kind, which records of it, and their place or the reason code.

    `known` has the whole form of each id, by name and version.
    """
    seen: set[str] = set()
    for wire in wires:
        found = slots(wire)
        seen |= {slot.reason for slot in found if slot.reason}
        screen.head(f"Wire {known[name_of(wire)]}: {', '.join(wire.leads)} first")
        kinds = max(len(slot.kind) for slot in found)
        given = max(len(slot.given) for slot in found)
        for slot in found:
            row = f"  {slot.given:<{given}}  "
            fate = ("good", f"-> {slot.place}") if slot.place else ("bad", f"no: {slot.reason}")
            screen.line(("head", f"  {slot.kind:<{kinds}}"), row, fate, indent=kinds + 4)
    screen.head("Reasons")
    for code in sorted(seen):
        screen.line(("code", f"  {code:<14}"), REASONS[code].sentence, indent=16)


def wire_data(wire: Wire, known: dict[str, str]) -> dict[str, Any]:
    """The same as data."""
    return {
        "id": known[name_of(wire)],
        "leads": list(wire.leads),
        "slots": [attrs.asdict(slot) for slot in slots(wire)],
    }


def show_objections(
    screen: Screen, file: str, wire: str, count: int, found: Sequence[Objection]
) -> None:
    """One line for each breach, then the sum."""
    shown = found if screen.plain else found[:MANY]
    for one in shown:
        screen.line(("bad", "BROKEN    "), f"{one.place}: {one.says} [{one.code}]", indent=10)
    if len(found) > len(shown):
        screen.line(f"... and {len(found) - len(shown)} more; --plain has them all")
    style, word = ("bad", "REFUSED   ") if found else ("good", "taken     ")
    broken = "1 breach" if len(found) == 1 else f"{len(found)} breaches"
    screen.line((style, word), f"{file}: {wire}, {many(count, NOUNS[wire])}, {broken}", indent=10)
    says = "names of tools and models, sizes, and members beside the conversation"
    screen.line(("quiet", "not checked "), says, indent=12)
