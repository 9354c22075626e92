"""Order, spot, cause and explain; and how the file of an exercise is read."""

from io import StringIO
from pathlib import Path

import pytest

from curriculum.cli.judging import judge
from curriculum.cli.learner import Learner
from curriculum.course.answers import AnswerError
from curriculum.course.events_of import before, broken_law, event_at, path, run_of_exercise
from curriculum.course.exercise import Kind
from curriculum.course.exercise_fields import ExerciseFileError
from curriculum.course.exercises import (
    all_exercises,
    exercise_of,
    exercises,
    in_order,
    lesson_of,
    waits_for,
)
from curriculum.course.explaining import Explained, cite, explained, models_of, words_of
from curriculum.course.ordering import grade_order, order_of, shuffled
from curriculum.course.result import Result, Verdict
from curriculum.course.runs import trace_of
from curriculum.course.spotting import event_of, grade_cause, grade_spot, to_choose_from
from curriculum.record.errors import CurriculumError
from curriculum.view.screen import Screen

from .classroom import HEAD, written

ORDER = exercise_of("s06-10")
RUN = trace_of("s06-context-budget")
IN_ORDER = ["call", "returns", "gate-1", "log", "gate-2", "sent"]


class TestCauses:
    """Which event could not be without which."""

    def test_causes_lead_back_to_the_start(self) -> None:
        assert {1, 4, 5, 6, 7, 8, 9, 10} <= before(RUN, 11)

    def test_an_assembly_reads_every_record_before_it(self) -> None:
        """r0001 and r0002 are no causes of it by the path, and it could not be without them."""
        assert {2, 3} <= before(RUN, 5)

    def test_records_side_by_side_are_not_bound(self) -> None:
        assert 2 not in before(RUN, 3)

    def test_the_way_goes_by_causes(self) -> None:
        assert [13, 12, 11, 10] == path(RUN, 10, 13)
        assert [5, 2] == path(RUN, 2, 5)  # by the log, not by a chain of causes


class TestOrder:
    """Graded against the partial order of causes."""

    def test_the_true_order_passes(self) -> None:
        result = grade_order(ORDER, RUN, IN_ORDER)
        assert (Verdict.PASS, (15, 15)) == (result.verdict, result.score)

    def test_every_swap_of_neighbours_is_found(self) -> None:
        for at in range(len(IN_ORDER) - 1):
            given = [*IN_ORDER[:at], IN_ORDER[at + 1], IN_ORDER[at], *IN_ORDER[at + 2 :]]
            result = grade_order(ORDER, RUN, given)
            assert (Verdict.NOT_YET, (14, 15)) == (result.verdict, result.score)

    def test_what_is_not_bound_may_stand_either_way(self) -> None:
        loose = written(
            'kind = "order"\ncase = "s06-context-budget"\nask = "?"\n'
            '[[events]]\nkey = "tools"\nsays = "t"\nat = "record.append 1"\n'
            '[[events]]\nkey = "system"\nsays = "s"\nat = "record.append 2"\n'
            '[[events]]\nkey = "first"\nsays = "f"\nat = "context.assemble 1"\n'
            '[[events]]\nkey = "x"\nsays = "x"\nwhy = "never"\n'
            '[[events]]\nkey = "y"\nsays = "y"\nwhy = "never"\n'
        )
        for given in (["tools", "system", "first"], ["system", "tools", "first"]):
            assert Verdict.PASS is grade_order(loose, RUN, given).verdict
        assert Verdict.NOT_YET is grade_order(loose, RUN, ["first", "tools", "system"]).verdict

    def test_a_false_line_or_a_missing_one_is_no_pass(self) -> None:
        for given in ([*IN_ORDER, "retry"], IN_ORDER[:-1]):
            assert Verdict.NOT_YET is grade_order(ORDER, RUN, given).verdict

    def test_lines_are_shown_in_an_order_that_says_nothing(self) -> None:
        assert [event.key for event in ORDER.events] != [event.key for event in shuffled(ORDER)]

    def test_names_may_be_begun(self) -> None:
        assert ["call", "returns"] == order_of(ORDER, "c > retu")
        for typed in ("", "call call", "ret", "nothing"):
            with pytest.raises(AnswerError):
                order_of(ORDER, typed)


