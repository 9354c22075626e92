"""`curriculum read`: a lesson's text, up to its first exercises."""

import click

from curriculum.course.exercises import lesson_of
from curriculum.course.lessons import Lesson
from curriculum.course.progress import update
from curriculum.course.reading import FIRST, Level, chosen, levels
from curriculum.course.standing import first_step
from curriculum.course.workspace import find
from curriculum.view.reading import show_reading
from curriculum.view.screen import Screen

from .options import looks, print_json


@click.command()
@click.argument("id")
@click.argument("level", required=False, metavar="[LEVEL]")
@click.option("--answers", is_flag=True, help="Unfold the answers to the questions.")
@looks
def read(id: str, level: str | None, answers: bool, plain: bool, as_json: bool) -> None:
    """Read the lesson ID, such as s06: its first two levels, or one LEVEL.

    Levels: L0 the picture, L1 run it, L2 engineering, L3 real agents, L4 research; or all.
    """
    lesson = lesson_of(id)
    shown = chosen(lesson, level, answers)
    work = find()
    if work is not None and shown:
        most = max(one.name for one in shown)
        update(work.progress_file, lambda known: known.has_read(lesson.id, most))
    next = _next(lesson, shown, level)
    if as_json:
        rows = [{"level": one.name, "title": one.title, "text": one.text} for one in shown]
        print_json({"id": lesson.id, "title": lesson.title, "levels": rows, "next": next})
        return
    screen = Screen(plain)
    show_reading(screen, lesson, shown)
    screen.gap()
    if level is None and (rest := [o.name for o in levels(lesson) if o.name not in FIRST]):
        short = lesson.id.partition("-")[0]
        said = f"It stops here. {', '.join(rest)} go on: curriculum read {short} {rest[0]}"
        screen.line(("quiet", said))
    screen.line("next: ", ("code", next))


def _next(lesson: Lesson, shown: tuple[Level, ...], wanted: str | None) -> str:
    """The next level of somebody who reads on; else the lesson's first exercise."""
    names = [level.name for level in levels(lesson)]
    last = shown[-1].name if shown else ""
    if wanted is not None and last in names[1:-1]:
        short = lesson.id.partition("-")[0]
        return f"curriculum read {short} {names[names.index(last) + 1]}"
    if wanted is not None and last == names[0] != names[-1]:
        return f"curriculum read {lesson.id.partition('-')[0]} {names[1]}"
    work = find()
    return first_step(lesson, work.progress() if work is not None else None)
