"""The text of a lesson.toml -> a lesson. What is wrong is named by its line."""

import re
import tomllib
from pathlib import Path
from typing import Any

from curriculum.record.errors import CurriculumError
from curriculum.trace.events import Stop

from .exercise_fields import ExerciseFileError, Fields
from .lessons import Lesson, Room

NAME = "lesson.toml"
FIELDS = ("id", "title", "mechanism", "invariant", "misconception", "minutes", "needs", "adds")
TABLES = ("cases", "room")
_ID = re.compile(r"s[0-9]{2}-[a-z0-9]+(-[a-z0-9]+)*\Z")


class LessonFileError(CurriculumError):
    """A lesson.toml that cannot be used. Its code begins with `lesson-`."""

    code = "lesson-file"


def read_lesson(folder: Path) -> Lesson:
    """The lesson of a folder. Raises `LessonFileError`."""
    file = folder / NAME
    name = f"{folder.name}/{NAME}"
    try:
        text = file.read_text(encoding="utf-8")
        data: dict[str, Any] = tomllib.loads(text)
    except (OSError, UnicodeDecodeError):
        raise LessonFileError(
            f"{name} cannot be read as UTF-8 text.", code="lesson-unreadable"
        ) from None
    except tomllib.TOMLDecodeError as error:
        line = str(error).partition("(at line ")[2].partition(",")[0] or "the last"
        raise LessonFileError(
            f"{name}, line {line}: that is no TOML.", code="lesson-toml"
        ) from None
    try:
        return _lesson(Fields(name, text, data), folder)
    except ExerciseFileError as error:  # the same tables; the file is another one
        code = error.code.replace("exercise-", "lesson-")
        raise LessonFileError(error.headline, *error.evidence, code=code, next=error.next) from None


def _lesson(top: Fields, folder: Path) -> Lesson:
    top.known((*FIELDS, "core", *TABLES))
    top.need(*(name for name in FIELDS if name != "needs"), "cases")
    id = top.said("id")
    if not _ID.match(id) or id.replace("-", "_") != folder.name:
        why = f"id is {id!r}, and the folder {folder.name} has another name"
        top.refuse("id", why, "exercise-id")
    return Lesson(
        id=id,
        title=top.said("title"),
        mechanism=top.said("mechanism"),
        invariant=top.said("invariant"),
        misconception=top.said("misconception"),
        minutes=top.number("minutes", least=1),
        needs=top.texts("needs"),
        adds=top.said("adds"),
        core=top.flag("core") if "core" in top.data else False,
        folder=folder,
        stops=_cases(top, id),
        room=tuple(_room(row) for row in top.tables("room")),
    )


def _cases(top: Fields, lesson: str) -> dict[str, tuple[str, Stop]]:
    found: dict[str, tuple[str, Stop]] = {}
    for row in top.tables("cases"):
        row.known(("id", "title", "stops"))
        row.need("id", "title", "stops")
        id = row.said("id")
        if id in found:
            row.refuse("id", f"two cases are called {id!r}", "exercise-case")
        if id != lesson and (not found or not id.startswith(f"{lesson}/")):
            why = f"a case is called {lesson}, the first one, or {lesson}/SOMETHING; not {id!r}"
            row.refuse("id", why, "exercise-case")
        found[id] = (row.said("title"), Stop(row.word("stops", Stop)))
    return found


def _room(row: Fields) -> Room:
    row.known(("what", "minutes"))
    row.need("what", "minutes")
    return Room(row.said("what"), row.number("minutes", least=1))
