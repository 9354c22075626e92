"""The four bands for people: each a letter and a colour, and a bar of the room that is left."""

from collections.abc import Sequence

from curriculum.context.band import BORDERS

from .screen import Part

# Okabe and Ito's palette, as everywhere; the letter says the same without colour.
BANDS = {
    "green": ("G", "#009E73"),
    "yellow": ("Y", "#F0E442"),
    "amber": ("A", "#E69F00"),
    "red": ("R", "#D55E00"),
}
CELLS = 40
"""Cells of the bar: each border falls between two of them, as 16, 26 and 34 of 40."""


def band_part(band: str) -> Part:
    """`G green`, in its colour."""
    letter, style = BANDS[band]
    return f"bold {style}", f"{letter} {band}"


def band_bar(estimate: int, available: int) -> Sequence[Part]:
    """The room that is left, filled as far as `estimate` goes: the last letter is its band.

    A begun cell is full. `+` behind the bar: more than there is.
    """
    filled = -(-estimate * CELLS // available) if available > 0 else CELLS + 1
    filled = filled if estimate > 0 else 0
    parts: list[Part] = ["["]
    start = 0
    for band, percent in (*BORDERS, ("red", 100)):
        letter, style = BANDS[band]
        end = percent * CELLS // 100
        parts.append((style, letter * (min(end, filled) - start)))
        start = max(start, min(end, filled))
    return [*parts, ("dim", "." * (CELLS - start)), "]", "+" if filled > CELLS else ""]


def share(estimate: int, available: int) -> str:
    """The share of the room that is left, in per cent with one digit, rounded up."""
    if available <= 0:
        return "nothing is available"
    permille = -(-estimate * 1000 // available)
    return f"{permille // 10}.{permille % 10} % of available"
