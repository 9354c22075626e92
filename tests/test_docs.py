"""README and lessons are run: every command they show, and every block of output they print."""

import importlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from functools import cache
from pathlib import Path

import click

from curriculum.course import prose, sources
from curriculum.golden import files

from .cli.terminal import typed

ROOT = files.root().parent
README = ROOT / "README.md"
CHANGELOG = ROOT / "CHANGELOG.md"
CI = ROOT / ".ci" / "run"
SET_UP = ("python3 -m venv", "uv run")
"""Command lines that install: they are compared with what CI calls, not run here."""


def texts() -> list[Path]:
    return [README, *sorted((ROOT / "lessons").glob("*/lesson.md"))]


@cache
def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def shown(path: Path) -> list[str]:
    """Every command of a text in order: those in the prose, and the lines of its blocks."""
    found: list[str] = []
    for part in re.split(r"(^```sh\n.*?^```$)", read(path), flags=re.M | re.S):
        if part.startswith("```sh"):
            lines = prose.commands(part)
            found += [command for line in lines for command in line.split(" && ")]
        else:
            bare = prose.COMMENT.sub("", prose.FENCE.sub("", part))
            found += [code[1:-1] for code in prose.COMMAND.findall(bare)]
    return found


def run_shown(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a page. One that asks gets a terminal, and what waits is accepted there."""
    if command.split()[:2] != ["golden", "review"]:
        return sources.run_in(command, folder)
    waits = sorted(folder.glob("golden/**/*.pending.jsonl"))
    env = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = typed(["-m", "curriculum.golden", "review"], ["a\n"] * len(waits), folder, **env)
    assert not list(folder.glob("golden/**/*.pending.jsonl")), done.out
    return subprocess.CompletedProcess(command, done.code, done.out, "")


class WhatIsShown(unittest.TestCase):
    """A reader who types what the page shows gets what the page says."""

    def test_every_command_runs_in_the_order_of_the_page(self) -> None:
        for path in texts():
            with tempfile.TemporaryDirectory() as place:
                copy = here = sources.checkout(Path(place))
                (copy / "README.md").write_text(read(README), encoding="utf-8", newline="\n")
                count = 0
                for command in shown(path):
                    if command.startswith((*SET_UP, ".venv")):
                        continue
                    if command.startswith("cd "):
                        here = (here / command.removeprefix("cd ")).resolve()
                        continue
                    if command == "golden review" and sys.platform == "win32":
                        continue  # it needs a terminal, and none can be made there
                    done = run_shown(command, here)
                    said = f"{path.name}: {command}\n{done.stdout}{done.stderr}"
                    self.assertEqual(0, done.returncode, said)
                    count += 1
                self.assertGreaterEqual(count, 5, f"{path} shows {count} commands")

    def test_every_block_of_output_and_every_number_is_what_the_program_gives(self) -> None:
        for path in texts():
            report = prose.check(read(path), path.parent)
            self.assertEqual([], [str(problem) for problem in report.problems], path)
            self.assertGreaterEqual(report.blocks, 3, path)
            self.assertGreaterEqual(report.numbers, 5, path)

    def test_the_example_breaks_no_law_and_cuts_what_it_says(self) -> None:
        """400 characters of 958 reach the log; the bound of 150 tokens leaves room for less."""
        done = sources.run_in("python tests/examples/loop.py", ROOT)
        self.assertEqual(0, done.returncode, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual("+read", lines[0])
        self.assertRegex(lines[4], r"^=c1 a line, .*\[-\d+-\].*a line$")
        self.assertEqual(150, len("\n".join(lines[:5])) + 1)
        self.assertEqual("0 laws broken", lines[-1])

    def test_the_example_of_one_model_adds_up(self) -> None:
        """Two tokens a byte; the 58 bytes of the picture are one patch, which is one token."""
        done = sources.run_in("python tests/examples/one_model.py", ROOT)
        self.assertEqual(0, done.returncode, done.stderr)
        first, sums, last = done.stdout.splitlines()
        self.assertRegex(first, r"^at most 515 tokens, assumed, by bytes@1:claude-4\.7;reply=0;")
        self.assertEqual("= 198 around them + 68 instruction + 153 image + 96 user", sums)
        self.assertEqual("green, 315 bytes", last)
        self.assertEqual(515, 198 + 68 + 153 + 96)
        self.assertEqual(515, 2 * (315 - 58) + 1)

    def test_the_divergence_it_shows_is_one_that_the_model_cannot_see(self) -> None:
        self.assertIn("changed   the budget, max_tool_output_chars: 180 -> 120\n", read(README))
        self.assertIn("the model cannot see it\n", read(README))


class ThePage(unittest.TestCase):
    """README: short, without dead ends, and true about the folders and tests it names."""

    def test_it_can_be_read_in_one_sitting(self) -> None:
        self.assertLessEqual(len(read(README).splitlines()), 200)

    def test_every_link_to_a_file_leads_to_one(self) -> None:
        for path in [*texts(), CHANGELOG]:
            for link in re.findall(r"\]\((?!https?:)([^)#]+)", read(path)):
                self.assertTrue((path.parent / link).exists(), f"{path.name}: {link}")

    def test_every_room_is_named_in_the_order_of_imports(self) -> None:
        named = re.findall(r"^\| `curriculum/(\w+)/`", read(README), flags=re.M)
        settings = tomllib.loads(read(ROOT / "pyproject.toml"))
        layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
        self.assertEqual([f"curriculum.{name}" for name in named], layers[::-1])

    def test_every_command_of_the_program_is_in_the_table(self) -> None:
        main = importlib.import_module("curriculum.cli.main")
        golden = importlib.import_module("curriculum.cli.golden").golden
        trace = importlib.import_module("curriculum.cli.trace").trace
        policy = importlib.import_module("curriculum.cli.policies").policy
        commands = [
            f"curriculum {name}" for name in main.COMMANDS if name not in ("trace", "golden")
        ]
        commands += [f"curriculum trace {name}" for name in trace.commands]
        commands += [f"curriculum policy {name}" for name in policy.commands]
        commands += [f"golden {name}" for name in golden.list_commands(click.Context(golden))]
        self.assertIn("golden review", commands)
        for command in commands:
            self.assertTrue(any(c.startswith(command) for c in shown(README)), command)

    def test_python_is_asked_for_in_the_version_that_the_package_needs(self) -> None:
        needs = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["requires-python"]
        self.assertIn(f"Python {needs.removeprefix('>=')} or newer", read(README))


class TheSetUp(unittest.TestCase):
    """Two lines do everything, in three forms that say the same."""

    def setUp(self) -> None:
        self.sh = [line for line in prose.commands(read(README)) if line.startswith(SET_UP)]
        self.windows = prose.commands(read(README), "powershell")

    def test_there_are_two_lines_in_each_form(self) -> None:
        self.assertEqual(4, len(self.sh))
        self.assertEqual(2, len(self.windows))

    def test_no_line_touches_the_python_of_the_system(self) -> None:
        for line in [*self.sh[:2], *self.windows]:
            _, *later = re.split(r" && |; ", line)
            self.assertEqual(2, len(later))
            for command in later:
                self.assertTrue(command.startswith(".venv"), command)

    def test_the_windows_lines_are_the_same_steps(self) -> None:
        for ours, theirs in zip(self.sh, self.windows, strict=False):
            same = ours.replace("python3 -m", "python -m").replace(" && ", "; ")
            self.assertEqual(same.replace(".venv/bin/", ".venv\\Scripts\\"), theirs)

    def test_the_extra_that_they_install_exists(self) -> None:
        extras = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
        self.assertIn('".[test]"', self.sh[1])
        self.assertIn("--extra test", self.sh[3])
        self.assertIn("test", extras)

    def test_ci_takes_the_test_line_from_this_page_and_runs_it(self) -> None:
        if not CI.is_file():
            self.skipTest("an archive without the CI script")
        patterns = re.findall(r"grep -m1 -E '([^']+)' README\.md", read(CI))
        lines = read(README).splitlines()
        taken = [next((n for n in lines if re.search(p, n)), None) for p in patterns]
        self.assertIn(self.sh[1], taken)
        self.assertLessEqual(set(taken), set(self.sh[:2]))


class TheChangelog(unittest.TestCase):
    """Keep a Changelog: an Unreleased part first, and known headings only."""

    def test_its_form(self) -> None:
        heads = re.findall(r"^## (.*)$", read(CHANGELOG), flags=re.M)
        self.assertEqual("[Unreleased]", heads[0])
        kinds = set(re.findall(r"^### (.*)$", read(CHANGELOG), flags=re.M))
        known = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
        self.assertTrue(kinds)
        self.assertLessEqual(kinds, known)


if __name__ == "__main__":
    unittest.main()
