"""A trace of 100,000 events: read, checked against the laws, and explained beside a changed copy.

Aim: all of it in at most 3 times what `json.loads`, line by line, takes for the two files.
"""

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.trace.explain import Explanation, explain
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

EVENTS = 100_000
TURNS = EVENTS // 7  # assembly, request, response, its record, tool request, result, record
CHANGED = TURNS // 2
"""The call whose result is another in the second run."""


def run(path: Path, other: int = -1) -> None:
    """One long run under a constant ceiling; the result of call `other` says something else."""

    def read(n: int) -> str:
        return f"page {n}: " + ("nothing to see. " if n == other else "a row of text. ") * 20

    takes = {"type": "object", "properties": {"n": {"type": "integer"}}}
    turns = [Turn(f"I read page {n}.", calls=[call("read", {"n": n})]) for n in range(TURNS - 1)]
    with Recorder(path) as recorder:
        AgentRunner(
            model=ScriptedModel([*turns, Turn("Done.")]),
            tools=ToolRegistry(Tool("read", read, "Reads a page.", takes)),
            trace=recorder,
            system_prompt="Keep it short.",
            budget=ContextBudget(max_input_chars=4_000, max_tool_output_chars=400),
            max_turns=TURNS,
        ).run("Read all of it.")


def clocked(steps: dict[str, float], name: str, step: Callable[[], Any]) -> Any:
    """What a step gives; its seconds are added under its name."""
    gc.collect()
    start = time.perf_counter()
    made = step()
    steps[name] = steps.get(name, 0) + time.perf_counter() - start
    return made


def parsed(path: Path) -> int:
    """The peer: the standard library reads the lines, and nothing is kept or checked."""
    with path.open(encoding="ascii") as file:
        return sum(1 for line in file if json.loads(line))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two real runs that differ in the text of one result."""
    folder = tmp_path_factory.mktemp("long")
    one, two = folder / "one.jsonl", folder / "two.jsonl"
    run(one), run(two, CHANGED)
    return one, two


def test_validate_diff_and_explain(
    benchmark: Any, figure: Callable[[str], None], files: tuple[Path, Path]
) -> None:
    def once() -> dict[str, float]:
        steps: dict[str, float] = {}
        lines = sum(clocked(steps, "json.loads", lambda p=path: parsed(p)) for path in files)
        left: Trace = clocked(steps, "read", lambda: Trace.read(files[0]))
        assert [] == clocked(steps, "laws", lambda: list(breaches(left)))
        right: Trace = clocked(steps, "read the copy", lambda: Trace.read(files[1], left))
        found: Explanation = clocked(steps, "diff and explain", lambda: explain(left, right))
        assert ["the tool's output"] == sorted({cause.words for cause in found.causes})
        assert len(left.events) + len(right.events) + 2 == lines
        assert len(left.events) >= EVENTS * 0.99
        return steps

    rounds: list[dict[str, float]] = []
    benchmark.pedantic(lambda: rounds.append(once()), rounds=3)
    best = min(rounds, key=lambda steps: sum(steps.values()))
    peer = best.pop("json.loads")
    total = sum(best.values())
    figure(f"100,000 events, two files: json.loads {peer:.2f} s, all of ours {total / peer:.1f} x")
    for name, took in best.items():
        figure(f"  {name:<18} {took:6.2f} s  {took / peer:5.2f} x")
