"""A newcomer walks from an empty folder through every lesson; each word that is seen is kept.

`python -m tests.newcomer` writes the transcripts anew; read them as a beginner would.
"""

import re

import pytest

from curriculum.course.exercises import all_exercises, waits_for
from curriculum.course.lessons import lessons

from .newcomer import FOLDER, Newcomer, walked


def ready() -> list[str]:
    """The exercises that wait for no lesson that is still to be built."""
    return [id for id, exercise in all_exercises().items() if not waits_for(exercise)]


@pytest.fixture(scope="module")
def walk() -> tuple[Newcomer, dict[str, str]]:
    """One walk for all tests here."""
    return walked()


def test_each_transcript_is_what_is_seen(walk: tuple[Newcomer, dict[str, str]]) -> None:
    _, texts = walk
    kept = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    assert sorted(texts) == sorted(kept)
    for name, text in texts.items():
        assert kept[name].splitlines() == text.splitlines(), name


def test_the_way_leads_through_every_lesson_and_every_exercise(
    walk: tuple[Newcomer, dict[str, str]],
) -> None:
    newcomer, texts = walk
    typed = [step.command for step in newcomer.steps]
    for lesson in lessons():
        short = lesson.id.partition("-")[0]
        assert f"read {short}" in typed
        assert f"$ curriculum read {short}" in texts[short]
    passed = {step.command.split()[1] for step in newcomer.steps if "\nPASS" in step.text}
    passed |= {step.command.split()[1] for step in newcomer.steps if "\nDONE" in step.text}
    assert passed == set(ready())
    assert newcomer.steps[-2].text.splitlines()[-1] == "next: curriculum lessons" or (
        "everything that is here is done" in newcomer.steps[-1].text
    )


def test_every_exercise_was_answered_otherwise_before_it_was_passed(
    walk: tuple[Newcomer, dict[str, str]],
) -> None:
    newcomer, _ = walk
    for id in ready():
        codes = [
            step.code
            for step in newcomer.steps
            if step.command.split()[:2] in (["predict", id], ["check", id])
        ]
        assert codes[-1] == 0
        assert set(codes[:-1]) == {1}, id


def test_nothing_breaks_and_everything_is_plain(walk: tuple[Newcomer, dict[str, str]]) -> None:
    """Only the first `next`, outside of a workspace, is a usage error; all text is ASCII."""
    newcomer, _ = walk
    assert [step.command for step in newcomer.steps if step.code not in (0, 1)] == ["next"]
    for step in newcomer.steps:
        assert step.text.isascii(), step.command
        assert "Traceback" not in step.text
        assert "COULD NOT CHECK" not in step.text


def test_each_answer_ends_with_one_next_step(walk: tuple[Newcomer, dict[str, str]]) -> None:
    newcomer, _ = walk
    for step in newcomer.steps:
        said = re.findall(r"^ *next: (.*)$", step.text, re.M)
        assert len(said) == 1, step.command
        assert said[0].startswith("curriculum ")
