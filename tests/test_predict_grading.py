"""Each question counts once; it is right if the run agrees, or would agree once the earlier number
is left standing.
"""

import pytest

from curriculum.course import grading
from curriculum.course.exercises import all_exercises
from curriculum.course.feedback import asked, first_said, next_after, result_of
from curriculum.course.feedback import graded as graded_or_not
from curriculum.course.grading import grade, marked, standing
from curriculum.course.misconceptions import answers_under, harness_of
from curriculum.course.result import Result, Verdict
from curriculum.course.runs import run_of, trace_of
from curriculum.course.scenes import Scene
from curriculum.course.slots import Value, value_of
from curriculum.course.variants import variants_of
from curriculum.record.errors import CurriculumError

from .classroom import RIGHT, SAMPLE, graded, scene_of, written


class TestGrading:
    """The sample of the course, and its neighbours."""

    def test_all_right_passes(self) -> None:
        made = graded()
        assert (True, 4, None) == (made.passed, made.right, made.first)

    def test_the_sample(self) -> None:
        """Whoever forgets gate 2 has one of four right; the first difference is the second."""
        made = grade(scene_of(), SAMPLE)
        assert (1, 1, (2, 3)) == (made.right, made.first, made.again)
        assert [120, 31, 300, False] == [mark.run for mark in made.marks]
        assert made.yours is not None
        assert made.yours.unlawful is not None
        assert {"rest": 269, "value": 120, "sum": 389, "over": 89} == made.yours.unlawful.params

    def test_what_follows_from_a_wrong_number_is_right(self) -> None:
        """With 25 in the log, 25 of it are shown, the request is 294 long, and it changes."""
        made = graded(log=25, shown=25, request=294, bytes=True)
        assert [False, True, True, True] == [mark.right for mark in made.marks]
        assert [None, 25, 294, True] == [mark.standing for mark in made.marks]

    def test_the_run_itself_stays_right_beside_it(self) -> None:
        made = graded(log=25)
        assert [False, True, True, True] == [mark.right for mark in made.marks]
        assert all(mark.agrees for mark in made.marks[1:])

    def test_what_follows_counts_from_the_nearest_stage_too(self) -> None:
        made = graded(shown=25, request=294, bytes=True)
        assert [True, False, True, True] == [mark.right for mark in made.marks]

    def test_nothing_follows_from_an_unlawful_number(self) -> None:
        """389 would be the sum, but such a request is never sent."""
        made = graded(shown=120, request=389, bytes=True)
        assert [True, False, False, False] == [mark.right for mark in made.marks]

    def test_a_wrong_number_without_a_stage_carries_nothing(self) -> None:
        made = graded(request=240, bytes=True)
        assert [True, True, False, False] == [mark.right for mark in made.marks]
        assert made.yours is None

    def test_yes_is_not_the_number_one(self) -> None:
        assert not grading.same(True, 1)
        assert not graded(bytes=0).passed

    def test_only_the_first_difference_is_explained(self) -> None:
        made = graded(log=180, request=240)
        assert (0, (2,)) == (made.first, made.again)
        assert made.why is not None
        assert "first tool.truncate" == made.why.where

    def test_confidence_is_no_part_of_a_grade(self) -> None:
        """Nothing in a grade knows of it: the function takes no such thing."""
        assert ["scene", "given"] == list(grade.__annotations__)[:2]

    def test_a_run_that_cannot_be_made_could_not_be_checked(self) -> None:
        """300 + 300 > 400: the budget itself refuses, which says nothing of the answer."""
        scene = Scene(scene_of("s06-9").exercise, {"output_reserve": 300})
        with pytest.raises(CurriculumError, match=r"budget|capacity|fit"):
            grade(scene, {"sum": 600, "shown": 31, "bytes": False})
        result = graded_or_not(scene, {"sum": 600, "shown": 31, "bytes": False})
        assert isinstance(result, Result)
        assert Verdict.COULD_NOT_CHECK is result.verdict
        assert result.findings[0].text.startswith("The run could not be made: ")

    def test_a_number_may_be_asked_of_the_run_that_was_seen(self) -> None:
        exercise = written(
            'kind = "number"\ncase = "s06-context-budget"\n'
            '[[slots]]\nkey = "n"\nask = "?"\nread = "request 2 r0005.size - 5"\n'
        )
        assert grade(Scene(exercise, {}), {"n": 31}).passed

    def test_another_case_can_be_predicted(self) -> None:
        exercise = written(
            'kind = "predict"\ncase = "s06-context-budget"\n'
            'then = "s06-context-budget/result-does-not-fit"\n'
            '[[slots]]\nkey = "stop"\nask = "?"\ntype = "stop"\nread = "stop"\n'
            '[[slots]]\nkey = "turns"\nask = "?"\nread = "turns"\n'
        )
        scene = Scene(exercise, exercise.change)
        made = grade(scene, {"stop": "result-does-not-fit", "turns": 1})
        assert made.passed
        assert not made.invisible


