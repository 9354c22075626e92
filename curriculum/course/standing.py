"""Where a learner stands: what is done in each lesson, what waits, and the one next step."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

import attrs

from .exercise import CODE, Exercise, Kind
from .exercises import exercises, lesson_of, waits_for
from .lessons import Lesson, lessons
from .progress import Progress

PLACED = (Kind.PREDICT, Kind.NUMBER, Kind.MODIFY)
"""Kinds that count as done once the lesson's make exercises are passed."""
FIRST_READING = "L1"
"""The level up to which a lesson is read before its exercises."""


class State(StrEnum):
    """What became of an exercise. `placed`: not tried, and the lesson's make exercise is passed."""

    DONE = "done"
    PLACED = "placed"
    NOT_YET = "not yet"
    OPEN = "open"
    WAITS = "waits"


@attrs.frozen
class Step:
    """The one next thing to do, as a command; `exercise` is None where it is to read."""

    command: str
    lesson: Lesson
    exercise: Exercise | None = None


def states(lesson: Lesson, progress: Progress) -> Iterator[tuple[Exercise, State]]:
    """Each exercise of a lesson, in order, and what became of it."""
    found = exercises(lesson)
    makes = [one for one in found if one.kind is Kind.MAKE and not waits_for(one)]
    placed = bool(makes) and all(progress.of(one.id).passed for one in makes)
    for one in found:
        entry = progress.of(one.id)
        if entry.passed:
            yield one, State.DONE
        elif waits_for(one):
            yield one, State.WAITS
        elif placed and one.kind in PLACED:
            yield one, State.PLACED
        else:
            yield one, State.NOT_YET if entry.tries else State.OPEN


def is_done(state: State) -> bool:
    """Whether nothing is left to do about an exercise in this state now."""
    return state in (State.DONE, State.PLACED, State.WAITS)


def next_step(progress: Progress) -> Step | None:
    """What to do next; None if everything is done.

    It begins at the lesson that the workspace was made for, and comes to the earlier ones last.
    """
    for lesson in _route(progress):
        if not progress.read.get(lesson.id, "") >= FIRST_READING:
            found = list(states(lesson, progress))
            if not found or not all(is_done(state) for _, state in found):
                return Step(f"curriculum read {_short(lesson)}", lesson)
        for exercise, state in states(lesson, progress):
            if not is_done(state):
                return Step(command_of(exercise), lesson, exercise)
    return None


def _route(progress: Progress) -> list[Lesson]:
    """The lessons in the order in which they are done."""
    known = list(lessons())
    first = next((n for n, one in enumerate(known) if progress.at in (one.id, _short(one))), 0)
    return [*known[first:], *known[:first]]


def to_check(progress: Progress) -> Exercise | None:
    """The first exercise with code that is not done; None if there is none."""
    rows = (row for lesson in _route(progress) for row in states(lesson, progress))
    return next((one for one, state in rows if one.kind in CODE and not is_done(state)), None)


def first_step(lesson: Lesson, progress: Progress | None) -> str:
    """The command for the lesson's first exercise that is not done; to run it if there is none."""
    rows = states(lesson, progress or Progress())
    left = next((one for one, state in rows if not is_done(state)), None)
    if left is not None:
        return command_of(left)
    return f"curriculum run {lesson.id}" if progress is None else "curriculum next"


def command_of(exercise: Exercise) -> str:
    """The command that takes an answer: code is checked, everything else is asked for."""
    word = "check" if exercise.kind in CODE else "predict"
    return f"curriculum {word} {exercise.id}"


def recap(lesson: Lesson) -> tuple[Lesson, ...]:
    """The lessons that this one rests on, the first ones first."""
    found: dict[str, Lesson] = {}

    def visit(needs: Iterable[str]) -> None:
        for need in needs:
            one = lesson_of(need)
            if one.id not in found:
                visit(one.needs)
                found[one.id] = one

    visit(lesson.needs)
    return tuple(found.values())


def _short(lesson: Lesson) -> str:
    return lesson.id.partition("-")[0]
