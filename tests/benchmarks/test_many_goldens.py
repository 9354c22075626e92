"""1,000 small goldens in one process: each case is run, its bytes compared, its laws checked.

Aim: under a third of the time of the same assertions with syrupy under pytest.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .test_processes import paired, seconds

CASES = '''
from curriculum.agent.runner import AgentRunner
from curriculum.agent.staged import Staged
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.golden.cases import Case


def case(number):
    """The size of the first lesson's case; every text holds the number."""
    rows = "".join(f"row {number}-{n:04d}. " for n in range(1, 201))

    def runner(trace):
        return AgentRunner(
            model=ScriptedModel([Turn(calls=[call("large_result")]), Turn(f"It is {number}.")]),
            tools=ToolRegistry(Tool("large_result", lambda: rows)),
            trace=trace,
            system_prompt=f"Keep tool output {number} bounded. " * 8,
            budget=ContextBudget(max_input_chars=400, max_tool_output_chars=180),
        )

    staged = Staged(runner, (f"Read large_result {number}.",))
    return Case(f"case-{number:04d}", "one of many", "completed", staged)


CASES = [case(number) for number in range(1_000)]
'''
PEER = """
import pytest
from cases import CASES
from curriculum.golden.cases import run_case
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case, snapshot):
    text = run_case(case)
    assert text == snapshot
    assert [] == list(breaches(Trace.parse(text)))
"""


def test_verify_against_syrupy_under_pytest(
    benchmark: Any, figure: Callable[[str], None], tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.curriculum]\ncases = ["cases.py"]\n', "ascii")
    (tmp_path / "cases.py").write_text(CASES, "ascii")
    (tmp_path / "test_peer.py").write_text(PEER, "ascii")
    python = sys.executable
    peer = [
        python,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:curriculum",
        "test_peer.py",
    ]
    seconds([*peer, "--snapshot-update"], tmp_path)
    golden = [python, "-m", "curriculum.golden"]
    ids = [f"case-{number:04d}" for number in range(1_000)]
    seconds([*golden, "record", *ids], tmp_path)
    seconds([*golden, "accept", *ids], tmp_path)
    verify = [*golden, "verify", "--plain"]
    ours, theirs = benchmark.pedantic(lambda: paired(verify, peer, tmp_path, rounds=3), rounds=1)
    figure(
        f"1,000 goldens verified  {ours:.2f} s, "
        f"{theirs / ours:.1f} x faster than the same checks as syrupy asserts in pytest"
    )
