"""What a learner is told about code, word for word, and that no text of it is unread."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest

from curriculum.course.messages import messages
from curriculum.course.workspace import Workspace, create

from . import small_lesson
from .code_feedback.said import SCENES, elsewhere, result_of, sections, spelled


@pytest.fixture
def work(tmp_path: Path) -> Generator[Workspace]:
    with small_lesson.only(small_lesson.lay_out(tmp_path / "lessons")):
        yield create(tmp_path / "work").workspace


@pytest.mark.parametrize("name", SCENES)
def test_each_scene_says_what_its_file_says(work: Workspace, name: str) -> None:
    assert sections()[name] == spelled(name, result_of(work, name))


def test_so_does_what_cannot_be_brought_about_everywhere() -> None:
    assert sections()["elsewhere"] == elsewhere()


def test_no_section_without_a_scene() -> None:
    assert list(sections()) == [*SCENES, "elsewhere"]


def test_every_text_is_said_somewhere() -> None:
    said = {line.partition("  ")[0] for part in sections().values() for line in part.splitlines()}
    known = {key for key in messages() if re.match("(child|check|modify|assertion|make)[.]", key)}
    assert len(known) > 35
    assert set() == known - said
