"""A scenario run again with some inputs as an earlier trace had them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scenario import Scenario
from curriculum.agent.scripted import ScriptedModel, Turn
from curriculum.agent.tools import Tool, ToolOutput, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.record.errors import CurriculumError
from curriculum.trace.causes import Cause
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

from .inputs import SEQUENCES, Inputs

T = TypeVar("T")


class _NotPossible(Exception):
    """An input that cannot be put back."""


def rerun(scenario: Scenario, inputs: Inputs, causes: Iterable[Cause]) -> Trace | None:
    """The scenario run again with the inputs of `causes` as `inputs` has them.

    None if that cannot be: a tool's output that was cut, another component, an expectation of a
    script, limits that do not work together.
    """
    chosen: dict[str, list[Cause]] = {}
    for cause in causes:
        kind = cause.key[0]
        if cause.key == ("start", "history", 0):
            kind = "history"
        chosen.setdefault(kind, []).append(cause)
    trace = Recorder()
    try:
        runner, prompts = scenario.runner(trace), list(scenario.prompts)
        runner = attrs.evolve(runner, session_id=inputs.session)
        for kind, some in chosen.items():
            runner, prompts = _PUT.get(kind, _never)(runner, prompts, inputs, some)
        runner.run(*prompts)
    except RunError:
        pass  # written to the trace before it was raised
    except (CurriculumError, _NotPossible, TypeError):
        return None
    return Trace.parse(trace.text(), "rerun")


def _never(*_: Any) -> Any:
    raise _NotPossible


def _start(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    limits = runner.budget.limits()
    changes: dict[str, Any] = {}
    for cause in causes:
        field = cause.key[1]
        name = field.removeprefix("budget.")
        if field == "max_turns":
            changes["max_turns"] = inputs.max_turns
        elif name == field:
            raise _NotPossible  # a component is code: no input puts it back
        elif name in inputs.limits:
            limits[name] = inputs.limits[name]
        else:
            limits.pop(name, None)
    return attrs.evolve(runner, budget=ContextBudget(**limits), **changes), prompts


def _system(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    return attrs.evolve(runner, system_prompt=inputs.system), prompts


def _registry(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    """Offer what was offered; tools that are still there keep running."""

    def gone(**_: Any) -> str:
        raise LookupError

    now = runner.tools.tools
    tools = [
        Tool(
            spec.name,
            now[spec.name].run if spec.name in now else gone,
            spec.description,
            json.loads(spec.parameters) if spec.parameters else None,
        )
        for spec in inputs.tools
    ]
    return attrs.evolve(runner, tools=ToolRegistry(*tools)), prompts


def _put(now: Sequence[T], before: Sequence[T], causes: list[Cause]) -> list[T]:
    """The list as it was: whole if something came or went, else item by item."""
    if any(cause.whole or cause.key[0] not in SEQUENCES for cause in causes):
        return list(before)
    put = list(now)
    for cause in causes:
        put[cause.key[2]] = before[cause.key[2]]
    return put


def _prompts(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    return runner, _put(prompts, inputs.prompts, causes)


def _history(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    history = _put(runner.history, inputs.history, causes)
    return attrs.evolve(runner, history=history), prompts


def _responses(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    turns = _put(_script(runner), inputs.turns, causes)
    return attrs.evolve(runner, model=ScriptedModel(_of_length(turns, inputs))), prompts


def _errors(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    """A script that was too short or too long is put back by its length."""
    if inputs.script is None:
        raise _NotPossible  # what a script expects of a request is not in a trace
    turns = _of_length(_script(runner), inputs)
    return attrs.evolve(runner, model=ScriptedModel(turns)), prompts


def _script(runner: AgentRunner) -> tuple[Turn, ...]:
    if not isinstance(runner.model, ScriptedModel):
        raise _NotPossible
    return runner.model.turns


def _of_length(turns: Sequence[Turn], inputs: Inputs) -> list[Turn]:
    """As many turns as the script had; of those that were never played the content is unknown."""
    length = len(inputs.turns) if inputs.script is None else inputs.script
    unplayed = [Turn("never played")] * max(0, length - len(turns))
    return [*turns[:length], *unplayed]


def _results(runner: AgentRunner, prompts: list[str], inputs: Inputs, causes: list[Cause]) -> Any:
    wanted = {cause.key[2] for cause in causes}
    if not wanted <= inputs.outputs.keys():
        raise _NotPossible
    outputs = {at: inputs.outputs[at] for at in wanted}
    return attrs.evolve(runner, tools=_Kept(runner.tools, outputs)), prompts


class _Kept(ToolRegistry):
    """A registry's tools with some outputs put back, by the ordinal of the call."""

    def __init__(self, inner: ToolRegistry, outputs: Mapping[int, ToolOutput]) -> None:
        super().__init__(*inner.tools.values())
        self.inner, self.outputs, self.calls = inner, outputs, 0

    @property
    def specs(self) -> Any:
        return self.inner.specs

    def call(self, call: Any) -> ToolOutput:
        self.calls += 1
        real = self.inner.call(call)
        return self.outputs.get(self.calls - 1, real)


_PUT: dict[str, Any] = {
    "start": _start,
    "system": _system,
    "registry": _registry,
    "prompt": _prompts,
    "history": _history,
    "response": _responses,
    "error": _errors,
    "result": _results,
}
