"""A lesson's text by level, for reading: without its marks, and with the answers folded away."""

import re
from collections.abc import Iterator

import attrs

from curriculum.record.errors import CurriculumError

from .lessons import Lesson
from .progress import LEVELS
from .prose import render

FIRST = ("L0", "L1")
"""The levels that are read before the first exercises."""
_HEAD = re.compile(r"^## (L\d)\b[ ·:-]*(.*)$", re.M)
_FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>\s*(.*?)\s*</details>", re.S)


@attrs.frozen
class Level:
    """One level: `L0`, its title, its text in Markdown, and how many answers are folded in it."""

    name: str
    title: str
    text: str
    folded: int


def levels(lesson: Lesson, answers: bool = False) -> tuple[Level, ...]:
    """The levels of a lesson that are written. Raises `CurriculumError` if it has no text."""
    try:
        text = (lesson.folder / "lesson.md").read_text(encoding="utf-8")
    except OSError:
        raise CurriculumError(
            f"{lesson.id} has no text.", code="lesson-no-text", next="curriculum lessons"
        ) from None
    return tuple(_levels(render(text), lesson, answers))


def _levels(text: str, lesson: Lesson, answers: bool) -> Iterator[Level]:
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        body = text[head.end() : end].strip()
        short = lesson.id.partition("-")[0]
        shown = _FOLD.sub(_open if answers else _folded(short, head[1]), body)
        yield Level(head[1], head[2].strip(), shown, 0 if answers else len(_FOLD.findall(body)))


def _open(fold: re.Match[str]) -> str:
    return f"**{fold[1]}.** {fold[2]}"


def _folded(lesson: str, level: str) -> str:
    command = f"curriculum read {lesson} {level} --answers"
    return rf"**\g<1>** is folded away. Write yours down, then: `{command}`"


def chosen(lesson: Lesson, wanted: str | None, answers: bool = False) -> tuple[Level, ...]:
    """The levels to show: the first two, the one that is `wanted`, or `all`.

    Raises `CurriculumError` (`lesson-no-level`).
    """
    found = levels(lesson, answers)
    if wanted is None:
        return tuple(level for level in found if level.name in FIRST)
    name = wanted.upper()
    if name == "ALL":
        return found
    if picked := tuple(level for level in found if level.name == name):
        return picked
    short = lesson.id.partition("-")[0]
    known = ", ".join(level.name for level in found)
    why = "is not written yet" if name in LEVELS else "is no level"
    raise CurriculumError(
        f"{wanted!r} {why} in {lesson.id}.",
        f"there are {known or 'none'}, or all",
        code="lesson-no-level",
        next=f"curriculum read {short}",
    )
