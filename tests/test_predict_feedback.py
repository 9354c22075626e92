"""What a learner is told, word for word: golden files, and rules that hold for every text."""

import re

import pytest

from curriculum.course.exercises import all_exercises
from curriculum.course.messages import MessageError, messages, places, text
from curriculum.course.result import Finding

from .feedback.said import FOLDER, SCENES, spelled

OWN = ("predict", "rule", "seen", "pair", "order", "spot", "cause", "explain")
"""The sections of the catalogue that these scenes say."""


class TestGoldenTexts:
    """A text changes only on purpose."""

    @pytest.mark.parametrize("name", SCENES)
    def test_each_scene_says_what_its_file_says(self, name: str) -> None:
        assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == spelled(name)

    def test_no_file_without_a_scene(self) -> None:
        assert sorted(SCENES) == sorted(path.stem for path in FOLDER.glob("*.txt"))

    def test_every_text_is_said_somewhere(self) -> None:
        """So that none is only in the catalogue, unread."""
        said = {
            line.partition("  ")[0]
            for name in SCENES
            for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        }
        known = {key for key in messages() if key.partition(".")[0] in OWN}
        rules = {key for key in known if key.startswith("rule.")}
        assert set() == known - rules - said
        everything = "".join((FOLDER / f"{n}.txt").read_text(encoding="utf-8") for n in SCENES)
        for key in rules:
            sentence = messages()[key].partition("{")[0]
            assert sentence in everything, key


class TestTone:
    """Plain, ASCII, without blame."""

    def test_texts_are_ascii_and_end_as_sentences(self) -> None:
        for key, sentence in messages().items():
            assert sentence.isascii(), key
            assert sentence.strip() == sentence, key

    def test_nothing_is_called_wrong_alone(self) -> None:
        """Of the course's own code it may be said that it failed; of an answer never."""
        bad = re.compile(r"\b(incorrect|wrong answer|mistake|stupid|obviously)\b", re.I)
        assert [] == [key for key, sentence in messages().items() if bad.search(sentence)]
        failed = {key for key, sentence in messages().items() if "failed" in sentence}
        assert set() == {key for key in failed if key.partition(".")[0] in OWN}

    def test_yours_and_the_runs_stand_as_a_pair(self) -> None:
        for key in ("predict.first", "predict.first-and", "predict.again-not"):
            assert {"yours", "run"} <= places(messages()[key])

    def test_questions_of_wrong_harnesses_are_questions(self) -> None:
        asked = [
            wrong.asks
            for exercise in all_exercises().values()
            if exercise.kind in ("predict", "number")
            for wrong in exercise.wrong
        ]
        assert len(asked) >= 8
        assert [] == [words for words in asked if not words.endswith("?") or "{value}" not in words]


class TestCatalogue:
    """A key stands for one text with named places."""

    def test_an_unknown_key_names_the_nearest(self) -> None:
        with pytest.raises(MessageError) as refused:
            text("predict.rigth")
        assert ("message-unknown", "nearest: predict.right") == (
            refused.value.code,
            refused.value.evidence[0],
        )

    @pytest.mark.parametrize("params", [{}, {"n": 1}, {"n": 1, "value": 2, "more": 3}])
    def test_values_must_be_those_of_the_text(self, params: dict[str, int]) -> None:
        with pytest.raises(MessageError) as refused:
            text("predict.right", params)
        assert "message-values" == refused.value.code

    def test_a_brace_in_a_value_stays_a_brace(self) -> None:
        assert "1 Right: {n}." == Finding("predict.right", {"n": 1, "value": "{n}"}).text
