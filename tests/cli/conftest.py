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

def calling(*names):
    calls = [(f"c{n}", {"name": name, "arguments": "{}"}) for n, name in enumerate(names)]
    called = [{"id": id, "type": "function", "function": asked} for id, asked in calls]
    return {"content": None, "tool_calls": called}

def three_turns(trace):
    turns = [calling("list_files"), calling("read_rules", "read_notes"), calling("read_notes")]
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
