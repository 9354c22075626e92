"""A whole run, for people: the two gates, each request, the trace, the stop."""

from curriculum.record.cut import content_size
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace

from .bar import LEGEND
from .events import show_events
from .request import show_request
from .screen import Screen

MANY = 12
"""Requests that are shown one by one."""


def show_run(screen: Screen, trace: Trace, title: str) -> None:
    """Print the run that `trace` holds."""
    view = View(trace)
    screen.line(("head", trace.start.session), f": {title}", indent=2)
    show_gates(screen, view)
    sent = trace.assemblies
    for number, event in enumerate(sent[:MANY], 1):
        show_request(screen, view, event, number)
    if len(sent) > MANY:
        screen.line(f"... {len(sent) - MANY} more requests; --json has them all")
    screen.gap()
    screen.line(("quiet", f"  {LEGEND}"), indent=2)
    blank, end = screen.mark("·", "_"), screen.mark("↵", "$")
    legend = (
        f"  {blank} blank at the end of a text  {end} end of a line  [-N-] marker: N characters cut"
    )
    screen.line(("quiet", legend), indent=2)
    screen.head("Trace, in causal order (<- the event it followed from)")
    show_events(screen, view)
    stop = trace.stop
    if stop is not None:
        style = "good" if stop.reason == "completed" else "bad"
        screen.gap()
        screen.line("stopped: ", (style, stop.reason), f" after {stop.turns} model calls")


def show_gates(screen: Screen, view: View) -> None:
    """For each result that was cut: its size at the tool, in the log, and in each request."""
    shown = 0
    for event in view.trace.of("tool.result"):
        record = next(
            (e.data for e in view.trace.events[event.seq :] if e.type == "record.append"), None
        )
        if record is None or shown >= MANY:
            continue
        seen: list[str] = []
        for number, assembly in enumerate(view.trace.assemblies, 1):
            if assembly.seq < event.seq or assembly.data.refused is not None:
                continue
            for entry in assembly.data.decisions:
                if entry.first == record.id and entry.head is not None:
                    text = (entry.head or 0) + (entry.tail or 0)
                    size = text + len(f"[-{entry.missing}-]")
                    seen.append(f"request {number} shows {size}")
        if record.cut is None and not seen:
            continue
        shown += 1
        log = content_size(record.whole())
        gate1 = view.trace.start.budget.get("max_tool_output_chars", "none")
        gate2 = view.trace.start.budget["max_input"]
        arrow = screen.mark("→", "->")
        screen.line(
            f"{record.id} {event.data.tool}: returned {event.data.size} {arrow} ",
            ("code", f"gate 1 (tool ceiling {gate1}, for good)"),
            f" {arrow} log {log} {arrow} ",
            ("code", f"gate 2 (input ceiling {gate2}, this request)"),
            f" {arrow} {'; '.join(seen) or 'nothing more was cut'}",
            indent=6,
        )
