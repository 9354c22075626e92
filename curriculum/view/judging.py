"""What is asked where one event or an order is the answer, and what there is to compare with."""

from curriculum.course.events_of import event_at
from curriculum.course.exercise import Exercise
from curriculum.course.explaining import models_of
from curriculum.course.ordering import shuffled
from curriculum.course.spotting import to_choose_from
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace

from .events import show_event
from .safe import many
from .screen import Screen, fact


def show_head(screen: Screen, exercise: Exercise) -> None:
    """The exercise, and what it asks."""
    about = f"about {many(exercise.minutes, 'minute')}"
    title = ("head", f"{exercise.id}  {exercise.title}")
    screen.line(title, ("quiet", f"   {about}"), indent=2)
    if exercise.promise:
        fact(screen, "Promise", exercise.promise)
    if exercise.ask:
        fact(screen, "Question", exercise.ask)


def show_some_events(screen: Screen, exercise: Exercise, trace: Trace) -> None:
    """The events to choose from; of a cause exercise also the one that is asked about.

    Where causes are asked for, they are not shown.
    """
    view = View(trace)
    for event in to_choose_from(exercise, trace):
        show_event(screen, view, event, causes=False)
    if exercise.kind == "cause":
        screen.line("asked about:")
        show_event(screen, view, event_at(trace, exercise.at), causes=False)


def show_lines(screen: Screen, exercise: Exercise) -> None:
    """The lines to put in order."""
    pad = max(len(event.key) for event in exercise.events)
    for event in shuffled(exercise):
        screen.line("  ", ("code", f"{event.key:<{pad}}"), f"  {event.says}", indent=pad + 4)


def show_models(screen: Screen, exercise: Exercise) -> None:
    """The model answers, without saying which is which."""
    for number, model in enumerate(models_of(exercise), 1):
        fact(screen, f"Answer {number}", model.text)
