"""A run as it stood after one event: its log, its open calls, and the next request."""

from typing import Any

from curriculum.replay.at_event import AtEvent, Comes
from curriculum.trace.facts import View
from curriculum.trace.reader import Event, Trace
from curriculum.trace.recorder import converter

from .request import show_request, some
from .run import show_legend
from .safe import brief, many
from .screen import Screen, fact

MANY = 24
"""Records that the rich look shows; of more, the first and the last."""
WORDS = {
    Comes.REQUEST: "a request",
    Comes.ANSWER: "the model's answer",
    Comes.RECORD: "a record",
    Comes.RESULTS: "results",
    Comes.SUMMARY: "a summary",
    Comes.PROMPT: "the user's next word",
    Comes.STOP: "the stop",
    Comes.NOTHING: "nothing",
}


def show_at(screen: Screen, trace: Trace, found: AtEvent) -> None:
    """Print what the run had after the event, and what comes next."""
    there = found.standing
    screen.line(("head", there.session), f": after event {there.seq}, {there.last.type}", indent=2)
    fact(screen, "turn", f"{there.turn}, {many(there.requests, 'request')} sent")
    fact(screen, "log", many(len(there.records), "record"))
    shown = len(there.records) if screen.plain else MANY
    first, hidden, last = some(there.records, shown)
    for record in [*first, None, *last]:
        if record is None:
            if hidden:
                fact(
                    screen, "", f"... {many(hidden, 'record')} not shown; --plain has them all ..."
                )
            continue
        calls = f", {many(len(record.calls), 'call')}" if record.calls else ""
        of = f", asked for in {record.answers.record}" if record.answers else ""
        fact(screen, "", f"{record.id} {record.kind} ({brief(record.source)}){calls}{of}")
    for one in there.pending:
        asked = f"asked for by event {one.asked}" if one.asked else "not asked for yet"
        call = f"{brief(one.call.id)} {brief(one.call.name)} of {one.answers.record}"
        fact(screen, "open", f"{call}: {asked}")
    fact(screen, "next", f"{WORDS[found.comes]}: {brief(found.why, 300)}")
    if found.manifest is None or found.request is None:
        return
    view, event, number = _beside(trace, found)
    show_request(screen, view, event, number, alone=True)
    screen.gap()
    show_legend(screen, view.rebuild.wire.id, bool(event.data.band))


def _beside(trace: Trace, found: AtEvent) -> tuple[View, Event[Any], int]:
    """The request's assembly in a trace that ends with it: as recorded, or as it would be."""
    there = found.standing
    if found.comes is Comes.ANSWER or there.last.type == "context.assemble":
        made = there.last if there.last.type == "context.assemble" else _cause(trace, there.last)
        return View(trace), made, made.turn
    before = trace.events[: there.seq]
    cause = next(event.seq for event in reversed(before) if event.type == "record.append")
    seq, turn = there.seq + 1, there.turn + 1
    made = Event(seq, "context.assemble", turn, found.manifest, cause)
    return View(Trace((*before, made), trace.name)), made, turn


def _cause(trace: Trace, event: Event[Any]) -> Event[Any]:
    return trace.events[(event.cause or 1) - 1]


def at_data(found: AtEvent) -> dict[str, Any]:
    """The same as data for `--json`."""
    there = found.standing
    return {
        "session": there.session,
        "after": there.seq,
        "turn": there.turn,
        "requests": there.requests,
        "records": [converter.unstructure(record) for record in there.records],
        "open": [converter.unstructure(one) for one in there.pending],
        "next": found.comes,
        "why": found.why,
        "body": found.request.text if found.request is not None else None,
        "fingerprint": found.request.fingerprint if found.request is not None else None,
    }
