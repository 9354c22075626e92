"""`curriculum solution`: the course's own answer, beside the learner's."""

import click

from curriculum.course.exercise import Exercise
from curriculum.course.exercises import exercise_of
from curriculum.course.progress import Entry, update
from curriculum.course.solutions import Solution, solution_of
from curriculum.course.workspace import find
from curriculum.record.errors import CurriculumError
from curriculum.view.solution import show_solution

from .options import looks, print_json


@click.command()
@click.argument("id", metavar="EX")
@click.option("--show", is_flag=True, help="Show it although you have not passed yet.")
@looks
def solution(id: str, show: bool, plain: bool, as_json: bool) -> None:
    """Show the course's answer to the exercise EX: for code, how yours differs.

    After a pass; before it with --show. Looking is written down in your progress.
    """
    from curriculum.view.screen import Screen

    exercise = exercise_of(id)
    work = find()
    entry = work.progress().of(exercise.id) if work is not None else Entry()
    if not (entry.passed or show):
        raise _not_yet(exercise, entry)
    found = solution_of(exercise, work)
    if work is not None:
        update(work.progress_file, lambda known: known.shown(exercise.id))
    if as_json:
        print_json(_data(found))
        return
    show_solution(Screen(plain), found)


def _not_yet(exercise: Exercise, entry: Entry) -> CurriculumError:
    return CurriculumError(
        f"You have not passed {exercise.id} yet.",
        f"tries {entry.tries}, hints {entry.hints} of 3",
        f"to see it all the same: curriculum solution {exercise.id} --show",
        code="solution-not-yet",
        next=f"curriculum hint {exercise.id}",
    )


def _data(found: Solution) -> dict[str, object]:
    return {
        "exercise": found.exercise.id,
        "commands": list(found.commands),
        "texts": list(found.texts),
        "diff": list(found.diff),
        "same": found.same,
    }
