"""The packing bar: what fills a request, the ceiling, the reserve behind it, and their sum."""

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
NAMES = {
    "T": "tools",
    "S": "instruction",
    "U": "user",
    "A": "assistant",
    "R": "result",
    "M": "other",
    "-": "frame",
}
Share = tuple[str, int]
"""A letter, and how much of the request it stands for."""


def letter(kind: Kind) -> str:
    """The letter that stands for a record of this kind."""
    return LETTERS.get(kind, "M")


def shares(rows: Sequence[TableRow], frame: int = 0) -> list[Share]:
    """What the request is made of, in the order of `rows`; neighbours of one kind as one."""
    found: list[Share] = [("-", frame)] if frame else []
    for row in rows:
        mark = letter(row.record.kind)
        if row.size and found and found[-1][0] == mark:
            found[-1] = mark, found[-1][1] + row.size
        elif row.size:
            found.append((mark, row.size))
    return found


def by_kind(parts: Sequence[Share]) -> list[Share]:
    """The same, one share for each letter."""
    found: dict[str, int] = {}
    for mark, size in parts:
        found[mark] = found.get(mark, 0) + size
    return list(found.items())


def bar(
    parts: Sequence[Share], limit: int, reserve: int, capacity: int | None, width: int
) -> list[Part]:
    """The bar as parts: `width` cells for the capacity, or for ceiling + reserve.

    Everything that takes room gets a cell while there are enough; no cell says *free* if the
    request is full. `|` is the ceiling, `/` the reserve, `:` capacity that nothing may use.
    """
    window = max(limit + reserve, capacity or 0)
    free = max(0, limit - sum(size for _, size in parts))
    behind = [("reserve", reserve), ("unused", window - limit - reserve)]
    found = cells([*parts, ("free", free), *behind], width)
    glyphs = {"free": ".", "reserve": "/", "unused": ":"}
    drawn: list[Part] = [(style, glyphs.get(style, style) * n) for style, n in found if n]
    ceiling = sum(1 for style, n in found if n and style not in ("reserve", "unused"))
    return ["[", *drawn[:ceiling], "|", *drawn[ceiling:], "]"]


def cells(parts: Sequence[Share], width: int) -> list[Share]:
    """`width` cells shared by size: largest remainder, at least one each while there are enough."""
    total = sum(size for _, size in parts) or 1
    least = int(sum(1 for _, size in parts if size) <= width)
    counts = [max(least * bool(size), size * width // total) for _, size in parts]
    order = sorted(range(len(parts)), key=lambda i: (-(parts[i][1] * width % total), i))
    for i in order:
        if sum(counts) < width and parts[i][1]:
            counts[i] += 1
    while sum(counts) > width:
        i = max(range(len(parts)), key=lambda i: (counts[i] * total - parts[i][1] * width, i))
        i = i if counts[i] > least else max(range(len(parts)), key=lambda i: counts[i])
        counts[i] -= 1
    return [(style, count) for (style, _), count in zip(parts, counts, strict=True)]
