"""Decisions that a harness of one's own declares: which laws still bind them.

No rule here can say again why such a harness chose what it chose, so its reasons are taken as it
gives them, under names of its own. Everything that can be seen is checked: one decision each,
sums, whole exchanges, cuts that add up, and that what the model waits for is sent.
"""

from collections.abc import Iterator

from curriculum.context.manifest import Decision, Manifest
from curriculum.context.reasons import DEFECTS, REASONS
from curriculum.record.records import Kind, Record, record_id

from .breach import Breach
from .facts import View
from .reader import Event
from .rebuild import positions
from .reference_cut import places_to_cut

RULED = ("limit", "share", "full", "needs", "room", "because", "beside")
"""Fields of a decision that only a rule of ours fills."""
FILLED = {
    "admitted": {"size"},
    "cut": {"size", "head", "tail", "missing"},
    "replaced": {"size", "text"},
    "omitted": set[str](),
}
"""What a decision says of sizes, ends and a text instead: these, and no others.

`bytes` is checked by law 3.
"""


def declared_breaches(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Every breach of one assembly's decisions, where a harness declares them."""
    if event.data.room is not None:
        yield Breach(6, event.seq, "room", "nothing", event.data.room, "no rule computes it")
    most, sent = view.trace.start.budget.get("max_messages"), event.data.messages
    if most is not None and sent is not None and sent > most:
        yield Breach(2, event.seq, "messages", most, sent, f"{sent - most} over max_messages")
    for entry in event.data.decisions:
        yield from _reason(view, event, entry)
        if entry.decision not in FILLED:
            where = f"decisions.{entry.first}.decision"
            yield Breach(3, event.seq, where, ", ".join(FILLED), entry.decision, "words")
            continue
        yield from _filled(event, entry)
        if entry.decision in ("cut", "replaced"):
            yield from _changed(view, event, entry)
    yield from _progress(view, event)


def _filled(event: Event[Manifest], entry: Decision) -> Iterator[Breach]:
    """An end that is kept says so: nothing is cut, and nothing weighed, under another name."""
    for name in ("size", "bytes", "head", "tail", "missing", "text"):
        value, filled = getattr(entry, name), name in FILLED[entry.decision]
        where = f"decisions.{entry.first}.{name}"
        if filled and value is None:
            what = "a text" if name == "text" else "a number"
            yield Breach(3, event.seq, where, what, "nothing", f"{entry.decision} has one")
        elif value is not None and not filled and (name != "bytes" or entry.decision == "omitted"):
            yield Breach(3, event.seq, where, "nothing", value, f"{entry.decision} has none")


def _reason(view: View, event: Event[Manifest], entry: Decision) -> Iterator[Breach]:
    where = f"decisions.{entry.first}."
    for name in RULED:
        value = getattr(entry, name)
        if value is not None:
            yield Breach(6, event.seq, where + name, "nothing", value, "no rule computes it")
    if entry.reason in DEFECTS:
        yield from _defect(view, event, entry)
    elif entry.reason in REASONS or not entry.reason:
        why = "a declared reason has a name of its own"
        yield Breach(6, event.seq, where + "reason", "another name", entry.reason, why)


def _defect(view: View, event: Event[Manifest], entry: Decision) -> Iterator[Breach]:
    """That something cannot be sent at all is a fact of the log, whoever says it."""
    reading = view.reading(event)
    asked = positions(entry, view.trace.records)
    groups = {at: group for group in reading.grouping.groups for at in group.members}
    for at in asked:
        must = reading.defect(groups[at])
        if must != entry.reason or entry.decision != "omitted":
            where = f"decisions.{record_id(at + 1)}.reason"
            yield Breach(6, event.seq, where, must, entry.reason, "what cannot be sent at all")


def _changed(view: View, event: Event[Manifest], entry: Decision) -> Iterator[Breach]:
    record = view.trace.records[int(entry.first[1:]) - 1]
    if entry.last is not None or record.kind is not Kind.RESULT:
        where = f"decisions.{entry.first}.decision"
        why = f"only results are {entry.decision}, one by one"
        yield Breach(5, event.seq, where, "one result", record.kind, why)
    elif entry.decision == "cut":
        yield from _ends(event, entry, record)


def _ends(event: Event[Manifest], entry: Decision, record: Record) -> Iterator[Breach]:
    where = f"decisions.{entry.first}.missing"
    whole, head, tail = record.whole(), entry.head or 0, entry.tail or 0
    source = whole.tail if whole.missing else whole.head
    most = len(whole.head), len(source)
    if head > most[0] or tail > most[1] or head + tail >= whole.kept:
        kept = f"at most {most[0]} and {most[1]}, less than {whole.kept} together"
        yield Breach(5, event.seq, where, kept, f"{head} and {tail}", "what the log still has")
    for name, at, text in (("head", head, whole.head), ("tail", most[1] - tail, source)):
        if 0 < at < len(text) and at not in places_to_cut(text):
            what = f"a cut inside {text[max(0, at - 1) : at + 1]!a}"
            why = "what a reader sees as one character is not split"
            field = f"decisions.{entry.first}.{name}"
            yield Breach(6, event.seq, field, "a place between clusters", what, why)
    left = whole.original - head - tail
    if entry.missing != left:
        sums = f"original {whole.original} - head {head} - tail {tail} = {left}"
        yield Breach(6, event.seq, where, left, entry.missing, sums)


def _progress(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Law 12: results that the model has not seen yet are sent, if only as their marker.

    A text of the harness's own would not say that something is missing.
    """
    turn = view.reading(event).unseen()
    if turn is None:
        return
    waiting = set(turn.members)
    for entry in event.data.decisions:
        if entry.decision in ("omitted", "replaced"):
            for at in waiting.intersection(positions(entry, view.trace.records)):
                where = f"decisions.{record_id(at + 1)}.decision"
                why = "the model has not seen this exchange"
                yield Breach(12, event.seq, where, "admitted or cut", entry.decision, why)
