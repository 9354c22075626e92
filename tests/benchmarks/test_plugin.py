"""pytest's start with the plugin and without it, in a project that has no goldens.

Aim: the plugin costs at most a twentieth of the start.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .test_processes import paired


def test_start_of_pytest_with_and_without_the_plugin(
    benchmark: Any, figure: Callable[[str], None], tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n", encoding="utf-8")
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    without = [*command, "-p", "no:curriculum"]
    ours, bare = benchmark.pedantic(lambda: paired(command, without, tmp_path, 15), rounds=1)
    figure(f"pytest with the plugin  {ours * 1000:.0f} ms, {ours / bare:.2f} x without it")
