"""`curriculum lesson`: what an author types, and what comes of it."""

import json
import shutil
from pathlib import Path

import pytest

from .command import ROOT, Done, curriculum
from .learner import PROGRAM, python

NEW = "s91-tiny"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A place with lessons and goldens of its own."""
    (tmp_path / "lessons").mkdir()
    return tmp_path


def author(checkout: Path, *args: str) -> Done:
    """Run a command where only the lessons of the place are."""
    env = {"LESSONS": str(checkout / "lessons"), "PYTHONPATH": str(ROOT)}
    return python(["-c", PROGRAM, *args], checkout, env)


class TestNew:
    def test_it_says_what_it_made_and_what_to_run_next(self, checkout: Path) -> None:
        done = author(checkout, "lesson", "new", NEW, "--title", "A tiny lesson", "--plain")
        assert (done.code, done.err) == (0, "")
        lines = done.out.splitlines()
        assert lines[0] == f"made: {checkout / 'lessons' / 's91_tiny'}"
        assert "  exercises/s91_1.toml" in lines
        assert lines[-1] == "next: curriculum lesson check s91-tiny"
        toml = (checkout / "lessons/s91_tiny/lesson.toml").read_text(encoding="utf-8")
        assert 'title = "A tiny lesson"' in toml

    def test_twice_is_refused(self, checkout: Path) -> None:
        author(checkout, "lesson", "new", NEW)
        before = sorted(checkout.rglob("*.*"))
        done = author(checkout, "lesson", "new", NEW)
        assert done.code == 2
        assert "s91 is taken: s91_tiny is there already. [lesson-exists]" in done.err
        assert sorted(path for path in checkout.rglob("*.*") if path.suffix != ".pyc") == before

    def test_as_data(self, checkout: Path) -> None:
        data = json.loads(author(checkout, "lesson", "new", NEW, "--json").out)
        assert data["to_do"] == 51
        assert data["next"] == "curriculum lesson check s91-tiny"
        assert len(data["files"]) == 14


class TestCheck:
    def test_each_refusal_has_place_code_and_what_to_do(self, checkout: Path) -> None:
        author(checkout, "lesson", "new", NEW)
        done = author(checkout, "lesson", "check", "s91", "--plain")
        assert done.code == 1
        assert done.out.isascii()
        lines = done.out.splitlines()
        assert lines[0] == "s91-tiny  13 refusals"
        at = lines.index("  x lesson.md, line 1: Something is still to be filled in. [lesson-todo]")
        assert lines[at + 1] == "      # TODO the title"
        assert lines[at + 3] == "      do: write it, and take the mark away"
        assert any(line == "  checked   56 things" for line in lines)
        assert lines[-1].startswith("0 of 1 lesson holds; ")

    def test_nothing_to_check_is_no_success(self, checkout: Path) -> None:
        done = author(checkout, "lesson", "check", "--plain")
        assert (done.code, done.out) == (1, "0 of 0 lessons hold; 0 things checked\n")

    def test_an_unknown_lesson_is_named_with_the_nearest(self, checkout: Path) -> None:
        author(checkout, "lesson", "new", NEW)
        done = author(checkout, "lesson", "check", "s91-tinny")
        assert done.code == 2
        assert "nearest: s91-tiny" in done.err

    def test_a_broken_toml_is_told_by_its_line(self, checkout: Path) -> None:
        """Of one lesson, and of the others that cannot be read with it."""
        author(checkout, "lesson", "new", NEW)
        author(checkout, "lesson", "new", "s92-other")
        shutil.copy(ROOT / "pyproject.toml", checkout / "lessons/s91_tiny/lesson.toml")
        done = author(checkout, "lesson", "check", NEW, "--json")
        assert done.code == 1
        (report,) = json.loads(done.out)["lessons"]
        (refusal,) = report["refusals"]
        assert refusal["code"] == "lesson-field"
        assert refusal["says"].startswith("s91_tiny/lesson.toml, line 1: no field is called")
        assert author(checkout, "lesson", "check", "s92").code == 1

    def test_a_lesson_of_the_course_holds(self) -> None:
        done = curriculum("lesson", "check", "s06", "--json")
        assert done.code == 0
        data = json.loads(done.out)
        assert data["lessons"][0]["refusals"] == []
        assert data["total"] == data["lessons"][0]["total"] > 400

    def test_installed_lessons_are_checked_in_a_checkout(self, checkout: Path) -> None:
        """Their texts are cut from sources that do not come with the package."""
        package = str(ROOT / "curriculum" / "lessons")
        done = python(
            ["-c", PROGRAM, "lesson", "check"],
            checkout,
            {"LESSONS": package, "PYTHONPATH": str(ROOT)},
        )
        assert done.code == 2
        assert "[lesson-installed]" in done.err
