"""A project of somebody else: a loop of its own, cases, tests, and pytest run in it."""

import json
from pathlib import Path

import attrs
import pytest

from ..cli.command import Done, run

AGENT = '''
from curriculum import Call, Choice, ContextBudget, Recording, Tool

TOOLS = [Tool("read", lambda: "row " * 50)]


def run_agent(trace, question, *answers, limit=600):
    """A loop of one's own; its model says what it is told to, and reads a file for "read"."""
    budget = ContextBudget(max_input_chars=limit, max_tool_output_chars=120)
    with Recording(trace, "my-agent@1", budget=budget, policy="keep-all@1") as run:
        run.record("tools", tools=TOOLS)
        run.record("instruction", "Be brief.")
        run.record("user", question)
        for answer in answers or ("Done.",):
            run.assemble(rest=Choice.admit("kept"))
            run.request()
            reads = answer == "read"
            turn = run.response("" if reads else answer, [Call("c1", "read")] if reads else [])
            for number, call in enumerate(turn.calls):
                run.tool_call(number)
                run.tool_result(number, "row " * 50)
'''
CASES = """
from curriculum import Case
from my_agent import run_agent


def reads(trace):
    run_agent(trace, "Read it.", "read", "Done.")


CASES = [Case("reads", "the agent reads one file", "completed", reads)]
"""
TESTS = """
from my_agent import run_agent


def test_answers(golden_trace):
    run_agent(golden_trace, "Hello?", "Hi.")
"""
ROOT_HERE = "[tool.pytest.ini_options]\n"
SETTINGS = '[tool.curriculum]\ncases = ["tests/golden_cases.py"]\n'


@attrs.frozen
class Own:
    """A project in a folder; `pytest` runs in it, in a process of its own."""

    root: Path

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def settings(self, text: str) -> None:
        """Write pyproject.toml; pytest's root is beside it too."""
        self.write("pyproject.toml", ROOT_HERE + text)

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def pytest(self, *args: str, cwd: Path | str = "", **env: str) -> Done:
        return run(
            "pytest",
            # half of its start
            *("-p", "no:hypothesispytest", "-p", "no:benchmark", "-p", "no:anyio"),
            *("-p", "no:cacheprovider", "--color=no", *args),
            cwd=self.root / cwd,
            **{"COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": "", **env},
        )

    def files(self) -> dict[str, bytes]:
        """Every file below the folder of goldens."""
        return {
            path.relative_to(self.root / "golden").as_posix(): path.read_bytes()
            for path in (self.root / "golden").rglob("*")
            if path.is_file()
        }

    def accept(self) -> None:
        """Accept all that waits, as a person would after a look."""
        for path in (self.root / "golden").rglob("*.pending.jsonl"):
            path.replace(path.with_name(path.name.replace(".pending.", ".")))

    def record(self, *args: str) -> None:
        """Record and accept what the tests write now."""
        self.pytest("--golden-record", *args)
        self.accept()

    def claims(self, *args: str, cwd: Path | str = "") -> dict[str, list[str]]:
        """What `--golden-claims` writes."""
        self.pytest("--golden-claims", "claims.json", *args, cwd=cwd)
        return json.loads((self.root / cwd / "claims.json").read_text("ascii"))


@pytest.fixture
def bare(tmp_path: Path) -> Own:
    """A project with settings and an agent, and no case, test or golden."""
    project = Own(tmp_path / "own")
    project.settings("[tool.curriculum]\n")
    project.write("my_agent.py", AGENT)
    project.write("tests/conftest.py", "import sys\nsys.path.insert(0, __file__[:-17])\n")
    return project


@pytest.fixture
def project(bare: Own) -> Own:
    """One case and one test, and no golden yet."""
    bare.settings(SETTINGS)
    bare.write("tests/golden_cases.py", CASES)
    bare.write("tests/test_agent.py", TESTS)
    return bare


@pytest.fixture
def held(project: Own) -> Own:
    """The same, and both goldens are there and hold."""
    project.record()
    return project


def failures(done: Done) -> str:
    """The part of pytest's output that reports failures."""
    return done.out.split("= FAILURES =")[1].split("= short test summary")[0]
