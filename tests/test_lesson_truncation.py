"""Lesson s05: the nine runs of its table, its exercises, its judge, and the settings of agents."""

from collections.abc import Callable
from contextlib import suppress
from types import ModuleType

import pytest
from curriculum.lessons.s05_tool_output_truncation.exercises import s05_3 as starter_3
from curriculum.lessons.s05_tool_output_truncation.exercises import s05_4 as starter_4
from curriculum.lessons.s05_tool_output_truncation.solutions import (
    s05_3,
    s05_4,
    s05_4_check,
)

from curriculum.agent.run_errors import RunError
from curriculum.context.known_policies import policy_with_id
from curriculum.context.policy_registry import every_policy, policy_of
from curriculum.course import run_tables, settings
from curriculum.course.exercises import exercise_of
from curriculum.course.misconceptions import answers_under
from curriculum.course.runs import SourceError
from curriculum.course.scenes import Scene
from curriculum.course.slots import value_of
from curriculum.course.variants import variants_of
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

from .cli.command import GOLDEN, curriculum


def answers(id: str, limit: int = 0) -> dict[str, object]:
    exercise = exercise_of(id)
    return Scene(exercise, {"max_tool_output_chars": limit} if limit else {}).answers()


class TestThePoliciesOfALesson:
    """Known by name and by the id in a trace, and not on the list of those one would choose."""

    @pytest.mark.parametrize("name", ["keep-head", "keep-tail", "keep-lines"])
    def test_known_and_not_listed(self, name: str) -> None:
        policy = policy_of(name)
        assert policy is policy_of(policy.id)
        assert policy is policy_with_id(policy.id)
        assert name not in [file.policy.name for file in every_policy()]

    def test_a_trace_that_names_one_is_checked_by_a_process_that_has_run_nothing(self) -> None:
        done = curriculum("trace", "validate", f"{GOLDEN}/s05-tool-output-truncation.jsonl")
        assert (0, "") == (done.code, done.err)
        assert "0 breaches" in done.out


class TestPredictions:
    """What the runs answer, worked out by hand."""

    @pytest.mark.parametrize(
        ("limit", "kept", "head"), [(110, 103, 52), (104, 97, 49), (98, 91, 46), (92, 85, 43)]
    )
    def test_a_lower_ceiling(self, limit: int, kept: int, head: int) -> None:
        """The marker [-NNN-] takes 7; the beginning gets the odd one; 40 are enough for the error."""
        expected = {"log": limit, "kept": kept, "head": head, "stop": "completed"}
        assert expected == answers("s05-1", limit)

    def test_the_numbers_of_the_file_are_those(self) -> None:
        limits = [dict(variant) for variant in variants_of(exercise_of("s05-1"))]
        assert [{"max_tool_output_chars": n} for n in (110, 104, 98, 92)] == limits

    def test_the_middle_has_the_same_sizes_and_another_end(self) -> None:
        expected = {"missing": 527, "same": False, "stop": "expectation-failed"}
        assert expected == answers("s05-2")


class TestWrongHarnesses:
    """Each is run, and each answers in its own way."""

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("head_only", {"log": 110, "kept": 103, "head": 103, "stop": "expectation-failed"}),
            ("tail_only", {"log": 110, "kept": 103, "head": 0, "stop": "completed"}),
            ("marker_outside", {"log": 117, "kept": 110, "head": 55, "stop": "completed"}),
        ],
    )
    def test_of_a_lower_ceiling(self, name: str, expected: dict[str, object]) -> None:
        exercise = exercise_of("s05-1")
        scene = Scene(exercise, exercise.change)
        (wrong,) = [one for one in exercise.wrong if one.harness == name]
        assert expected == answers_under(scene, wrong)

    def test_one_that_reads_what_it_cuts(self) -> None:
        """Both of its runs show the error, wherever it stood, in the same request."""
        exercise = exercise_of("s05-2")
        (wrong,) = exercise.wrong
        found = answers_under(Scene(exercise, {}), wrong)
        assert {"missing": 527, "same": True, "stop": "completed"} == found


class TestShapingTheTool:
    """s05-3: the tool says less, so nothing is cut."""

    @staticmethod
    def trace(module: ModuleType) -> Trace:
        recorder = Recorder()
        with suppress(RunError):
            module.runner(recorder).run(*module.PROMPTS)
        return Trace.parse(recorder.text())

    def test_the_solution_holds_all_and_keeps_the_laws(self) -> None:
        trace = self.trace(s05_3)
        assert [] == [str(breach) for breach in breaches(trace)]
        assert ("completed", 52) == (
            value_of(trace, "stop"),
            value_of(trace, "tool.result 1 size"),
        )
        assert value_of(trace, "has tool.truncate 1") is False

    def test_the_starter_fails_as_the_lesson_tells(self) -> None:
        trace = self.trace(starter_3)
        assert "expectation-failed" == value_of(trace, "stop")
        assert 640 == value_of(trace, "tool.result 1 size")


