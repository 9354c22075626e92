"""A learner's folder on a screen: what was made, where one stands, what is next."""

from collections.abc import Sequence
from typing import Any

from curriculum.course.exercise import Exercise
from curriculum.course.lessons import Lesson
from curriculum.course.progress import Progress
from curriculum.course.standing import State, Step, is_done, states
from curriculum.course.workspace import Made, Workspace

from .safe import many
from .screen import Screen, fact

SIGNS = {
    State.DONE: ("good", "x"),
    State.PLACED: ("good", "="),
    State.NOT_YET: ("bad", "o"),
    State.OPEN: ("quiet", "."),
    State.WAITS: ("quiet", "-"),
}
"""A letter for each state, so that no colour is needed."""


def show_made(screen: Screen, made: Made) -> None:
    """Print what is new in a folder, and that the rest stayed."""
    work = made.workspace
    word = "made" if work.progress_file in made.new else "there already"
    screen.line(("good", f"{word}: "), str(work.folder), indent=6)
    starters = [path for path in made.new if path.suffix == ".py"]
    fact(screen, "new", f"{many(len(made.new), 'file')}, {len(starters)} of them starters")
    if made.kept:
        fact(
            screen, "kept", f"{many(len(made.kept), 'file')} as they were: nothing is written over"
        )


def show_standing(
    screen: Screen, work: Workspace, known: Progress, lessons: Sequence[Lesson], step: Step | None
) -> None:
    """Print every lesson with its exercises, and the one next step."""
    whose = f" of {known.name}" if known.name else ""
    screen.line(("head", f"progress{whose}"), f"  {work.progress_file}", indent=4)
    for lesson in lessons:
        rows = list(states(lesson, known))
        done = sum(is_done(state) and state is not State.WAITS for _, state in rows)
        read = known.read.get(lesson.id, "")
        screen.gap()
        said = f"  {done} of {many(len(rows), 'exercise')} done"
        screen.line(("head", lesson.id), said, f", read to {read}" if read else "", indent=4)
        for exercise, state in rows:
            _row(screen, exercise, state, known)
    screen.gap()
    signs = "x done   = placed: the make exercise is passed   o not yet   . open   - waits"
    screen.line(("quiet", f"  {signs}"), indent=2)
    screen.line(("quiet", "  this file can be copied: progress.txt is all there is to carry"))
    show_next(screen, step)


def _row(screen: Screen, exercise: Exercise, state: State, known: Progress) -> None:
    style, sign = SIGNS[state]
    entry = known.of(exercise.id)
    more = [many(entry.tries, "try").replace("trys", "tries")] if entry.tries else []
    more += [many(entry.hints, "hint")] if entry.hints else []
    more += ["solution seen"] if entry.solution else []
    screen.line(
        *[(style, f"  {sign} "), f"{exercise.id:<8} {exercise.kind:<10} {exercise.title}"],
        ("quiet", f"  ({', '.join(more)})" if more else ""),
        indent=24,
    )


def show_next(screen: Screen, step: Step | None) -> None:
    """Print the one next step as a command, with what it is about."""
    if step is None:
        screen.line(("good", "everything that is here is done"))
        screen.line("next: ", ("code", "curriculum lessons"))
        return
    exercise = step.exercise
    if exercise is None:
        about = f"the lesson: {step.lesson.title}"
    else:
        about = f"{exercise.kind}: {exercise.title} ({exercise.minutes} minutes)"
    screen.line("next: ", ("code", step.command), f"   {about}", indent=6)


def show_to_do(screen: Screen, exercise: Exercise, file: str = "") -> None:
    """Print what an exercise with code asks for, line by line, and the file to write it in."""
    if file:
        fact(screen, "file", file)
    for number, line in enumerate(exercise.ask.splitlines()):
        fact(screen, "" if number else "to do", line)


def step_data(step: Step | None) -> dict[str, Any] | None:
    """The next step as data."""
    if step is None:
        return None
    exercise = step.exercise.id if step.exercise is not None else None
    data = {"command": step.command, "lesson": step.lesson.id, "exercise": exercise}
    if step.exercise is not None and step.exercise.ask:
        data["to_do"] = step.exercise.ask
    return data


def standing_data(known: Progress, lessons: Sequence[Lesson], step: Step | None) -> dict[str, Any]:
    """Progress as data."""
    rows = [
        {
            "lesson": lesson.id,
            "read": known.read.get(lesson.id),
            "exercises": [
                {
                    **{"id": one.id, "kind": str(one.kind), "title": one.title},
                    **{"state": str(state), "tries": known.of(one.id).tries},
                    **{"hints": known.of(one.id).hints, "solution": known.of(one.id).solution},
                }
                for one, state in states(lesson, known)
            ],
        }
        for lesson in lessons
    ]
    return {"name": known.name, "lessons": rows, "next": step_data(step)}
