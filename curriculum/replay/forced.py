"""What if a stage had given another number? A case run again with one stage's output forced.

Three outputs can be forced: what gate 1 leaves of a result (`gate-1`), what a request shows of it
(`gate-2`), and the output reserve (`reserve`). Nothing else changes, so what follows from the
number follows. If no lawful run has that number, the sum that shows it is the answer.

The trace says in its components what was forced: it is no run of the harness, and no golden.
"""

from collections.abc import Sequence
from typing import Any

import attrs

from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner, Run
from curriculum.agent.scenario import Scenario
from curriculum.context.assemble import Projection, assemble
from curriculum.context.budget import ContextBudget
from curriculum.record.cut import Cut, content_size
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind, record_id
from curriculum.trace.events import ToolTruncate
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

STAGES = ("gate-1", "gate-2", "reserve")
COMPONENT = "forced"
"""The component of session.start that a forced run has beside the known ones."""


@attrs.frozen
class Forced:
    """One forced output. `value` is in characters of content, marker included; `result` counts
    the run's tool results from 1. A reserve is in the budget's unit.
    """

    stage: str
    value: int
    result: int = 1

    def __str__(self) -> str:
        at = "" if self.stage == "reserve" else f" {self.result}"
        return f"{self.stage}{at}={self.value}"


@attrs.frozen
class Unlawful:
    """Why a number cannot be: the code of the reason, and the numbers of the sum."""

    code: str
    params: dict[str, int | str]


@attrs.frozen
class ForcedRun:
    """The trace of a forced run; None if the number is unlawful, which is then explained."""

    trace: Trace | None
    unlawful: Unlawful | None = None


class _Stopped(Exception):
    """The forced number is unlawful; nothing after it would ever happen."""

    def __init__(self, code: str, **params: int | str) -> None:
        super().__init__(code)
        self.why = Unlawful(code, params)


class _NotPossible(Exception):
    """The stage cannot be made to give this number, lawful or not."""


def forced(scenario: Scenario, outputs: Sequence[Forced]) -> ForcedRun | None:
    """The scenario run again with these outputs forced, each at its stage.

    None where a stage cannot be made to give the number: too small for a marker, a result that
    is not there, another policy than newest first.
    """
    trace = Recorder()
    try:
        runner = scenario.runner(trace)
        if runner.policy.pooling is not None:
            return None
        for one in outputs:
            if one.stage == "reserve":
                runner = _reserved(runner, one.value)
        run = _Run(runner, outputs)
        run.drive(list(scenario.prompts))
        if run.left:
            return None
    except RunError:
        pass  # written to the trace before it was raised
    except _Stopped as stopped:
        return ForcedRun(None, stopped.why)
    except (_NotPossible, CurriculumError):
        return None
    return ForcedRun(Trace.parse(trace.text(), "forced run"))


def _reserved(runner: AgentRunner, value: int) -> AgentRunner:
    budget = runner.budget
    limits = {**budget.limits(), "output_reserve": value}
    needed = budget.max_input + value
    if budget.capacity is not None and needed > budget.capacity:
        raise _Stopped(
            "over-capacity",
            ceiling=budget.max_input,
            value=value,
            sum=needed,
            over=needed - budget.capacity,
            capacity=budget.capacity,
        )
    return attrs.evolve(runner, budget=ContextBudget(**limits))


class _Run(Run):
    """One run in which some stages give what they are told."""

    def __init__(self, runner: AgentRunner, outputs: Sequence[Forced]) -> None:
        super().__init__(runner)
        self.gates = {
            (one.stage, one.result): one.value for one in outputs if one.stage != "reserve"
        }
        self.left = set(self.gates)
        """What was not reached yet."""
        self.results = 0
        self.also = {**self.also, COMPONENT: ", ".join(map(str, outputs)) or "nothing"}

    def gate(self, tool: str, whole: Cut) -> tuple[Cut | None, ToolTruncate | None]:
        """Gate 1, or what it is told to leave."""
        self.results += 1
        value = self._take("gate-1", self.results)
        if value is None:
            return super().gate(tool, whole)
        limit = self.runner.budget.max_tool_output_chars
        if value > whole.original:
            raise _Stopped("over-original", value=value, original=whole.original)
        if limit is not None and value > limit:
            over = value - limit
            raise _Stopped("over-tool-ceiling", value=value, over=over, limit=limit)
        cut = whole.fit(value, content_size)
        if cut is None or content_size(cut) != value:
            raise _NotPossible
        if not cut.missing:
            return None, None
        kept = "tool-ceiling", value, cut.kept, cut.missing, content_size(cut)
        return cut, ToolTruncate(*kept)

    def decide(self, trigger: str, **more: Any) -> Projection:
        """Gate 2, or what it is told to show of a result that the model has not seen yet."""
        made = super().decide(trigger, **more)
        records = self.session.records
        found = [at for at, record in enumerate(records) if record.kind is Kind.RESULT]
        for number, at in enumerate(found, 1):
            value = self._take("gate-2", number)
            if value is not None:
                made = self._showing(made, at, value, trigger)
        return made

    def _take(self, stage: str, result: int) -> int | None:
        """What is forced there, once."""
        if (stage, result) not in self.left:
            return None
        self.left.discard((stage, result))
        return self.gates[stage, result]

    def _showing(self, made: Projection, at: int, value: int, trigger: str) -> Projection:
        """The same request with this much of the record at `at`: assembled under the limit at
        which the rule itself would show that much.
        """
        whole, size = self.session.records[at].whole(), made.manifest.size
        shown = self.shown(made, at)
        in_log = content_size(whole)
        if value > in_log:
            raise _Stopped("over-log", value=value, log=in_log)
        if shown is None or size is None:
            raise _NotPossible
        if shown == value:
            return made
        limit = made.manifest.limit
        wanted = self._under(size + value - shown, trigger)
        if self.shown(wanted, at) != value or wanted.manifest.size is None:
            raise _NotPossible
        if wanted.manifest.size > limit:
            total = wanted.manifest.size
            raise _Stopped(
                "over-ceiling", rest=total - value, value=value, sum=total, over=total - limit
            )
        manifest = attrs.evolve(wanted.manifest, limit=limit)
        return attrs.evolve(wanted, manifest=manifest)

    def _under(self, limit: int, trigger: str) -> Projection:
        budget = self.runner.budget
        return assemble(
            self.session.records,
            limit,
            budget.output_reserve,
            policy=self.runner.policy,
            index=self.index,
            capacity=None if budget.capacity is None else max(budget.capacity, limit),
            max_messages=budget.max_messages,
            trigger=trigger,
        )

    def shown(self, made: Projection, at: int) -> int | None:
        """Characters of the record's content in the request, marker included; None if none."""
        name = record_id(at + 1)
        for message in made.messages:
            if message.record == name:
                cut = message.cut
                return content_size(cut) if cut is not None else len(message.text)
        return None
