"""Inputs on which other trimmers cut wrongly or sent too much, assembled here.

Each class is one kind of failure, named by what went wrong; its docstring says what makes the
whole kind impossible here. R and T number the inputs as they were collected.
"""

import base64
import json
from typing import Any

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool
from curriculum.context.assemble import Projection, assemble
from curriculum.context.budget import ContextBudget
from curriculum.count.byte_bound import ByteBound
from curriculum.count.counter import Counter
from curriculum.count.counters import Characters
from curriculum.count.exact import Exact
from curriculum.count.registry import counter_of
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.cut import Cut, content_size
from curriculum.record.records import Kind
from curriculum.record.text import sha256
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.plain import Plain
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire

from .talk import FAMILY, Talk, orphans, shown

wires = pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)
IDS = ("chars@1", "bytes@1:claude-4.7", "calibrated@1:o200k", "exact@1:o200k", "exact@1:llama2")
counters = pytest.mark.parametrize("id", IDS)


def one_result(text: str) -> Talk:
    talk = Talk()
    talk.user("Go.")
    talk.step(text)
    return talk


def cut_of(made: Projection) -> Cut | None:
    """The cut of the last message, if it is one."""
    return made.messages[-1].cut if made.messages else None


def size_of(talk: Talk, wire: Wire, counter: Counter) -> int:
    """What all of it takes."""
    size = assemble(talk.records, 10**9, wire=wire, counter=counter).manifest.size
    assert size is not None
    return size


class TestSystemThatDoesNotFit:
    """R3: 1,005 tokens of system prompt for a budget of 100, sent without a word.

    Law 4: what must stay is sent whole, or nothing is sent and a refusal has the numbers.
    """

    @wires
    @counters
    def test_is_refused_with_its_sum(self, wire: Wire, id: str) -> None:
        talk = Talk()
        talk.system("word " * 1_005)
        talk.user("Go.")
        made = assemble(talk.records, 400, wire=wire, counter=counter_of(id))
        said = made.manifest.refused
        assert made.request is None
        assert said is not None
        assert ("protected-does-not-fit", 400) == (said.reason, said.allowed)
        assert ["r0001", "r0002"] == [part.record for part in said.parts]
        assert said.frame + sum(part.size for part in said.parts) == said.needed > 1_005

    def test_a_run_stops_by_that_name(self) -> None:
        recorder, model = Recorder(), ScriptedModel([Turn("never asked")])
        limits = ContextBudget(max_input_tokens=100)
        given: dict[str, Any] = {"tools": (), "budget": limits, "counter": Exact("o200k")}
        runner = AgentRunner(model=model, trace=recorder, system_prompt="word " * 1_005, **given)
        assert "protected-does-not-fit" == runner.run("Go.").stop
        assert [] == model.requests


