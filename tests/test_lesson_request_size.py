"""Lesson s03: its exercises, wrong harnesses and judge, and the tables that say what requests weigh."""

from pathlib import Path
from types import ModuleType

import pytest
from curriculum.lessons.s03_request_size.exercises import s03_3 as starter_3
from curriculum.lessons.s03_request_size.exercises import s03_4 as starter_4
from curriculum.lessons.s03_request_size.solutions import s03_3, s03_4, s03_4_check

from curriculum import Recorder, Trace, breaches
from curriculum.course import kinds, prose, size_tables, sources
from curriculum.course.exercises import exercise_of
from curriculum.course.misconceptions import answers_under
from curriculum.course.runs import SourceError, trace_of
from curriculum.course.scenes import Scene
from curriculum.course.slots import value_of
from curriculum.course.variants import variants_of

from .cli.command import curriculum

CASE = "s03-request-size"
FOLDER = exercise_of("s03-1").folder


class TestPredictions:
    """What the runs answer, worked out by hand."""

    @pytest.mark.parametrize("ceiling", [940, 930, 960, 920])
    def test_under_a_ceiling(self, ceiling: int) -> None:
        """587 tools + 70 rules + 26 you + 30 call + 5 marks = 718 in request 2; 87 more in 3."""
        expected = {"file-2": ceiling - 718, "file-3": ceiling - 805, "tools-3": 587}
        found = Scene(exercise_of("s03-1"), {"max_input_chars": ceiling}).answers()
        assert {**expected, "stop": "completed"} == found

    def test_the_numbers_of_the_file_are_those(self) -> None:
        limits = [dict(variant) for variant in variants_of(exercise_of("s03-1"))]
        assert [{"max_input_chars": n} for n in (940, 930, 960, 920)] == limits

    def test_without_two_tools(self) -> None:
        """159 + 133 = 292 fewer in each of the three requests of 683, 1,054 and 1,141."""
        found = Scene(exercise_of("s03-2"), {}).answers()
        assert {"first": 683 - 292, "all": 2878 - 3 * 292, "turns": 3} == found


class TestWrongHarnesses:
    """Each is run, and each answers in its own way."""

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("tools_are_free", {"file-2": 336, "file-3": 336, "tools-3": 587}),
            ("rules_are_free", {"file-2": 222 + 70, "file-3": 135 + 70, "tools-3": 587}),
            ("only_the_new", {"file-2": 336}),
        ],
    )
    def test_under_a_ceiling(self, name: str, expected: dict[str, object]) -> None:
        exercise = exercise_of("s03-1")
        (wrong,) = [one for one in exercise.wrong if one.harness == name]
        found = answers_under(Scene(exercise, exercise.change), wrong)
        assert {**expected, "stop": "completed"} == found

    def test_one_that_sends_each_part_once(self) -> None:
        """391, then call and file: 30 + 341, then call and result: 78 + 9."""
        exercise = exercise_of("s03-2")
        (wrong,) = exercise.wrong
        found = answers_under(Scene(exercise, {}), wrong)
        assert {"first": 391, "all": 391 + 371 + 87, "turns": 3} == found


class TestMakingRoom:
    """s03-3: shorter descriptions, and the file is whole."""

    @staticmethod
    def holds(module: ModuleType) -> dict[str, bool]:
        recorder = Recorder()
        module.runner(recorder).run(*module.PROMPTS)
        trace = Trace.parse(recorder.text())
        assert [] == [str(breach) for breach in breaches(trace)]
        found: dict[str, bool] = {}
        for must in exercise_of("s03-3").must:
            got = value_of(trace, must.read)
            found[must.key] = got == must.value if must.test == "is" else got >= must.value  # pyright: ignore
        return found

    def test_the_solution_holds_all(self) -> None:
        found = self.holds(s03_3)
        assert all(found.values()), found
        assert 10 == len(found)

    def test_the_starter_lacks_the_file_and_nothing_else(self) -> None:
        found = self.holds(starter_3)
        assert ["file-2", "file-3"] == [key for key, held in found.items() if not held]


