"""What a lesson promises: its metadata, its goldens, its stops, and a text that cannot drift.

    python -m unittest curriculum.tests.test_course_contract

fails if it checks nothing; pytest runs it as well.
"""

import ast
import importlib
import io
import re
import shutil
import tempfile
import tomllib
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from curriculum.context.reasons import REASONS
from curriculum.course import prose, sources
from curriculum.course.lessons import Lesson, all_cases, lessons
from curriculum.course.plain_words import jargon
from curriculum.golden import files
from curriculum.golden.status import Status
from curriculum.golden.verify import verify
from curriculum.trace.reader import Trace

METADATA: dict[str, type] = {
    "id": str,
    "title": str,
    "mechanism": str,
    "invariant": str,
    "misconception": str,
    "minutes": int,
    "needs": list,
    "adds": str,
    "core": bool,
    "cases": list,
    "room": list,
}
MAY_BE_EMPTY = ("needs", "core")
NO_IMPORTS = {"time", "datetime", "random", "socket", "urllib", "http", "requests", "subprocess"}
WORDS_BEFORE_FIRST_QUESTION = 250
LINES_OF_A_DEMO = 45


def text_of(lesson: Lesson) -> str:
    return (lesson.folder / "lesson.md").read_text(encoding="utf-8")


def levels(text: str) -> dict[str, str]:
    """The lesson's parts by their level, as a person reads them: L0, L1, and so on."""
    parts = re.split(r"^## (L\d)\b", prose.render(text), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


class EveryLesson(unittest.TestCase):
    """What holds for each lesson that is installed."""

    def setUp(self) -> None:
        self.lessons = lessons()
        self.assertGreater(len(self.lessons), 0, "no lesson was found, so nothing was checked")

    def test_its_metadata_is_complete_and_of_the_right_type(self) -> None:
        for lesson in self.lessons:
            data: dict[str, Any] = tomllib.loads((lesson.folder / "lesson.toml").read_text("utf-8"))
            with self.subTest(lesson.id):
                self.assertEqual(set(METADATA), set(data))
                for name, kind in METADATA.items():
                    self.assertIs(kind, type(data[name]), name)
                    self.assertTrue(data[name] or name in MAY_BE_EMPTY, f"{name} is empty")
                for case in data["cases"]:
                    self.assertEqual({"id", "title", "stops"}, set(case))
                for part in data["room"]:
                    self.assertEqual({"what", "minutes"}, set(part))
                self.assertEqual(data["minutes"], sum(part["minutes"] for part in data["room"]))
                self.assertLessEqual(data["minutes"], 40)
                self.assertEqual(lesson.folder.name, data["id"].replace("-", "_"))
                self.assertEqual(data["id"], data["cases"][0]["id"], "the first case is the lesson")

    def test_what_it_needs_comes_before_it(self) -> None:
        ids = [lesson.id for lesson in self.lessons]
        for lesson in self.lessons:
            for need in lesson.needs:
                self.assertIn(need, ids[: ids.index(lesson.id)])

    def test_demo_and_metadata_name_the_same_cases(self) -> None:
        for lesson in self.lessons:
            demo = importlib.import_module(f"curriculum.lessons.{lesson.folder.name}.demo")
            self.assertEqual(list(lesson.stops), list(demo.SCENARIOS))

    def test_each_case_has_a_golden_that_verifies(self) -> None:
        for lesson in self.lessons:
            ids = list(lesson.stops)
            self.assertGreater(len(ids), 0)
            found = {v.id: v.status for v in verify(all_cases(), ids)}
            self.assertEqual(dict.fromkeys(ids, Status.HOLDS), found)

    def test_each_declared_stop_is_the_stop_in_the_golden(self) -> None:
        for lesson in self.lessons:
            for id, (_, declared) in lesson.stops.items():
                stop = Trace.read(files.fixture(files.root(), id)).stop
                self.assertEqual(declared, stop.reason if stop else None, id)

    def test_the_demo_is_a_page_without_clock_chance_or_network(self) -> None:
        for lesson in self.lessons:
            code = (lesson.folder / "demo.py").read_text(encoding="utf-8")
            self.assertLessEqual(len(code.splitlines()), LINES_OF_A_DEMO)
            imported = {
                name.split(".")[0]
                for node in ast.walk(ast.parse(code))
                for name in (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else []
                )
            }
            self.assertIn("curriculum", imported)
            self.assertEqual(set(), imported & NO_IMPORTS)

    def test_every_number_and_block_of_its_text_is_what_the_program_gives(self) -> None:
        for lesson in self.lessons:
            with self.subTest(lesson.id):
                report = prose.check(text_of(lesson), lesson.folder)
                self.assertEqual([], [str(problem) for problem in report.problems])
                self.assertGreater(report.numbers, 10)
                self.assertGreater(report.blocks, 3)

    def test_the_commands_in_its_text_run(self) -> None:
        for lesson in self.lessons:
            found = prose.commands(text_of(lesson))
            self.assertGreater(len(found), 0)
            for command in found:
                with self.subTest(command):
                    done = sources.run_in(command, files.root().parent)
                    self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_its_first_question_comes_within_250_words(self) -> None:
        for lesson in self.lessons:
            before, answer, _ = prose.render(text_of(lesson)).partition("<details>")
            self.assertTrue(answer, "the first question has an answer to unfold")
            self.assertIn("?", before.rsplit("\n\n", 2)[-2], "the answer follows a question")
            self.assertLessEqual(len(before.split()), WORDS_BEFORE_FIRST_QUESTION)

    def test_its_first_two_levels_use_no_jargon(self) -> None:
        for lesson in self.lessons:
            parts = levels(text_of(lesson))
            for level in ("L0", "L1"):
                self.assertEqual([], jargon(parts[level]), level)
                self.assertRegex(parts[level].splitlines()[0], r"\(\d+ min\)")


class TheReasons(unittest.TestCase):
    """The list of reasons is closed, and each is seen."""

    def test_every_reason_is_emitted_by_some_golden(self) -> None:
        seen: set[str] = set()
        for id, waits in files.present(files.root()):
            trace = Trace.read(files.fixture(files.root(), id)) if not waits else None
            for event in trace.events if trace else ():
                if event.type == "tool.truncate":
                    seen.add(event.data.reason)
                elif event.type == "context.assemble":
                    seen |= {entry.reason for entry in event.data.decisions}
                    seen |= {event.data.refused.reason} if event.data.refused else set()
        self.assertGreater(len(seen), 0)
        self.assertEqual(set(REASONS), seen)


class ATextThatDrifts(unittest.TestCase):
    """Each way in which a text and the program can part is reported where it stands."""

    def setUp(self) -> None:
        lesson = next(one for one in lessons() if one.id == "s06-context-budget")
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        shutil.copy(lesson.folder / "demo.py", self.folder)
        self.text = text_of(lesson)
        self.whole = prose.check(self.text, self.folder)
        self.assertEqual((), self.whole.problems)

    def changed(self, old: str, new: str) -> tuple[prose.Problem, int]:
        """The one problem after the first `old` became `new`, and the line where `old` stood."""
        self.assertIn(old, self.text)
        report = prose.check(self.text.replace(old, new, 1), self.folder)
        self.assertEqual(1, len(report.problems), report.problems)
        return report.problems[0], self.text[: self.text.index(old)].count("\n") + 1

    def test_a_wrong_number_is_reported_with_both_values(self) -> None:
        problem, line = self.changed("1,977<!--missing-->", "1,978<!--missing-->")
        self.assertEqual((line, "missing"), (problem.line, problem.what))
        self.assertEqual(("1,977", "1,978"), (problem.expected, problem.got))

    def test_a_number_without_a_source_is_reported(self) -> None:
        problem, line = self.changed("269<!--taken--> is", "269 is")
        self.assertEqual((line, "a number without a source"), (problem.line, problem.what))

    def test_a_fact_that_nobody_defined_is_reported(self) -> None:
        problem, line = self.changed("56<!--room--> more", "56<!--space--> more")
        self.assertEqual((line, "No fact is called 'space'."), (problem.line, problem.expected))

    def test_a_fact_that_nothing_uses_is_reported(self) -> None:
        problem, _ = self.changed("<!-- facts\n", "<!-- facts\nspare = tools\n")
        self.assertEqual("nothing uses the fact 'spare'", problem.what)

    def test_a_fact_that_no_run_has_is_reported(self) -> None:
        problem, _ = self.changed("request 1 size", "request 9 size")
        self.assertEqual("s06-context-budget has no number at 'request 9 size'.", problem.expected)

    def test_a_wrong_line_in_a_block_is_reported_with_the_block_it_must_be(self) -> None:
        problem, _ = self.changed("ro[-1977-] row 0200.", "ro[-1978-] row 0200.")
        self.assertEqual("request: s06-context-budget, 2", problem.what)
        self.assertIn("ro[-1977-] row 0200.", problem.expected)
        self.assertIn("ro[-1978-] row 0200.", problem.got)

    def test_code_that_is_not_the_demo_s_is_reported(self) -> None:
        problem, _ = self.changed("max_input_chars=300", "max_input_chars=301")
        self.assertEqual("cut: demo.py runner", problem.what)

    def test_a_changed_demo_is_reported_although_the_text_is_as_it_was(self) -> None:
        demo = self.folder / "demo.py"
        code = demo.read_text(encoding="utf-8").replace("max_input_chars=300", "max_input_chars=9")
        demo.write_text(code, encoding="utf-8")
        report = prose.check(self.text, self.folder)
        self.assertEqual(["cut: demo.py runner"], [problem.what for problem in report.problems])

    def test_a_wrong_number_in_a_drawn_block_is_reported(self) -> None:
        problem, _ = self.changed("[gate 1: 180, for good]", "[gate 1: 120, for good]")
        self.assertEqual("numbers: returned tool_ceiling ceiling", problem.what)

    def test_a_number_more_in_a_drawn_block_is_reported(self) -> None:
        problem, _ = self.changed("this request] -> model", "this request] -> model 31")
        self.assertEqual("3 numbers of two digits or more, not 4.", problem.expected)

    def test_a_block_without_a_source_is_reported(self) -> None:
        problem, _ = self.changed("<!-- cut: demo.py runner -->\n", "")
        self.assertEqual("a block without a source", problem.what)

    def test_a_source_that_is_not_known_is_reported(self) -> None:
        problem, _ = self.changed("<!-- cut: demo.py runner -->", "<!-- guess: demo.py -->")
        self.assertEqual("a block without a source", problem.what)

    def test_a_source_that_is_written_wrongly_is_reported(self) -> None:
        for wrong in ("request: s06-context-budget, 2", "decisions: s06-context-budget, 2"):
            problem, _ = self.changed(wrong, wrong.replace(", 2", ", two"))
            self.assertEqual("a source as its kind asks for it", problem.expected)
        problem, _ = self.changed("pair           = call +", "pair           = pair +")
        self.assertEqual("a source as its kind asks for it", problem.expected)

    def test_names_times_and_single_digits_need_no_source(self) -> None:
        for free in (
            "`r0005` of s06",
            "10 min",
            "2 gates",
            "`golden verify s06-context-budget 12`",
        ):
            self.assertEqual((), prose.check(f"{free}\n", self.folder).problems, free)
        for bound in ("10 rows", "`max_input_chars=300`", "a (12)", "1,000 rows", "10-12"):
            self.assertNotEqual((), prose.check(f"{bound}\n", self.folder).problems, bound)

    def test_a_text_that_names_no_source_counts_nothing(self) -> None:
        report = prose.check("# A title\n\nNo number, no block.\n", self.folder)
        self.assertEqual((0, ()), (report.checked, report.problems))
        path = self.folder / "empty.md"
        path.write_text("# A title\n", encoding="utf-8")
        with redirect_stdout(io.StringIO()):
            self.assertEqual(1, prose.main([str(path)]))

    def test_mending_gives_back_what_the_sources_say(self) -> None:
        drifted = self.text.replace("1977", "1978").replace("1,977<", "1,978<")
        report = prose.check(drifted, self.folder)
        self.assertGreater(len(report.problems), 1)
        self.assertEqual(self.text, report.mended)
        path = self.folder / "lesson.md"
        path.write_text(drifted, encoding="utf-8")
        with redirect_stdout(io.StringIO()) as said:
            self.assertEqual(1, prose.main([str(path), "--mend"]))
            self.assertEqual(0, prose.main([str(path)]))
        self.assertIn("expected 1,977", said.getvalue())
        self.assertEqual(self.text, path.read_text(encoding="utf-8"))

    def test_a_reader_sees_none_of_the_marks(self) -> None:
        read = prose.render(self.text)
        self.assertNotIn("<!--", read)
        self.assertIn("`[-1828-]` says how many characters", read)

    def test_jargon_is_found_in_each_form(self) -> None:
        self.assertEqual(["Tokens", "truncated"], jargon("Tokens are truncated. `wire` is code."))


if __name__ == "__main__":
    unittest.main()
