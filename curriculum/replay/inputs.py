"""The inputs of a run, read from its trace, and a scenario run again with some of them.

What a rerun with one input changed still shows follows from that input; the rest does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from curriculum.agent.model import Output, RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scenario import Scenario, play
from curriculum.agent.scripted import ScriptedModel, Turn
from curriculum.agent.tools import Tool, ToolOutput, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.record.records import Kind, Record
from curriculum.trace.explain import Cause
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

Key = tuple[str, str, int]
T = TypeVar("T")


@attrs.define
class Inputs:
    """Inputs of a run by the key that a `Cause` names."""

    session: str
    values: dict[Key, Any]

    @classmethod
    def of(cls, trace: Trace) -> "Inputs":
        """All inputs that the trace shows. The output of a tool is known only if it was not cut."""
        start = trace.start
        values: dict[Key, Any] = {
            ("start", f"budget.{name}", 0): value for name, value in start.budget.items()
        }
        values["start", "max_turns", 0] = start.max_turns
        counts: dict[str, int] = {}
        for record in trace.records:
            if record.kind is not Kind.RESULT:
                at = counts[record.source] = counts.get(record.source, -1) + 1
                values["record", record.source, at] = record
        turns = [record for record in trace.records if record.source == "model"]
        for at, (event, turn) in enumerate(zip(trace.of("model.response"), turns, strict=False)):
            values["response", "", at] = _output(event.data, turn)
        results = [record for record in trace.records if record.source.startswith("tool:")]
        for at, (event, record) in enumerate(zip(trace.of("tool.result"), results, strict=False)):
            if record.cut is None:
                values["result", "", at] = ToolOutput(record.text, event.data.failed)
        return cls(start.session, values)


def _output(said: Any, turn: Record) -> Output:
    pieces: list[str] = []
    rest = turn.text
    for length in said.deltas:
        pieces.append(rest[:length])
        rest = rest[length:]
    half = "?" * said.half_call
    return Output(turn.text, turn.calls, said.finish, tuple(pieces), half)


@attrs.define
class _Kept(ToolRegistry):
    """The registry's tools with some outputs put back, by the ordinal of the call."""

    inner: ToolRegistry
    outputs: dict[int, ToolOutput]
    calls: int = 0

    @property
    def specs(self) -> Any:
        return self.inner.specs

    def call(self, call: Any) -> ToolOutput:
        self.calls += 1
        known = self.outputs.get(self.calls - 1)
        real = self.inner.call(call)
        return known or real


def rerun(scenario: Scenario, inputs: Inputs, keys: Iterable[Key]) -> Trace | None:
    """The scenario run again with the inputs of `keys` as `inputs` has them.

    What `inputs` does not have is taken away: a turn, a prompt, a limit. None if an input cannot
    be put back: a tool's output that was cut, a component, a record of the history.
    """
    wanted = list(keys)
    if any(key[0] == "result" and key not in inputs.values for key in wanted):
        return None
    trace = Recorder()
    runner, prompts = scenario.runner(trace), list(scenario.prompts)
    runner = attrs.evolve(runner, session_id=inputs.session)
    try:
        for kind in ("start", "record", "response", "result"):
            chosen = {key: inputs.values.get(key) for key in wanted if key[0] == kind}
            if chosen:
                runner, prompts = _PUT[kind](runner, prompts, chosen)
        play(_Fixed(runner, tuple(prompts)), trace)
    except RunError:
        pass  # written to the trace before it was raised
    except _NotPossible:
        return None
    return Trace.parse(trace.text(), "rerun")


class _NotPossible(Exception):
    pass


@attrs.frozen
class _Fixed:
    built: AgentRunner
    prompts: tuple[str, ...]

    def runner(self, trace: Recorder) -> AgentRunner:
        return self.built


def _start(runner: AgentRunner, prompts: list[str], chosen: dict[Key, Any]) -> Any:
    limits = runner.budget.limits()
    changes: dict[str, Any] = {}
    for (_, field, _), value in chosen.items():
        if field == "max_turns":
            changes["max_turns"] = value
        elif field.startswith("budget."):
            limits.pop(field[7:], None)
            if value is not None:
                limits[field[7:]] = value
        else:
            raise _NotPossible  # a component is code: it cannot be put back by an input
    return attrs.evolve(runner, budget=ContextBudget(**limits), **changes), prompts


def _put(items: Sequence[T], chosen: Mapping[int, T | None]) -> list[T]:
    """The items with some put back by their ordinal; None takes one away."""
    put = list(items)
    for ordinal, item in sorted(chosen.items(), key=lambda pair: pair[0]):
        if item is not None:
            put[ordinal : ordinal + 1] = [item]
    for ordinal in sorted(chosen, reverse=True):
        if chosen[ordinal] is None:
            del put[ordinal : ordinal + 1]
    return put


def _records(runner: AgentRunner, prompts: list[str], chosen: dict[Key, Any]) -> Any:
    for (_, source, _), record in chosen.items():
        if source == "system_prompt":
            runner = attrs.evolve(runner, system_prompt=record.text if record else "")
        elif source == "registry":
            tools = _offering(runner.tools, record) if record else ToolRegistry()
            runner = attrs.evolve(runner, tools=tools)
        elif source != "prompt":
            raise _NotPossible
    texts = {n: r and r.text for (_, source, n), r in chosen.items() if source == "prompt"}
    prompts = _put(prompts, texts)
    if not prompts:
        raise _NotPossible
    return runner, prompts


def _offering(registry: ToolRegistry, record: Record) -> ToolRegistry:
    """A registry that offers what the record offered; tools it still has keep running."""
    import json

    def gone(**_: Any) -> str:
        raise LookupError

    tools = [
        Tool(
            spec.name,
            registry.function(spec.name) or gone,
            spec.description,
            json.loads(spec.parameters) if spec.parameters else None,
        )
        for spec in record.tools
    ]
    return ToolRegistry(*tools)


def _responses(runner: AgentRunner, prompts: list[str], chosen: dict[Key, Any]) -> Any:
    model = runner.model
    if not isinstance(model, ScriptedModel):
        raise _NotPossible
    names = [field.name for field in attrs.fields(Output)]
    played = {
        ordinal: Turn(**{name: getattr(output, name) for name in names}) if output else None
        for (_, _, ordinal), output in chosen.items()
    }
    turns = _put(model.turns, played)
    return attrs.evolve(runner, model=ScriptedModel(turns)), prompts


def _results(runner: AgentRunner, prompts: list[str], chosen: dict[Key, Any]) -> Any:
    outputs = {ordinal: output for (_, _, ordinal), output in chosen.items()}
    return attrs.evolve(runner, tools=_Kept(runner.tools, outputs)), prompts


_PUT: dict[str, Any] = {
    "start": _start,
    "record": _records,
    "response": _responses,
    "result": _results,
}


def keys_of(causes: Iterable[Cause]) -> list[Key]:
    """The keys of the inputs that changed."""
    return [cause.key for cause in causes]
