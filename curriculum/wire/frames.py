"""Tables of framing: what stands between two neighbours in a body, by their places."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from curriculum.record.records import Kind

if TYPE_CHECKING:
    from .protocol import Wire

EVERY = dict.fromkeys(Kind, "message") | {Kind.TOOLS: "tools"}
"""The places of a wire whose body is one list of messages, with the tools beside it."""
LISTED = ("tools",)


def listed(opening: str, between: str, joint: str, closing: str) -> dict[tuple[str, str], str]:
    """The frames of such a wire: opening, tools, between, messages with joints, closing."""
    return {
        ("", "tools"): opening,
        ("", "message"): opening + between,
        ("tools", "message"): between,
        ("message", "message"): joint,
        ("message", ""): closing,
        ("tools", ""): between + closing,
        ("", ""): opening + between + closing,
    }


def charges(wire: "Wire", size: Callable[[str], int]) -> tuple[int, int]:
    """What framing is charged with: the frame at its dearest, and the dearest joint.

    Whatever a request holds, its framing takes at most the frame and a joint for each message
    but the first. `size` measures a text.
    """
    told = set(wire.places.values()) - set(wire.leads)
    takes = {pair: size(text) for pair, text in wire.frames.items()}
    ahead, joints = {"": 0}, [takes[a, b] for a in told for b in told]
    for lead in wire.leads:
        ahead[lead] = max(cost + takes[before, lead] for before, cost in ahead.items())
        joints.append(takes.get((lead, lead), 0))
    end = max(takes[place, ""] for place in told)
    frames = [
        cost + takes[before, after] + (end if after else 0)
        for before, cost in ahead.items()
        for after in ("", *told)
    ]
    return max(frames), max(joints)
