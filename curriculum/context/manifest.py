"""What an assembly decided, as it is written: a decision with a reason for every candidate."""

import attrs


@attrs.frozen
class Decision:
    """One decision for the candidates from `first` to `last` (left out: only `first`).

    `size` (the counter's unit) and `bytes` are what they take in the request, summed. `limit`
    names the limit that caused the decision. A cut carries the characters kept of `head` and
    `tail`, the `missing` ones, its `share` of the room and the `full` size it gave up. `needs`
    and `room` show why something did not fit; `because` names the record that caused it. `text`
    stands for a content that is replaced. A range with `beside` is of exchanges whose results are
    only their markers; `beside` is the reason for the rest of them, which is whole.
    """

    first: str
    decision: str
    reason: str
    last: str | None = None
    size: int | None = None
    bytes: int | None = None
    limit: str | None = None
    head: int | None = None
    tail: int | None = None
    missing: int | None = None
    share: int | None = None
    full: int | None = None
    needs: int | None = None
    room: int | None = None
    because: str | None = None
    text: str | None = None
    beside: str | None = None


@attrs.frozen
class Need:
    """The least that must be sent of one record, in the counter's unit."""

    record: str
    size: int


@attrs.frozen
class Refusal:
    """Why nothing can be sent: frame + the parts = needed, which is over the limit named."""

    reason: str
    limit: str
    allowed: int
    needed: int
    frame: int
    parts: tuple[Need, ...]


@attrs.frozen
class Rung:
    """What the whole log would take at a rung of the policy's ladder, framing at its dearest."""

    name: str
    size: int


@attrs.frozen
class PoolUse:
    """What a pool might take and took; the group that no longer fitted, and what that needs."""

    pool: str
    room: int
    used: int
    stopped: str | None = None
    needs: int | None = None


@attrs.frozen
class Manifest:
    """One assembly. `frame` + the sizes of the decisions = `size` <= `limit`, in `unit`.

    `room` is what the protected records and the frame left, `band` how much `size` takes of the
    capacity without the reserve. A refused assembly has no decisions, size, band or fingerprint.

    A policy of pools says more: the `rungs` that were tried, the last of which is sent; `mode` if
    it is a smaller one, with what did not fit (`smaller`). Where no rung was enough: the `packing`
    that shared the room, down to the `target` if some is left free, and what each of the `pools`
    took. Records in `front` are sent before the conversation, those in `back` after it.
    """

    trigger: str
    policy: str
    wire: str
    counter: str
    unit: str
    bound: str
    limit: int
    reserve: int
    candidates: int
    room: int | None = None
    frame: int | None = None
    size: int | None = None
    bytes: int | None = None
    messages: int | None = None
    band: str | None = None
    decisions: tuple[Decision, ...] = ()
    fingerprint: str | None = None
    refused: Refusal | None = None
    mode: str | None = None
    smaller: Refusal | None = None
    rungs: tuple[Rung, ...] = ()
    packing: str | None = None
    target: int | None = None
    pools: tuple[PoolUse, ...] = ()
    front: tuple[str, ...] = ()
    back: tuple[str, ...] = ()

    def sent(self) -> "ModelRequest":
        """What the request's own event repeats. The assembly must not be refused."""
        assert self.refused is None
        return ModelRequest(self.fingerprint or "", self.bytes or 0, self.messages or 0)


@attrs.frozen
class ModelRequest:
    """The request went out: SHA-256 and size of its bytes, and how many messages it has."""

    fingerprint: str
    bytes: int
    messages: int
