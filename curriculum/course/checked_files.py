"""The folder of a lesson as its author left it: files, kinds, the plan of a session, marks."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from .authoring import Desk
from .exercise import CODE, Exercise, Kind
from .exercises import in_order
from .lessons import Lesson, lessons
from .progress import LEVELS

MOST_MINUTES = 40
"""Minutes of one session in a room."""
KINDS = (Kind.PREDICT, Kind.MODIFY, Kind.MAKE)
"""Kinds of which each lesson has one exercise at least that waits for nothing."""
WRONG = 3
"""Wrong harnesses of a lesson at least."""
FIXED = ("__init__.py", "lesson.toml", "lesson.md", "demo.py", "solutions/__init__.py")
"""Files that belong to no exercise."""
SEAM = "solutions/wrong.py"
MARK = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
"""What an author writes where something is still to be done."""
SKIPPED = ("__pycache__",)


def check_files(desk: Desk, lesson: Lesson, found: Sequence[Exercise]) -> None:
    """No stray file, no mark left; an exercise belongs to the lesson that it lies in."""
    known = {*FIXED, SEAM}
    for one in found:
        known.add(f"exercises/{one.stem}.toml")
        if one.kind in CODE:
            known |= {f"exercises/{one.stem}.py", f"solutions/{one.stem}.py"}
        if one.kind is Kind.MAKE:
            known.add(f"solutions/{one.stem}_check.py")
        desk.looked("ids of exercises")
        desk.refuse_unless(
            one.id.partition("-")[0] == lesson.id.partition("-")[0],
            "exercise-elsewhere",
            one.id,
            f"{one.id} lies in the folder of {lesson.id}.",
            do="give it the number of the lesson, or move it",
        )
    for name, path in files_of(lesson.folder):
        desk.looked("files")
        desk.refuse_unless(
            name in known,
            "lesson-stray",
            name,
            f"No exercise of {lesson.id} claims this file.",
            "an exercise sNN-M claims exercises/sNN_M.toml, and with code its starter, its "
            "solution and its judge",
            do=f"name it after its exercise, or delete {path}",
        )
        _marks(desk, name, path)


def files_of(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a lesson by their path in its folder, without what Python leaves there."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part in SKIPPED for part in parts):
            yield "/".join(parts), path


def _marks(desk: Desk, name: str, path: Path) -> None:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        desk.refuse("lesson-not-text", name, "This file is no UTF-8 text.", do="save it as UTF-8")
        return
    marked = [number for number, line in enumerate(lines, 1) if MARK.search(line)]
    if marked:
        first, more = marked[0], len(marked) - 1
        also = [f"and {more} more lines of it"] if more else []
        said = lines[first - 1].strip()[:120]
        desk.refuse(
            "lesson-todo",
            f"{name}, line {first}",
            "Something is still to be filled in.",
            said,
            *also,
            do="write it, and take the mark away",
        )


def check_needs(desk: Desk, lesson: Lesson) -> None:
    """What a lesson rests on stands before it, and is there."""
    ids = [one.id for one in lessons()]
    for need in lesson.needs:
        desk.looked("needs")
        desk.refuse_unless(
            need in ids and need < lesson.id,
            "lesson-needs",
            "lesson.toml",
            f"{lesson.id} needs {need!r}, which is no lesson before it.",
            f"before it: {', '.join(id for id in ids if id < lesson.id) or 'none'}",
            do="name the whole id of a lesson that comes earlier",
        )


def check_kinds(desk: Desk, lesson: Lesson, live: Sequence[Exercise]) -> None:
    """One exercise of each of three kinds at least, and three wrong harnesses."""
    for kind in KINDS:
        desk.looked("kinds")
        desk.refuse_unless(
            any(one.kind is kind for one in live),
            "lesson-kind",
            "exercises",
            f"{lesson.id} has no {kind} exercise that can be done now.",
            f"it has: {', '.join(f'{one.id} {one.kind}' for one in live) or 'none'}",
            do=f'write one with kind = "{kind}"',
        )
    harnesses = sorted({name for one in live for name in harnesses_of(one)})
    desk.refuse_unless(
        len(harnesses) >= WRONG,
        "lesson-wrong-few",
        SEAM,
        f"{lesson.id} uses {len(harnesses)} wrong harnesses; {WRONG} are needed.",
        f"used: {', '.join(harnesses) or 'none'}",
        do="make one more misconception executable, and name it in a [[wrong]]",
    )


def harnesses_of(exercise: Exercise) -> tuple[str, ...]:
    """The wrong harnesses that an exercise names."""
    own = (exercise.harness,) if exercise.harness else ()
    return (*(wrong.harness for wrong in exercise.wrong), *own)


def check_room(desk: Desk, lesson: Lesson, found: Sequence[Exercise]) -> None:
    """The plan of one session: it names what exists, each part once, and fits into the time."""
    known = [*LEVELS, *sorted((one.id for one in found), key=in_order)]
    names = [part.what for part in lesson.room]
    for part in lesson.room:
        desk.looked("parts of the plan")
        desk.refuse_unless(
            part.what in known,
            "room-unknown",
            "lesson.toml",
            f"The plan names {part.what!r}, which is no level and no exercise here.",
            f"there are: {', '.join(known)}",
            do="name one of these in [[room]]",
        )
        desk.refuse_unless(
            names.count(part.what) == 1,
            "room-twice",
            "lesson.toml",
            f"The plan names {part.what} {names.count(part.what)} times.",
            do="give each part one [[room]]",
        )
    terms = " + ".join(str(part.minutes) for part in lesson.room)
    total = sum(part.minutes for part in lesson.room)
    desk.looked("sums of minutes")
    desk.refuse_unless(
        bool(lesson.room),
        "room-none",
        "lesson.toml",
        f"{lesson.id} has no plan for a session.",
        do="add [[room]] tables: what = a level or an exercise, minutes = how long",
    )
    desk.refuse_unless(
        total <= MOST_MINUTES,
        "room-long",
        "lesson.toml",
        f"The plan takes {total} minutes; a session has {MOST_MINUTES}.",
        f"{terms} = {total}",
        do="leave a part to read at home",
    )
    desk.refuse_unless(
        not lesson.room or total == lesson.minutes,
        "room-sum",
        "lesson.toml",
        f"minutes is {lesson.minutes}, and the plan takes {total}.",
        f"{terms} = {total}",
        do=f"write minutes = {total}",
    )
