"""Whole processes against peers in the same run: start-up, and verify against syrupy in pytest.

Aims: `--help` at most 9 times a bare interpreter; `golden verify` of all cases at least 3 times
faster than the same checks asserted with syrupy under pytest.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
for variable in ("CI", "TF_BUILD"):
    ENVIRONMENT.pop(variable, None)

PEER = """
import pytest
from curriculum.course.lessons import all_cases
from curriculum.golden.cases import run_case
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

@pytest.mark.parametrize("id", sorted(all_cases()))
def test_case(id, snapshot):
    text = run_case(all_cases()[id])
    assert text == snapshot
    assert [] == list(breaches(Trace.parse(text)))
"""


def seconds(command: list[str], folder: Path, expect: int = 0) -> float:
    """The wall time of one process."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    took = time.perf_counter() - start
    assert expect == done.returncode, done.stdout + done.stderr
    return took


def paired(ours: list[str], theirs: list[str], folder: Path, rounds: int) -> tuple[float, float]:
    """Median seconds of two commands, run in turn so that the machine's mood hits both."""
    seconds(ours, folder), seconds(theirs, folder)
    pairs = [(seconds(ours, folder), seconds(theirs, folder)) for _ in range(rounds)]
    return median(a for a, _ in pairs), median(b for _, b in pairs)


def test_help_against_a_bare_interpreter(
    benchmark: Any, figure: Callable[[str], None], tmp_path: Path
) -> None:
    python = sys.executable
    ours, bare = benchmark.pedantic(
        lambda: paired(
            [python, "-m", "curriculum", "--help"], [python, "-c", "pass"], tmp_path, rounds=15
        ),
        rounds=1,
    )
    figure(f"curriculum --help  {ours * 1000:.0f} ms, {ours / bare:.1f} x a bare interpreter")


def test_verify_against_syrupy_under_pytest(
    benchmark: Any, figure: Callable[[str], None], tmp_path: Path
) -> None:
    (tmp_path / "test_peer.py").write_text(PEER, encoding="utf-8")
    python = sys.executable
    peer = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_peer.py"]
    seconds([*peer, "--snapshot-update"], tmp_path)
    golden = [python, "-m", "curriculum.golden", "verify", "--plain"]
    ours, theirs = benchmark.pedantic(lambda: paired(golden, peer, tmp_path, rounds=9), rounds=1)
    figure(
        f"golden verify, all cases  {ours * 1000:.0f} ms, "
        f"{theirs / ours:.1f} x faster than the same checks as syrupy asserts in pytest"
    )
