"""The projection: what of a log the model will see, and why. Pure: it changes nothing.

The ladder, in order: protect; take whole exchanges, newest first; cut the first that does not
fit; omit the rest. What is counted is what is sent.
"""

import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import attrs

from curriculum.count.counters import Characters
from curriculum.record.exchange import Group
from curriculum.record.records import Record, record_id
from curriculum.wire.plain import Plain
from curriculum.wire.request import Message, Request

from .band import band_of
from .index import SessionIndex
from .manifest import Manifest, Refusal
from .plan import Plan, Row
from .policy import NEWEST_FIRST, Policy

if TYPE_CHECKING:
    from curriculum.count.counter import Counter
    from curriculum.record.session import Session
    from curriculum.wire.protocol import Wire
    from curriculum.wire.segments import Segment

    from .compaction import Needs


@attrs.frozen
class Projection:
    """What will be sent: the request (None if refused), its messages, and why: the manifest.

    With `needs`, nothing is decided yet: the policy wants a summary of old exchanges first.
    """

    manifest: Manifest
    request: Request | None
    _messages: Callable[[], tuple[Message, ...]]
    needs: "Needs | None" = None

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the request, in sending order; none if it is refused."""
        return self._messages()


def assemble(
    durable_events: "Sequence[Record] | Session",
    input_limit: int,
    output_reserve: int = 0,
    *,
    policy: Policy = NEWEST_FIRST,
    wire: "Wire | None" = None,
    counter: "Counter | None" = None,
    capacity: int | None = None,
    max_messages: int | None = None,
    trigger: str = "user",
    index: SessionIndex | None = None,
    summarise: str = "",
) -> Projection:
    """Choose what of `durable_events` is sent under `input_limit` (the counter's unit).

    The reserve does not shrink the limit: the budget has checked that both fit in the capacity
    (by default, it is their sum); what the capacity leaves beside it decides the band. `index` is
    what an earlier call on the same, shorter log has learned; raises `ValueError` if that was
    another log, wire or counter. `summarise` says that a summary can be had if the policy wants
    one (`due`), or is wanted whatever the size (`explicit`).
    """
    index = index or SessionIndex(wire or Plain(), counter or Characters())
    for given, known in ((wire, index.wire), (counter, index.counter)):
        if given is not None and given.id != known.id:
            raise ValueError(f"this index was made for {known.id}, not for {given.id}")
    records: Any = durable_events
    index.read(getattr(records, "records", records))
    places = sys.maxsize if max_messages is None else max_messages
    plan = Plan(index, input_limit, places)
    if policy.pooling is None:
        more = _newest_first(plan, policy)
    else:
        from .admission import admit

        plan, more = admit(plan, policy, summarise)
    needs = more.pop("needs", None)
    by = index.counter
    head = (trigger, policy.id, index.wire.id, by.id, by.unit, by.bound_name)
    made = Manifest(*head, input_limit, output_reserve, index.candidates, **more)
    if needs or made.refused:
        return Projection(made, None, tuple, needs)
    return project(plan, attrs.evolve(made, messages=places - plan.places), capacity)


def _newest_first(plan: Plan, policy: Policy) -> dict[str, Any]:
    """Decide about every candidate; return what the manifest says of that beside the table."""
    refused, room = plan.protect(policy), plan.room
    refused = refused or _walk(plan, policy)
    return {"refused": refused} if refused else {"room": room}


def _walk(plan: Plan, policy: Policy) -> Refusal | None:
    """Take groups in order until one does not fit; that one is cut, the rest is omitted."""
    unseen = plan.index.unseen()
    if unseen is not None and plan.take((unseen,)) is not None:
        return _give_way(plan, policy, unseen, True)
    left = plan.take(reversed(plan.index.groups))
    return None if left is None else _give_way(plan, policy, left, False)


def _give_way(plan: Plan, policy: Policy, group: Group, required: bool) -> Refusal | None:
    """Cut `group`; if that does not do, leave it and the rest out, or refuse if it is required."""
    name = record_id(group.members[0] + 1)
    if policy.cut and plan.cut(group):
        plan.rest = Row(0, 0, "omitted", "behind-cut", more={"because": name})
        return None
    from .refusing import no_room

    return no_room(plan, policy, group, required)


def project(plan: Plan, manifest: Manifest, capacity: int | None) -> Projection:
    """The request that the plan's decisions lead to, its sums, and the table."""
    index, wire, sent = plan.index, plan.index.wire, plan.sent
    order = [at for at in index.leading() if at in sent]  # wherever in the log, they are sent first
    order += plan.ordered(sent.keys() - set(order))
    frames, items, frame = index.frames, list[bytes](), 0
    after = frames[""]
    for at in order:  # this runs once for each group that is sent
        one = sent[at]
        first, last = one.places
        part, size = after[first]
        items += (part, one.body)
        frame += size + one.inner
        after = frames[last]
    part, size = after[""]
    items.append(part)
    frame += size + index.counter.around(index.offers and index.tools in sent)
    body = b"".join(items)
    decisions = plan.table()
    size = frame + sum([row.size or 0 for row in decisions])
    available = manifest.limit if capacity is None else capacity - manifest.reserve
    manifest = attrs.evolve(
        manifest,
        frame=frame,
        size=size,
        band=band_of(size, available),
        bytes=len(body),
        decisions=decisions,
        fingerprint=sha256(body).hexdigest(),
    )

    def messages() -> tuple[Message, ...]:
        members, cuts = [at for first in order for at in sent[first].members], plan.shown()
        return tuple(index.message(at, cuts.get(at)) for at in members)

    def tiles() -> "tuple[Segment, ...]":
        from curriculum.wire.segments import segments_of  # only readers ask for them

        return segments_of(wire, messages())

    return Projection(manifest, Request(body, tiles), messages)
