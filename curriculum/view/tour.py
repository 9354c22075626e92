"""The tour on a screen, part by part."""

from typing import Any

from curriculum.course.grading import Grade
from curriculum.course.messages import text
from curriculum.course.tour import REQUEST, Part, Tour
from curriculum.trace.facts import View

from .gates import show_gates
from .request import show_request
from .screen import Screen, fact


def show_part(screen: Screen, part: Part, number: int, of: int) -> None:
    """The head of a part, and what is said first."""
    screen.head(f"{number} of {of}: {part.title}")
    screen.line(part.says)


def show_first_run(screen: Screen, tour: Tour) -> None:
    """What the two gates did in the run."""
    show_gates(screen, View(tour.before))


def show_the_request(screen: Screen, tour: Tour) -> None:
    """The request that the tour looks at, to the character."""
    view = View(tour.before)
    show_request(screen, view, tour.before.assemblies[REQUEST - 1], REQUEST, alone=True)


def show_difference(screen: Screen, tour: Tour, grade: Grade) -> None:
    """The answer beside the run: what is right, or where, rule and sum of the first difference."""
    mark = grade.marks[0]
    if grade.passed:
        screen.line(("good", text("tour.right", {"run": str(mark.run)})))
    else:
        said = text("tour.other", {"yours": str(mark.yours), "run": str(mark.run)})
        screen.line(("bad", said))
    for label in ("where", "rule", "sum"):
        if value := getattr(tour.reason, label):
            fact(screen, label, value)
    for suspect in grade.suspects[:1]:
        screen.line(f"  {suspect.wrong.asks.format(value=suspect.value)}", indent=2)
    if grade.invisible:
        screen.line(f"  {text('tour.invisible')}", indent=2)


def show_commands(screen: Screen, tour: Tour) -> None:
    """The tour for somebody without a terminal: each part with the command that does it."""
    parts = tour.parts()
    screen.line(("head", "a tour in six minutes"), ": two gates in a row")
    for number, part in enumerate(parts, 1):
        screen.gap()
        screen.line(f"{number} ", ("head", part.title), indent=2)
        screen.line(f"  {part.says}", indent=2)
        screen.line("  ", ("code", part.command), indent=4)
    screen.gap()
    screen.line("next: ", ("code", parts[0].command))


def tour_data(tour: Tour) -> dict[str, Any]:
    """The parts as data."""
    rows = [{"title": p.title, "says": p.says, "command": p.command} for p in tour.parts()]
    return {"parts": rows, "next": rows[0]["command"]}
