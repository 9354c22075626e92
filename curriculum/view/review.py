"""One pending trace, for the person who decides on it: what changed, or what a new one holds."""

from collections import Counter
from typing import Any

from curriculum.golden.review import Look
from curriculum.record.errors import CurriculumError
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace

from .data import explanation_data
from .explanation import show_explanation
from .request import show_request, some
from .safe import brief, many
from .screen import Screen, fact

MANY = 6
"""Requests of a new trace that are listed; of more, the first and the last."""


def show_look(screen: Screen, look: Look, number: int, total: int, claimed: bool) -> None:
    """Print what there is to decide on. `claimed` says whether a case of this id exists."""
    screen.head(f"{number} of {total}: {look.id}")
    if not claimed:
        fact(screen, "no case", "no case has this id any more: it can only be rejected")
    if look.trouble is not None:
        show_error(screen, look.trouble)
    elif look.comparison is None and look.trace is not None:
        fact(screen, "new", "there is no golden yet")
        show_summary(screen, look.trace)
    elif look.comparison is not None and look.comparison.same:
        fact(screen, "same", "it is the golden already, byte for byte")
    elif look.comparison is not None and look.comparison.explanation is not None:
        show_explanation(screen, look.comparison.explanation, look.comparison.attribution)


def show_summary(screen: Screen, trace: Trace) -> None:
    """Print a run on one screen: events, requests with their sizes, decisions, stop."""
    counted = Counter(event.type for event in trace.events)
    fact(screen, "events", f"{len(trace.events)}: {_counts(counted)}")
    first, hidden, last = some(list(enumerate(trace.assemblies, 1)), MANY)
    for number, event in [*first, (0, None), *last]:
        if event is None:
            if hidden:
                fact(screen, "", f"... {many(hidden, 'request')} not shown ...")
            continue
        sent = event.data
        if sent.refused is not None:
            fact(screen, "request", f"{number}: not sent, {sent.refused.reason}")
            continue
        decided = _decisions(trace, event)
        fact(screen, "request", f"{number}: {sent.size} of {sent.limit}, {decided}")
    stop = trace.stop
    ended = f"{stop.reason} after {many(stop.turns, 'model call')}" if stop else "not stopped"
    fact(screen, "stop", ended)


def _decisions(trace: Trace, event: Any) -> str:
    rows = View(trace).rebuild.table(event)
    return _counts(Counter(str(row.decision) for row in rows))


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))


def show_change(screen: Screen, look: Look) -> None:
    """Print the first request that changed, as it was and as it is now."""
    comparison = look.comparison
    changed = comparison.explanation.changed if comparison and comparison.explanation else ()
    if comparison is None or not changed:
        screen.line("  no request changes")
        return
    for words, trace in (("golden", comparison.expected), ("pending", comparison.got)):
        screen.gap()
        screen.line(("head", words))
        sent = [event for event in trace.assemblies if event.data.refused is None]
        if changed[0] > len(sent):
            screen.line(f"  it sends {many(len(sent), 'request')}: there is no {changed[0]}")
            continue
        show_request(screen, View(trace), sent[changed[0] - 1], changed[0], alone=True)


def show_error(screen: Screen, error: CurriculumError) -> None:
    """Print why something was refused."""
    screen.line(("bad", "  refused   "), f"{brief(error.headline, 1000)} [{error.code}]", indent=12)
    for line in error.evidence:
        fact(screen, "evidence", brief(line, 1000))
    if error.next:
        fact(screen, "next", error.next)


def look_data(look: Look) -> dict[str, Any]:
    """What waits, as data for `--json`."""
    data: dict[str, Any] = {"id": look.id, "new": look.comparison is None and not look.trouble}
    if look.trouble is not None:
        data["trouble"] = {"code": look.trouble.code, "headline": look.trouble.headline}
    if look.comparison is not None:
        data["same"] = look.comparison.same
        if look.comparison.explanation is not None:
            data["explanation"] = explanation_data(look.comparison.explanation)
    return data
