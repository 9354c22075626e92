"""The exercises of the lessons that are installed."""

from functools import cache
from pathlib import Path

from curriculum.record.errors import CurriculumError

from .exercise import Exercise
from .exercise_file import read_exercise
from .lessons import Lesson, lessons


def exercises(lesson: Lesson | str) -> tuple[Exercise, ...]:
    """A lesson's exercises by number; an id will do for the lesson. Raises `CurriculumError`."""
    found = lesson_of(lesson) if isinstance(lesson, str) else lesson
    return _read(found.id, found.folder)


@cache
def _read(lesson: str, folder: Path) -> tuple[Exercise, ...]:
    files = sorted((folder / "exercises").glob("s[0-9][0-9]_*.toml"))
    made = [read_exercise(file, lesson) for file in files]
    return tuple(sorted(made, key=lambda exercise: in_order(exercise.id)))


def all_exercises() -> dict[str, Exercise]:
    """Every exercise by id, in the order of the lessons."""
    return {exercise.id: exercise for lesson in lessons() for exercise in exercises(lesson)}


def exercise_of(id: str) -> Exercise:
    """The exercise with this id. Raises `CurriculumError` (`unknown-exercise`)."""
    known = all_exercises()
    if id in known:
        return known[id]
    raise _unknown("exercise", id, list(known))


def lesson_of(id: str) -> Lesson:
    """The lesson of an id or of its beginning, s06. Raises `CurriculumError` (`unknown-lesson`)."""
    for lesson in lessons():
        if id in (lesson.id, lesson.id.partition("-")[0]):
            return lesson
    raise _unknown("lesson", id, [lesson.id for lesson in lessons()])


def waits_for(exercise: Exercise) -> tuple[str, ...]:
    """The lessons that the exercise needs and that are not built yet; it is listed as waiting."""
    built = {lesson.id for lesson in lessons()} | {
        lesson.id.partition("-")[0] for lesson in lessons()
    }
    return tuple(need for need in exercise.needs if need not in built)


def in_order(id: str) -> tuple[tuple[int, int | str], ...]:
    """What ids are sorted by: numbers count as numbers, so s06-10 comes after s06-9."""
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in id.split("-"))


def _unknown(what: str, id: str, known: list[str]) -> CurriculumError:
    import difflib

    near = difflib.get_close_matches(id, known, 1, 0.0)
    return CurriculumError(
        f"No {what} is called {id!r}.",
        *(f"nearest: {name}" for name in near),
        code=f"unknown-{what}",
        next="curriculum lessons",
    )