class TestFollowThrough:
    """Numbers that are right force nothing."""

    def test_right_numbers_leave_the_run_as_it_is(self) -> None:
        assert standing(scene_of(), RIGHT, 4) is None

    def test_every_log_length_leads_where_the_sum_says(self) -> None:
        """Without the engine: what is shown is the shorter of log and room, 269 + that is sent."""
        scene, checked = scene_of(), 0
        for log in range(18, 120, 3):
            shown = min(log, 31)
            given: dict[str, Value] = {
                "log": log,
                "shown": shown,
                "request": 269 + shown,
                "bytes": log < 31,  # at 31 gate 1 makes the very cut that gate 2 would have made
            }
            made = marked(scene, given)
            assert [False, True, True, True] == [mark.right for mark in made], log
            assert [shown, 269 + shown, log < 31] == [mark.standing for mark in made[1:]]
            checked += 1
        assert 34 == checked

    def test_every_shown_length_leads_where_the_sum_says(self) -> None:
        scene = scene_of()
        for shown in range(10, 31):
            given = {**RIGHT, "shown": shown, "request": 269 + shown, "bytes": True}
            assert [True, False, True, True] == [mark.right for mark in marked(scene, given)]

    def test_a_reserve_is_forced_as_a_limit(self) -> None:
        exercise = written(
            'kind = "predict"\ncase = "s06-context-budget/with-reserve"\n'
            "change = { output_reserve = 50 }\n"
            '[[slots]]\nkey = "r"\nask = "?"\nread = "session.start 1 budget.output_reserve"\n'
            'forces = "reserve"\n'
            '[[slots]]\nkey = "in"\nask = "?"\nread = "request 2 reserve"\n'
        )
        scene = Scene(exercise, exercise.change)
        assert [False, True] == [m.right for m in marked(scene, {"r": 60, "in": 60})]
        over = grade(scene, {"r": 150, "in": 150})
        assert [False, False] == [mark.right for mark in over.marks]
        assert over.yours is not None
        assert over.yours.unlawful is not None
        assert "over-capacity" == over.yours.unlawful.code


class TestMisconceptions:
    """A wrong harness that gives exactly the learner's answer is asked about, not told."""

    def test_gate_1_only_gives_the_sample_answer(self) -> None:
        made = grade(scene_of(), SAMPLE)
        assert ["gate_1_only"] == [one.wrong.harness for one in made.suspects]
        text = asked(made.suspects)[0].text
        assert "A harness with only gate 1 gives exactly 120. Was that your picture?" == text
        assert not made.slip

    def test_marks_left_out_are_five_more(self) -> None:
        made = graded(shown=36, request=305)
        assert ["marks_left_out"] == [one.wrong.harness for one in made.suspects]

    def test_they_are_really_run(self) -> None:
        """Their answers come from traces of their own."""
        scene = scene_of()
        wrong = scene.exercise.wrong
        expected: list[dict[str, Value]] = [
            {"log": 120, "shown": 120, "request": 389, "bytes": True},
            {"log": 2000, "shown": 31, "request": 300, "bytes": False},
            {"log": 120, "shown": 36, "request": 305, "bytes": False},
        ]
        assert expected == [answers_under(scene, one) for one in wrong]

    def test_a_yes_alone_accuses_nobody(self) -> None:
        """Many pictures say that something changes; one must agree from the first answer on."""
        assert () == graded(bytes=True).suspects

    def test_of_two_the_likelier_comes_first(self) -> None:
        made = grade(scene_of("s06-9"), {"sum": 400, "shown": 131, "bytes": True})
        names = [one.wrong.harness for one in made.suspects]
        assert ["reserve_is_spare", "capacity_is_ceiling"] == sorted(names, reverse=True)
        assert made.suspects[0].agrees >= made.suspects[1].agrees

    @pytest.mark.parametrize(("yours", "slip"), [(30, True), (35, True), (26, False), (31, False)])
    def test_one_to_four_off_is_a_slip(self, yours: int, slip: bool) -> None:
        made = graded(shown=yours, request=269 + yours)
        assert slip is made.slip

    def test_a_harness_that_raises_gives_no_answers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from curriculum.lessons.s06_context_budget.solutions import wrong

        def raises(staged: object) -> object:
            raise IndexError("nothing there")

        monkeypatch.setattr(wrong, "gate_1_only", raises)
        assert {} == answers_under(scene_of(), scene_of().exercise.wrong[0])
        assert () == grade(scene_of(), SAMPLE).suspects

    def test_an_unknown_harness_is_named(self) -> None:
        with pytest.raises(CurriculumError) as refused:
            harness_of(scene_of().exercise, "gate_3_only")
        assert "wrong-harness" == refused.value.code


