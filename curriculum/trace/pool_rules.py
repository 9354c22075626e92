"""How the facts come about that only manifests of pools have: operands, and a sum in numbers."""

from typing import Any

from .facts import View
from .pool_sums import target, terms
from .reader import Event
from .rules import Derivation, Fact, Rule, given


def pooled(view: View, event: Event[Any], field: str) -> Derivation:
    """One fact of the ladder, the pools, the smaller mode or the order."""
    if view.declared or view.pool_log is None:
        return Derivation((), "", None)
    ladder = view.ladder(event)
    value: Fact | None = ladder.more.get(field)
    told = "" if value is None else _sum(view, event, field)
    return Derivation(tuple(given(view, event)), told, value)


def _sum(view: View, event: Event[Any], field: str) -> str:
    from .pool_ladder import PoolLadder

    ladder, (kind, *path) = view.ladder(event), field.split(".")
    assert isinstance(ladder, PoolLadder)
    if kind == "rungs":
        return _rung(ladder, int(path[0]))
    if kind == "pools":
        use = ladder.pools[int(path[0])]
        room = f"used {use.used} <= room {use.room}"
        stopped = f"; {use.stopped} takes {use.needs} more" if use.stopped else ""
        return f"{use.pool}: {room}{stopped}"
    if kind == "target":
        assert ladder.target is not None
        high, low = ladder.marks
        return target(high, ladder.rungs[-1].size, low, ladder.target)
    if kind in ("mode", "smaller") and ladder.smaller is not None:
        made = ladder.smaller
        parts = " + ".join(str(part.size) for part in made.parts)
        return f"frame {made.frame} + {parts} = {made.needed} > {made.allowed} ({made.limit})"
    return ""


def _rung(ladder: Any, number: int) -> str:
    """What all groups take at a rung, against the line and the other limits of the ladder."""
    sizes, takes = ladder.at_rung(number)
    joint = f" - joint {ladder.log.joint}" if sizes.messages and ladder.log.joint else ""
    high = ladder.marks[0]
    over = ">" if sizes.size > high else "<="
    spelled = f"frame {ladder.down.frame} + {terms(takes)}{joint} = {sizes.size} {over} high {high}"
    if ladder.places is not None and sizes.messages > ladder.places:
        spelled += f"; {sizes.messages} messages > max_messages {ladder.places}"
    for name, cap in ladder.down.caps(ladder.limit).items():
        if sizes.pools[name] > cap:
            spelled += f"; {name} {sizes.pools[name]} > cap {cap}"
    return spelled


_RUNG = Rule("derived", "frame + what the groups take at this rung", 6, pooled)
POOL_RULES = {
    "rungs.*": _RUNG,
    "packing": Rule("derived", "how the pools share the room", 6, pooled),
    "target": Rule("derived", "high - ((high - size) modulo (high - low))", 6, pooled),
    "pools.*": Rule("derived", "used + takes <= room of the pool", 6, pooled),
    "mode": Rule("derived", "the protected does not fit", 4, pooled),
    "smaller.*": Rule("derived", "frame + parts = needed > limit", 4, pooled),
    "front.*": Rule("derived", "protected, and outside the conversation", 6, pooled),
    "back.*": Rule("derived", "preferred, and outside the conversation", 6, pooled),
}
"""The rule of each field, for the table of rules."""
