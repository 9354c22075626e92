"""Code is judged by its traces and answers: what is right is said first, then one difference."""

from collections.abc import Generator
from pathlib import Path

import attrs
import pytest

from curriculum.course.checking import Bench, check, holds
from curriculum.course.child_endings import Limits
from curriculum.course.exercise import Must
from curriculum.course.exercises import exercise_of
from curriculum.course.messages import messages, places
from curriculum.course.progress import update
from curriculum.course.result import Result, Verdict
from curriculum.course.workspace import Workspace, create

from . import small_lesson

LIMITS = Limits(seconds=30)


@pytest.fixture
def work(tmp_path: Path) -> Generator[Workspace]:
    with small_lesson.only(small_lesson.lay_out(tmp_path / "lessons")):
        yield create(tmp_path / "work").workspace


def checked(work: Workspace, id: str, code: str | None = None) -> Result:
    exercise = exercise_of(id)
    if code is not None:
        work.file(exercise).write_text(code, encoding="utf-8")
    return check(exercise, work, LIMITS)


def keys(result: Result) -> list[str]:
    return [finding.key for finding in result.findings]


class TestEveryKind:
    @pytest.mark.parametrize("stem", list(small_lesson.SOLUTIONS))
    def test_the_solution_passes(self, work: Workspace, stem: str) -> None:
        result = checked(work, stem.replace("_", "-"), small_lesson.SOLUTIONS[stem])
        assert result.verdict is Verdict.PASS, result
        assert result.next == "curriculum next"
        assert all(finding.text.startswith("Right") for finding in result.findings)

    @pytest.mark.parametrize(
        ("id", "found"),
        [
            ("s90-2", ["modify.holds", "modify.must", "check.untouched"]),
            ("s90-3", ["assertion.right", "assertion.accepts-wrong", "check.untouched"]),
            ("s90-4", ["make.some", "make.smaller", "make.says", "check.untouched"]),
        ],
    )
    def test_the_starter_is_not_there_yet(self, work: Workspace, id: str, found: list[str]) -> None:
        result = checked(work, id)
        assert result.verdict is Verdict.NOT_YET
        assert keys(result) == found
        assert result.next == f"curriculum hint {id}"
        assert (
            result.findings[-1].text
            == f"{id.replace('-', '_')}.py is still the starter as it came."
        )

    def test_a_file_that_is_gone(self, work: Workspace) -> None:
        work.file(exercise_of("s90-4")).unlink()
        result = checked(work, "s90-4")
        assert (result.verdict, keys(result)) == (Verdict.COULD_NOT_CHECK, ["check.no-file"])
        assert result.next == "curriculum reset s90-4"

    def test_an_exercise_that_waits(self, work: Workspace) -> None:
        exercise = attrs.evolve(exercise_of("s90-4"), needs=("s99",))
        result = check(exercise, work, LIMITS)
        assert (result.verdict, keys(result)) == (Verdict.COULD_NOT_CHECK, ["check.waits"])

    def test_a_prediction_is_asked_for_elsewhere(self, work: Workspace) -> None:
        result = checked(work, "s90-1")
        assert (result.verdict, keys(result)) == (Verdict.NOT_YET, ["check.asks"])
        assert result.next == "curriculum predict s90-1"
        update(work.progress_file, lambda known: known.tried("s90-1", Verdict.PASS))
        assert checked(work, "s90-1").verdict is Verdict.PASS


