"""The first fact in which two traces part, in one line: for a refusal, where no report is shown."""

from curriculum.trace.diff import Diff, Difference
from curriculum.trace.facts import Fact
from curriculum.trace.quoting import parted, short
from curriculum.trace.reader import Trace

AROUND = 20
"""Characters of a long text that are shown on each side of where it parts from the other."""


def first_difference(
    left: Trace, right: Trace, sides: tuple[str, str] = ("the first run", "the second")
) -> str:
    """The first fact in causal order that differs, with its place; empty if none does.

    A place is the event by its number in the left trace, its type, and the field.
    """
    found = next(iter(Diff(left, right).differences), None)
    return _line(found, sides) if found is not None else ""


def _line(found: Difference, sides: tuple[str, str]) -> str:
    event = found.left or found.right
    assert event is not None
    if found.left is None or found.right is None:
        side = sides[0 if found.left is not None else 1]
        return f"event {event.seq} {event.type} stands in {side} only"
    values = _values(found.expected, found.got, sides)
    return f"event {event.seq} {event.type} {found.field}: {values}"


def _values(expected: Fact | None, got: Fact | None, sides: tuple[str, str]) -> str:
    """Both values; of long texts the places at which they part."""
    shown, place = [short(expected), short(got)], ""
    if isinstance(expected, str) and isinstance(got, str) and max(map(len, (expected, got))) > 60:
        start = max(0, parted(expected, got) - AROUND)
        shown = [ascii(text[start : start + 2 * AROUND]) for text in (expected, got)]
        place = f"from character {start} on "
    return f"{place}{shown[0]} in {sides[0]}, {shown[1]} in {sides[1]}"