class TestTheJudgeOfACutter:
    """s05-4: a good cut is accepted, and what is wrong with another is said."""

    LINES = "".join(f"line {n:04d}\n" for n in range(30))
    """30 lines of 10 characters. At 40 the marker takes 7: one line at each end, 280 missing."""

    def said(self, answer: object, text: str = LINES, limit: int = 40) -> str | None:
        return s05_4_check.judge({"name": "", "text": text, "limit": limit}, answer)

    def test_the_solution_passes_everywhere(self) -> None:
        for scenario in s05_4_check.SCENARIOS:
            assert s05_4_check.judge(scenario, s05_4_check.ask(s05_4, scenario)) is None, scenario

    def test_there_are_many_scenarios_the_smallest_first(self) -> None:
        sizes = [scenario["text"].count("\n") for scenario in s05_4_check.SCENARIOS]
        assert [6] * 6 + [12] * 6 + [40] * 6 + [80] * 6 + [200] * 6 == sizes[:30]
        assert 41 == len(sizes)
        places = {
            s["name"].rpartition(" ")[2] for s in s05_4_check.SCENARIOS if "error" in s["name"]
        }
        assert 15 < len(places)

    def test_the_starter_is_told_that_it_says_nothing(self) -> None:
        said = {self.judged(starter_4.cut, one) for one in s05_4_check.SCENARIOS}
        assert any(text and "no marker [-N-] says so" in text for text in said)

    @staticmethod
    def judged(cut: Callable[[str, int], object], scenario: dict[str, object]) -> str | None:
        return s05_4_check.judge(scenario, cut(str(scenario["text"]), int(str(scenario["limit"]))))

    def test_the_cut_that_is_worked_out_by_hand(self) -> None:
        assert self.said("line 0000\n[-280-]line 0029\n") is None

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (None, "here it gave a NoneType"),
            (LINES, "at most 40 characters; here are 300"),
            ("line 0000\nline 0001\n", "300 characters became 20, and no marker"),
            ("line 0000\n[-281-]line 0029\n", "300 - 20 kept = 280 missing; the marker says 281"),
            ("line 0001\n[-280-]line 0029\n", "not a beginning and an end of the text"),
            ("line 0000\nline[-276-]line 0029\n", "the head stops inside of a line"),
            ("line 0000\n[-275-]0028\nline 0029\n", "the tail starts inside of a line"),
            ("line 0000\n[-290-]", "the tail may have 16 characters"),
            ("[-290-]line 0029\n", "the head may have 17 characters"),
            ("line 0000\nline 0001\n[-280-]", "the head may have 17 characters"),
        ],
    )
    def test_what_is_wrong_is_said(self, answer: object, words: str) -> None:
        assert words in (self.said(answer) or "")

    def test_a_text_that_fits_comes_back_as_it_is(self) -> None:
        assert self.said("short", "short", 24) is None
        assert "5 characters fit in 24" in (self.said("[-5-]", "short", 24) or "")

    def test_inside_a_line_it_cuts_between_signs(self) -> None:
        """Families of 5 characters; at 26 a marker of 6 leaves 20: two families at each end."""
        family = s05_4_check.FAMILY
        text = family * 12
        assert self.said(f"{family * 2}[-40-]{family * 2}", text, 26) is None
        split = f"{text[:9]}[-41-]{family * 2}"
        assert "inside of a sign" in (self.said(split, text, 26) or "")
        less = f"{family}[-45-]{family * 2}"
        assert "10 characters of the head do, here are 5" in (self.said(less, text, 26) or "")

    def test_a_failing_text_gets_smaller(self) -> None:
        one = {"name": "", "text": self.LINES, "limit": 40}
        assert {150, 290} == {len(smaller["text"]) for smaller in s05_4_check.smaller(one)}
        assert [] == list(s05_4_check.smaller({**one, "text": "x"}))[1:]

    def test_a_scenario_is_shown_in_ascii(self) -> None:
        assert all(s05_4_check.show(scenario).isascii() for scenario in s05_4_check.SCENARIOS)


class TestTheSettingsOfAgents:
    """5,000 lines of 40 bytes under fourteen settings, as table 2a of agents.md has them."""

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            *((1, 12), (100, 10), (126, 7), (250, 5), (500, 3), (1000, 2)),
            *((3000, 1), (4000, 2), (4500, 3), (4751, 6), (4951, 12), (5000, 13)),
        ],
    )
    def test_how_many_show_a_line(self, line: int, expected: int) -> None:
        assert expected == settings.setting(f"line {line}")

    def test_the_sums(self) -> None:
        """Lines 501 to 4,200 are shown by two at most, 2,501 to 3,720 by aider alone."""
        assert 3_700 == settings.setting("by-at-most 2")
        assert 1_220 == settings.setting("by-exactly 1")
        assert 14 == settings.setting("count")

    def test_a_number_as_the_file_has_it(self) -> None:
        assert 8_000 == settings.setting("cline-sdk 2 most")
        assert (8_000, 32_000, 160_000) == tuple(
            settings.setting(f"gemini {end}") for end in ("head", "tail", "missing")
        )

    @pytest.mark.parametrize(
        "wrong", ["nobody head", "lines 3", "most", "gemini middle", "line x", "mini 1 2 3"]
    )
    def test_what_there_is_not(self, wrong: str) -> None:
        with pytest.raises(SourceError, match=r"(?i)no (number|setting)"):
            settings.setting(wrong)
        with pytest.raises(SourceError):
            settings.settings("starts", settings.files.root())


class TestTables:
    """Blocks of a text that are made of many runs."""

    def test_the_grid_of_places_and_policies(self) -> None:
        folder = exercise_of("s05-1").folder
        wanted = (
            "failed, first last, keep-head keep-tail, completed=seen expectation-failed=not_seen"
        )
        assert (
            "        keep-head   keep-tail\n"
            "first   seen        not seen\n"
            "last    not seen    seen\n"
        ) == run_tables.grid(wanted, folder)

    def test_the_ends_at_several_ceilings(self) -> None:
        case = "s05-tool-output-truncation/both-ends"
        assert (
            "tool ceiling   head   marker   tail   missing   the run stops\n"
            "          87     40        7     40       560   completed\n"
            "          86     40        7     39       561   expectation-failed\n"
        ) == run_tables.ends(f"{case}, 87, 86", exercise_of("s05-1").folder)
        with pytest.raises(SourceError, match="cuts nothing at 700"):
            run_tables.ends(f"{case}, 700", exercise_of("s05-1").folder)
