"""Admission under policies of pools, beside `newest-first` in the same run.

Pools weigh every group at each rung of a ladder, newest-first only those that it takes: what that
costs is said as a ratio, because the ratio is the same on any machine. Aims: 1,000 growing turns
in 1 s; trace bytes of turn 1,000 at most 1.5 times those of turn 100; the exact packing of 200
exchanges in 50 ms.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.summaries import KeptLines
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.context.packing import Wants, exact, work
from curriculum.context.policy_registry import policy_of
from curriculum.count.counters import Characters
from curriculum.record.records import Record
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.wire.plain import Plain

from .test_assemble import log
from .test_growing import TURNS, Clocked, around

TAKES = {"type": "object", "properties": {"n": {"type": "integer"}}}
LINE = "a line of text. "
NEWEST, POOLS = "newest-first", "pools"


def in_turns(rounds: int, **steps: Callable[[], object]) -> dict[str, float]:
    """The least seconds of each step. They take turns, so that a busy moment meets all of them."""
    best = dict.fromkeys(steps, float("inf"))
    for _ in range(rounds):
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def run(path: Path, policy: str, same: bool, turns: int = TURNS) -> Clocked:
    """A growing session as in `test_growing`: the same call each time, or another one each time."""
    if same:
        tool = Tool("read", lambda: LINE * 20)
        script = [Turn(calls=[call("read")])] * (turns - 1)
    else:
        tool = Tool("read", lambda n: f"page {n:06}. {LINE * 19}", "Reads a page.", TAKES)
        script = [Turn(calls=[call("read", {"n": n})]) for n in range(turns - 1)]
    made = policy_of(policy)
    recorder = Clocked(path)
    AgentRunner(
        model=ScriptedModel([*script, Turn("Done.")]),
        tools=ToolRegistry(tool),
        trace=recorder,
        system_prompt="Keep it short.",
        budget=ContextBudget(max_input_chars=8_000, max_tool_output_chars=400),
        max_turns=turns,
        policy=made,
        summariser=KeptLines() if made.pooling and made.pooling.compact else None,
    ).run("Read all of it.")
    recorder.close()
    return recorder


def unlike(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The same log, in which no text is said and no question asked a second time."""
    made = list[Record]()
    for at, record in enumerate(records):
        calls = tuple(
            attrs.evolve(one, arguments=f'{{"n": {at}, "of": {number}}}')
            for number, one in enumerate(record.calls)
        )
        text = f"{at:06} {record.text[7:]}"
        made.append(attrs.evolve(record, text=text, calls=calls))
    return tuple(made)


@pytest.mark.parametrize("count", [100, 1_000, 10_000])
@pytest.mark.parametrize("kept", ["cold", "indexed"])
@pytest.mark.parametrize("results", ["alike", "unlike"])
def test_assemble(figure: Callable[[str], None], count: int, kept: str, results: str) -> None:
    """One assembly under a quarter of the size of the log, every decision recorded."""
    records = log(count) if results == "alike" else unlike(log(count))
    limit = (assemble(records, 10**9).manifest.size or 0) // 4

    def once(policy: str) -> Callable[[], object]:
        index = SessionIndex(Plain(), Characters()) if kept == "indexed" else None
        again = partial(assemble, records, limit, policy=policy_of(policy), index=index)
        assert again().manifest.candidates == len(records)
        return again

    best = in_turns(3 if count > 1_000 else 10, newest=once(NEWEST), pools=once(POOLS))
    newest, pools = best["newest"], best["pools"]
    figure(
        f"assemble, {len(records):>6} records, {results:<6}, {kept:<7}  "
        f"newest-first {newest * 1000:8.3f} ms, pools {pools * 1000:8.3f} ms: {pools / newest:5.2f} x"
    )


@pytest.mark.parametrize("policy", [POOLS, "planner-order", "stage-order"])
@pytest.mark.parametrize("calls", ["same", "other"])
def test_a_thousand_growing_turns(
    figure: Callable[[str], None], tmp_path: Path, policy: str, calls: str
) -> None:
    """A late turn costs what an early one does (law 11), summaries and all."""
    runs: dict[str, list[Clocked]] = {NEWEST: [], policy: []}

    def once(name: str) -> None:
        kept = runs[name]
        kept.append(run(tmp_path / f"{name}-{len(kept)}.jsonl", name, calls == "same"))

    best = in_turns(2, newest=partial(once, NEWEST), pools=partial(once, policy))
    figure(
        f"1,000 growing turns, the {calls} call  newest-first {best['newest']:.3f} s, "
        f"{policy} {best['pools']:.3f} s: {best['pools'] / best['newest']:.2f} x"
    )
    began = [one.began for one in runs[policy]]
    pairs = [list(pairwise(each)) for each in began]
    times = [
        min(after[0] - before[0] for before, after in turn) for turn in zip(*pairs, strict=True)
    ]
    sizes = [float(after[1] - before[1]) for before, after in pairs[0]]
    assert {len(each) for each in began} == {len(sizes) + 1}
    late, early = around(times, len(times)), around(times, len(times) // 10)
    figure(f"  time of turn 1,000 against turn 100  {late / early:.2f} x")
    late, early = around(sizes, len(sizes)), around(sizes, len(sizes) // 10)
    figure(
        f"  trace bytes, the same                {late / early:.2f} x ({early:.0f} -> {late:.0f})"
    )


def test_the_exact_packing(figure: Callable[[str], None]) -> None:
    """200 exchanges of all three pools compete for half of what they take."""
    values = (3, 3, 9, 3, 1)
    wants = [Wants(200 + n * 37 % 400, 4, values[n % 5]) for n in range(200)]
    room = sum(want.charge for want in wants) // 2
    chosen = exact(wants, room)
    assert sum(wants[at].charge for at in chosen) <= room
    best = in_turns(5, packed=lambda: exact(wants, room))
    figure(f"exact packing, 200 exchanges  {best['packed'] * 1000:.1f} ms ({work(wants):,} steps)")


def test_law_checking(figure: Callable[[str], None], tmp_path: Path) -> None:
    """The checker decides everything once more, from the trace alone."""
    traces: dict[str, Trace] = {}
    for name in (NEWEST, POOLS, "stage-order"):
        run(tmp_path / f"{name}.jsonl", name, same=False, turns=300)
        traces[name] = Trace.read(tmp_path / f"{name}.jsonl")
        assert [] == list(breaches(traces[name]))
    steps: dict[str, Any] = {
        name: lambda trace=trace: list(breaches(trace)) for name, trace in traces.items()
    }
    best = in_turns(2, **steps)
    for name, took in best.items():
        figure(f"laws of 300 turns, {name:<12}  {took:.3f} s, {took / best[NEWEST]:5.2f} x")
