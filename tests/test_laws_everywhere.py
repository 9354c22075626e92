"""Laws 1, 2, 3 and 7 on every wire under every counter, whatever the run and whatever the log.

What a request holds is counted again here, whole and from its bytes, with what a provider adds and
what its pictures cost written out. The code that chose is not asked.
"""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curriculum.agent.run_errors import BadOutput, ScriptExhausted, ScriptNotFinished
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.thinking import Thinking
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.manifest import Manifest
from curriculum.count.counter import Counter
from curriculum.count.exact import Exact
from curriculum.count.for_model import ForModel
from curriculum.count.registry import counter_of
from curriculum.count.remembered import Remembered
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.cut import Cut
from curriculum.record.records import Answers, Author, Call, Kind, Native, Record, Trust
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire
from curriculum.wire.request import Request, SegmentClass, message_of

from . import strategies
from .test_random_runs import ARGUMENTS, FINISHES, NAMES, boom, histories

few = settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
wires = pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)
COUNTERS = (
    "chars@1",
    "bytes@1",
    "bytes@1:qwen3",
    "bytes@1:mistral-spm",
    "bytes@1:claude-4.7",
    "fallback@1:claude-3",
    "calibrated@1:o200k",
    "exact@1:o200k",
    "exact@1:qwen3",
    "exact@1:mistral-spm",
    "bytes@1:claude-4.7;reply=0;preamble=804;images=anthropic-high",
    "calibrated@1:o200k;reply=2;preamble=0;images=openai-tiles-gpt-4o",
    "exact@1:o200k;reply=3;preamble=118;images=gemini-tiles",
    "exact@1:mistral-spm;reply=7;preamble=0;images=none",
)
"""One of each kind, by the id that stands in a trace; one of each for a model."""
counters = pytest.mark.parametrize("counter", COUNTERS)
PICTURES = {
    "anthropic-high": 23 * 18,  # 640 / 28 and 480 / 28, rounded up
    "openai-tiles-gpt-4o": 85 + 170 * 2,  # two tiles of 512 side by side
    "gemini-tiles": 258,
    "none": 36_000,  # 30,000 patches times 1.2: the most that any model asks
}
"""Tokens of the picture that random logs have, 640 x 480, by each rule here."""


def known(id: str) -> dict[str, int | str]:
    """The options of a counter's id: reply, preamble, images."""
    options = dict(part.split("=") for part in id.split(";")[1:])
    return {name: int(value) if value.isdigit() else value for name, value in options.items()}


def whole(counter: Counter, request: Request, wire: Wire) -> int:
    """The bound of a request, counted once: its text without pictures, they, what is around it."""
    options, pictures = known(counter.id), 0
    text = request.text
    if counter.unit == "tokens":
        tiles = request.segments
        pictures = sum(tile.kind is SegmentClass.IMAGE for tile in tiles)
        text = "".join(tile.text for tile in tiles if tile.kind is not SegmentClass.IMAGE)
    offered = any(message.tools for message in wire.decode(request.body))
    around = int(options.get("reply", 0)) + int(options.get("preamble", 0)) * offered
    each = PICTURES[str(options.get("images", "none"))]
    return bound(counter, text) + each * pictures + around


def bound(counter: Counter, text: str) -> int:
    """What a text has at the most, alone: exact counts are no bounds of their own."""
    inner = counter.inner if isinstance(counter, ForModel) else counter
    inner = inner.counter if isinstance(inner, Remembered) else inner
    if isinstance(inner, Exact):
        return inner.count(text)
    name, _, family = inner.id.partition(":")
    if name == "chars@1":
        return len(text)
    if name == "calibrated@1":  # no bound of parts bounds the whole: the classes may differ
        return 0
    return len(text.encode()) * (2 if family.startswith("claude") else 1)


def holds(wire: Wire, counter: Counter, manifest: Manifest, request: Request) -> None:
    """The named bound of what is sent is within the size, and that within the limit."""
    assert manifest.size is not None
    assert manifest.frame is not None
    assert whole(counter, request, wire) <= manifest.size <= manifest.limit
    assert manifest.size == manifest.frame + sum(d.size or 0 for d in manifest.decisions)
    assert manifest.bytes == len(request.body)


@st.composite
def outputs(draw: st.DrawFn) -> Turn:
    """One output: perhaps thinking of some provider first, then text and calls, good and bad."""
    thinking: list[Thinking] = []
    for name in draw(st.lists(st.sampled_from(sorted(strategies.THOUGHTS)), max_size=2)):
        thinking.append(Thinking("Hm.", Native(name, strategies.THOUGHTS[name])))
    names, arguments = st.sampled_from(NAMES), st.sampled_from(ARGUMENTS)
    calls = [
        call(draw(names), draw(arguments), id=draw(strategies.ids()))
        for _ in range(draw(st.integers(0, 2)))
    ]
    text = draw(strategies.hostile() | st.sampled_from(["", " ", "\n\n"]))
    return Turn(text, calls=calls, finish=draw(st.sampled_from(FINISHES)), thinking=thinking)


@st.composite
def ceilings(draw: st.DrawFn, counter: Counter) -> ContextBudget:
    """Limits that bind often, and are wide enough for a picture now and then."""
    least = counter.around(True)
    most = draw(st.integers(least + 40, least + 1_500) | st.integers(40_000, 80_000))
    limits: dict[str, Any] = {f"max_input_{counter.unit}": most}
    if draw(st.booleans()):
        limits["max_tool_output_chars"] = draw(st.integers(28, 300))
    if draw(st.integers(0, 3)) == 0:
        limits["max_messages"] = draw(st.integers(1, 8))
    return ContextBudget(**limits, output_reserve=draw(st.integers(0, 50)))


