"""Wrong harnesses: each has one misconception about the two gates, and really runs."""

from typing import Any

from curriculum.agent.staged import Staged
from curriculum.context.budget import ContextBudget
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

WIDE = 1_000_000
"""A ceiling that nothing here reaches, in characters."""


def _limits(staged: Staged) -> dict[str, Any]:
    return dict(staged.runner(Recorder()).budget.limits())


def _under(staged: Staged, **changes: int) -> Staged:
    return staged.under(budget=ContextBudget(**{**_limits(staged), **changes}))


def gate_1_only(staged: Staged) -> Staged:
    """What the log keeps is what the model sees: no ceiling for a request."""
    limits = _limits(staged)
    reserve = limits.get("output_reserve", 0)
    return _under(staged, max_input_chars=WIDE, capacity=WIDE + reserve)


def gate_2_only(staged: Staged) -> Staged:
    """The log keeps all that a tool returns: no ceiling for a result."""
    return _under(staged, max_tool_output_chars=WIDE)


def marks_left_out(staged: Staged) -> Staged:
    """The marks around a result are not counted, so a result gets their room too."""
    trace = Recorder()
    staged.runner(trace).run(*staged.prompts)
    run = Trace.parse(trace.text())
    view, result = View(run), next(r for r in run.records if r.answers is not None)
    whole = result.whole()
    marks = view.rebuild.item(int(result.id[1:]) - 1).size
    marks -= whole.kept + len(whole.marker)
    limits = _limits(staged)
    ceiling = limits["max_input_chars"] + marks
    return _under(staged, max_input_chars=ceiling, capacity=limits.get("capacity", WIDE) + marks)


def reserve_is_spare(staged: Staged) -> Staged:
    """Whatever the reserve leaves of the capacity is there to be filled: no ceiling of its own."""
    limits = _limits(staged)
    capacity = limits.get("capacity")
    if capacity is None:
        return staged
    return _under(staged, max_input_chars=capacity - limits.get("output_reserve", 0))


def capacity_is_ceiling(staged: Staged) -> Staged:
    """The whole window is for the request: nothing is kept for the answer."""
    limits = _limits(staged)
    capacity = limits.get("capacity", limits["max_input_chars"] + limits.get("output_reserve", 0))
    budget = ContextBudget(**{**limits, "max_input_chars": capacity, "output_reserve": 0})
    return staged.under(budget=budget)