class TestModify:
    def test_what_holds_comes_first_then_expected_and_got(self, work: Workspace) -> None:
        result = checked(work, "s90-2")
        assert [finding.text for finding in result.findings[:2]] == [
            "Right: the run ends by itself.",
            "Not yet: the log keeps at most 60 characters of the result. Expected at most 60, got 100.",
        ]

    def test_what_the_run_does_not_have_is_said(self, work: Workspace) -> None:
        code = small_lesson.STARTERS["s90_2"].replace(", max_tool_output_chars=100", "")
        result = checked(work, "s90-2", code)
        assert "got nothing there" in result.findings[1].text

    def test_a_run_that_stops_otherwise_is_read_too(self, work: Workspace) -> None:
        """The script is used up: the runner raises, and its trace says how it stopped."""
        code = small_lesson.STARTERS["s90_2"].replace(', Turn("Done.")', ",")
        result = checked(work, "s90-2", code)
        assert result.verdict is Verdict.NOT_YET
        said = "Not yet: the run ends by itself. Expected completed, got script-exhausted."
        assert result.findings[0].text == said

    @pytest.mark.parametrize(
        ("code", "key"),
        [
            ("def runner(trace):\n    return 7\nPROMPTS = ('x',)\n", "child.no-runner"),
            ("def runner():\n    return 7\nPROMPTS = ('x',)\n", "child.call"),
            (small_lesson.RUNNER + "\nPROMPTS = ()\n", "child.no-prompts"),
            (small_lesson.RUNNER + "\nPROMPTS = (1,)\n", "child.no-prompts"),
            (small_lesson.RUNNER, "child.no-prompts"),
            (
                small_lesson.STARTERS["s90_2"].replace("trace=trace", "trace=Recorder()")
                + "from curriculum.trace.recorder import Recorder\n",
                "child.other-recorder",
            ),
            (
                small_lesson.STARTERS["s90_2"].replace("chars=400", "chars=0"),
                "child.raised",
            ),
        ],
    )
    def test_what_is_no_harness_is_said(self, work: Workspace, code: str, key: str) -> None:
        result = checked(work, "s90-2", code)
        assert (result.verdict, keys(result)) == (Verdict.NOT_YET, [key])

    def test_a_refusal_of_ours_is_told_by_its_headline(self, work: Workspace) -> None:
        code = small_lesson.STARTERS["s90_2"].replace("chars=400", "chars=0")
        said = checked(work, "s90-2", code).findings[0].text
        assert said.startswith("s90_2.py, line ")
        assert "raised BudgetError: max_input_chars is 0; it must be" in said
        assert "\n" not in said

    def test_one_prompt_may_stand_alone(self, work: Workspace) -> None:
        code = small_lesson.SOLUTIONS["s90_2"].replace('("Read it.",)', '"Read it."')
        assert checked(work, "s90-2", code).verdict is Verdict.PASS

    def test_a_trace_that_breaks_a_law_is_not_yet_whatever_else_holds(
        self, work: Workspace
    ) -> None:
        """The code edits the recorder's bytes: every rule of the exercise holds, a law does not."""
        code = small_lesson.SOLUTIONS["s90_2"] + (
            "from curriculum.trace.recorder import Recorder\n"
            "text = Recorder.text\n"
            "Recorder.text = lambda self: text(self).replace('\"kept\":53', '\"kept\":52')\n"
        )
        result = checked(work, "s90-2", code)
        assert (result.verdict, keys(result)) == (Verdict.NOT_YET, ["modify.law"])
        assert result.findings[0].text.startswith("Your run breaks the law *")

    def test_a_loop_of_one_s_own_may_record_the_run(self, work: Workspace) -> None:
        code = (
            small_lesson.SOLUTIONS["s90_2"].replace("def runner(", "def build(")
            + "def runner(trace):\n    build(trace).run(*PROMPTS)\n"
        )
        assert checked(work, "s90-2", code).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        ("test", "value", "got", "is_so"),
        [
            ("is", 3, 3, True),
            ("is", True, 1, False),
            ("is", "completed", "completed", True),
            ("at-most", 3, 3, True),
            ("at-most", 3, 4, False),
            ("at-least", 3, 3, True),
            ("at-least", 3, 2, False),
            ("at-most", 3, "2", False),
        ],
    )
    def test_the_tests_of_a_row(self, test: str, value: int, got: int | str, is_so: bool) -> None:
        assert holds(Must("k", "r", test, value, "s"), got) is is_so


class TestAssertion:
    def test_each_wrong_harness_must_be_rejected(self, work: Workspace) -> None:
        """It rejects one of two; the other is told by what it breaks."""
        code = 'def holds(trace):\n    return any(trace.of("tool.result"))\n'
        result = checked(work, "s90-3", code)
        assert [finding.text for finding in result.findings] == [
            "Right: it accepts 2 of the 2 right harnesses.",
            "Right: it rejects 1 of the 2 wrong harnesses.",
            "It accepts a wrong harness: A harness without gate 1. What that one breaks:"
            " a result passes gate 1.",
        ]

    def test_a_right_harness_must_be_accepted_whatever_its_numbers(self, work: Workspace) -> None:
        code = (
            "def holds(trace):\n"
            "    for event in trace.of('tool.truncate'):\n"
            "        assert event.data.size == 100\n"
            "        return True\n"
            "    return False\n"
        )
        result = checked(work, "s90-3", code)
        assert keys(result) == ["assertion.right", "assertion.wrong", "assertion.rejects-right"]
        assert result.findings[0].text == "Right: it accepts 1 of the 2 right harnesses."
        assert "A smaller gate 1" in result.findings[2].text

    def test_an_assertion_may_raise_and_return_nothing(self, work: Workspace) -> None:
        code = "def holds(trace):\n    assert any(trace.of('tool.truncate'))\n"
        assert checked(work, "s90-3", code).verdict is Verdict.PASS

    def test_what_is_neither_yes_nor_no_is_refused(self, work: Workspace) -> None:
        """A generator would always count as yes."""
        code = "def holds(trace):\n    return (e for e in trace.events)\n"
        result = checked(work, "s90-3", code)
        assert keys(result) == ["assertion.on-right", "assertion.no-bool"]

    def test_where_it_raised_is_said(self, work: Workspace) -> None:
        code = "def holds(trace):\n    return list(trace.of('tool.truncate'))[0].data.size < 101\n"
        result = checked(work, "s90-3", code)
        assert [f.text for f in result.findings] == [
            "It came as far as run 3, of a wrong harness.",
            "s90_3.py, line 2 raised IndexError: list index out of range",
        ]


