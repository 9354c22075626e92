"""What was typed, whose numbers, and what is written down before the run."""

from collections import Counter
from pathlib import Path

import pytest

from curriculum.course.answers import (
    AnswerError,
    answer_of,
    confidence_of,
    number_of,
    read_answers,
    yes_of,
)
from curriculum.course.exercise import Answer, Slot
from curriculum.course.exercises import exercise_of
from curriculum.course.prediction import (
    PredictionError,
    attempts,
    close_prediction,
    predictions,
    read_prediction,
    write_prediction,
)
from curriculum.course.result import Result, Verdict
from curriculum.course.scenes import Scene
from curriculum.course.variants import in_order, variant_of, variants_of

from .classroom import SAMPLE, scene_of

PASSED = Result("s06-1", Verdict.PASS, (), (4, 4))


class TestNumbers:
    """Arithmetic is accepted as it is typed."""

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("120", 120),
            (" 300-208 ", 92),
            ("300 - (14 + 210 + 20 + 25)", 31),
            ("2*60", 120),
            ("-5", -5),
            ("2,000", 2000),
            ("2_000", 2000),
        ],
    )
    def test_a_number_or_a_sum(self, typed: str, expected: int) -> None:
        assert expected == number_of(typed)

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "abc",
            "12x",
            "1/2",
            "2**99",
            "9" * 70,
            "1 2",
            "0x10",
            "1.5",
            "__import__('os')",
            "(" * 50,
        ],
    )
    def test_anything_else_is_asked_for_again(self, typed: str) -> None:
        with pytest.raises(AnswerError) as refused:
            number_of(typed)
        assert "answer-unreadable" == refused.value.code

    def test_a_product_cannot_grow_without_end(self) -> None:
        with pytest.raises(AnswerError):
            number_of("9999999*9999999*9999999")


class TestWords:
    """Yes and no, names of stops, choices."""

    @pytest.mark.parametrize(("typed", "said"), [("y", True), ("YES", True), ("n", False)])
    def test_yes_and_no(self, typed: str, said: bool) -> None:
        assert said is yes_of(typed)

    def test_a_stop_may_be_begun(self) -> None:
        slot = Slot("stop", "?", Answer.STOP, "stop")
        assert "result-does-not-fit" == answer_of(slot, "result")
        with pytest.raises(AnswerError, match="is not a reason"):
            answer_of(slot, "re")  # refused, or result-does-not-fit?
        with pytest.raises(AnswerError) as refused:
            answer_of(slot, "complete!")
        assert "nearest: completed" == refused.value.next

    def test_a_choice_is_one_of_its_words(self) -> None:
        slot = Slot(
            "what", "?", Answer.CHOICE, "request 2 r0005.decision", None, ("cut", "omitted")
        )
        assert "cut" == answer_of(slot, "c")

    @pytest.mark.parametrize(("typed", "said"), [("1", 1), ("fairly", 2), (" SURE ", 3)])
    def test_confidence_is_a_number_or_its_word(self, typed: str, said: int) -> None:
        assert said == confidence_of(typed)


class TestFiles:
    """One answer a line; what is wrong is named by its line."""

    def test_comments_and_blank_lines(self, tmp_path: Path) -> None:
        file = tmp_path / "a.txt"
        file.write_text("\ufeff# mine\nlog = 300-180   # a sum\n\nshown=31\r\n", encoding="utf-8")
        read = read_answers(file, ["log", "shown"])
        assert {"log": "300-180", "shown": "31"} == read.typed
        assert {"log": 2, "shown": 4} == read.lines

    @pytest.mark.parametrize(
        ("text", "line"), [("log 3\n", 1), ("log =\n", 1), ("lug = 3\n", 1), ("log=1\nlog=2\n", 2)]
    )
    def test_a_line_that_is_no_answer(self, tmp_path: Path, text: str, line: int) -> None:
        file = tmp_path / "a.txt"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(AnswerError, match=f"line {line}") as refused:
            read_answers(file, ["log", "shown"])
        assert "answers-line" == refused.value.code

    def test_a_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "odd.txt").write_bytes(b"\xff\xfe")
        for name in ("none.txt", "odd.txt"):
            with pytest.raises(AnswerError) as refused:
                read_answers(tmp_path / name, ["log"])
            assert "answers-unreadable" == refused.value.code


class TestVariants:
    """Own numbers by course key and name; without a name those of the text come first."""

    def test_without_a_name_the_text_comes_first(self) -> None:
        exercise = exercise_of("s06-1")
        assert exercise.change == variant_of(exercise, "", "")

    def test_one_learner_gets_the_same_again(self) -> None:
        exercise = exercise_of("s06-1")
        assert in_order(exercise, "spring", "Ada") == in_order(exercise, "spring", "Ada")

    def test_each_gets_all_of_them_in_an_order_of_their_own(self) -> None:
        exercise = exercise_of("s06-1")
        known = [sorted(v.items()) for v in variants_of(exercise)]
        first: Counter[str] = Counter()
        for name in (f"learner {n}" for n in range(100)):
            order = in_order(exercise, "spring", name)
            assert sorted(known) == sorted(sorted(v.items()) for v in order)
            first[str(order[0])] += 1
        assert 5 == len(first)
        assert min(first.values()) >= 8  # 20 of each would be even

    def test_another_course_has_other_numbers(self) -> None:
        exercise = exercise_of("s06-1")
        names = [f"learner {n}" for n in range(20)]
        spring = [variant_of(exercise, "spring", name) for name in names]
        autumn = [variant_of(exercise, "autumn", name) for name in names]
        assert spring != autumn

    def test_a_new_attempt_has_new_numbers_until_all_were_had(self) -> None:
        exercise = exercise_of("s06-1")
        had = [variant_of(exercise, "", "Ada", n) for n in range(6)]
        assert had[5] == had[0]
        assert 5 == len({str(one) for one in had[:5]})


