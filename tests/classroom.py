"""What the tests of predictions share: exercises of s06, and further ones as text."""

from collections.abc import Mapping

from curriculum.course.exercise import Exercise
from curriculum.course.exercise_file import exercise_from
from curriculum.course.exercises import exercise_of, lesson_of
from curriculum.course.grading import Grade, grade
from curriculum.course.scenes import Scene
from curriculum.course.slots import Value

SAMPLE: Mapping[str, Value] = {"log": 120, "shown": 120, "request": 240, "bytes": True}
"""The answers of the sample: whoever forgets gate 2."""
RIGHT: Mapping[str, Value] = {"log": 120, "shown": 31, "request": 300, "bytes": False}
HEAD = """format = 1
id = "s06-99"
title = "A test"
minutes = 1
hints = ["one", "two", "three"]
"""


def scene_of(id: str = "s06-1") -> Scene:
    """An exercise with the numbers of the text."""
    exercise = exercise_of(id)
    return Scene(exercise, exercise.change)


def written(text: str, head: str = HEAD) -> Exercise:
    """The exercise of a text, as if it stood among those of s06."""
    folder = lesson_of("s06").folder
    return exercise_from(head + text, folder / "exercises" / "s06_99.toml", "s06-context-budget")


def graded(**answers: Value) -> Grade:
    """A grade of s06-1: the right answers, but for these."""
    return grade(scene_of(), {**RIGHT, **answers})
