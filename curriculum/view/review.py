"""One pending trace, for the person who decides on it: what changed, or what a new one holds."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from curriculum.golden.review import Look
from curriculum.record.errors import CurriculumError
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace
from curriculum.trace.versions import Versions

from .data import explanation_data
from .explanation import show_explanation
from .request import show_request, some
from .safe import brief, many
from .screen import Screen, fact
from .versions import show_versions, versions_data

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
    told = summary_data(trace)
    fact(screen, "events", f"{len(trace.events)}: {_counts(told['events'])}")
    first, hidden, last = some(told["requests"], MANY)
    for row in [*first, None, *last]:
        if row is None:
            if hidden:
                fact(screen, "", f"... {many(hidden, 'request')} not shown ...")
        elif "refused" in row:
            fact(screen, "request", f"{row['request']}: not sent, {row['refused']}")
        else:
            decided = _counts(row["decisions"])
            fact(screen, "request", f"{row['request']}: {row['size']} of {row['limit']}, {decided}")
    stop = trace.stop
    ended = f"{stop.reason} after {many(stop.turns, 'model call')}" if stop else "not stopped"
    fact(screen, "stop", ended)


def summary_data(trace: Trace) -> dict[str, Any]:
    """A run as data: events by type, each request with its size and decisions, the stop."""
    rows: list[dict[str, Any]] = []
    view = View(trace)
    for number, event in enumerate(trace.assemblies, 1):
        sent = event.data
        if sent.refused is not None:
            rows.append({"request": number, "refused": sent.refused.reason})
            continue
        decided = Counter(str(row.decision) for row in view.rebuild.table(event))
        row = {"request": number, "size": sent.size, "limit": sent.limit, "decisions": decided}
        rows.append(row)
    stop = trace.stop
    return {
        "events": Counter(event.type for event in trace.events),
        "requests": rows,
        "stop": stop.reason if stop else None,
    }


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))


def show_change(screen: Screen, look: Look) -> None:
    """Print the first request that changed, record by record; of a new trace its requests."""
    comparison = look.comparison
    if comparison is None:
        if look.trace is not None and look.trouble is None:
            show_requests(screen, look.trace)
        else:
            screen.line("  no request can be shown")
        return
    changed = comparison.explanation.changed if comparison.explanation else ()
    if not changed:
        screen.line("  no request changes")
        return
    versions = Versions(comparison.expected, comparison.got)
    show_versions(screen, versions, changed[:1], ("golden", "pending"))
    if rest := len(changed) - 1:
        screen.line(f"  {many(rest, 'more request')} changed: golden diff {look.id} --requests")


def show_requests(screen: Screen, trace: Trace) -> None:
    """Print the requests of a run, one after the other; of many the first and the last."""
    view = View(trace)
    first, hidden, last = some(list(enumerate(trace.assemblies, 1)), MANY)
    for number, event in first:
        show_request(screen, view, event, number, alone=True)
    if hidden:
        screen.gap()
        screen.line(
            f"  ... {many(hidden, 'request')} not shown; curriculum trace show has them ..."
        )
    for number, event in last:
        show_request(screen, view, event, number, alone=True)


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
            explanation = look.comparison.explanation
            data["explanation"] = explanation_data(explanation)
            versions = Versions(look.comparison.expected, look.comparison.got)
            data["request_changes"] = versions_data(versions, explanation.changed)
    elif look.trace is not None and look.trouble is None:
        data["summary"] = summary_data(look.trace)
    return data
