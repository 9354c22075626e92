"""`curriculum predict`: write down what you expect, then run it, and see where you part."""

from pathlib import Path

import click

from curriculum.course.exercise import CODE, Exercise, Kind
from curriculum.course.exercises import exercise_of, waits_for
from curriculum.course.result import Result, Verdict
from curriculum.record.errors import CurriculumError
from curriculum.view.screen import Screen

from .conversation import has_terminal
from .learner import Learner, learner_of
from .options import looks, print_json

EXITS = {Verdict.PASS: 0, Verdict.NOT_YET: 1, Verdict.COULD_NOT_CHECK: 7}


@click.command()
@click.argument("id", metavar="EXERCISE")
@click.option(
    "--answers",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Lines KEY = ANSWER instead of questions; with --pair twice, one file each.",
)
@click.option("--room", is_flag=True, help="The numbers of the text, so that a room can talk.")
@click.option("--pair", is_flag=True, help="Two people predict, see where they differ, and talk.")
@click.option("--name", default="", help="Whose numbers; without it the text's come first.")
@click.option("--course", default="", help="The course's key, which goes into the numbers.")
@looks
def predict(
    id: str,
    files: tuple[Path, ...],
    room: bool,
    pair: bool,
    name: str,
    course: str,
    plain: bool,
    as_json: bool,
) -> int:
    """Predict a run of EXERCISE before it is run. The answers are written down first.

    Each question counts once; it is right if the run agrees, or would agree once your earlier
    number is left standing. Exit code 0: pass, 1: not yet, 7: could not check.
    """
    exercise = askable(exercise_of(id))
    screen = Screen(plain)
    learner = learner_of(name, course, room or pair)
    _check(exercise, learner, files, pair, as_json)
    if exercise.kind not in (Kind.PREDICT, Kind.NUMBER):
        from .judging import judge

        return _end(exercise, judge(screen, exercise, learner, files, as_json))
    if pair:
        from .pairing import pair_up

        return _end(exercise, pair_up(screen, exercise, learner, files, as_json))
    if files:
        from .from_file import predict_from

        result, data = predict_from(screen, exercise, learner, files[0], quiet=as_json)
        if as_json:
            print_json(data)
        return _end(exercise, result)
    from .predicting import Predicting

    return _end(exercise, Predicting(screen, exercise, learner).until_done())


def _end(exercise: Exercise, result: Result) -> int:
    """The exit code; in a workspace what came of it is noted in the file of progress."""
    from curriculum.course.recording import note
    from curriculum.course.workspace import find

    work = find()
    if work is not None:
        note(work, exercise, result.verdict)
    return EXITS[result.verdict]


def askable(exercise: Exercise) -> Exercise:
    """The exercise, if it is answered here and now. Raises `CurriculumError`."""
    if exercise.kind in CODE:
        raise CurriculumError(
            f"{exercise.id} is answered with code.",
            f"its kind is {exercise.kind}",
            code="predict-code",
            next=f"curriculum check {exercise.id}",
        )
    if waits := waits_for(exercise):
        raise CurriculumError(
            f"{exercise.id} waits for a lesson that is not built yet: {', '.join(waits)}.",
            code="exercise-waits",
            next="curriculum lessons",
        )
    return exercise


def _task(exercise: Exercise, learner: Learner) -> list[str]:
    """What the answers are about, where it is a run that changes."""
    if exercise.kind not in (Kind.PREDICT, Kind.NUMBER):
        return []
    from curriculum.view.prediction import task

    scene = learner.scene(exercise)
    return [f"{label}: {text}" for label, text in task(scene, learner.known(scene))]


def _check(
    exercise: Exercise, learner: Learner, files: tuple[Path, ...], pair: bool, as_json: bool
) -> None:
    """Refuse what cannot be asked: no terminal and no file, a pair with one file."""
    wanted = 2 if pair else 1
    if files and len(files) != wanted:
        raise CurriculumError(
            f"{len(files)} files of answers were given; {wanted} can be used here.",
            code="predict-files",
            next=f"curriculum predict {exercise.id}{' --pair' if pair else ''} "
            + " ".join(["--answers FILE"] * wanted),
        )
    if pair and exercise.kind not in (Kind.PREDICT, Kind.NUMBER):
        raise CurriculumError(
            f"{exercise.id} is no prediction, so two cannot part at a question of it.",
            code="predict-pair",
            next=f"curriculum predict {exercise.id}",
        )
    if not files and (as_json or not has_terminal()):
        why = "--json asks nobody" if as_json else "there is no terminal to ask at"
        raise CurriculumError(
            f"{exercise.id} needs answers, and {why}.",
            *_task(exercise, learner),
            "write a file of these lines:",
            *form(exercise),
            code="predict-no-terminal",
            next=f"curriculum predict {exercise.id} --answers FILE",
        )


def form(exercise: Exercise) -> list[str]:
    """The lines that a file of answers has."""
    from .forms import FORMS

    return FORMS[exercise.kind](exercise)