class TestSpotAndCause:
    """The answer is one event; what is said is about the one that was named."""

    def test_only_the_event_that_breaks_the_promise_passes(self) -> None:
        exercise = exercise_of("s06-11")
        trace = run_of_exercise(exercise)
        for event in to_choose_from(exercise, trace):
            result = grade_spot(exercise, trace, event.seq)
            assert (event.seq == 13) is (result.verdict is Verdict.PASS)
            said = " ".join(finding.text for finding in result.findings)
            assert (event.seq == 13) is ("13" in said)

    def test_the_promise_is_broken_in_that_run_and_only_there(self) -> None:
        trace = run_of_exercise(exercise_of("s06-11"))
        assert [244, 449] == [event.data.size for event in trace.assemblies]
        assert [244, 300] == [event.data.size for event in RUN.assemblies]

    def test_more_than_twelve_events_are_refused(self) -> None:
        many = written(
            'kind = "spot"\ncase = "s06-context-budget"\npromise = "p"\n'
            'at = "tool.truncate 1"\nshows = ["*"]\n'
        )
        with pytest.raises(CurriculumError) as refused:
            to_choose_from(many, RUN)
        assert "exercise-events" == refused.value.code

    def test_every_exercise_of_one_event_can_be_looked_through(self) -> None:
        checked = 0
        for exercise in all_exercises().values():
            if exercise.kind in (Kind.SPOT, Kind.CAUSE):
                trace = run_of_exercise(exercise)
                shown = [event.seq for event in to_choose_from(exercise, trace)]
                wanted = event_at(trace, exercise.at)
                assert (wanted.cause if exercise.kind is Kind.CAUSE else wanted.seq) in shown
                checked += 1
        assert checked >= 2

    def test_only_the_nearest_cause_passes(self) -> None:
        exercise = exercise_of("s06-12")
        for event in to_choose_from(exercise, RUN):
            passed = grade_cause(exercise, RUN, event.seq).verdict is Verdict.PASS
            assert (event.seq == 12) is passed

    def test_an_event_that_is_not_shown_is_asked_for_again(self) -> None:
        with pytest.raises(AnswerError, match="No event 1 is shown"):
            event_of(exercise_of("s06-12"), RUN, "1")

    def test_a_lawful_event_breaks_no_law(self) -> None:
        assert "" == broken_law(RUN, 11)


class TestExplain:
    """Words are not graded; that the cited event holds the value is."""

    EXERCISE = exercise_of("s06-5")

    @pytest.mark.parametrize(
        ("seq", "value", "holds"),
        [
            (13, "300", True),
            (1, "chars@1", True),
            (13, "301", False),
            (99, "300", False),
            (11, "180", False),
        ],
    )
    def test_the_cited_event_must_hold_the_value(self, seq: int, value: str, holds: bool) -> None:
        given = Explained("characters can be counted by eye", seq, value)
        assert holds is cite(self.EXERCISE, RUN, given)[0]

    def test_ticks_are_explained_and_do_not_decide(self) -> None:
        cited = cite(self.EXERCISE, RUN, Explained("words", 13, "300"))
        for ticks, right in (((True, False, False), 3), ((False, True, True), 0)):
            result = explained(self.EXERCISE, cited, ticks)
            assert (Verdict.PASS, (right, 3)) == (result.verdict, result.score)
        no = cite(self.EXERCISE, RUN, Explained("words", 13, "301"))
        assert Verdict.NOT_YET is explained(self.EXERCISE, no, ()).verdict

    def test_a_word_or_two_is_no_explanation(self) -> None:
        with pytest.raises(AnswerError):
            words_of("because of tokens")

    def test_the_right_answer_has_no_fixed_place(self) -> None:
        assert {"right", "thin", "wrong"} == {model.is_ for model in models_of(self.EXERCISE)}


ANSWERS = """\
text = characters can be counted by eye, so every sum can be checked   # in full
event = 13
value = 300
fact 1 = y
fact 2 = n
fact 3 = y
"""


class TestJudging:
    """Answers of any kind come from a person or from a file, and are written down first."""

    def _judged(self, folder: Path, text: str, as_json: bool = False) -> tuple[Result, str]:
        (folder / "a.txt").write_text(text, encoding="utf-8")
        screen = Screen(True, StringIO())
        learner = Learner(folder / "predictions")
        files = (folder / "a.txt",)
        result = judge(screen, exercise_of("s06-5"), learner, files, as_json)
        return result, screen.out.getvalue()  # type: ignore[attr-defined]

    def test_an_explanation_is_done(self, tmp_path: Path) -> None:
        result, said = self._judged(tmp_path, ANSWERS)
        assert (Verdict.PASS, (2, 3)) == (result.verdict, result.score)
        assert said.endswith(
            "DONE  Written, cited, compared; 2 of 3 facts ticked right.\nnext: curriculum next\n"
        )
        kept = (tmp_path / "predictions" / "s06-5.txt").read_text(encoding="utf-8")
        assert (
            "answer text: characters can be counted by eye, so every sum can be checked\n" in kept
        )
        assert "verdict: pass\n" in kept

    def test_the_model_answers_come_after_the_learners_own(self, tmp_path: Path) -> None:
        _, said = self._judged(tmp_path, ANSWERS)
        own, first = said.index("Written down"), said.index("Answer 1")
        assert own < first < said.index("Answer 1 is right")

    def test_a_citation_that_does_not_hold_shows_no_model_answer(self, tmp_path: Path) -> None:
        result, said = self._judged(tmp_path, ANSWERS.replace("300", "301"))
        assert Verdict.NOT_YET is result.verdict
        assert "Answer 1" not in said
        assert "301 is none of its values" in said

    def test_a_missing_answer_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(AnswerError) as refused:
            self._judged(tmp_path, "text = one two three four five\n")
        assert "answers-missing" == refused.value.code
        assert not (tmp_path / "predictions").exists()


