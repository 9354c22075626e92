"""`curriculum lessons`."""

import click

from curriculum.course.lessons import Lesson
from curriculum.course.lessons import lessons as all_lessons
from curriculum.view.screen import Screen

from .options import looks, print_json


@click.command()
@click.option("--core", is_flag=True, help="Only the lessons of the core route.")
@looks
def lessons(core: bool, plain: bool, as_json: bool) -> None:
    """List the lessons: mechanism, invariant, misconception, and the cases to run."""
    chosen = [lesson for lesson in all_lessons() if lesson.core or not core]
    if as_json:
        print_json([_data(lesson) for lesson in chosen])
        return
    screen = Screen(plain)
    for lesson in chosen:
        minutes = f"  ({lesson.minutes} minutes)"
        screen.line(("head", lesson.id), f"  {lesson.title}", ("quiet", minutes), indent=4)
        screen.line(f"  mechanism      {lesson.mechanism}", indent=17)
        screen.line(f"  invariant      {lesson.invariant}", indent=17)
        screen.line(f"  misconception  {lesson.misconception}", indent=17)
        for id, (title, stop) in lesson.stops.items():
            screen.line("  case           ", ("code", id), f": {title} (stops: {stop})", indent=17)
    if chosen:
        screen.line("next: ", ("code", f"curriculum run {chosen[0].id}"))


def _data(lesson: Lesson) -> dict[str, object]:
    cases = [{"id": id, "title": t, "stops": stop} for id, (t, stop) in lesson.stops.items()]
    return {
        "id": lesson.id,
        "title": lesson.title,
        "mechanism": lesson.mechanism,
        "invariant": lesson.invariant,
        "misconception": lesson.misconception,
        "minutes": lesson.minutes,
        "needs": list(lesson.needs),
        "core": lesson.core,
        "cases": cases,
    }
