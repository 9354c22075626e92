"""A new lesson: a folder that runs at once, says what is to be written, and passes when it is."""

from collections.abc import Generator
from pathlib import Path

import pytest

import curriculum.lessons
from curriculum.course.skeleton import FILES, SkeletonError, begin
from curriculum.golden import files

from .authored import Author, author_in

MADE = (
    *("__init__.py", "demo.py", "exercises/s91_1.toml", "exercises/s91_2.py"),
    *("exercises/s91_2.toml", "exercises/s91_3.py", "exercises/s91_3.toml"),
    *("lesson.md", "lesson.toml", "solutions/__init__.py", "solutions/s91_2.py"),
    *("solutions/s91_3.py", "solutions/s91_3_check.py", "solutions/wrong.py"),
)


@pytest.fixture
def author(tmp_path: Path) -> Generator[Author]:
    with author_in(tmp_path, "s91_tiny") as found:
        yield found


class TestBegin:
    def test_it_writes_all_that_a_lesson_needs(self, author: Author) -> None:
        made = begin("s91-tiny")
        assert made.folder == author.folder
        assert made.files == MADE
        there = {path.relative_to(author.folder).as_posix() for path in author.folder.rglob("*.*")}
        assert there == set(MADE)
        lines = [
            line
            for path in author.folder.rglob("*.*")
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        assert made.to_do == sum("TODO" in line for line in lines) == 51

    def test_what_is_missing_is_said_and_nothing_else(self, author: Author) -> None:
        """The marks, and that the run is not pinned yet; the first of each file by its line."""
        begin("s91-tiny")
        report = author.check()
        assert {one.code for one in report.refusals} == {"lesson-todo", "lesson-golden"}
        (golden,) = (one for one in report.refusals if one.code == "lesson-golden")
        assert golden.do == "golden record s91-tiny"
        marked = [one.where for one in report.refusals if one.code == "lesson-todo"]
        assert "lesson.md, line 1" in marked
        assert "solutions/wrong.py, line 1" in marked

    def test_with_a_golden_only_the_marks_are_left(self, author: Author) -> None:
        begin("s91-tiny", "A tiny lesson")
        author.record()
        assert author.codes() == ["lesson-todo"]

    def test_filled_in_it_holds(self, author: Author) -> None:
        """Each of the three kinds, three wrong harnesses, 162 things checked."""
        begin("s91-tiny", "A tiny lesson")
        author.fill_in()
        author.record()
        report = author.check()
        assert report.refusals == ()
        assert (report.checked["starters"], report.checked["solutions"]) == (2, 2)
        assert report.checked["runs of wrong harnesses"] == 9
        assert report.total == 162

    def test_a_text_that_is_taken_out_is_not_filled_in(self, author: Author) -> None:
        begin("s91-tiny", "A tiny lesson")
        author.fill_in()
        author.edit("lesson.toml", "what most people think before, in their own words", "")
        assert author.codes() == ["lesson-missing"]


class TestRefused:
    def test_nothing_that_exists_is_written_over(self, author: Author) -> None:
        author.write("lesson.md", "mine\n")
        with pytest.raises(SkeletonError) as error:
            begin("s91-tiny")
        assert error.value.code == "lesson-exists"
        assert [path.name for path in author.folder.rglob("*")] == ["lesson.md"]
        assert (author.folder / "lesson.md").read_text(encoding="utf-8") == "mine\n"

    def test_a_number_that_is_taken_is_refused_under_another_name(self, author: Author) -> None:
        begin("s91-tiny")
        with pytest.raises(SkeletonError) as error:
            begin("s91-other")
        assert error.value.code == "lesson-exists"
        assert sorted(path.name for path in (author.root / "lessons").iterdir()) == ["s91_tiny"]

    @pytest.mark.parametrize("id", ["s9-tiny", "tiny", "s91_tiny", "s91-Tiny", "s91-", "../s91-a"])
    def test_an_id_that_is_none_is_refused(self, author: Author, id: str) -> None:
        with pytest.raises(SkeletonError) as error:
            begin(id)
        assert error.value.code == "lesson-id"
        assert list((author.root / "lessons").iterdir()) == []

    def test_installed_lessons_are_only_read(
        self, author: Author, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        installed = str(author.root / "lessons" / "__init__.py")
        monkeypatch.setattr(curriculum.lessons, "__file__", installed)
        with pytest.raises(SkeletonError) as error:
            begin("s91-tiny")
        assert error.value.code == "lesson-installed"

    @pytest.mark.parametrize("id", ["s06-context-budget", "s06-mine"])
    def test_the_lessons_of_the_course_are_there(self, id: str) -> None:
        with pytest.raises(SkeletonError) as error:
            begin(id)
        assert error.value.code == "lesson-exists"


def test_the_files_come_with_the_package() -> None:
    """None of them is code by its name, so no tool takes a template for a module."""
    found = [path for path in FILES.rglob("*") if path.is_file()]
    assert len(found) == len(MADE)
    assert {path.suffix for path in found} == {".txt"}
    assert files.root().is_dir()
