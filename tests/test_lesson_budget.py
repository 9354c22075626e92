"""s06: what each run and each wrong harness answers, and what its checks and judges take."""

import json
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from curriculum.lessons.s06_context_budget.exercises import s06_2 as starter_2
from curriculum.lessons.s06_context_budget.exercises import s06_3 as starter_3
from curriculum.lessons.s06_context_budget.exercises import s06_4 as starter_4
from curriculum.lessons.s06_context_budget.exercises import s06_7 as starter_7
from curriculum.lessons.s06_context_budget.exercises import s06_13 as starter_13
from curriculum.lessons.s06_context_budget.solutions import (
    s06_2,
    s06_3,
    s06_4,
    s06_7,
    s06_8,
    s06_8_check,
    s06_13,
    s06_14,
    s06_14_check,
)

from curriculum.agent.run_errors import RunError
from curriculum.context.budget import ContextBudget
from curriculum.course.checking import holds
from curriculum.course.exercise import Exercise
from curriculum.course.exercises import exercise_of, exercises, waits_for
from curriculum.course.lesson_check import check_lesson
from curriculum.course.lessons import lessons
from curriculum.course.misconceptions import answers_under, harness_of, wrong_run
from curriculum.course.runs import case_of
from curriculum.course.scenes import Scene
from curriculum.course.slots import value_of
from curriculum.record.errors import CurriculumError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

Answers = dict[str, Any]


def under(id: str, limit: str, value: int) -> Scene:
    """A prediction with the numbers of one of its variants."""
    exercise = exercise_of(id)
    assert {limit: value} in [dict(variant) for variant in exercise.variants]
    return Scene(exercise, {limit: value})


def pictured(scene: Scene) -> dict[str, Answers]:
    """What each wrong harness of a prediction answers."""
    return {wrong.harness: answers_under(scene, wrong) for wrong in scene.exercise.wrong}


class TestPredictions:
    """269 must stay in the second request, 5 of that are the marks of the result."""

    @pytest.mark.parametrize("tool", [120, 92, 150, 60, 110])
    def test_a_lower_tool_ceiling(self, tool: int) -> None:
        """Above 31 the log gets shorter, and no byte of the request changes."""
        scene = under("s06-1", "max_tool_output_chars", tool)
        assert {"log": tool, "shown": 31, "request": 300, "bytes": False} == scene.answers()
        assert {
            "gate_1_only": {"log": tool, "shown": tool, "request": 269 + tool, "bytes": True},
            "gate_2_only": {"log": 2000, "shown": 31, "request": 300, "bytes": False},
            "marks_left_out": {"log": tool, "shown": 36, "request": 305, "bytes": False},
        } == pictured(scene)

    @pytest.mark.parametrize(("ceiling", "room"), [(310, 41), (325, 56), (340, 71), (395, 126)])
    def test_the_largest_ceiling_cut_once_is_the_room(self, ceiling: int, room: int) -> None:
        scene = under("s06-6", "max_input_chars", ceiling)
        assert {"log": 180, "ceiling": room} == scene.answers()
        assert {
            "gate_1_only": {"log": 180, "ceiling": 180},
            "marks_left_out": {"log": 180, "ceiling": room + 5},
        } == pictured(scene)

    @pytest.mark.parametrize(("reserve", "spare"), [(50, 81), (20, 111), (75, 56), (60, 71)])
    def test_a_smaller_reserve_gives_nothing_to_the_request(self, reserve: int, spare: int) -> None:
        scene = under("s06-9", "output_reserve", reserve)
        assert {"sum": 300 + reserve, "shown": 31, "bytes": False} == scene.answers()
        assert {
            "reserve_is_spare": {"sum": 400, "shown": spare, "bytes": True},
            "capacity_is_ceiling": {"sum": 400, "shown": 131, "bytes": False},
            "gate_1_only": {"sum": 1_000_000 + reserve, "shown": 180, "bytes": False},
        } == pictured(scene)

    def test_each_is_tried_with_each_of_its_variants(self) -> None:
        counts = {one.id: len(one.variants) for one in exercises("s06") if one.slots}
        assert {"s06-1": 5, "s06-6": 4, "s06-9": 4} == counts


