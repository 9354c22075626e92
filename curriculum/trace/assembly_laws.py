"""The laws on one assembly: decisions that follow, sizes that add up, bytes that say the same."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from curriculum.context.manifest import Decision, Manifest
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind, record_id
from curriculum.wire.request import Message

from .breach import Breach
from .declared import declared_breaches
from .facts import ONCE, Fact, View
from .ladder import FITS
from .readback import one_by_one, shown
from .reader import Event
from .rebuild import own_entry
from .step import Step

_FIELDS = (
    *("decision", "reason", "head", "tail", "missing", "share", "full", "limit"),
    *("needs", "room", "because", "size", "text"),
)
_told, _once = attrgetter(*_FIELDS), attrgetter(*ONCE)
_NOTHING = (None,) * len(ONCE)


def of_assembly(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Every breach of one assembly beyond those of its single facts."""
    if view.declared:
        yield from _declared(view, event)
        return
    manifest, ladder = event.data, view.ladder(event)
    if (ladder.refused is None) != (manifest.refused is None):
        want = ladder.refused["reason"] if ladder.refused else "a request"
        got = manifest.refused.reason if manifest.refused else "a request"
        law = 12 if "result" in f"{want}{got}" else 2
        yield Breach(law, event.seq, "refused", want, got, ladder.leaves)
        return
    if manifest.refused is not None:
        return
    yield from _sized(view, event)
    yield from _decided(view, event)
    yield from _readable(view, event)


def _declared(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """The same where a harness of one's own decides: everything but why it decided so."""
    if event.data.refused is not None:
        yield Breach(2, event.seq, "refused", "a request", event.data.refused.reason, "no rule")
        return
    yield from _sized(view, event)
    yield from declared_breaches(view, event)
    yield from _readable(view, event)


def _sized(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Laws 2 and 3: the request is within its limit, and its parts add up to it."""
    manifest = event.data
    if manifest.size is not None and manifest.size > manifest.limit:
        over = f"{manifest.size - manifest.limit} over"
        yield Breach(2, event.seq, "size", manifest.limit, manifest.size, over)
    yield from _conserved(view, event)


def _conserved(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Law 3: each candidate has one decision, and the sizes add up to the request.

    Opaque records are no candidates: a range may stand over them, and between two ranges too.
    """
    end, rebuilt, ids = 0, view.rebuilt(event), view.ids
    for entry in event.data.decisions:
        first = int(entry.first[1:]) - 1
        missed = None if first == end else view.candidate_in(end, first)
        if missed is not None or first < end or view.candidate_in(first, first + 1) is None:
            name = record_id((end if missed is None else missed) + 1)
            yield Breach(3, event.seq, "decisions", name, entry.first, "one decision each")
            return
        end = int((entry.last or entry.first)[1:])
        if entry.decision == "omitted":
            continue
        names = ids[first:end]
        size = sum([rebuilt.sizes.get(name, 0) for name in names])
        if entry.size != size:
            field = f"decisions.{entry.first}.size"
            yield Breach(3, event.seq, field, size, entry.size, "sizes add up")
        byte = sum([rebuilt.bytes.get(name, 0) for name in names])
        if entry.bytes != (byte if byte != size else None):
            field = f"decisions.{entry.first}.bytes"
            yield Breach(3, event.seq, field, byte, entry.bytes, "bytes, where they are not size")
    missed = view.candidate_in(end, view.known(event))
    if missed is not None:
        yield Breach(
            3, event.seq, "decisions", record_id(missed + 1), "nothing", "one decision each"
        )


def _decided(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Laws 6, 4 and 12: each decision is the one that the facts before it lead to."""
    ladder, opaque = view.ladder(event), view.opaque
    stay, waits = ladder.protected, ladder.waits
    for entry in event.data.decisions:
        first, end = int(entry.first[1:]) - 1, int((entry.last or entry.first)[1:])
        records = view.trace.records
        if entry.beside is not None and all(one.answers is None for one in records[first:end]):
            why = "beside results that are only their markers"
            field = f"decisions.{entry.first}.beside"
            yield Breach(6, event.seq, field, "nothing", entry.beside, why)
        for at in ladder.speakers(first, end, _merely_fits(entry)):
            if at not in opaque:
                law = 4 if at in stay else 12 if at in waits and entry.decision == "omitted" else 6
                of_many = entry.beside is not None
                own = own_entry(records[at], entry) if of_many else entry
                yield from _step(event, own, of_many, ladder.step(at), record_id(at + 1), law)


def _merely_fits(entry: Decision) -> bool:
    """Whether a decision says of records that they fit, and nothing more."""
    says = entry.decision == "admitted" and entry.reason == FITS
    return says and _once(entry) == _NOTHING


def _step(
    event: Event[Manifest], entry: Decision, of_many: bool, step: Step, name: str, law: int
) -> Iterator[Breach]:
    must: dict[str, Fact | None] = {"decision": step.decision, "reason": step.reason, **step.fields}
    if entry.last is not None or of_many:
        must["size"] = entry.size  # of all its records together: law 3 adds it up
    told = _told(entry)
    if told == tuple(map(must.get, _FIELDS)):
        return
    for field, got in zip(_FIELDS, told, strict=True):
        if must.get(field) != got:
            from .rules import spell_step

            why = spell_step(step.reason, {**step.sum, **step.fields})
            where = f"decisions.{name}.{field}"
            yield Breach(law, event.seq, where, must.get(field), got, why)


def _readable(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Laws 4, 5 and 10 in what the bytes say: decoded again, contents and pairs hold."""
    rebuilt = view.rebuilt(event)
    read: Sequence[Message] | None = one_by_one(view.rebuild.wire, rebuilt.items)
    if read is None:
        try:
            read = view.rebuild.wire.decode(rebuilt.text.encode())
        except CurriculumError as error:
            yield Breach(7, event.seq, "fingerprint", "a body of the wire", "other", error.headline)
            return
        if shown(read) != shown(map(view.rebuild.wire.heard, rebuilt.messages)):
            yield Breach(
                4, event.seq, "decisions", "what was sent", "something else", "decoded again"
            )
    open_calls: list[str] = []
    for message in read:
        if message.kind is Kind.ASSISTANT:
            if open_calls:
                yield Breach(5, event.seq, "decisions", open_calls[0], "no result", "pairs")
            open_calls = [call.id for call in message.calls]
        elif message.kind is Kind.RESULT:
            if message.call_id in open_calls:
                open_calls.remove(message.call_id)
            else:
                yield Breach(5, event.seq, "decisions", "an open call", message.call_id, "pairs")
    if open_calls:
        yield Breach(5, event.seq, "decisions", open_calls[0], "no result", "pairs")