class TestTheJudgeOfAViewer:
    """s03-4: the text fixes every line of the answer."""

    TEXT = "".join(f"row {n}\n" for n in range(1, 9))

    def said(self, answer: object, **changes: object) -> str | None:
        return s03_4_check.judge({"text": self.TEXT, "start": 3, "count": 2, **changes}, answer)

    def test_the_solution_passes_everywhere(self) -> None:
        for scenario in s03_4_check.SCENARIOS:
            assert s03_4_check.judge(scenario, s03_4_check.ask(s03_4, scenario)) is None, scenario

    def test_there_are_many_scenarios_the_smallest_first(self) -> None:
        sizes = [scenario["text"].count("\n") for scenario in s03_4_check.SCENARIOS]
        assert sorted(sizes[:63]) == sizes[:63]
        assert {1, 2, 7, 40, 101, 350} == set(sizes[:63])
        assert 72 == len(sizes)
        assert all(s03_4_check.show(scenario).isascii() for scenario in s03_4_check.SCENARIOS)

    def test_the_starter_is_told_about_the_first_line(self) -> None:
        said = [s03_4_check.judge(s, s03_4_check.ask(starter_4, s)) for s in s03_4_check.SCENARIOS]
        assert None not in said
        assert (said[0] or "").startswith("line 1 of the answer must be 'lines 1-1 of 1'")

    def test_the_window_that_is_worked_out_by_hand(self) -> None:
        assert self.said("lines 3-4 of 8\n3: row 3\n4: row 4\nmore from line 5") is None
        assert self.said("lines 7-8 of 8\n7: row 7\n8: row 8", start=7, count=50) is None
        assert self.said("lines 1-1 of 8\n1: row 1\nmore from line 2", start=-2, count=0) is None
        assert self.said("no line 9; the last is 8", start=9) is None
        assert self.said("the file is empty", text="") is None
        assert self.said("lines 1-1 of 1\n1: ", text="\n", start=1) is None
        assert self.said("lines 2-2 of 2\n2: b", text="a\nb", start=2) is None

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (b"", "here it gave a bytes"),
            ("lines 3-4 of 9", "line 1 of the answer must be 'lines 3-4 of 8'"),
            ("lines 3-4 of 8\nrow 3", "line 2 of the answer must be '3: row 3'; it is 'row 3'"),
            ("lines 3-4 of 8\n3: row 3", "line 3 of the answer must be '4: row 4'; there is none"),
            ("lines 3-4 of 8\n3: row 3\n4: row 4", "'more from line 5'; there is none"),
            ("lines 3-4 of 8\n3: row 3\n4: row 4\nmore from line 5\n", "4 lines were asked for"),
        ],
    )
    def test_what_is_wrong_is_said(self, answer: object, words: str) -> None:
        assert words in (self.said(answer) or "")

    def test_a_failing_window_gets_smaller(self) -> None:
        one = {"text": "a\nb\nc\nd\n", "start": 3, "count": 2}
        found = list(s03_4_check.smaller(one))
        assert ["a\nb\n", "a\nb\nc\n", "b\nc\nd\n"] == [s["text"] for s in found[:3]]
        assert [(1, 2), (3, 1)] == [(s["start"], s["count"]) for s in found[3:]]


