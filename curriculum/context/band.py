"""The band of a size: how much it takes of the room that is left for it.

Seed 000's shares of *available* = capacity - committed. Exact: no division, no rounding.
"""

BORDERS = (("green", 40), ("yellow", 65), ("amber", 85))
"""Each band with the per cent of *available* that it reaches to, itself included; red is above."""


def band_of(estimate: int, available: int) -> str:
    """`green`, `yellow`, `amber` or `red`; both numbers in one unit.

    Nothing to send is green; anything at all is red where no room is left.
    """
    if estimate <= 0:
        return "green"
    return next((b for b, percent in BORDERS if estimate * 100 <= percent * available), "red")