def trace_of(module: ModuleType) -> Trace:
    """What the code of a learner writes."""
    recorder = Recorder()
    with suppress(RunError):
        module.runner(recorder).run(*module.PROMPTS)
    return Trace.parse(recorder.text())


def missed(id: str, trace: Trace) -> list[str]:
    """The properties by key that a run does not have."""
    lacking: list[str] = []
    for must in exercise_of(id).must:
        with suppress(CurriculumError):
            if holds(must, value_of(trace, must.read)):
                continue
        lacking.append(must.key)
    return lacking


class TestChanges:
    """A starter runs and misses what the exercise is about; the solution has all, lawfully."""

    @pytest.mark.parametrize(
        ("id", "starter", "solution", "lacks"),
        [
            ("s06-2", starter_2, s06_2, ["stored"]),
            ("s06-7", starter_7, s06_7, ["reserve", "ceiling"]),
            ("s06-13", starter_13, s06_13, ["whole", "calls", "stop"]),
        ],
    )
    def test_what_is_missing_has_a_name(
        self, id: str, starter: ModuleType, solution: ModuleType, lacks: list[str]
    ) -> None:
        assert lacks == missed(id, trace_of(starter))
        trace = trace_of(solution)
        assert [] == missed(id, trace)
        assert [] == [str(breach) for breach in breaches(trace)]

    @pytest.mark.parametrize(
        ("ceiling", "lacks"),
        [
            (268, ["ceiling", "stop", "missing"]),
            (277, ["ceiling", "missing"]),
            (279, ["ceiling", "missing"]),
            (280, []),
        ],
    )
    def test_a_ceiling_too_low_loses_more_than_must_be(
        self, ceiling: int, lacks: list[str]
    ) -> None:
        """280 - 269 = 11 leave 3 beside the marker of 8; 277 is the least that can be sent."""
        recorder = Recorder()
        limits = {"capacity": 400, "output_reserve": 120, "max_tool_output_chars": 180}
        budget = ContextBudget(max_input_chars=ceiling, **limits)
        staged = case_of("s06-context-budget").staged
        assert staged is not None
        with suppress(RunError):
            staged.under(budget=budget).runner(recorder).run(*staged.prompts)
        assert lacks == missed("s06-7", Trace.parse(recorder.text()))

    def test_a_ceiling_too_high_does_not_start(self) -> None:
        with pytest.raises(CurriculumError) as caught:
            ContextBudget(max_input_chars=281, capacity=400, output_reserve=120)
        assert "281 + 120 = 401 > 400" in " ".join(caught.value.evidence)

    def test_what_the_starter_cuts_away_is_the_last_rule(self) -> None:
        assert 300 == len(starter_13.INSTRUCTIONS)
        whole, cut = (trace_of(one).records[1].text for one in (s06_13, starter_13))
        assert "Never delete a file." in whole
        assert "Never" not in cut


def runs_of(exercise: Exercise) -> dict[str, Trace]:
    """The run that each harness of an assertion leaves of its case."""
    names = [*exercise.right, *(wrong.harness for wrong in exercise.wrong)]
    case = case_of(exercise.case)
    return {name: wrong_run(harness_of(exercise, name), case) for name in names}


