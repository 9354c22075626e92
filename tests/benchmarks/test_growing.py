"""1,000 growing turns under a constant ceiling: a late turn costs what an early one does (law 11).

Aims: 0.5 s in total; time and trace bytes of turn 1,000 against turn 100 at most 1.3 times.
"""

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.trace.recorder import Recorder

TURNS = 1_000


class Clocked(Recorder):
    """A recorder that notes when each turn begins, and the bytes written by then."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path
        self.began: list[tuple[float, int]] = []

    def emit(self, type: str, data: Any, **fields: Any) -> int:
        if type == "context.assemble":
            size = self.path.stat().st_size if self.path.exists() else 0
            self.began.append((time.perf_counter(), size))
        return super().emit(type, data, **fields)


def run(path: Path) -> Clocked:
    turns = [Turn(calls=[call("read")])] * (TURNS - 1) + [Turn("Done.")]
    recorder = Clocked(path)
    AgentRunner(
        model=ScriptedModel(turns),
        tools=ToolRegistry(Tool("read", lambda: "a line of text. " * 20)),
        trace=recorder,
        system_prompt="Keep it short.",
        budget=ContextBudget(max_input_chars=8_000, max_tool_output_chars=400),
        max_turns=TURNS,
    ).run("Read all of it.")
    recorder.close()
    return recorder


def around(values: list[float], turn: int) -> float:
    """The median of the 40 turns around one, so that one slow write does not decide."""
    return median(values[turn - 40 : turn])


def test_a_thousand_growing_turns(
    benchmark: Any, figure: Callable[[str], None], tmp_path: Path
) -> None:
    names = iter(range(1_000))
    recorder = benchmark.pedantic(
        lambda: run(tmp_path / f"{next(names)}.jsonl"), rounds=5, warmup_rounds=1
    )
    pairs = list(zip(recorder.began, recorder.began[1:], strict=False))
    times = [after[0] - before[0] for before, after in pairs]
    sizes = [float(after[1] - before[1]) for before, after in pairs]
    assert len(recorder.began) == TURNS
    figure(f"1,000 growing turns, constant ceiling  {benchmark.stats.stats.median:.3f} s in total")
    late, early = around(times, 999), around(times, 100)
    figure(f"  time of turn 1,000 against turn 100  {late / early:.2f} x")
    late, early = around(sizes, 999), around(sizes, 100)
    figure(
        f"  trace bytes, the same                {late / early:.2f} x ({early:.0f} -> {late:.0f})"
    )
