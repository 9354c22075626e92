"""Exercises of s01, s02 and s04: what each run answers, and what each wrong harness would."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from curriculum.course.events_of import run_of_exercise
from curriculum.course.exercises import exercise_of, exercises
from curriculum.course.misconceptions import answers_under
from curriculum.course.ordering import grade_order
from curriculum.course.result import Verdict
from curriculum.course.scenes import Scene, same
from curriculum.course.slots import value_of
from curriculum.course.spotting import grade_cause, grade_spot, to_choose_from
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

LESSONS = ("s01", "s02", "s04")
RIGHT: dict[str, dict[str, Any]] = {
    "s01-1": {"turns": 3, "bytes": False, "kept": 10, "stop": "output-limit"},
    "s01-2": {"calls": 0, "half": 15, "results": 2, "stop": "output-limit"},
    "s02-1": {"messages": 4, "turn": "admitted", "bytes": True, "results": 2},
    "s02-2": {"calls": 0, "turns": 1, "stop": "completed"},
    "s02-3": {"messages": 3, "text": 13, "turns": 2},
    "s04-1": {"log": 162, "decision": "admitted", "bytes": True, "results": 10},
    "s04-2": {"old": 9, "new": 10, "bytes": True},
}
WRONG: dict[tuple[str, str], dict[str, Any]] = {
    ("s01-1", "no_call_is_done"): {"stop": "completed"},
    ("s01-1", "cut_text_is_dropped"): {"kept": 0},
    ("s01-1", "asks_again"): {"turns": 4, "stop": "completed"},
    ("s01-2", "no_call_is_done"): {"stop": "completed"},
    ("s01-2", "asks_again"): {"calls": 1, "results": 3, "stop": "completed"},
    ("s02-1", "failed_calls_vanish"): {"messages": 1, "turn": "omitted", "results": 1},
    ("s02-2", "believes_the_model"): {"calls": 1, "turns": 2},
    ("s02-3", "each_piece_is_a_record"): {"messages": 5, "text": 1},
    ("s04-1", "replaced_in_place"): {"log": 9, "bytes": False},
    ("s04-1", "only_what_was_sent"): {"log": 0, "results": 7},
    ("s04-2", "setting_edited"): {"old": 10, "new": 19},
}
"""What each wrong harness answers otherwise; a question that its run leaves open is not there."""


def scenes(id: str) -> list[Scene]:
    """The exercise with the numbers of each variant."""
    exercise = exercise_of(id)
    return [Scene(exercise, variant) for variant in exercise.variants or (exercise.change,)]


class TestEveryLesson:
    """One prediction, one change, one piece of work at least, and three wrong harnesses."""

    @pytest.mark.parametrize("lesson", LESSONS)
    def test_it_has_each_of_the_three_kinds(self, lesson: str) -> None:
        kinds = {str(one.kind) for one in exercises(lesson)}
        assert {"predict", "modify", "make"} <= kinds

    def test_every_prediction_and_every_wrong_harness_is_listed_here(self) -> None:
        asked = [one for lesson in LESSONS for one in exercises(lesson) if one.slots]
        assert set(RIGHT) == {one.id for one in asked}
        assert set(WRONG) == {(one.id, wrong.harness) for one in asked for wrong in one.wrong}
        for lesson in LESSONS:
            assert 3 <= len({harness for id, harness in WRONG if id.startswith(lesson)})


class TestPredictions:
    """The run answers every question, with every variant's numbers."""

    @pytest.mark.parametrize("id", RIGHT)
    def test_the_answers_are_those_written_here(self, id: str) -> None:
        for scene in scenes(id):
            assert RIGHT[id] == scene.answers(), scene.variant

    @pytest.mark.parametrize("id", RIGHT)
    def test_nobody_passes_by_saying_that_all_stays_or_that_all_changes(self, id: str) -> None:
        for scene in scenes(id):
            answers = scene.answers()
            was = {slot.key: scene.was(slot) for slot in scene.exercise.slots}
            was |= {k: False for k, v in was.items() if v is None and isinstance(answers[k], bool)}
            stays = [same(was[key], answers[key]) for key in answers]
            assert True in stays
            assert False in stays

    @pytest.mark.parametrize(("id", "harness"), WRONG)
    def test_a_wrong_harness_gives_other_answers(self, id: str, harness: str) -> None:
        for scene in scenes(id):
            wrong = next(one for one in scene.exercise.wrong if one.harness == harness)
            its, right = answers_under(scene, wrong), scene.answers()
            assert WRONG[id, harness] == {k: v for k, v in its.items() if not same(v, right[k])}

    def test_wrong_harnesses_of_one_exercise_are_told_apart(self) -> None:
        for id in RIGHT:
            own = [answers for (exercise, _), answers in WRONG.items() if exercise == id]
            assert len(own) == len({str(answers) for answers in own})


class TestEvents:
    """One event is the answer, and it is the one that a person would name."""

    @pytest.mark.parametrize(
        ("id", "seq", "laws"),
        [
            ("s01-5", 10, []),  # the result of run_tests enters the log
            ("s02-6", 11, [5, 5]),  # remove is asked for, and nothing comes of it
        ],
    )
    def test_only_one_of_those_shown_is_right(self, id: str, seq: int, laws: list[int]) -> None:
        exercise = exercise_of(id)
        trace = run_of_exercise(exercise)
        grade = grade_spot if exercise.kind == "spot" else grade_cause
        shown = [event.seq for event in to_choose_from(exercise, trace)]
        right = [one for one in shown if grade(exercise, trace, one).verdict is Verdict.PASS]
        assert [seq] == right
        assert laws == [breach.law for breach in breaches(trace)]

    def test_a_branch_comes_after_what_it_points_to(self) -> None:
        exercise = exercise_of("s04-5")
        trace = run_of_exercise(exercise)
        right = ["result", "answer", "branch", "question", "sent"]
        assert Verdict.PASS is grade_order(exercise, trace, right).verdict
        for wrong in (
            right[::-1],
            right[:-1],
            [*right, "copy"],
            ["branch", *right[:2], *right[3:]],
        ):
            assert Verdict.NOT_YET is grade_order(exercise, trace, wrong).verdict


def run(path: Path, entry: str) -> Trace:
    """What the code of a learner writes."""
    spec = importlib.util.spec_from_file_location(f"learner_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    recorder = Recorder()
    getattr(module, entry)(recorder).run(*module.PROMPTS)
    return Trace.parse(recorder.text())


@pytest.mark.parametrize("id", ["s01-3", "s02-4", "s04-3"])
class TestChanges:
    """The starter runs and misses a property by name; the solution has them all, lawfully."""

    def met(self, id: str, trace: Trace) -> dict[str, bool]:
        tests = {"is": lambda a, b: a == b, "at-least": lambda a, b: a >= b}
        return {
            must.key: tests[must.test](value_of(trace, must.read), must.value)
            for must in exercise_of(id).must
        }

    def test_the_starter_is_not_there_yet(self, id: str) -> None:
        exercise = exercise_of(id)
        assert exercise.starter is not None
        met = self.met(id, run(exercise.starter, exercise.entry))
        assert not all(met.values())
        assert any(met.values())

    def test_the_solution_is(self, id: str) -> None:
        exercise = exercise_of(id)
        assert exercise.starter is not None
        trace = run(exercise.folder / "solutions" / exercise.starter.name, exercise.entry)
        assert all(self.met(id, trace).values())
        assert [] == list(breaches(trace))
