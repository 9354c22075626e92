"""A loop of one's own costs the same at its thousandth turn as at its tenth (law 11)."""

import sys

from curriculum.agent.own_loop import Recording
from curriculum.context.budget import ContextBudget
from curriculum.record.records import Call
from curriculum.trace.recorder import Recorder


class Steps:
    """Lines of Python that run, counted: the same on every machine."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, frame: object, event: str, argument: object) -> "Steps":
        self.lines += event == "line"
        return self


def turn(run: Recording) -> None:
    run.assemble()
    run.request()
    run.response("", [Call("c1", "read")])
    run.tool_result(0, "x" * 200, failed="not-run")


def lines(run: Recording) -> int:
    """The lines that one turn runs. Comprehensions count each round."""
    steps, before = Steps(), sys.gettrace()
    sys.settrace(steps)
    try:
        turn(run)
    finally:
        sys.settrace(before)
    return steps.lines


def test_a_late_turn_runs_no_more_lines_than_an_early_one() -> None:
    budget = ContextBudget(max_input_chars=3000)
    with Recording(Recorder(), "mine@1", budget=budget) as run:
        run.record("user", "Go.")
        for _ in range(40):
            turn(run)
        early = lines(run)
        for _ in range(400):
            turn(run)
        late = lines(run)
    assert late <= early + early // 10
