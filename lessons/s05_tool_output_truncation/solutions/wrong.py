"""Wrong harnesses: each cuts a tool's output as somebody may picture it. They are really run."""

from typing import Any

import attrs

from curriculum import AgentRunner, ContextBudget, Recorder, Staged, Tool
from curriculum.context.policy import Policy
from curriculum.context.pooling import Ingest, Pooling
from curriculum.record.truncation import Truncation


def head_only(staged: Staged) -> Staged:
    """The beginning is what matters: nothing of the end stays."""
    return _cutting(staged, head="100%", marker="inside")


def tail_only(staged: Staged) -> Staged:
    """Errors come last: nothing of the beginning stays."""
    return _cutting(staged, tail="100%", marker="inside")


def marker_outside(staged: Staged) -> Staged:
    """The ceiling is for the tool's words: the marker comes on top of it."""
    return _cutting(staged, marker="outside")


def finds_the_error(staged: Staged) -> Staged:
    """Whoever cuts reads what it cuts: lines with `error` come first, and so they stay."""

    def reading(tool: Tool) -> Tool:
        def run(**arguments: Any) -> str:
            lines = str(tool.run(**arguments)).splitlines(keepends=True)
            return "".join(sorted(lines, key=lambda line: "error" not in line))

        return attrs.evolve(tool, run=run)

    def build(trace: Recorder) -> AgentRunner:
        runner = staged.runner(trace)
        return attrs.evolve(runner, tools=[reading(tool) for tool in runner.tools.tools.values()])

    return Staged(build, staged.prompts)


def _cutting(staged: Staged, **rule: Any) -> Staged:
    """The same scenario, with its tool ceiling kept by another rule."""

    def build(trace: Recorder) -> AgentRunner:
        runner = staged.runner(trace)
        limits = runner.budget.limits()
        cut = Truncation("chars", limits.pop("max_tool_output_chars"), **rule)
        policy = Policy("wrong", pooling=Pooling(ingest=(Ingest(cut),)))
        return attrs.evolve(runner, policy=policy, budget=ContextBudget(**limits))

    return Staged(build, staged.prompts)
