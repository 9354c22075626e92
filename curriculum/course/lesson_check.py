"""Is a lesson fit for learners? Every promise of it is checked, and what was checked is counted.

The counts are compared with what the files themselves say there is to check, found another way:
a check that has looked at nothing is refused like a mistake.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from .authoring import Desk, Refusal, Report
from .checked_answers import check_answered
from .checked_code import check_code
from .checked_files import check_files, check_kinds, check_needs, check_room, harnesses_of
from .checked_predictions import check_prediction
from .checked_runs import check_runs
from .checked_text import check_text
from .exercise import CODE, Exercise, Kind
from .exercise_file import read_exercise
from .exercises import in_order, waits_for
from .lesson_file import read_lesson
from .lessons import Lesson, lessons
from .misconceptions import harness_of

PREDICTED = (Kind.PREDICT, Kind.NUMBER)


def check_lesson(folder: Path) -> Report:
    """What an author is told of the lesson in a folder. Never raises for what is in it."""
    desk = Desk()
    with desk.trouble("lesson-file", "lesson.toml", "mend the file where the line says"):
        lesson = read_lesson(folder)
        lessons()  # what is wrong with another lesson is said before anything rests on it
        found = _read(desk, lesson)
        _check(desk, lesson, found)
        waiting = tuple(one.id for one in found if waits_for(one))
        if not desk.refusals:
            desk.refusals += missed(lesson, desk.counts)
        return Report(lesson.id, tuple(desk.refusals), dict(desk.counts), waiting)
    return Report(folder.name.replace("_", "-"), tuple(desk.refusals), dict(desk.counts))


def _read(desk: Desk, lesson: Lesson) -> list[Exercise]:
    """The exercises that can be read; each that cannot is refused by its line."""
    found: list[Exercise] = []
    for file in sorted((lesson.folder / "exercises").glob("*.toml")):
        with desk.trouble("exercise-file", f"exercises/{file.name}", "mend that line"):
            exercise = read_exercise(file, lesson.id)
            desk.looked("exercises")
            desk.looked("hints", len(exercise.hints))
            desk.refuse_unless(
                len(set(exercise.hints)) == len(exercise.hints),
                "hints-same",
                exercise.id,
                "Two hints say the same.",
                do="first which event, then which rule, then a worked case beside it",
            )
            found.append(exercise)
    return sorted(found, key=lambda one: in_order(one.id))


def _check(desk: Desk, lesson: Lesson, found: Sequence[Exercise]) -> None:
    live = [one for one in found if not waits_for(one)]
    check_files(desk, lesson, found)
    check_needs(desk, lesson)
    check_kinds(desk, lesson, live)
    check_room(desk, lesson, found)
    runnable = check_runs(desk, lesson)
    check_text(desk, lesson, runnable)
    broken = _harnesses(desk, lesson, found)
    desk.looked("waiting exercises", len(found) - len(live))
    for exercise in live if runnable else ():
        if exercise.id in broken:
            continue  # what is missing is said; nothing that rests on it can be checked
        with desk.trouble("exercise-run", exercise.id):
            if exercise.kind in CODE:
                check_code(desk, exercise)
            elif exercise.kind in PREDICTED:
                check_prediction(desk, exercise)
            else:
                check_answered(desk, exercise)


def _harnesses(desk: Desk, lesson: Lesson, found: Sequence[Exercise]) -> set[str]:
    """Each harness that is named is there, and each that is there is named.

    Gives the exercises of which a harness is missing.
    """
    broken: set[str] = set()
    named = {name for one in found for name in (*harnesses_of(one), *one.right)}
    for exercise in found:
        for name in (*harnesses_of(exercise), *exercise.right):
            known = len(desk.refusals)
            desk.looked("names of harnesses")
            with desk.trouble("wrong-harness", exercise.id, "write it in solutions/wrong.py"):
                harness_of(exercise, name)
            if len(desk.refusals) > known:
                broken.add(exercise.id)
    path = lesson.folder / "solutions" / "wrong.py"
    for name in _functions(path):
        desk.looked("functions of wrong.py")
        desk.refuse_unless(
            name in named,
            "wrong-unused",
            "solutions/wrong.py",
            f"No exercise uses the harness {name}.",
            do="name it in an exercise, or begin its name with _",
        )
    return broken


def _functions(path: Path) -> list[str]:
    import ast

    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return []  # that it does not load is said of each harness that is named
    found = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [name for name in found if not name.startswith("_")]


def missed(lesson: Lesson, counts: Mapping[str, int]) -> list[Refusal]:
    """What there is to check by the files themselves, and was not checked."""
    found: list[Refusal] = []
    for what, least in expected(lesson).items():
        if counts.get(what, 0) < least:
            found.append(
                Refusal(
                    "checked-too-few",
                    lesson.folder.name,
                    f"{counts.get(what, 0)} {what} were checked, and there are {least}.",
                    do="this is a fault of the check: tell its authors",
                )
            )
    return found


def expected(lesson: Lesson) -> dict[str, int]:
    """How many things of each kind there are, read from the files and from nothing else."""
    known = {part for one in lessons() for part in (one.id, one.id.partition("-")[0])}
    files = sorted((lesson.folder / "exercises").glob("*.toml"))
    rows = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    top = tomllib.loads((lesson.folder / "lesson.toml").read_text(encoding="utf-8"))
    live = [row for row in rows if not set(cast(list[str], row.get("needs", []))) - known]
    asked = [row for row in live if row["kind"] in PREDICTED]
    count = {
        **{"exercises": len(rows), "hints": 3 * len(rows), "levels": 5, "demos": 1},
        **{"goldens": len(top["cases"]), "parts of the plan": len(top["room"])},
        "variants": sum(_variants(row) for row in asked),
        "questions": sum(_variants(row) * len(row["slots"]) for row in asked),
        "runs of wrong harnesses": sum(_variants(row) * len(row["wrong"]) for row in asked),
        "constant strategies": sum(_variants(row) for row in asked),
        "starters": sum(row["kind"] in CODE for row in live),
        "solutions": sum(row["kind"] in CODE for row in live),
        "chaff": sum(len(row["wrong"]) for row in live if row["kind"] == Kind.ASSERTION),
        "lines of orders": sum(len(row["events"]) for row in live if row["kind"] == Kind.ORDER),
    }
    return {**count, "numbers of the text": 1, "blocks of the text": 1, "files": len(rows) + 5}


def _variants(row: Mapping[str, Any]) -> int:
    return max(1, len(row.get("variants", [])))
