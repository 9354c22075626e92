"""What the tests of the commands share."""

import shutil
from pathlib import Path

import pytest

from .command import GOLDEN, ROOT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the golden folder that a test may spoil."""
    return Path(shutil.copytree(GOLDEN, tmp_path / "golden"))


@pytest.fixture
def s06(folder: Path) -> Path:
    """The golden trace of s06 in that copy."""
    return folder / "s06-context-budget.jsonl"


CASES = """from agent import run
from curriculum import Case

def calling(*asked):
    calls = []
    for n, name in enumerate(asked):
        reads = "." in name
        arguments = f'{{"path": "{name}"}}' if reads else "{}"
        called = {"name": "read_file" if reads else name, "arguments": arguments}
        calls.append({"id": f"c{n}", "type": "function", "function": called})
    return {"content": None, "tool_calls": calls}

def three_turns(trace):
    turns = [calling("list_files"), calling("rules.txt", "notes.txt"), calling("notes.txt")]
    script = iter([*turns, {"content": "The build is red."}])
    run("What is wrong?", lambda body: next(script), trace)

CASES = [
    Case("three-turns", "old turns are forgotten", "completed", three_turns),
]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The agent of the example project with one case of it, and the golden of that case."""
    example = ROOT / "tests" / "examples" / "tiny_agent"
    here = tmp_path / "project"
    (here / "golden").mkdir(parents=True)
    for name in ("agent.py", "pyproject.toml", "golden/three-turns.jsonl"):
        shutil.copy(example / name, here / name)
    (here / "golden_cases.py").write_text(CASES)
    return here
