"""What is asked before a run: what was seen, what changes, the questions."""

from collections.abc import Mapping

from curriculum.course.answers import spelled
from curriculum.course.exercise import Answer, Exercise, Slot
from curriculum.course.result import Finding
from curriculum.course.scenes import Scene
from curriculum.course.seen import changed, seen
from curriculum.course.slots import Value
from curriculum.trace.facts import View

from .safe import many
from .screen import Screen, fact

ASKED = 46
"""Columns that a question takes before the number that was; a longer one pushes it on."""


def show_title(screen: Screen, exercise: Exercise, questions: int) -> None:
    """The exercise, how many questions it has, and how long it takes."""
    asks = f"{many(questions, 'question')}, about {many(exercise.minutes, 'minute')}"
    screen.line(("head", f"{exercise.id}  {exercise.title}"), ("quiet", f"   {asks}"), indent=2)


def show_task(screen: Screen, scene: Scene, known: bool) -> None:
    """Print the task."""
    for label, text in task(scene, known):
        fact(screen, label, text)


def task(scene: Scene, known: bool) -> list[tuple[str, str]]:
    """What was seen, and what is different in the run that is predicted, each with its label.

    `known` says that these numbers have been run in this folder before.
    """
    said = [("You saw", " ".join(finding.text for finding in seen(scene.before)))]
    run = Finding("seen.known" if known else "seen.fresh").text
    if scene.exercise.then:
        then = Finding("seen.then", {"title": scene.case.title}).text
        said.append(("Then", f"{then} {run}"))
    elif scene.variant:
        change = Finding("seen.change", {"change": changed(scene.before, dict(scene.variant))})
        said.append(("Change", f"{change.text} {run}"))
    return said


def question(scene: Scene, number: int, again: str = "") -> str:
    """One question as it stands before the cursor: its number, its words, what it was.

    `again` stands instead of the words where it is asked again.
    """
    slot = scene.exercise.slots[number]
    was = scene.was(slot)
    beside = f"was {was}" if was is not None and not again else ""
    asked = again or f"{number + 1} {slot.ask}"
    return f"{asked:<{ASKED}}  {beside or kinds(slot):<10} > "


def kinds(slot: Slot) -> str:
    """What may be answered, where that is not plain."""
    match slot.type:
        case Answer.YES_NO:
            return "y/n"
        case Answer.CHOICE:
            return "/".join(slot.choices)
        case _:
            return ""


def show_given(screen: Screen, exercise: Exercise, given: Mapping[str, Value]) -> None:
    """Questions and the answers that were given, one a line."""
    for number, slot in enumerate(exercise.slots, 1):
        screen.line(f"{number} {slot.ask:<{ASKED}}  > ", spelled(given[slot.key]), indent=2)


def show_event(screen: Screen, scene: Scene, seq: int) -> None:
    """One event of the run after the change; of an assembly its decisions too."""
    from .decisions import show_decisions
    from .events import show_event as line

    view = View(scene.after)
    event = view.event(seq)
    line(screen, view, event)
    if event.type == "context.assemble" and event.data.refused is None:
        show_decisions(screen, view, event, view.rebuild.table(event), alone=True)