class TestMake:
    def test_the_first_failing_scenario_is_made_as_small_as_it_fails(self, work: Workspace) -> None:
        """Four characters are the fewest that are too many for three."""
        result = checked(work, "s90-4")
        assert [finding.text for finding in result.findings[:3]] == [
            "Right in 2 of 4 scenarios.",
            "First failing, number 3 of 4, made as small as it still fails: ('abcd', 3)",
            "keep('abcd', 3) gave 'abcd'; at most 3 characters, from the start",
        ]
        assert result.score == (2, 4)

    def test_nothing_right_yet(self, work: Workspace) -> None:
        result = checked(work, "s90-4", "def keep(text, limit):\n    return None\n")
        assert result.findings[0].text == "Right in 0 of 4 scenarios so far."

    def test_a_smaller_one_that_fails_otherwise_ends_the_shrinking(self, work: Workspace) -> None:
        """With five characters it raises, which is another matter than being too long."""
        code = (
            "def keep(text, limit):\n    if len(text) in (4, 5): raise KeyError(text)\n"
            "    return text\n"
        )
        assert keys(checked(work, "s90-4", code))[:2] == ["make.some", "make.scenario"]

    def test_a_judge_that_fails_is_the_course_s_fault(self, work: Workspace) -> None:
        judge = exercise_of("s90-4").folder / "solutions" / "s90_4_check.py"
        judge.write_text(judge.read_text().replace("answer == text", "answer == txt"))
        result = checked(work, "s90-4")
        assert (result.verdict, keys(result)) == (Verdict.COULD_NOT_CHECK, ["check.course"])

    def test_so_is_an_ask_that_fails_by_itself(self, work: Workspace) -> None:
        judge = exercise_of("s90-4").folder / "solutions" / "s90_4_check.py"
        judge.write_text(judge.read_text().replace("return module", "1 / 0\n    return module"))
        result = checked(work, "s90-4")
        assert result.verdict is Verdict.COULD_NOT_CHECK
        assert keys(result) == ["make.scenario", "child.course"]

    def test_a_judge_that_is_missing(self, work: Workspace) -> None:
        (exercise_of("s90-4").folder / "solutions" / "s90_4_check.py").unlink()
        assert keys(checked(work, "s90-4")) == ["check.course"]


class TestTheTexts:
    def test_every_key_that_a_check_can_give_has_a_text(self) -> None:
        """Found in the code, not listed: each key is written there as a text of its own."""
        import re

        import curriculum.course as course

        known, found = messages(), set[str]()
        for name in ("checking", "checking_make", "child", "child_endings", "child_jobs"):
            code = (Path(course.__path__[0]) / f"{name}.py").read_text("utf-8")
            found |= set(re.findall(r'"((?:child|check|modify|assertion|make)\.[a-z-]+)"', code))
        assert len(found) > 35
        assert found <= known.keys()

    def test_no_text_of_a_section_is_unused(self) -> None:
        import re

        import curriculum.course as course

        code = "".join(p.read_text("utf-8") for p in Path(course.__path__[0]).glob("*.py"))
        mine = [
            key for key in messages() if re.match(r"(child|check|modify|assertion|make)\.", key)
        ]
        assert len(mine) > 35
        assert [key for key in mine if f'"{key}"' not in code] == []

    def test_they_are_ascii_and_end_as_sentences_do(self) -> None:
        for key, said in messages().items():
            assert said.isascii(), key
        assert places("a {b} {c:x}") == {"b", "c"}


def test_a_bench_knows_the_learner_s_file(work: Workspace) -> None:
    bench = Bench(exercise_of("s90-4"), work)
    assert bench.file == work.folder / "s90" / "s90_4.py"
