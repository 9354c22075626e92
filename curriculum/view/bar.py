"""The packing bar: what fills a request, the ceiling, and the reserve behind it."""

from collections.abc import Sequence

from curriculum.record.records import Kind
from curriculum.trace.rebuild import TableRow

from .screen import Part

LETTERS = {
    Kind.TOOLS: "T",
    Kind.INSTRUCTION: "S",
    Kind.USER: "U",
    Kind.ASSISTANT: "A",
    Kind.RESULT: "R",
}
LEGEND = "T tools  S instruction  U user  A assistant  R result  M other  . free  # reserve"


def letter(kind: Kind) -> str:
    """The letter that stands for a record of this kind."""
    return LETTERS.get(kind, "M")


def bar(rows: Sequence[TableRow], limit: int, reserve: int, width: int) -> list[Part]:
    """The bar as parts, `width` cells for the window (ceiling + reserve).

    Each record that is sent gets at least one cell; rounding takes from the free room first.
    """
    window = limit + reserve
    cells: list[tuple[str, int]] = []
    for row in rows:
        if row.size:
            cells.append((letter(row.record.kind), max(1, row.size * width // window)))
    held = reserve * width // window if reserve else 0
    held = max(1, held) if reserve else 0
    room = width - held
    used = sum(count for _, count in cells)
    while used > room and any(count > 1 for _, count in cells):
        at = max(range(len(cells)), key=lambda i: cells[i][1])
        cells[at] = cells[at][0], cells[at][1] - 1
        used -= 1
    parts: list[Part] = ["["]
    parts += [(style, style * count) for style, count in cells]
    parts += [("free", "." * max(0, room - used)), "|"]
    if held:
        parts += [("reserve", "#" * held)]
    return [*parts, "]"]