@wires
@counters
class TestRuns:
    """A run of the harness: its own log, or a history of anybody's before it."""

    @few
    @given(data=st.data())
    def test_is_lawful_rebuilds_and_is_within_its_bound(
        self, wire: Wire, counter: str, data: st.DataObject
    ) -> None:
        measure = counter_of(counter)
        long, odd = data.draw(strategies.texts()), data.draw(strategies.hostile())
        model, recorder = ScriptedModel(data.draw(st.lists(outputs(), max_size=4))), Recorder()
        tools = ToolRegistry(
            Tool("long", lambda: long * 3),
            Tool("short", lambda: "ok"),
            Tool("odd", lambda n=0: odd, odd, {"type": "object", "properties": {"n": {}}}),
            Tool("boom", boom),
        )
        runner = AgentRunner(
            model=model,
            tools=data.draw(st.sampled_from([tools, tools, ToolRegistry()])),
            trace=recorder,
            budget=data.draw(ceilings(measure)),
            system_prompt=data.draw(strategies.hostile(max_size=3)),
            wire=wire,
            counter=measure,
            store=data.draw(st.sampled_from([None, ArtifactStore()])),
            history=data.draw(st.just([]) | strategies.logs(most=4) | histories()),
        )
        # A script may be too short or too long for its prompts: the trace says so, and is lawful.
        with suppress(ScriptExhausted, ScriptNotFinished, BadOutput):
            runner.run(*data.draw(st.lists(strategies.hostile(), min_size=1, max_size=2)))
        trace = Trace.parse(recorder.text())
        assert [] == [str(breach) for breach in breaches(trace)]
        made = [event.data for event in trace.of("context.assemble") if not event.data.refused]
        for number, manifest in enumerate(made, 1):
            request = trace.request(number)
            assert request.body == model.requests[number - 1].body
            holds(wire, measure, manifest, request)


@wires
@counters
class TestAssemblies:
    """Any log, at limits at which something just fits or just does not."""

    @few
    @given(data=st.data())
    def test_is_within_its_bound(self, wire: Wire, counter: str, data: st.DataObject) -> None:
        records, measure = data.draw(strategies.logs(most=6)), counter_of(counter)
        around = strategies.edges(records, wire, measure)
        around = [limit + measure.around(True) for limit in around]
        for limit in data.draw(st.lists(st.sampled_from(around), min_size=1, max_size=6)):
            made = assemble(records, limit, wire=wire, counter=measure)
            if made.request is None:
                refused = made.manifest.refused
                assert refused is not None
                assert refused.needed > refused.allowed
            else:
                holds(wire, measure, made.manifest, made.request)


def one_result(text: str) -> list[Record]:
    """A user, a call, and its result: nothing but that can give way."""
    turn = Record(
        "r0002", Kind.ASSISTANT, Trust.ASSISTANT, Author.MODEL, "m", calls=(Call("c1", "t"),)
    )
    return [
        Record("r0001", Kind.USER, Trust.USER, Author.PERSON, "p", "Go."),
        turn,
        Record("r0003", Kind.RESULT, Trust.TOOL, Author.TOOL, "t", text, answers=Answers("r0002", 0)),
    ]  # fmt: skip


def kept(records: list[Record], limit: int, wire: Wire, counter: Counter) -> int:
    """Characters of the result that are sent under `limit`; -1 if nothing is sent."""
    made = assemble(records, limit, wire=wire, counter=counter)
    if made.request is None:
        return -1
    message = next(m for m in made.messages if m.kind is Kind.RESULT)
    return message.cut.kept if message.cut else len(message.text)


@wires
@counters
class TestCuts:
    """One result that does not fit is cut, and what fits is kept."""

    @few
    @given(data=st.data())
    def test_a_bigger_limit_never_keeps_less(
        self, wire: Wire, counter: str, data: st.DataObject
    ) -> None:
        """For counters that are steady; for others more text may be less, as their tests say."""
        records, measure = one_result(data.draw(strategies.texts()) * 2), counter_of(counter)
        roomy = assemble(records, 10**9, wire=wire, counter=measure).manifest
        assert roomy.size is not None
        limits = data.draw(st.lists(st.integers(1, roomy.size + 40), min_size=2, max_size=6))
        found = [kept(records, limit, wire, measure) for limit in (*sorted(limits), 10**6)]
        assert len(records[2].text) == found[-1] == max(found)
        if measure.steady:
            assert sorted(found) == found

    @few
    @given(data=st.data())
    def test_what_fits_is_kept(self, wire: Wire, counter: str, data: st.DataObject) -> None:
        """The cut is within its share, takes something away, and no longer one would fit.

        The last is promised where more text is never smaller: every length is tried.
        """
        records, measure = one_result(data.draw(strategies.hostile(4, 40))), counter_of(counter)
        roomy = assemble(records, 10**9, wire=wire, counter=measure).manifest
        assert roomy.size is not None
        limit = data.draw(st.integers(1, roomy.size))
        made = assemble(records, limit, wire=wire, counter=measure)
        row = made.manifest.decisions[-1] if made.request else None
        if row is None or row.decision != "cut":
            return
        assert row.share is not None
        full, cut = records[2].whole(), made.messages[-1].cut
        assert cut is not None
        assert 0 < cut.missing == row.missing

        def size(cut: Cut) -> int:
            message = message_of(records[2], cut, "r0003", records[1].calls[0], "r0002")
            return measure.size("".join(text for _, text in wire.pieces(message)))

        assert size(cut) == row.size <= row.share
        if measure.steady:
            fits = [keep for keep in range(full.original) if size(full.to(keep)) <= row.share]
            assert full.to(max(fits)) == cut
