"""What the tests of the commands share."""

import shutil
from pathlib import Path

import pytest

from .command import GOLDEN


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the golden folder that a test may spoil."""
    return Path(shutil.copytree(GOLDEN, tmp_path / "golden"))


@pytest.fixture
def s06(folder: Path) -> Path:
    """The golden trace of s06 in that copy."""
    return folder / "s06-context-budget.jsonl"