class TestAssertions:
    """The solution takes every right harness and no wrong one; all of them keep the laws."""

    @pytest.mark.parametrize(
        ("id", "starter", "solution", "taken"),
        [
            ("s06-3", starter_3, s06_3, {"instruction_gives_way"}),
            ("s06-4", starter_4, s06_4, {"home_made", "home_made_latest"}),
        ],
    )
    def test_right_is_taken_and_wrong_is_not(
        self, id: str, starter: ModuleType, solution: ModuleType, taken: set[str]
    ) -> None:
        """`taken` are the wrong ones that the starter takes."""
        exercise = exercise_of(id)
        runs = runs_of(exercise)
        assert {*exercise.right} == {name for name, run in runs.items() if solution.holds(run)}
        assert {*exercise.right, *taken} == {n for n, run in runs.items() if starter.holds(run)}
        assert [] == [name for name, run in runs.items() if list(breaches(run))]

    def test_what_the_policies_of_s06_4_are_called(self) -> None:
        named = {
            n: run.assemblies[0].data.policy for n, run in runs_of(exercise_of("s06-4")).items()
        }
        assert ("home-made", "home-made@latest", "home-made@1") == tuple(
            named[name] for name in ("home_made", "home_made_latest", "home_made_1")
        )
        assert named["home_made_2"].startswith("home-made@2#")
        assert named["as_it_is"].startswith("newest-first@1#")

    @pytest.mark.parametrize(
        "holds",
        [
            lambda trace: True,
            lambda trace: False,
            lambda trace: "@" in trace.assemblies[0].data.policy,
            lambda trace: "#" in trace.assemblies[0].data.policy,
            lambda trace: trace.assemblies[0].data.policy.endswith("@1"),
            lambda trace: trace.assemblies[0].data.policy.startswith("newest-first"),
        ],
    )
    def test_near_misses_of_s06_4_are_refused(self, holds: Callable[[Trace], bool]) -> None:
        exercise = exercise_of("s06-4")
        said = {name for name, run in runs_of(exercise).items() if holds(run)}
        assert {*exercise.right} != said

    def test_two_wait_for_lessons_to_come(self) -> None:
        waiting = {one.id: one.needs for one in exercises("s06") if waits_for(one)}
        later = {"s06-2": ("s07-artifact-handles",), "s06-3": ("s08-protected-pools",)}
        built = [lesson.id for lesson in lessons()]
        assert {id: needs for id, needs in later.items() if needs[0] not in built} == waiting


def complaints(check: ModuleType, module: Any) -> list[str]:
    """What a judge says of each scenario; answers come as JSON, as from a subprocess."""
    answers = [json.loads(json.dumps(check.ask(module, one))) for one in check.SCENARIOS]
    said = [check.judge(one, got) for one, got in zip(check.SCENARIOS, answers, strict=True)]
    return [one for one in said if one is not None]


class TestJudges:
    """A judge takes the reference on every scenario and every smaller one."""

    @pytest.mark.parametrize(("check", "module"), [(s06_8_check, s06_8), (s06_14_check, s06_14)])
    def test_it_takes_the_reference(self, check: ModuleType, module: ModuleType) -> None:
        assert 80 < len(check.SCENARIOS)
        assert [] == complaints(check, module)
        smaller = [less for one in check.SCENARIOS[-20:] for less in check.smaller(one)]
        assert 50 < len(smaller)
        assert {None} == {check.judge(less, check.ask(module, less)) for less in smaller}
        assert all(check.show(one).isascii() for one in (*check.SCENARIOS, *smaller))

    @pytest.mark.parametrize(
        ("texts", "limits", "answer"),
        [
            (["x" * 240], (400, 350, 100), "350 + 100 > 400"),
            (["x" * 298], (400, 300, 100), None),
            (["x" * 299], (400, 300, 100), "301 > 300"),
            (["abc"], (10, 5, 6), "5 + 6 > 10"),
            (["abc"], (4, 4, 0), "5 > 4"),
            (["one\ntwo"], (9, 9, 0), None),
        ],
    )
    def test_answers_that_are_worked_out_by_hand(
        self, texts: list[str], limits: tuple[int, int, int], answer: str | None
    ) -> None:
        scenario = s06_14_check.made(texts, *limits)
        assert scenario in s06_14_check.SCENARIOS
        assert s06_14_check.judge(scenario, answer) is None
        for other in {None, "350 + 100 > 400", "301 > 300", "5 > 4", "", "9 > 9"} - {answer}:
            assert s06_14_check.judge(scenario, other) is not None

    def test_each_answer_is_common_among_the_seeded(self) -> None:
        seeded = s06_14_check.SCENARIOS[21:]
        given = [s06_14_check.ask(s06_14, one) for one in seeded]
        kinds = [None if one is None else "+" in one for one in given]
        assert 10 < min(kinds.count(kind) for kind in (None, True, False))