class TestCutsInsideACharacter:
    """R5, R25, T9: half a family of emoji, a lone joiner, a byte cut in the middle of UTF-8.

    A cut is counted in characters that a reader sees (`record.graphemes`), never in tokens or
    bytes, and what is measured is the text that is left. So there is nothing to split.
    """

    @wires
    @counters
    def test_at_no_limit(self, wire: Wire, id: str) -> None:
        talk, counter = one_result(FAMILY * 60), counter_of(id)
        whole = size_of(talk, wire, counter)
        kept: set[int] = set()
        for limit in [*range(whole // 3, whole // 3 + 25), *range(whole - 160, whole, 7)]:
            cut = cut_of(assemble(talk.records, limit, wire=wire, counter=counter))
            if cut is not None:
                for end in (cut.head, cut.tail):
                    assert FAMILY * (len(end) // 5) == end
                kept.add(cut.kept)
        assert len(kept) > 2

    @pytest.mark.parametrize("limit", range(18, 40))
    def test_at_the_tool_ceiling(self, limit: int) -> None:
        cut = Cut.whole(FAMILY * 60).fit(limit, content_size)
        assert cut is not None
        assert cut.kept % 5 == 0
        assert cut.kept + len(cut.marker) <= limit

    def test_what_is_hashed_is_the_whole_original(self) -> None:
        """T9: a prefix of bytes was hashed, so that two texts were one."""
        text = FAMILY * 60
        cut = Cut.whole(text).to(20)
        assert (sha256(text), 300, 280) == (cut.sha256, cut.original, cut.missing)
        assert sha256(text + "a") != cut.sha256


class TestEndsInABigResult:
    """R11, R17, R19: over the budget, or a tenth of it, or one result alone and nothing else.

    What the model waits for is cut to the room that is left (law 12), measured on what is sent
    (law 2): a count is never taken for an offset into a text.
    """

    TEXT = " word" * 2_000

    @wires
    @pytest.mark.parametrize("limit", [400, 1_000, 1_900])
    def test_inside_the_ceiling_and_nearly_full(self, wire: Wire, limit: int) -> None:
        """R11: 1,289 tokens for a budget of 100. R17: 208 tokens for a budget of 1,000."""
        talk, exact = one_result(self.TEXT), Exact("o200k")
        made = assemble(talk.records, limit, wire=wire, counter=exact)
        assert made.request is not None
        tokens = exact.count(made.request.text)
        assert limit - 200 < tokens <= limit
        cut = cut_of(made)
        assert cut is not None
        assert cut.head == self.TEXT[: len(cut.head)]
        assert cut.tail == self.TEXT[len(self.TEXT) - len(cut.tail) :]

    @wires
    @counters
    def test_never_alone(self, wire: Wire, id: str) -> None:
        """R19: the last tool message by itself. Its call and the user's words go with it."""
        talk, counter = one_result(self.TEXT), counter_of(id)
        for limit in range(60, size_of(talk, wire, counter) + 100, 450):
            made = assemble(talk.records, limit, wire=wire, counter=counter)
            if made.request is not None:
                kinds = [message.kind for message in made.messages]
                assert [Kind.USER, Kind.ASSISTANT, Kind.RESULT] == kinds
                assert [] == orphans(wire.decode(made.request.body))

    @wires
    @counters
    def test_that_has_no_room_for_its_marker_is_named(self, wire: Wire, id: str) -> None:
        """Law 12: a run that could not show it would ask for ever; it stops by name instead."""
        talk, counter, found = one_result(self.TEXT), counter_of(id), list[str]()
        for limit in range(1, 800):
            said = assemble(talk.records, limit, wire=wire, counter=counter).manifest.refused
            if said is None:
                break
            assert said.frame + sum(part.size for part in said.parts) == said.needed
            assert said.needed > said.allowed
            found.append(said.reason)
        assert ["protected-does-not-fit", "result-does-not-fit"] == list(dict.fromkeys(found))


class TestTenThousandMessages:
    """R27: 257,859 tokens kept for a budget of 257,421: each group's size was rounded down.

    Sizes are whole numbers that bound what is sent, and the sum is of these, not of estimates.
    """

    LIMIT = 257_421

    @pytest.mark.parametrize("id", ["chars@1", "bytes@1", "exact@1:o200k"])
    @pytest.mark.parametrize("name", ["plain", "anthropic-messages"])
    def test_to_the_token(self, id: str, name: str) -> None:
        wire = next(wire for wire in every_wire() if wire.id.startswith(name))
        talk, counter = Talk(), counter_of(id)
        talk.user("Go.")
        for number in range(4_999):
            talk.says(f"{number} " + "answer " * (number % 60))
            talk.user(f"{number} " + "and then? " * (number % 40))
        talk.says("The last.")
        made = assemble(talk.records, self.LIMIT, wire=wire, counter=counter)
        assert made.request is not None
        assert made.manifest.size is not None
        text = made.request.text
        whole = {"chars": len(text), "tokens": len(text.encode())}[counter.unit]
        exact = id.startswith("exact")
        if exact:
            whole = Exact("o200k").count(text)
        assert whole <= made.manifest.size <= self.LIMIT
        assert exact or whole == made.manifest.size
        assert len(made.messages) < 10_000
        if name == "plain":  # elsewhere each message is charged with the dearest framing
            assert self.LIMIT - 1_000 < made.manifest.size


class TestResultBiggerThanTheSource:
    """T27: 661 tokens made 1,752 by what should have made them fewer.

    A cut is taken only where the whole is over its share, and fits in that share; a result that
    is smaller than its marker is never cut.
    """

    @wires
    @counters
    @pytest.mark.parametrize("text", ["ab" * 300, "\\\n" * 200, FAMILY * 40, "12 " * 150, "ok"])
    def test_at_no_limit(self, text: str, wire: Wire, id: str) -> None:
        talk, counter = Talk(), counter_of(id)
        talk.user("Go.")
        turn = talk.calls("{}", "{}")
        talk.result(turn, text)
        talk.result(turn, "ok", 1)
        whole, cuts = size_of(talk, wire, counter), 0
        for limit in range(whole // 4, whole, max(1, whole // 20)):
            made = assemble(talk.records, limit, wire=wire, counter=counter)
            for row in made.manifest.decisions:
                if row.decision == "cut":
                    assert row.size is not None
                    assert row.full is not None
                    assert row.share is not None
                    assert row.size <= row.share < row.full
                    assert row.missing
                    cuts += 1
            assert (made.manifest.size or 0) <= limit
        assert cuts or text == "ok"


class TestCutThatTakesNothing:
    """T27 of our own: a cut that is spelled out whole in three parts may have fewer tokens.

    Where one run of signs meets another text, tokens change. A cut that misses nothing is no cut,
    so it is never measured or sent as one.
    """

    @wires
    @pytest.mark.parametrize("id", ["exact@1:o200k", "exact@1:qwen3", "exact@1:llama2"])
    def test_at_no_limit(self, wire: Wire, id: str) -> None:
        talk, counter = one_result("#" * 400), counter_of(id)
        for limit in range(60, size_of(talk, wire, counter) + 60):
            made = assemble(talk.records, limit, wire=wire, counter=counter)
            if made.request is not None:
                cut = wire.decode(made.request.body)[-1].cut
                assert (cut and cut.missing) == made.manifest.decisions[-1].missing
                assert cut is None or cut.missing > 0


class TestSaidToBeCut:
    """T35: "truncated" in the log, and sent untruncated.

    The trace does not report what was done: its decisions are what the request is made of, and
    the bytes of every request are built from them again (laws 6 and 7).
    """

    @wires
    @pytest.mark.parametrize("id", ["chars@1", "bytes@1", "exact@1:o200k"])
    def test_is_cut_in_the_bytes(self, wire: Wire, id: str) -> None:
        seen = {"cut": 0, "omitted": 0}
        for limit in (350, 450, 600) if id.startswith("exact") else (900, 1_100, 1_300):
            self.run(limit, wire, counter_of(id), seen)
        assert seen["cut"]
        assert seen["omitted"]

    def run(self, limit: int, wire: Wire, counter: Counter, seen: dict[str, int]) -> None:
        texts = [f"row {n}. " * 60 for n in range(4)]
        recorder, given = Recorder(), iter(texts)
        model = ScriptedModel([*[Turn(calls=[call("read")])] * 4, Turn("Done.")])
        limits: dict[str, Any] = {f"max_input_{counter.unit}": limit, "max_tool_output_chars": 300}
        AgentRunner(
            model=model,
            tools=[Tool("read", lambda: next(given))],
            trace=recorder,
            budget=ContextBudget(**limits),
            wire=wire,
            counter=counter,
            store=ArtifactStore(),
        ).run("Read all.")
        trace = Trace.parse(recorder.text())
        assert [] == [str(breach) for breach in breaches(trace)]
        for number, request in enumerate(model.requests, 1):
            assert request.body == trace.request(number).body
            told = shown(wire, request.body)
            for row in trace.manifest(number):
                if row.record.kind is Kind.RESULT:
                    self.holds(row, told, texts, seen)

    def holds(self, row: Any, told: list[str], texts: list[str], seen: dict[str, int]) -> None:
        """One line of what is read is this result, cut as the trace says; none if it is omitted."""
        first = row.record.cut
        whole = next(text for text in texts if text.startswith(first.head[:6]))
        mine = [line for line in told if line.startswith(f"result:{whole[:6]}")]
        if row.decision == "omitted":
            assert [] == mine
            seen["omitted"] += 1
            return
        head, tail = len(first.head), len(first.tail)
        if row.decision == "cut":
            head, tail = row.entry.head, row.entry.tail
            seen["cut"] += 1
        marker = f"[-{len(whole) - head - tail} {first.artifact}-]"
        assert [f"result:{whole[:head]}{marker}{whole[len(whole) - tail :]}"] == mine


def test_plain_text_that_looks_like_a_cut_is_none() -> None:
    """T35 from the other side: no text that was never cut can say that it was."""
    talk = one_result("a [-1977-] b")
    made = assemble(talk.records, 10**6, wire=Plain(), counter=Characters())
    assert made.request is not None
    assert "a \\[-1977-] b" in made.request.text
    assert cut_of(made) is None


def test_base64_of_a_tool_is_cut_like_any_text() -> None:
    """T13: a picture that a tool returns as text is no picture; its ceiling holds for it too."""
    text = base64.b64encode(bytes(range(256)) * 400).decode()
    talk = one_result(json.dumps({"image": text}))
    for counter in (ByteBound("claude-4.7"), Exact("o200k")):
        made = assemble(talk.records, 2_000, counter=counter)
        assert made.request is not None
        assert (cut_of(made) or Cut.whole("")).missing > 100_000
        assert len(made.request.body) < 5_000
