"""Counters by which more text may be less, or that price pictures; and refusals that add up."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.count.counter import Counter
from curriculum.count.fallback import degrading
from curriculum.count.for_model import ForModel
from curriculum.count.pictures import pictured
from curriculum.count.registry import counter_of
from curriculum.count.remembered import Remembered
from curriculum.record.cut import Cut
from curriculum.record.records import Call, Image, Kind
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Message

from .provider_sessions import PROVIDERS, Log

ROWS = '{"a": 1, "b": [2,3]},\n' * 8


def trace_of(limit: int, counter: str, wire: Wire, text: str) -> Trace:
    """What a run leaves in which one call gives `text`."""
    recorder = Recorder()
    runner = AgentRunner(
        model=ScriptedModel([Turn("", calls=[call("read")]), Turn("Done.")]),
        tools=[Tool("read", lambda: text)],
        trace=recorder,
        budget=ContextBudget(max_input_tokens=limit),
        wire=wire,
        counter=counter_of(counter),
    )
    with suppress(RunError):
        runner.run("Go.")
    return Trace.parse(recorder.text())


class TestACutThatMissesNothing:
    """It is no cut, even where a counter would say that its framing makes it smaller."""

    def test_a_result_in_parts_may_count_less_than_the_same_text(self) -> None:
        """So it is with calibrated figures: rows of numbers are dear, and JSON is cheap."""
        wire, counter = OpenAIChat2("m"), counter_of("calibrated@1:o200k")
        whole = Message(Kind.RESULT, ROWS, call_id="c1", turn="r0002")
        parts = Message(Kind.RESULT, cut=Cut.whole(ROWS), call_id="c1", turn="r0002")
        plain, listed = ("".join(text for _, text in wire.pieces(m)) for m in (whole, parts))
        assert len(listed) > len(plain)
        assert counter.size(listed) < counter.size(plain)

    @pytest.mark.parametrize("text", [ROWS, ""])
    def test_no_ceiling_leads_to_one(self, text: str) -> None:
        """Each cut misses something, each body can be read, and each run is lawful."""
        cuts = 0
        wire = OpenAIChat2("m")
        for limit in range(150, 420, 3):
            trace = trace_of(limit, "calibrated@1:o200k", wire, text)
            assert [] == list(breaches(trace)), limit
            for event in trace.of("context.assemble"):
                missing = [d.missing for d in event.data.decisions if d.decision == "cut"]
                assert 0 not in missing
                cuts += len(missing)
            for number in range(1, len(list(trace.of("model.request"))) + 1):
                assert wire.decode(trace.request(number).body)
        assert bool(cuts) == bool(text)


class TestPicturesByARule:
    """Whatever stands around a counter that was made for a model, its pictures keep their rule."""

    @pytest.mark.parametrize(
        "around", [Remembered, lambda counter: degrading(counter, "claude-4.7")]
    )
    def test_a_counter_around_another_prices_as_that_one(
        self, around: Callable[[Counter], Counter]
    ) -> None:
        """640 x 480 pixels are 23 x 18 patches of Anthropic's high rule: 414 tokens."""
        inner = ForModel(counter_of("bytes@1:claude-4.7"), 0, 30, "anthropic-high")
        assert 414 == pictured(around(inner), [], Image("image/png", 640, 480))

    def test_a_run_with_a_memory_is_lawful(self) -> None:
        """Its trace names the counter inside, and so its pictures cost what that one says."""
        log, recorder = Log(), Recorder()
        log.add(Kind.IMAGE, "iVBORw0KGgo=", image=Image("image/png", 640, 480))
        inner = ForModel(counter_of("bytes@1:claude-4.7"), 0, 30, "anthropic-high")
        AgentRunner(
            model=ScriptedModel([Turn("A cat.")]),
            tools=[],
            trace=recorder,
            budget=ContextBudget(max_input_tokens=90_000),
            wire=AnthropicMessages("m"),
            counter=Remembered(inner),
            history=log.session.records,
        ).run("What is it?")
        assert [] == list(breaches(Trace.parse(recorder.text())))


class TestARefusalAddsUp:
    """Frame and parts are what is needed, on each wire: between call and result stands framing."""

    @pytest.mark.parametrize("wire", PROVIDERS, ids=lambda wire: wire.id)
    @pytest.mark.parametrize("most", [None, 1, 2])
    def test_result_does_not_fit(self, wire: Wire, most: int | None) -> None:
        log = Log()
        log.add(Kind.USER, "Go.")
        turn = log.turn("", Call("c1", "read"), Call("c2", "read"))
        log.result(turn, 0, "x" * 500)
        log.result(turn, 1, "y" * 500)
        limit = 10**6 if most else 500
        refused = assemble(log.session, limit, wire=wire, max_messages=most).manifest.refused
        assert refused is not None
        assert "result-does-not-fit" == refused.reason
        assert ("max_messages" if most else "max_input_chars") == refused.limit
        assert refused.needed == refused.frame + sum(part.size for part in refused.parts)
        assert refused.needed > refused.allowed
        if most:
            assert (0, 3) == (refused.frame, refused.needed)
