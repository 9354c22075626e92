"""The guide for agents of one's own: what it shows is what happens, from an empty folder on."""

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from curriculum.course import prose
from curriculum.record.records import Kind
from curriculum.trace.events import Finish, Stop
from curriculum.trace.failure_codes import FAILURE_CODES

from .cli import terminal
from .cli.command import ROOT, Done, curriculum, golden, run

GUIDE = ROOT / "curriculum" / "golden" / "guide.md"
AGENTS = GUIDE.with_name("agents.md")
EXAMPLE = ROOT / "tests" / "examples" / "tiny_agent"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example project without its goldens, as a reader has it before section 3."""
    hidden = shutil.ignore_patterns("__pycache__", "golden")
    return Path(shutil.copytree(EXAMPLE, tmp_path / "tiny agent", ignore=hidden))


def typed(command: str, folder: Path) -> Done:
    """Run one command line of the guide as a reader would."""
    program, *words = shlex.split(command)
    if program == "golden" and words == ["review"]:
        return terminal.typed(["-m", "curriculum.golden", "review"], ["A\n"], folder)
    if program == "python":
        assert words[0] == "-m"
        return run(words[1], *words[2:], cwd=folder)
    return {"golden": golden, "curriculum": curriculum}[program](*words, cwd=folder)


class TestTheGuide:
    """Every block and command of the page is what the program gives."""

    def test_its_blocks_are_the_example_and_its_output(self) -> None:
        report = prose.check(GUIDE.read_text("utf-8"), GUIDE.parent)
        assert [] == [str(problem) for problem in report.problems]
        assert 10 == report.blocks

    def test_the_agent_has_a_loop_of_sixty_lines(self) -> None:
        """As the page says; none of it runs our runner."""
        code = (EXAMPLE / "agent.py").read_text("utf-8")
        assert len(code.splitlines()) <= 60
        assert "AgentRunner" not in code

    def test_its_commands_lead_from_no_golden_to_one_that_holds(self, project: Path) -> None:
        commands = prose.commands(GUIDE.read_text("utf-8"))
        assert ["golden record --all", "golden review", "golden verify"] == [*commands[:3]]
        for command in commands[:-1]:
            done = typed(command, project)
            assert 0 == done.code, f"{command}\n{done.out}{done.err}"
        assert "holds     three-turns" in golden("verify", "--plain", cwd=project).out

    def test_the_golden_that_ships_is_the_one_a_reader_gets(self, project: Path) -> None:
        golden("record", "three-turns", cwd=project)
        golden("accept", "three-turns", cwd=project)
        made = (project / "golden" / "three-turns.jsonl").read_bytes()
        assert (EXAMPLE / "golden" / "three-turns.jsonl").read_bytes() == made

    def test_the_closed_lists_are_whole(self) -> None:
        """But for what only a script, a turn of the model's or our own runner can give."""
        text = GUIDE.read_text("utf-8")
        words = text[text.index("The words are closed lists.") : text.index("### If your agent")]
        named = set(re.findall(r"`([a-z][a-z-]+)`", words))
        scripted = {"script-exhausted", "script-not-finished", "expectation-failed", "repeated"}
        closed = {*map(str, Kind), *map(str, Stop), *map(str, Finish), *FAILURE_CODES}
        assert closed - scripted - {"assistant", "result"} == named - {"record"}

    def test_every_command_it_names_in_passing_exists(self) -> None:
        text = GUIDE.read_text("utf-8") + AGENTS.read_text("utf-8")
        named = set(re.findall(r"`golden ([a-z]+)", text))
        listed = golden("--help").out
        assert {"verify", "record", "review", "accept", "reject", "diff", "prune"} <= named
        assert [] == [name for name in sorted(named) if f"  {name} " not in listed]


class TestUnderPytest:
    """The example's tests pass, and fail with the report of `golden verify`."""

    def test_the_whole_example_passes(self, tmp_path: Path) -> None:
        folder = shutil.copytree(EXAMPLE, tmp_path / "project")
        done = run("pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
        assert 0 == done.code, done.out + done.err
        assert "3 passed" in done.out

    def test_with_syrupy_too_a_person_decides(self, tmp_path: Path) -> None:
        """Recorded with syrupy's own option, accepted at our desk; then it passes."""
        folder = Path(shutil.copytree(EXAMPLE, tmp_path / "project"))
        words = ("-q", "-p", "no:cacheprovider", "with_syrupy.py")
        run("pytest", *words, "--snapshot-update", cwd=folder)
        assert 1 == run("pytest", *words, cwd=folder).code
        assert 0 == golden("accept", "pytest/with_syrupy/test_it_answers", cwd=folder).code
        done = run("pytest", *words, cwd=folder)
        assert 0 == done.code, done.out + done.err

    def test_a_changed_agent_is_explained(self, tmp_path: Path) -> None:
        """Keeping one turn instead of two: the harness's own choice, in the fourth request."""
        folder = Path(shutil.copytree(EXAMPLE, tmp_path / "project"))
        agent = folder / "agent.py"
        agent.write_text(
            agent.read_text("utf-8").replace("keep: int = 2", "keep: int = 1"), "utf-8"
        )
        report = golden("verify", "--plain", "three-turns", cwd=folder)
        assert 1 == report.code
        assert "the harness's own choice" in report.out
        done = run("pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
        assert 1 == done.code
        for line in report.out.splitlines()[:-1]:
            assert line.strip() in done.out


class TestTheCommand:
    """`golden guide` prints the pages wherever the package is installed."""

    def test_plain_is_the_page(self) -> None:
        """Without what only a checkout can use: links to its files, and sources of blocks."""
        page, shown = GUIDE.read_text("utf-8"), golden("guide", "--plain").out
        bare = [line for line in page.splitlines() if not line.startswith("<!--")]
        assert "](../" in page
        assert "](../" not in shown
        assert "The word" in shown
        kept = [line for line in bare if "](../" not in line]
        assert kept == [line for line in shown.splitlines() if line in kept]
        assert len(bare) == len(shown.splitlines())

    def test_the_page_for_coding_agents(self) -> None:
        """It says what never to do, and names a command for each thing to do."""
        page = golden("guide", "--agents").out
        assert AGENTS.read_text("utf-8") == page
        assert "Never:" in page
        for command in ("golden verify --plain", "golden record ID", "golden review --json"):
            assert f"`{command}`" in page

    def test_the_interpreter_that_runs_these_tests_has_the_plugin(self) -> None:
        """Without the entry point the tests above would pass for the wrong reason."""
        done = run("pytest", "--help", cwd=ROOT)
        assert "--golden-record" in done.out, sys.executable
