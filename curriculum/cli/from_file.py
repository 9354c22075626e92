"""A prediction whose answers stand in a file: nobody is asked anything."""

from pathlib import Path
from typing import Any

from curriculum.course.answers import (
    AnswerError,
    AnswersFile,
    answer_of,
    confidence_of,
    read_answers,
    spelled,
)
from curriculum.course.exercise import Exercise, Slot
from curriculum.course.feedback import (
    again_said,
    asked,
    first_said,
    graded,
    later_said,
    left_to_ask,
    next_after,
    result_of,
)
from curriculum.course.grading import Grade
from curriculum.course.prediction import Prediction, close_prediction, write_prediction
from curriculum.course.result import Result
from curriculum.course.scenes import Scene
from curriculum.course.slots import Value
from curriculum.view.prediction import show_given, show_task, show_title
from curriculum.view.result import show_result
from curriculum.view.screen import Screen

from .learner import Learner

AGAIN = "again."
"""How the key of an answer begins that is given under the rule."""


def predict_from(
    screen: Screen, exercise: Exercise, learner: Learner, path: Path, quiet: bool = False
) -> tuple[Result, dict[str, Any]]:
    """Read the answers, write them down, run, grade, print; the result, and the same as data."""
    scene = learner.scene(exercise)
    file = read_answers(path, keys(exercise))
    given, sure = answers_in(exercise, file)
    again = {
        number: _read(file, f"{AGAIN}{slot.key}", slot)
        for number, slot in enumerate(exercise.slots)
        if f"{AGAIN}{slot.key}" in file.typed
    }
    known = learner.known(scene)
    written = write_prediction(learner.folder, scene, given, sure)
    result, made = _graded(scene, given, again)
    more = {f"again {exercise.slots[n].key}": spelled(value) for n, value in again.items()}
    close_prediction(written, result, more)
    learner.note(exercise, result)
    if not quiet:
        show_title(screen, exercise, len(exercise.slots))
        show_task(screen, scene, known)
        show_given(screen, exercise, given)
        screen.line(f"Written down before the run: {learner.show(written.path)}", indent=2)
        show_result(screen, result)
    return result, _data(scene, written, result, made)


def keys(exercise: Exercise) -> list[str]:
    """The keys that a file of answers may have."""
    slots = [slot.key for slot in exercise.slots]
    return [*slots, "confidence", *(f"{AGAIN}{key}" for key in slots)]


def answers_in(exercise: Exercise, file: AnswersFile) -> tuple[dict[str, Value], int]:
    """The answers to all questions, and how sure; 0 if it does not say. Raises `AnswerError`."""
    missing = [slot.key for slot in exercise.slots if slot.key not in file.typed]
    if missing:
        raise AnswerError(
            f"{file.name} has no answer to {', '.join(missing)}.",
            *(f"{slot.key}: {slot.ask}" for slot in exercise.slots if slot.key in missing),
            code="answers-missing",
            next=f"add a line {missing[0]} = ...",
        )
    given = {slot.key: _read(file, slot.key, slot) for slot in exercise.slots}
    sure = file.get("confidence")
    return given, confidence_of(sure) if sure is not None else 0


def _read(file: AnswersFile, key: str, slot: Slot) -> Value:
    try:
        return answer_of(slot, file.typed[key])
    except AnswerError as error:
        error.headline = f"{file.name}, line {file.lines[key]}: {error.headline}"
        raise


def _graded(
    scene: Scene, given: dict[str, Value], again: dict[int, Value]
) -> tuple[Result, Grade | None]:
    made = graded(scene, given)
    if isinstance(made, Result):
        return made, None
    said = [*first_said(made), *asked(made.suspects), *later_said(made)]
    taken = {number: value for number, value in again.items() if number in made.again}
    said += [again_said(scene, made, number, yours) for number, yours in taken.items()]
    said += [left_to_ask(scene, number) for number in made.again if number not in taken]
    return result_of(made, said, taken, next_after(scene.exercise, made.passed)), made


def _data(scene: Scene, written: Prediction, result: Result, made: Grade | None) -> dict[str, Any]:
    data = result.data()
    data["prediction"] = str(written.path)
    data["change"] = dict(scene.variant)
    if made is not None:
        data["first_difference"] = None if made.first is None else made.marks[made.first].slot.key
        data["answers"] = [
            {
                "key": mark.slot.key,
                "yours": mark.yours,
                "run": mark.run,
                "standing": mark.standing,
                "right": mark.right,
            }
            for mark in made.marks
        ]
        data["pictures"] = [one.wrong.harness for one in made.suspects]
    return data
