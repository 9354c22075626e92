"""The arithmetic of what a policy of pools decides, in numbers that a reader can follow."""

from collections.abc import Sequence

Numbers = dict[str, int | str]
MANY = 12
"""Terms of a sum that are spelled; of more, only how many they are and what they make."""


def terms(numbers: Sequence[int]) -> str:
    """The terms of a sum: `22 + 160`, or how many there are and what they make."""
    if len(numbers) > MANY:
        return f"{sum(numbers)} of {len(numbers)} groups"
    return " + ".join(map(str, numbers)) or "0"


def target(high: int, size: int, low: int, value: int) -> str:
    """How far below the line requests go where exchanges are left out."""
    return f"high {high} - (({high} - {size}) modulo {high - low}) = {value}"


def spell_pooled(reason: str, n: Numbers) -> str:
    """The sum of one decision; empty where there is none to tell."""
    if reason in _WORDS and all(name in n for name in _NEEDS[reason]):
        return _WORDS[reason].format(**n) + _after(reason, n)
    return _less(n) or (f"size {n['size']}" if "size" in n else "")


_WORDS = {
    "fits": "rung {rung} {rung_size} <= high {high}",
    "unseen": "{more} over the least <= room {room}",
    "beside-protected": "{more} over the least <= room {room}",
    "in-pool": "used {used} + takes {takes} <= room {room} of {pool}",
    "pool-full": "{stopped}: used {used} + takes {needs} > room {room} of {pool}",
    "not-chosen": "those sent are worth {worth} in room {room}",
    "evicted": "pool {pool}, rank {rank}",
    "compacted": "{because} stands for it",
}
_NEEDS: dict[str, tuple[str, ...]] = {
    "fits": ("rung", "rung_size", "high"),
    "unseen": ("more", "room"),
    "beside-protected": ("more", "room"),
    "in-pool": ("used", "takes", "room", "pool"),
    "pool-full": ("stopped", "used", "needs", "room", "pool"),
    "not-chosen": ("worth", "room"),
    "evicted": ("pool", "rank"),
    "compacted": ("because",),
}


def _after(reason: str, n: Numbers) -> str:
    if reason == "pool-full" and "places" in n:
        return f", or {n['messages']} messages > {n['places']} places"
    if reason == "evicted" and "upto" in n:
        return f" <= {n['upto']}"
    if reason == "not-chosen" and "takes" in n:
        return f"; this takes {n['takes']}"
    return ""


def _less(n: Numbers) -> str:
    """Why a result is sent as less than the log has, or a record not at all."""
    said: list[str] = []
    if "ordinal" in n:
        said.append(f"ordinal {n['ordinal']} <= line {n['line']}")
    if "keep" in n and "size" in n:
        ends = f"head {n['head']} + tail {n['tail']}"
        said.append(f"{ends} <= {n['keep']} characters, {n['missing']} missing")
        said.append(f"size {n['size']} < {n['before']}")
    if "because" in n:
        said.append(f"{n['because']} is later")
    return "; ".join(said)
