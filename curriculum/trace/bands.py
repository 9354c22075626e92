"""The band of a request: how much it takes of what the capacity leaves beside the reserve."""

from typing import Any

from curriculum.context.band import band_of

from .facts import View
from .reader import Event
from .rules import Derivation, operand

BAND = "size / (capacity - reserve): green <= 40 % < yellow <= 65 % < amber <= 85 % < red"


def available(view: View, event: Event[Any]) -> int:
    """What the capacity leaves beside the reserve; where it is not given, that is the ceiling."""
    budget = view.trace.start.budget
    capacity = budget.get("capacity")
    limit = budget.get(view.trace.start.ceiling, 0)
    return limit if capacity is None else capacity - budget.get("output_reserve", 0)


def band(view: View, event: Event[Any], field: str) -> Derivation:
    """The band of the request's size, by the budget and the size alone."""
    if event.data.refused is not None:
        return Derivation((), "", None)
    size, room = view.rebuilt(event).size, available(view, event)
    limits = [name for name in view.trace.start.budget if name != "max_tool_output_chars"]
    operands = [operand(view, name, 1, f"budget.{name}") for name in limits]
    found = (operand(view, "size", event.seq, "size"), *operands)
    return Derivation(found, f"size {size} of {room}", band_of(size, room))
