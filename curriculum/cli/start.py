"""`curriculum start`: the tour, a recap, and a workspace of one's own."""

from pathlib import Path

import click

from curriculum.course.answers import answer_of
from curriculum.course.exercises import lesson_of
from curriculum.course.lessons import Lesson
from curriculum.course.progress import Progress, update
from curriculum.course.slots import Value
from curriculum.course.standing import next_step, recap
from curriculum.course.tour import Tour, tour
from curriculum.course.workspace import Made, create
from curriculum.record.errors import CurriculumError
from curriculum.view.screen import Screen, fact
from curriculum.view.workspace import show_made, show_next, step_data

from .conversation import Conversation
from .keys import at_terminal
from .options import looks, print_json

FOLDER = "my-course"
"""The folder that is offered for a workspace."""


@click.command()
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option("--at", metavar="LESSON", help="Begin at this lesson, with a recap of its needs.")
@click.option("--name", default="", metavar="NAME", help="Your name: it picks your own numbers.")
@click.option("--course", default="", metavar="KEY", help="The course's key, from your teacher.")
@looks
def start(
    folder: Path | None, at: str | None, name: str, course: str, plain: bool, as_json: bool
) -> None:
    """Take the tour of six minutes, or make a folder DIR to work in.

    In DIR you get starters, a place for predictions and a file of progress. Nothing in it is
    written over, then or later.
    """
    lesson = lesson_of(at) if at is not None else None
    screen = Screen(plain)
    if folder is not None:
        _work(screen, folder, lesson, name, course, as_json)
    elif lesson is not None:
        _recap(screen, lesson, as_json)
    else:
        _tour(screen, as_json)


def _work(
    screen: Screen, folder: Path, lesson: Lesson | None, name: str, course: str, as_json: bool
) -> None:
    made = make(folder, lesson.id if lesson is not None else "", name, course)
    step = next_step(made.workspace.progress())
    if as_json:
        new = [path.relative_to(made.workspace.folder).as_posix() for path in made.new]
        found = {"folder": str(made.workspace.folder), "new": new, "next": step_data(step)}
        print_json(found)
        return
    show_made(screen, made)
    if lesson is not None:
        show_recap(screen, lesson)
    _lead_on(screen, made)


def make(folder: Path, at: str = "", name: str = "", course: str = "") -> Made:
    """Make a workspace, or lay what is new into one; what is given of these three is noted."""
    given = Progress(at=at, name=_one_line("name", name), course=_one_line("course", course))
    made = create(folder, given)
    if made.workspace.progress_file in made.kept:
        update(made.workspace.progress_file, lambda known: known.meant_for(given))
    return made


def _one_line(word: str, value: str) -> str:
    value = value.strip()
    if not (value.isprintable() or not value) or len(value) > 80:
        raise CurriculumError(
            f"--{word} is one line of at most 80 characters.",
            code="start-name",
            next=f"curriculum start {FOLDER} --{word} Ada",
        )
    return value


def _recap(screen: Screen, lesson: Lesson, as_json: bool) -> None:
    short = lesson.id.partition("-")[0]
    if as_json:
        rows = [{"id": one.id, "invariant": one.invariant} for one in recap(lesson)]
        print_json({"id": lesson.id, "needs": rows, "next": f"curriculum read {short}"})
        return
    show_recap(screen, lesson)
    fact(screen, "to work", f"curriculum start {FOLDER} --at {short}")
    screen.line("next: ", ("code", f"curriculum read {short}"))


def show_recap(screen: Screen, lesson: Lesson) -> None:
    """What a lesson rests on: one sentence of each lesson that it needs."""
    screen.line(("head", lesson.id), f"  {lesson.title}", indent=4)
    rests = recap(lesson)
    if not rests:
        screen.line("  It needs nothing before it.")
    for one in rests:
        screen.line(f"  from {one.id}: {one.invariant}", indent=9)


def _tour(screen: Screen, as_json: bool) -> None:
    from curriculum.view.tour import show_commands, tour_data

    found = tour()
    if as_json:
        print_json(tour_data(found))
    elif not at_terminal():
        show_commands(screen, found)
    else:
        _walk(screen, found)


def _walk(screen: Screen, found: Tour) -> None:
    """The tour with somebody at the terminal. Each part waits; q leaves."""
    from curriculum.view import tour as view

    talk, parts = Conversation(screen), found.parts()
    grade = None
    for number, part in enumerate(parts, 1):
        view.show_part(screen, part, number, len(parts))
        if number == 3:
            answer = _asked(talk, found)
            if answer is None:
                break
            grade = found.grade(answer)
            continue
        if number == 1:
            view.show_first_run(screen, found)
        elif number == 2:
            view.show_the_request(screen, found)
        elif grade is not None and number == 4:
            view.show_difference(screen, found, grade)
        else:
            _offer(screen, talk)
            return
        screen.gap()
        if talk.choose("ENTER goes on, q leaves > ", "q", "+") == "q":
            break
    screen.line("next: ", ("code", f"curriculum start {FOLDER}"))


def _asked(talk: Conversation, found: Tour) -> Value | None:
    """An answer that can be read; None if the person leaves."""
    slot = found.exercise.slots[0]
    prompt = f"{found.question}   was {found.was}   > "
    return talk.ask(prompt, lambda typed: None if typed == "q" else answer_of(slot, typed))


def _offer(screen: Screen, talk: Conversation) -> None:
    """A folder to work in, where the person wants one."""
    while True:
        typed = talk.typed(f"A folder for your work: ENTER makes {FOLDER}, q makes none > ")
        if typed == "q":
            screen.line("next: ", ("code", f"curriculum start {FOLDER}"))
            return
        try:
            made = make(Path(typed or FOLDER))
        except CurriculumError as error:
            screen.line(("bad", f"  {error.headline}"))
            continue
        show_made(screen, made)
        _lead_on(screen, made)
        return


def _lead_on(screen: Screen, made: Made) -> None:
    """The way into a workspace, and the one next step there."""
    if made.workspace.folder != Path.cwd():
        fact(screen, "go there", f'cd "{made.workspace.show(made.workspace.folder)}"')
    show_next(screen, next_step(made.workspace.progress()))