PREDICT = HEAD + (
    'kind = "predict"\ncase = "s06-context-budget"\nchange = { max_tool_output_chars = 120 }\n'
    '[[slots]]\nkey = "log"\nask = "?"\nread = "record.append 5 text"\nforces = "gate-1"\n'
)


class TestExerciseFile:
    """One TOML an exercise; a mistake is named by its line, with the nearest word."""

    @pytest.mark.parametrize(
        ("old", "new", "line", "code"),
        [
            ("format = 1", "format = 2", 1, "exercise-value"),
            ('id = "s06-99"', 'id = "s06-98"', 2, "exercise-value"),
            ('"predict"', '"predcit"', 6, "exercise-value"),
            ("minutes = 1", 'minutes = "1"', 4, "exercise-value"),
            ("minutes = 1", "minutes = 0", 4, "exercise-value"),
            ('hints = ["one", "two", "three"]', 'hints = ["one", "two"]', 5, "exercise-value"),
            ('"three"]', '" "]', 5, "exercise-value"),
            ("hints", "hint", 5, "exercise-field"),
            ('ask = "?"', 'aks = "?"', 11, "exercise-field"),
            ('ask = "?"', 'ask = ""', 9, "exercise-missing"),
            ('"gate-1"', '"gate-3"', 13, "exercise-value"),
            ("= 120 }", '= "120" }', 8, "exercise-value"),
            ("[[slots]]", "slots = 3\n[[slot]]", 9, "exercise-field"),
        ],
    )
    def test_each_mistake_by_its_line(self, old: str, new: str, line: int, code: str) -> None:
        assert old in PREDICT
        with pytest.raises(ExerciseFileError) as refused:
            written(PREDICT.replace(old, new, 1), "")
        assert code == refused.value.code, str(refused.value)
        if code != "exercise-field" or line != 9:
            assert f"line {line}:" in refused.value.headline

    def test_a_misspelled_word_gets_the_nearest(self) -> None:
        with pytest.raises(ExerciseFileError) as refused:
            written(PREDICT.replace('"predict"', '"predcit"'), "")
        assert ("nearest: predict",) == refused.value.evidence

    def test_no_toml(self) -> None:
        with pytest.raises(ExerciseFileError, match="line 4: that is no TOML") as refused:
            written("format = 1\nid = 3\ntitle = 4\n???\n", "")
        assert "exercise-toml" == refused.value.code

    @pytest.mark.parametrize(
        "text",
        [
            'kind = "predict"\ncase = "c"\n[[slots]]\nkey = "a"\nask = "?"\nread = "stop"\n',
            'kind = "make"\n',
            'kind = "order"\ncase = "c"\nask = "?"\n[[events]]\nkey = "a"\nsays = "a"\nat = "tool.result 1"\n',
            PREDICT.removeprefix(HEAD) + '[[slots]]\nkey = "log"\nask = "?"\nread = "stop"\n',
            PREDICT.removeprefix(HEAD).replace(
                "[[slots]]", "variants = [ { capacity = 1 } ]\n[[slots]]"
            ),
        ],
    )
    def test_what_does_not_go_together(self, text: str) -> None:
        """A prediction of nothing, no starter, one false event, one key twice, an odd variant."""
        with pytest.raises(ExerciseFileError):
            written(text)

    def test_exercises_are_found_by_lesson_and_in_order_of_number(self) -> None:
        ids = [exercise.id for exercise in exercises("s06")]
        assert ids == sorted(ids, key=in_order)
        assert ids.index("s06-9") < ids.index("s06-10")
        assert "s06-context-budget" == lesson_of("s06").id

    def test_an_unknown_id_names_the_nearest(self) -> None:
        with pytest.raises(CurriculumError) as refused:
            exercise_of("s06-111")
        assert "unknown-exercise" == refused.value.code
        assert ("nearest: s06-11",) == refused.value.evidence

    def test_an_exercise_waits_for_lessons_that_are_not_built(self) -> None:
        later = written(PREDICT.replace("minutes = 1", 'minutes = 1\nneeds = ["s99-never"]'), "")
        assert ("s99-never",) == waits_for(later)
        assert () == waits_for(exercise_of("s06-1"))

    def test_files_and_ids_agree(self) -> None:
        for exercise in all_exercises().values():
            assert f"{exercise.stem}.toml" == exercise.file.name
            assert Path(exercise.folder / "lesson.toml").is_file()