class TestExercises:
    """What holds for every prediction that ships."""

    def test_no_constant_strategy_passes(self) -> None:
        checked = 0
        for exercise in all_exercises().values():
            if exercise.kind not in ("predict", "number") or exercise.then:
                continue
            for variant in variants_of(exercise):
                scene = Scene(exercise, variant)
                was = {slot.key: scene.was(slot) for slot in exercise.slots}
                given = {
                    slot.key: value if (value := was[slot.key]) is not None else False
                    for slot in exercise.slots
                }
                assert not grade(scene, given).passed, (exercise.id, variant)
                checked += 1
        assert checked >= 13

    def test_all_variants_change_equally_many_answers(self) -> None:
        """So that nobody's numbers are harder than another's."""
        checked = 0
        for exercise in all_exercises().values():
            if exercise.kind not in ("predict", "number"):
                continue
            counts = set[int]()
            for variant in variants_of(exercise):
                scene = Scene(exercise, variant)
                now = scene.answers()
                was = {slot.key: scene.was(slot) for slot in exercise.slots}
                counts.add(sum(not grading.same(was[key], now[key]) for key in now))
                checked += 1
            assert 1 == len(counts), exercise.id
        assert checked >= 13

    def test_the_largest_ceiling_is_the_last_at_which_nothing_is_cut_twice(self) -> None:
        """Tried out: at the answer gate 2 cuts nothing, with one more it does."""
        exercise = scene_of("s06-6").exercise
        for variant in variants_of(exercise):
            answer = Scene(exercise, variant).answers()["ceiling"]
            for ceiling, decision in ((int(answer), "admitted"), (int(answer) + 1, "cut")):
                limits = {**variant, "max_tool_output_chars": ceiling}
                run = trace_of(run_of(exercise.case, limits))
                assert decision == value_of(run, "request 2 r0005.decision"), limits

    def test_every_wrong_harness_differs_from_the_run(self) -> None:
        checked = 0
        for exercise in all_exercises().values():
            if exercise.kind not in ("predict", "number") or not exercise.id.startswith("s06"):
                continue
            scene = Scene(exercise, exercise.change)
            for wrong in exercise.wrong:
                assert answers_under(scene, wrong) != scene.answers(), wrong.harness
                checked += 1
        assert checked >= 8

    def test_the_numbers_of_the_text_are_one_of_the_variants(self) -> None:
        exercise = scene_of().exercise
        assert {"max_tool_output_chars": 120} == exercise.change
        assert 5 == len(variants_of(exercise))


class TestResults:
    """One record; the verdict is one of three."""

    def test_a_pass(self) -> None:
        made = graded()
        result = result_of(made, first_said(made), {}, "curriculum next")
        assert (Verdict.PASS, (4, 4)) == (result.verdict, result.score)
        data = result.data()
        assert ("pass", 4, 4) == (data["verdict"], data["right"], data["of"])
        assert "1 Right: 120. Gate 1 did what you said." == data["findings"][0]["text"]

    def test_what_is_right_is_said_first(self) -> None:
        made = grade(scene_of(), SAMPLE)
        keys = [finding.key for finding in first_said(made)]
        assert ["predict.right-gate-1", "predict.first-and", "predict.where"] == keys[:3]

    def test_an_answer_under_the_rule_is_no_pass(self) -> None:
        made = grade(scene_of(), SAMPLE)
        result = result_of(made, first_said(made), {2: 300, 3: False})
        assert Verdict.NOT_YET is result.verdict
        assert "1 of 4 before the rule; 3 and 4 right after it." == result.findings[-1].text
        assert "predict.invisible" == result.findings[-2].key

    def test_the_next_step_has_new_numbers_where_there_are_some(self) -> None:
        exercise = scene_of().exercise
        one = written(
            'kind = "number"\ncase = "s06-context-budget"\n'
            '[[slots]]\nkey = "n"\nask = "?"\nread = "turns"\n'
        )
        assert "curriculum next" == next_after(exercise, True)
        assert "curriculum predict s06-1   # new numbers" == next_after(exercise, False)
        assert "curriculum predict s06-99" == next_after(one, False)

    def test_that_nothing_changed_is_not_said_while_it_is_asked(self) -> None:
        made = grade(scene_of(), SAMPLE)
        result = result_of(made, first_said(made), {2: 300})
        assert "predict.invisible" not in [finding.key for finding in result.findings]