class TestPrediction:
    """A small text file, written before the run, with a hash of what it says."""

    def test_it_names_scenario_change_components_and_answers(self, tmp_path: Path) -> None:
        made = write_prediction(tmp_path / "predictions", scene_of(), SAMPLE, 3)
        lines = made.path.read_text(encoding="utf-8").splitlines()
        assert "s06-1.txt" == made.path.name
        assert "curriculum prediction 1" == lines[0]
        assert "change: max_tool_output_chars=120" in lines
        assert "answer shown: 120" in lines
        assert "answer bytes: yes" in lines
        assert "confidence: 3 sure" in lines
        assert made.facts["components"].startswith(
            "counter=chars@1 cutter=both-ends@1 policy=newest"
        )
        assert 64 == len(made.facts["scenario"])
        assert "" == made.verdict

    def test_nothing_has_been_run_when_it_is_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def never(self: object) -> None:
            raise AssertionError("the run came before the prediction")

        monkeypatch.setattr(Scene, "after", property(never))
        assert write_prediction(tmp_path, scene_of(), SAMPLE, 1).path.exists()

    def test_what_came_of_it_is_added_below(self, tmp_path: Path) -> None:
        made = write_prediction(tmp_path, scene_of(), SAMPLE, 0)
        above = made.path.read_text(encoding="utf-8")
        closed = close_prediction(made, PASSED, {"picture": "gate_1_only"})
        text = made.path.read_text(encoding="utf-8")
        assert text.startswith(above)
        assert text.endswith("verdict: pass\nright: 4 of 4\npicture: gate_1_only\n")
        assert closed == read_prediction(made.path)
        assert closed.holds

    def test_an_answer_changed_afterwards_shows(self, tmp_path: Path) -> None:
        made = write_prediction(tmp_path, scene_of(), SAMPLE, 2)
        assert made.holds
        text = made.path.read_text(encoding="utf-8")
        made.path.write_text(text.replace("shown: 120", "shown: 31"), encoding="utf-8")
        assert not made.holds

    def test_attempts_are_counted_and_never_written_over(self, tmp_path: Path) -> None:
        exercise, names = exercise_of("s06-1"), list[str]()
        for n in range(12):
            made = write_prediction(tmp_path, scene_of(), SAMPLE, 2)
            assert made.seen is (n > 0)
            close_prediction(made, PASSED, {})
            names.append(made.path.name)
        assert ["s06-1.txt", "s06-1.2.txt", "s06-1.12.txt"] == [names[0], names[1], names[11]]
        assert 12 == attempts(tmp_path, exercise)
        assert names == [one.path.name for one in predictions(tmp_path, exercise)]

    def test_exercises_with_like_names_are_told_apart(self, tmp_path: Path) -> None:
        write_prediction(tmp_path, scene_of(), SAMPLE, 2)
        (tmp_path / "s06-10.txt").write_text("curriculum prediction 1\n", encoding="utf-8")
        (tmp_path / "s06-1.notes.txt").write_text("my own\n", encoding="utf-8")
        assert 1 == len(predictions(tmp_path, exercise_of("s06-1")))

    def test_two_that_predict_together_are_one_attempt(self, tmp_path: Path) -> None:
        for who in ("a", "b", "a", "b"):
            made = write_prediction(tmp_path, scene_of(), SAMPLE, 2, who)
            close_prediction(made, PASSED, {})
        assert ["s06-1.2.a.txt", "s06-1.2.b.txt", "s06-1.a.txt", "s06-1.b.txt"] == sorted(
            path.name for path in tmp_path.iterdir()
        )
        assert 2 == attempts(tmp_path, exercise_of("s06-1"))

    def test_a_prediction_is_never_written_over(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not even by another process that has counted the same attempts."""
        first = write_prediction(tmp_path, scene_of(), SAMPLE, 2)
        before = first.path.read_text(encoding="utf-8")
        monkeypatch.setattr("curriculum.course.prediction.predictions", lambda *_: [])
        with pytest.raises(PredictionError):
            write_prediction(tmp_path, scene_of(), SAMPLE, 3)
        assert before == first.path.read_text(encoding="utf-8")

    def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "predictions").write_text("a file", encoding="utf-8")
        with pytest.raises(PredictionError) as refused:
            write_prediction(tmp_path / "predictions", scene_of(), SAMPLE, 2)
        assert "prediction-write" == refused.value.code
