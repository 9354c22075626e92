"""Random scripts, tools and budgets: every run is lawful, and rebuilds what the model was given."""

import json
from typing import Any

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.records import Answers, Kind, Record
from curriculum.trace.events import Stop
from curriculum.trace.laws import breaches
from curriculum.trace.otel import otlp
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

from . import strategies
from .otlp import lines, read

NAMES = ("long", "short", "odd", "boom", "unknown")
ARGUMENTS = ("{}", "", '{"n":1}', "{", "[]")
FINISHES = ("", "", "", "output-limit", "refused", "paused", "window-full")


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    """One output of a model: text, calls good and bad, and how it ended."""
    calls = [
        call(
            draw(st.sampled_from(NAMES)),
            draw(st.sampled_from(ARGUMENTS)),
            id=draw(strategies.ids()),
        )
        for _ in range(draw(st.integers(0, 3)))
    ]
    text = draw(strategies.hostile())
    return Turn(text, calls=calls, finish=draw(st.sampled_from(FINISHES)))


@st.composite
def budgets(draw: st.DrawFn) -> ContextBudget:
    """Ceilings that bind often, in characters or tokens."""
    unit = draw(st.sampled_from(["chars", "tokens"]))
    limits: dict[str, Any] = {f"max_input_{unit}": draw(st.integers(40, 900))}
    if draw(st.booleans()):
        limits["max_tool_output_chars"] = draw(st.integers(28, 200))
    if draw(st.booleans()):
        limits["max_messages"] = draw(st.integers(1, 8))
    if draw(st.booleans()):
        limits["output_reserve"] = draw(st.integers(0, 50))
        limits["capacity"] = limits[f"max_input_{unit}"] + 50
    return ContextBudget(**limits)


@st.composite
def histories(draw: st.DrawFn) -> list[Record]:
    """An earlier log, or the end of one, under ids of its own or anybody's, also twice."""
    records = draw(strategies.logs(most=3))
    names = st.sampled_from(["r0001", "r0003", "x", "msg_1", ""]) | strategies.hostile()
    ids = {r.id: draw(st.just(r.id) | names) for r in records}
    renamed = [
        attrs.evolve(
            r,
            id=ids[r.id],
            answers=r.answers and Answers(ids.get(r.answers.record, "?"), r.answers.call),
            calls=tuple(attrs.evolve(c, id=draw(st.sampled_from([c.id, ""]))) for c in r.calls),
        )
        for r in records
    ]
    return renamed[draw(st.integers(0, len(records))) :]


def boom() -> str:
    raise ValueError


class TestRandomRuns:
    """Whatever the model does and the tools return."""

    @settings(max_examples=300)
    @given(data=st.data())
    def test_every_run_is_lawful_and_rebuilds_its_requests(self, data: st.DataObject) -> None:
        long, odd = data.draw(strategies.texts()), data.draw(strategies.hostile())
        tools = ToolRegistry(
            Tool("long", lambda: long * 3),
            Tool("short", lambda: "ok"),
            Tool("odd", lambda n=0: odd, odd, {"type": "object", "properties": {"n": {}}}),
            Tool("boom", boom),
        )
        model = ScriptedModel(data.draw(st.lists(turns(), max_size=6)))
        recorder = Recorder()
        runner = AgentRunner(
            model=model,
            tools=data.draw(st.sampled_from([tools, ToolRegistry()])),
            trace=recorder,
            budget=data.draw(budgets()),
            system_prompt=data.draw(strategies.hostile()),
            wire=data.draw(st.sampled_from(strategies.WIRES)),
            store=data.draw(st.sampled_from([None, ArtifactStore()])),
            max_turns=data.draw(st.integers(1, 5)),
            history=data.draw(st.just([]) | histories()),
        )
        prompts = data.draw(st.lists(strategies.hostile(), min_size=1, max_size=3))
        try:
            stop = runner.run(*prompts).stop
        except RunError as error:
            stop = error.stop
        trace = Trace.parse(recorder.text())
        assert [] == list(breaches(trace))
        assert trace.stop is not None
        assert stop == trace.stop.reason
        sent = [trace.request(n).body for n in range(1, trace.stop.turns + 1)]
        assert [request.body for request in model.requests] == sent
        self.every_call_has_one_result(trace, stop)
        written = [json.loads(line) for line in recorder.text().splitlines()[1:]]
        assert written == lines(read(otlp(trace, content=True)))

    @staticmethod
    def every_call_has_one_result(trace: Trace, stop: Stop) -> None:
        """Law 5 in the log itself: of the run's own turns, each call is answered exactly once."""
        own = [e.data for e in trace.of("record.append") if e.cause != 1]
        calls = {(r.id, n) for r in own if r.kind is Kind.ASSISTANT for n in range(len(r.calls))}
        answers = [(r.answers.record, r.answers.call) for r in own if r.answers is not None]
        assert sorted(calls) == sorted(answers), stop