class TestTables:
    """What requests weigh, as blocks of a text."""

    def test_by_author_every_character_is_somebody_s(self) -> None:
        """Request 2: 24 from the prompt, 336 of the file, 28 of the call; 647 of tools and rules."""
        found = size_tables.by_author(trace_of(CASE), 2)
        told = {"you": 24, "the agent": 647, "the tool": 336, "the model": 28, "marks": 19}
        assert told == found
        assert 1_054 == sum(found.values())

    def test_shares_are_rounded_to_the_nearest(self) -> None:
        lines = size_tables.authors(f"{CASE}, 1", FOLDER).splitlines()
        assert "the agent          647    95 %" == lines[2]
        assert "sum                683" == lines[-1]

    def test_the_triangle_of_requests_that_begin_alike(self) -> None:
        assert (
            "request    sent   again   new   sent in all\n"
            "      1     683       0   683           683\n"
            "      2   1,054     683   371         1,737\n"
            "      3   1,141   1,054    87         2,878\n"
        ) == size_tables.triangle(CASE, FOLDER)

    def test_a_request_that_begins_otherwise_is_new_from_there(self) -> None:
        """Where the file is cut harder, what is sent again ends within its line."""
        rows = size_tables.triangle(f"{CASE}/tight", FOLDER).splitlines()
        sent, again, new = (int(cell) for cell in rows[3].split()[1:4])
        assert 900 == sent == again + new
        assert 587 + 70 + 26 + 30 < again < 900 - 87

    def test_the_tools_add_up_to_their_record(self) -> None:
        rows = [line.split() for line in size_tables.tools(CASE, FOLDER).splitlines()[1:]]
        assert ["read", "edit", "search", "run"] == [row[0] for row in rows]
        assert 587 == sum(int(row[1]) for row in rows)
        assert ["1", "1", "0", "0"] == [row[4] for row in rows]

    def test_of_another_wire_the_tools_add_up_as_well(self) -> None:
        case = f"{CASE}/openai-chat"
        rows = [line.split() for line in size_tables.tools(case, FOLDER).splitlines()[1:]]
        assert 877 == sum(int(row[1]) for row in rows)

    def test_the_wires(self) -> None:
        lines = size_tables.wires(f"2, {CASE} {CASE}/gemini", FOLDER).splitlines()
        assert ["plain", "1,035", "19", "1,054"] == lines[1].split()
        assert "gemini" == lines[2].split()[0]
        assert 1_552 == int(lines[2].split()[-1].replace(",", ""))

    def test_texts_by_counters(self) -> None:
        """hello world is 2 tokens of o200k, as published; an accent is two bytes."""
        said = size_tables.counted("bytes@1:o200k exact@1:o200k, hello world | \u00e9", FOLDER)
        assert (
            "characters   bytes   bytes@1:o200k   exact@1:o200k   text\n"
            "        11      11              11               2   hello world\n"
            "         1       2               2               1   \u00e9\n"
        ) == said


class TestWhatATextMayName:
    """Places in other projects, numbers that are cited, and some records of a request."""

    def test_an_address_is_no_fact_of_ours(self) -> None:
        for free in ("`codex-rs/core/src/exec.rs:692-723`", "`a/b.py:15-20, 75-127`", "`x/y#641`"):
            assert () == prose.check(f"see {free}\n", FOLDER).problems
        for bound in ("exec.rs:692-723", "`max=300`", "`x/y` 641", "#641"):
            assert () != prose.check(f"see {bound}\n", FOLDER).problems

    def test_what_is_cited_has_a_source(self) -> None:
        assert 4_812 == kinds.fact_at("cited", "4812 a log")
        for wrong in ("4812", "many words", ""):
            with pytest.raises(SourceError):
                kinds.fact_at("cited", wrong)

    def test_a_request_shows_the_records_that_are_named(self) -> None:
        block = sources.KINDS["request"](f"{CASE}, 2 r0003 r0002", FOLDER)
        assert ["r0002", "r0003"] == [line.split()[1] for line in block.splitlines()]

    def test_each_line_of_a_record_has_a_row(self) -> None:
        block = sources.KINDS["request"](f"{CASE}, 1 r0001", FOLDER)
        starts = [line[14] for line in block.splitlines() if line[14] == "+"]
        assert 4 == len(starts)


class TestOneEventAndAReason:
    """s03-5 asks for a reason and the event that shows it, s05-5 for the event that breaks a rule."""

    @staticmethod
    def code(place: Path, id: str, *lines: str) -> int:
        (place / "answers.txt").write_text("\n".join(lines), encoding="utf-8")
        return curriculum("predict", id, "--answers", "answers.txt", "--plain", cwd=place).code

    @pytest.mark.parametrize(("event", "code"), [(11, 0), (10, 1), (13, 1)])
    def test_the_cut_is_over_its_ceiling(self, tmp_path: Path, event: int, code: int) -> None:
        """Kept 120 and a marker of 7 are 127: event 11, tool.truncate."""
        assert code == self.code(tmp_path, "s05-5", f"event = {event}")

    @pytest.mark.parametrize(("value", "third", "code"), [(187, "n", 0), (188, "n", 1)])
    def test_the_file_gives_way(self, tmp_path: Path, value: int, third: str, code: int) -> None:
        """Event 12 assembles request 2, in which the file has 187."""
        text = "text = The tools are protected and the file gets what is left."
        facts = ("fact 1 = y", "fact 2 = y", f"fact 3 = {third}")
        cited = ("event = 12", f"value = {value}")
        assert code == self.code(tmp_path, "s03-5", text, *cited, *facts)