def _sum(ceiling: int, reserve: int, capacity: int) -> str | None:
    return f"{ceiling} + {reserve} > {capacity}" if ceiling + reserve > capacity else None


def _size(texts: list[str], ceiling: int, frame: int = 2, less: int = 0) -> str | None:
    size = sum(len(text) + frame for text in texts) - less
    return f"{size} > {ceiling}" if size > ceiling else None


Refusal = Callable[[list[str], int, int, int], str | None]
REFUSALS: dict[str, Refusal] = {
    "never refuses": lambda t, c, i, r: None,
    "checks the window alone": lambda t, c, i, r: _sum(i, r, c),
    "checks the request alone": lambda t, c, i, r: _size(t, i),
    "checks the request first": lambda t, c, i, r: _size(t, i) or _sum(i, r, c),
    "leaves the frame out": lambda t, c, i, r: _sum(i, r, c) or _size(t, i, 0),
    "counts one sign of the frame": lambda t, c, i, r: _sum(i, r, c) or _size(t, i, 1),
    "counts ends between lines only": lambda t, c, i, r: _sum(i, r, c) or _size(t, i, 2, 1),
    "fills the reserve": lambda t, c, i, r: _sum(i, r, c) or _size(t, i + r),
    "fills the window": lambda t, c, i, r: _sum(i, r, c) or _size(t, c - r),
    "refuses what is equal": lambda t, c, i, r: _sum(i, r, c - 1) or _size(t, i),
    "counts bytes": lambda t, c, i, r: (
        _sum(i, r, c) or _size(["x" * len(one.encode()) for one in t], i)
    ),
    "escapes the end of a line": lambda t, c, i, r: (
        _sum(i, r, c) or _size([one.replace("\n", "\\n") for one in t], i)
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_check_that_is_nearly_right_is_refused(name: str) -> None:
    assert complaints(s06_14_check, SimpleNamespace(refusal=REFUSALS[name]))


Limits = dict[str, int]
GATES: dict[str, Callable[[int, list[int], Limits], list[int | str]]] = {
    "has only gate 1": lambda n, s, m: s06_8.gates(n, s, {**m, "ceiling": m["capacity"]}),
    "has only gate 2": lambda n, s, m: s06_8.gates(n, s, {**m, "tool_ceiling": 10**6}),
    "forgets the reserve": lambda n, s, m: s06_8.gates(n, s, {**m, "reserve": 0}),
    "takes the reserve off the ceiling": lambda n, s, m: s06_8.gates(
        n, s, {**m, "ceiling": m["ceiling"] - m["reserve"]}
    ),
    "sends whatever is left": lambda n, s, m: s06_8.gates(n, s, {**m, "smallest": 0}),
    "lets one more stay": lambda n, s, m: s06_8.gates(n, s[:-1], m),
    "shows what is in the log": lambda n, s, m: [
        *(made := s06_8.gates(n, s, m))[:1],
        made[0],
        made[2],
    ],
}


@pytest.mark.parametrize("name", GATES)
def test_gates_that_are_nearly_right_are_refused(name: str) -> None:
    assert complaints(s06_8_check, SimpleNamespace(gates=GATES[name]))


class TestTheLesson:
    """The lesson is fit for learners, and its numbers are those of its sources."""

    def test_it_is_checked_as_a_whole(self) -> None:
        (lesson,) = [one for one in lessons() if one.id == "s06-context-budget"]
        report = check_lesson(lesson.folder)
        assert () == report.refusals
        assert 700 < report.total
        assert 40 == lesson.minutes == sum(part.minutes for part in lesson.room)
        text = (lesson.folder / "lesson.md").read_text(encoding="utf-8")
        for said in ("83.5% of the window", "96.7% of the window", "sst/opencode#1212"):
            assert said in text
        for id in (one.id for one in exercises("s06") if not waits_for(one)):
            assert exercise_of(id).hints[2].strip()
