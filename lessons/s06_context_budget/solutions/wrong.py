"""Wrong harnesses: each has one misconception about the two gates, and really runs.

Behind them stand those that an exercise of assertions asks of, right ones and wrong ones.
"""

from functools import cached_property
from typing import Any

import attrs

from curriculum.agent.staged import Staged
from curriculum.context.budget import ContextBudget
from curriculum.context.known_policies import register
from curriculum.context.policy import Policy
from curriculum.context.pooling import Ingest, Pooling
from curriculum.record.records import Kind
from curriculum.record.truncation import Truncation
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


def as_it_is(staged: Staged) -> Staged:
    """The lesson's own harness."""
    return staged


def tighter(staged: Staged) -> Staged:
    """The same with a ceiling of 290: more of the result is cut, and nothing else."""
    return _under(staged, max_input_chars=290)


def refused_openly(staged: Staged) -> Staged:
    """Instructions that cannot fit: nothing is sent without them."""
    return staged.under(system_prompt="Stay small. " * 25)


def instruction_gives_way(staged: Staged) -> Staged:
    """Instructions are records like others: the newest stay."""
    policy = Policy("instructions-give-way", protect=(Kind.TOOLS,), pooling=Pooling())
    return staged.under(policy=register(policy))


def instruction_never_given(staged: Staged) -> Staged:
    """The instructions never come into the log."""
    return staged.under(system_prompt="")


@attrs.frozen
class _HomeMade(Policy):
    """A policy that says nothing of itself but its name, and what stands behind it."""

    name: str = "home-made"
    behind: str = ""

    @cached_property
    def id(self) -> str:
        return f"{self.name}{self.behind}"


def home_made(staged: Staged) -> Staged:
    """A policy of one's own that has a name, and no version."""
    return staged.under(policy=register(_HomeMade()))


def home_made_latest(staged: Staged) -> Staged:
    """Its version is called latest, which is another rule tomorrow."""
    return staged.under(policy=register(_HomeMade(behind="@latest")))


def home_made_1(staged: Staged) -> Staged:
    """Monday's rule, as version 1: what is too long is cut."""
    return staged.under(policy=register(_HomeMade(behind="@1")))


def home_made_2(staged: Staged) -> Staged:
    """Tuesday's rule, as version 2 with a hash of it: of a long result only the end stays."""
    limits = _limits(staged)
    end = Truncation("chars", limits.pop("max_tool_output_chars"), tail="100%", marker="inside")
    rule = Policy("home-made", version=2, pooling=Pooling(ingest=(Ingest(end),)))
    return staged.under(policy=register(rule), budget=ContextBudget(**limits))
