"""What does not fit, in numbers that add up: a refusal, or the reason that the rest waits."""

from collections.abc import Sequence

from curriculum.record.exchange import Group, Spelled
from curriculum.record.records import record_id

from .manifest import Need, Refusal
from .plan import Plan, Row
from .policy import Policy


def too_much(plan: Plan, kept: Sequence[Spelled], frame: int) -> Refusal:
    """What must stay is over the ceiling, or is more messages than may be sent."""
    parts = tuple(Need(record_id(one.members[0] + 1), one.size) for one in kept)
    reason, needed = "protected-does-not-fit", frame + sum(part.size for part in parts)
    if needed > plan.limit:
        return Refusal(reason, plan.ceiling, plan.limit, needed, frame, parts)
    told = [one.members[0] for one in kept if one.members[0] != plan.index.tools]
    ones = tuple(Need(record_id(at + 1), 1) for at in told)
    return Refusal(reason, "max_messages", plan.places, len(ones), 0, ones)


def no_room(plan: Plan, policy: Policy, group: Group, required: bool) -> Refusal | None:
    """The group does not fit even as its markers: it waits with all older, or nothing is sent."""
    least = plan.least(group) if policy.cut else [plan.index.spelled(group).size]
    limit, room, frame = plan.ceiling, plan.room, plan.index.spelled(group).framing
    if plan.messages(group.members) > plan.places:
        limit, room, frame = "max_messages", plan.places, 0
        least = [1] * len(group.members)
    needs = frame + sum(least)
    if not required:
        name = record_id(group.members[0] + 1)
        more = {"because": name, "limit": limit, "needs": needs, "room": room}
        plan.rest = Row(0, 0, "omitted", "no-room", more=more)
        return None
    parts = tuple(Need(record_id(at + 1), n) for at, n in zip(group.members, least, strict=False))
    return Refusal("result-does-not-fit", limit, room, needs, frame, parts)
