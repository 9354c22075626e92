"""A lesson in a folder of its own with goldens of its own, to be checked and to be broken."""

import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import curriculum.lessons
from curriculum.course import exercises, lessons, runs
from curriculum.course.authoring import Report
from curriculum.course.lesson_check import check_lesson
from curriculum.course.prose import check as check_prose
from curriculum.golden import files
from curriculum.golden.cases import run_case


class Author:
    """Somebody who writes a lesson: edits its files, records its goldens, and has it checked."""

    def __init__(self, root: Path, name: str) -> None:
        self.root, self.folder = root, root / "lessons" / name

    def edit(self, file: str, old: str, new: str, count: int = 1) -> None:
        """Put `new` in the place of `old`, which must be there."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} has no {old!r}"
        path.write_text(text.replace(old, new, count), encoding="utf-8", newline="\n")

    def write(self, file: str, text: str) -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")

    def fill_in(self) -> None:
        """Take every mark away: the words behind each of them do for a text."""
        for path in self.folder.rglob("*.*"):
            if path.is_file() and "__pycache__" not in path.parts:
                text = path.read_text(encoding="utf-8")
                path.write_text(re.sub(r"\bTODO ", "", text), encoding="utf-8", newline="\n")

    def record(self) -> None:
        """Make the run of each case its golden, and each block of the text what it is cut from."""
        forget()
        lesson = next(one for one in lessons.lessons() if one.folder == self.folder)
        for case in lesson.cases():
            path = files.fixture(self.root / "golden", case.id)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(run_case(case), encoding="ascii", newline="\n")
        forget()
        page = self.folder / "lesson.md"
        mended = check_prose(page.read_text(encoding="utf-8"), self.folder).mended
        page.write_text(mended, encoding="utf-8", newline="\n")

    def check(self) -> Report:
        forget()
        return check_lesson(self.folder)

    def codes(self) -> list[str]:
        """The codes of all refusals, each once."""
        return sorted({refusal.code for refusal in self.check().refusals})


@contextmanager
def author_in(root: Path, name: str) -> Generator[Author]:
    """The lessons and goldens below `root` are all that there are."""
    (root / "lessons").mkdir()
    (root / "golden").mkdir()
    before, root_of = curriculum.lessons.__path__, files.root
    curriculum.lessons.__path__ = [str(root / "lessons")]
    files.root = lambda: root / "golden"
    try:
        yield Author(root, name)
    finally:
        curriculum.lessons.__path__, files.root = before, root_of
        forget()


def forget() -> None:
    """Read and run everything anew."""
    for name in [one for one in sys.modules if re.match(r"curriculum\.lessons\.s9", one)]:
        del sys.modules[name]
    for name in [one for one in vars(curriculum.lessons) if re.match(r"s9", one)]:
        delattr(curriculum.lessons, name)
    lessons.lessons.cache_clear()
    exercises._read.cache_clear()  # pyright: ignore[reportPrivateUsage]
    runs.trace_of.cache_clear()
