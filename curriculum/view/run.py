"""A whole run, for people: the two gates, each request, the trace, the stop."""

from curriculum.context.band import BORDERS
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace

from .events import show_events
from .gates import show_gates
from .request import show_request, some
from .safe import brief, many
from .screen import Screen

MANY = 12
"""Requests that are shown; of more, the first and the last."""


def show_run(screen: Screen, trace: Trace, title: str) -> None:
    """Print the run that `trace` holds."""
    view = View(trace)
    screen.line(("head", trace.session_name), f": {title}", indent=2)
    if len(trace.sessions) > 1:
        names = ", ".join(map(brief, trace.sessions))
        screen.line(f"  sessions: {names}; shown is the one above, --session NAME shows another")
    show_gates(screen, view)
    numbered = list(enumerate(trace.assemblies, 1))
    first, hidden, last = some(numbered, MANY)
    for number, event in first:
        show_request(screen, view, event, number)
    if hidden:
        screen.gap()
        screen.line(f"... {many(hidden, 'request')} not shown; --json has them all ...")
    for number, event in last:
        show_request(screen, view, event, number)
    screen.gap()
    show_legend(screen, view.rebuild.wire.id, any(made.data.band for made in trace.assemblies))
    show_events(screen, view)
    stop = trace.stop
    screen.gap()
    if stop is None:
        screen.line("not stopped: the trace ends in the middle of a run")
        return
    style = "good" if stop.reason == "completed" else "bad"
    screen.line("stopped: ", (style, stop.reason), f" after {many(stop.turns, 'model call')}")


def show_legend(screen: Screen, wire: str, bands: bool) -> None:
    """What the marks mean: those of the plain wire, which are sent, and ours, which are not.

    `bands`: whether requests have one; those of format 1.0 have none.
    """
    if wire.startswith("plain"):
        signs = "+ a tool   # an instruction   > the user   < ! & the model   = a result"
        screen.line(("quiet", f"  each line begins with its sign: {signs}"), indent=2)
    blank, end = screen.mark("·", "_"), screen.mark("↵", "$")
    said = f"  {blank} a blank at the end of a text   {end} the end of a line"
    screen.line(("quiet", f"{said}   [-N-] marker: N characters are missing here"), indent=2)
    if bands:
        borders = ", ".join(f"{band} to {percent} %" for band, percent in BORDERS)
        said = f"  a band says how much of capacity - reserve is taken: {borders}, red above"
        screen.line(("quiet", said), indent=2)
