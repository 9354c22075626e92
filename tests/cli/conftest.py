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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the example project: a loop of its own, one case, and its golden."""
    hidden = shutil.ignore_patterns("__pycache__", "pytest")
    example = ROOT / "tests" / "examples" / "tiny_agent"
    return Path(shutil.copytree(example, tmp_path / "project", ignore=hidden))
