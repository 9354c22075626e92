"""`curriculum check`: look at an answer, and say pass, not yet, or could not check."""

import click

from curriculum.course.checking import check as check_answer
from curriculum.course.child_endings import SECONDS, Limits
from curriculum.course.exercise import CODE, Exercise
from curriculum.course.exercises import exercise_of
from curriculum.course.recording import note
from curriculum.course.result import Result, Verdict
from curriculum.course.standing import to_check
from curriculum.course.workspace import Workspace, here
from curriculum.record.errors import CurriculumError
from curriculum.view.result import show_result
from curriculum.view.screen import Screen
from curriculum.view.workspace import show_to_do

from .options import looks, print_json
from .run import write_new

EXIT = {Verdict.PASS: 0, Verdict.NOT_YET: 1, Verdict.COULD_NOT_CHECK: 7}
LONGEST = 600
"""Seconds that a run may be given at most."""
seconds = click.option(
    "--seconds",
    type=click.IntRange(1, LONGEST),
    default=SECONDS,
    show_default=True,
    metavar="N",
    help="How long your code may run, by the clock on the wall.",
)


@click.command()
@click.argument("id", required=False, metavar="[EX]")
@seconds
@click.option(
    "--trace",
    "to",
    type=click.Path(),
    metavar="FILE",
    help="Write the trace of your harness's run to this new file.",
)
@looks
def check(id: str | None, seconds: int, to: str | None, plain: bool, as_json: bool) -> int:
    """Look at your code for the exercise EX, such as s06-3.

    Without EX: the first one that is not done. Your code runs in a process of its own, on a copy,
    with limits; that is no security sandbox. Exit code: 0 pass, 1 not yet, 7 could not check.
    """
    work = here()
    exercise = chosen(id, work)
    screen = Screen(plain)
    if not as_json:  # said before the run, which may take its time
        file = work.show(work.file(exercise)) if exercise.kind in CODE else str(exercise.kind)
        screen.line(("head", exercise.id), f"  {exercise.title}", ("quiet", f"  ({file})"))
        screen.out.flush()
    result = check_answer(exercise, work, Limits(seconds=seconds))
    if as_json:
        print_json(result.data())
    else:
        if any(finding.key == "check.untouched" for finding in result.findings):
            show_to_do(screen, exercise)
        show_result(screen, result)
    noted(exercise, work, result)
    if to is not None:
        keep(screen if not as_json else None, result, to)
    return EXIT[result.verdict]


def keep(screen: Screen | None, result: Result, to: str) -> None:
    """Write the trace of the learner's run. Raises `CurriculumError` (`check-no-trace`)."""
    if not result.trace:
        raise CurriculumError(
            f"{result.exercise} gave no trace, so {to} was not written.",
            "a trace comes of an exercise that changes a harness, once its run ends",
            code="check-no-trace",
            next=result.next,
        )
    write_new(to, result.trace)
    if screen is not None:
        screen.line(f"written: {to}", indent=9)
        screen.line("to see your run: ", ("code", f"curriculum trace show {to}"))


def chosen(id: str | None, work: Workspace) -> Exercise:
    """The exercise that is meant. Raises `CurriculumError` (`nothing-to-check`)."""
    if id is not None:
        return exercise_of(id)
    found = to_check(work.progress())
    if found is None:
        raise CurriculumError(
            "No exercise with code is left to do.",
            code="nothing-to-check",
            next="curriculum next",
        )
    return found


def noted(exercise: Exercise, work: Workspace, result: Result) -> None:
    """Write down what became of an answer, after the run and after it was shown."""
    if exercise.kind in CODE or result.verdict is Verdict.PASS:  # to ask is no try
        note(work, exercise, result.verdict)
