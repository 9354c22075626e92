"""Inputs on which other trimmers lost a pair, a task or a thought, assembled here.

Each class is one kind of failure, named by what went wrong; its docstring says what makes the
whole kind impossible here. R and T number the inputs as they were collected.
"""

import json
from typing import Any

import pytest

from curriculum.agent.model import BadOutput, Output
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool
from curriculum.context.assemble import Projection, assemble
from curriculum.context.budget import ContextBudget
from curriculum.count.byte_bound import ByteBound
from curriculum.count.counters import Characters
from curriculum.count.token_budget import BudgetCalculator
from curriculum.record.records import Kind, Native, Record
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire

from .strategies import THOUGHTS
from .talk import Talk, orphans

wires = pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)


def at_every_limit(talk: Talk, wire: Wire, steps: int = 40) -> list[Projection]:
    """The requests at ceilings from nothing to all, and at every number of messages."""
    roomy = assemble(talk.records, 10**9, wire=wire).manifest.size
    assert roomy is not None
    limits = range(1, roomy + 200, max(1, roomy // steps))
    made = [assemble(talk.records, limit, wire=wire) for limit in limits]
    places = range(1, len(talk.records) + 1)
    return made + [assemble(talk.records, 10**9, wire=wire, max_messages=n) for n in places]


def decision_of(made: Projection, record: Record) -> Any:
    """What was decided of a record."""
    at = int(record.id[1:])
    rows = made.manifest.decisions
    return next(r for r in rows if int(r.first[1:]) <= at <= int((r.last or r.first)[1:]))


class TestHalfAPair:
    """R1, T1, T3, T5, T7: a request that begins with a result, or ends in a call; half a batch.

    A turn and its results are one group (`record.exchange`): taken, cut in its results, or left
    out, whole (law 5). No offset into a list of messages can fall inside it.
    """

    def batch(self, *order: int, between: bool = False) -> Talk:
        """System, user, a batch of calls with results in any order, and a last question."""
        talk = Talk()
        talk.system("Be brief.")
        talk.user("Compare the files.")
        turn = talk.calls(*["{}"] * len(order))
        for number in order:
            talk.result(turn, f"of call {number}: " + "row " * 40, number)
            if between:
                talk.user("Hurry.")
        talk.says("They are equal.")
        talk.user("And now?")
        return talk

    @wires
    @pytest.mark.parametrize("order", [(0,), (0, 1), (1, 0), (2, 0, 1)])
    @pytest.mark.parametrize("between", [False, True])
    def test_at_no_limit(self, order: tuple[int, ...], between: bool, wire: Wire) -> None:
        """R1, T3: two results of one batch, the last three or four messages. T7: in any order."""
        talk, sent = self.batch(*order, between=between), set[int]()
        for made in at_every_limit(talk, wire):
            if made.request is not None:
                read = wire.decode(made.request.body)
                assert [] == orphans(read)
                sent.add(sum(message.kind is Kind.RESULT for message in read))
        assert {0, len(order)} == sent

    @wires
    def test_three_messages_of_six(self, wire: Wire) -> None:
        """T5: system, user, call, result, user, assistant, of which three fit."""
        talk = Talk()
        talk.system("Be brief.")
        talk.user("Read it.")
        talk.step("row " * 40)
        talk.user("Thanks.")
        talk.says("You are welcome.")
        made = assemble(talk.records, 10**6, wire=wire, max_messages=3)
        assert made.request is not None
        kinds = [m.kind for m in wire.decode(made.request.body)]
        assert [Kind.INSTRUCTION, Kind.USER, Kind.ASSISTANT] == kinds
        assert ["omitted"] * 2 == [decision_of(made, r).decision for r in talk.records[2:4]]

    @wires
    @pytest.mark.parametrize("late", [False, True])
    def test_a_result_without_its_call(self, wire: Wire, late: bool) -> None:
        """T1: first in the log, or after the next turn has begun: it is never sent, by name."""
        talk = Talk()
        if late:
            turn = talk.calls("{}")
            talk.user("Never mind.")
            talk.says("Fine.")
            lost = talk.result(turn, "too late")
        else:
            talk.user("Go.")
            lost = talk.result(Record("r0009", **_turn()), "of nobody")
        talk.user("Go on.")
        for made in at_every_limit(talk, wire):
            if made.request is not None:
                assert [] == orphans(wire.decode(made.request.body))
                row = decision_of(made, lost)
                assert ("omitted", "unpaired-result") == (row.decision, row.reason)

    @wires
    def test_two_results_with_one_id(self, wire: Wire) -> None:
        """T7: the second is nobody's, and goes nowhere."""
        talk = Talk()
        talk.user("Go.")
        turn = talk.calls("{}")
        talk.result(turn, "the first")
        again = talk.result(turn, "the second")
        made = assemble(talk.records, 10**6, wire=wire)
        assert made.request is not None
        assert [] == orphans(wire.decode(made.request.body))
        assert "the first" in made.request.text
        assert "the second" not in made.request.text
        assert "unpaired-result" == decision_of(made, again).reason

    @wires
    def test_ids_that_are_used_again(self, wire: Wire) -> None:
        """T3: a search that stops at the first call of that id. Pairs are by record and place."""
        talk = Talk()
        talk.user("Go.")
        for number in range(3):
            turn = talk.calls("{}", "{}", id="same")
            talk.result(turn, f"{number} second " * 9, 1)
            talk.result(turn, f"{number} first " * 9, 0)
        made = assemble(talk.records, 10**6, wire=wire)
        assert made.request is not None
        read = [m for m in wire.decode(made.request.body) if m.kind is Kind.RESULT]
        said = [message.text.split()[:2] for message in read]
        assert [[str(n), word] for n in range(3) for word in ("first", "second")] == said
        assert [] == orphans(wire.decode(made.request.body))

    def test_one_batch_is_answered_in_one_message(self) -> None:
        """T7: the results of one batch sent as two user messages, which Anthropic refuses."""
        made = assemble(self.batch(1, 0).records, 10**6, wire=AnthropicMessages())
        assert made.request is not None
        messages = json.loads(made.request.body)["messages"]
        roles = [message["role"] for message in messages]
        assert ["user", "assistant", "user", "assistant", "user"] == roles
        blocks = [block["type"] for block in messages[2]["content"]]
        assert ["tool_result", "tool_result"] == blocks


def _turn() -> dict[str, Any]:
    """A turn of the model, whose id is given."""
    talk = Talk()
    turn = talk.says("")
    return {name: getattr(turn, name) for name in ("kind", "trust", "author", "source")}


class TestThinkingInPieces:
    """T19: blocks of thinking edited, or sent without the turn that they belong to.

    A provider's block goes back as it came, in the group of its turn, or the whole group is out.
    """

    @wires
    def test_unchanged_or_out_with_its_exchange(self, wire: Wire) -> None:
        name = wire.id.partition("@")[0]
        block = THOUGHTS.get(name, THOUGHTS["gemini"]).replace("Hm.", "Hm. " * 30)
        talk = Talk()
        talk.user("Go.")
        for _ in range(3):
            thought = talk.thinks(Native(name, block))
            turn = talk.calls("{}")
            result = talk.result(turn, "row " * 100)
        found = set[tuple[str, str]]()
        for made in at_every_limit(talk, wire):
            if made.request is None:
                continue
            takes = wire.refuses(thought) is None
            blocks = made.request.text.count(block) if takes else 0
            turns = sum(m.kind is Kind.ASSISTANT for m in wire.decode(made.request.body))
            assert blocks == (turns if name in THOUGHTS else 0)
            whole = (decision_of(made, record).decision for record in (turn, result))
            found.add((*whole,))  # type: ignore[arg-type]
        assert ("admitted", "admitted") in found
        assert ("admitted", "cut") in found


class TestUnknownThings:
    """T25: a type that is not known, skipped in silence, and a loop that never ends.

    Kinds, labels and finishes are closed lists. Cutting is one search with an end, and a request
    is found in one pass over the log.
    """

    def test_a_kind_or_a_label(self) -> None:
        fields = {"trust": "user", "author": "person", "source": "test"}
        for wrong in ({"kind": "function"}, {"kind": "user", "trust": "root"}):
            with pytest.raises(ValueError, match="is not a valid"):
                Record("r0001", **{**fields, **wrong})  # type: ignore[arg-type]

    def test_an_output_that_ended_in_an_unknown_way(self) -> None:
        class Odd:
            def respond(self, request: object) -> Output:
                return Output("Half", finish="content_filter_2")

        recorder, limits = Recorder(), ContextBudget(max_input_chars=500)
        with pytest.raises(BadOutput, match="content_filter_2"):
            AgentRunner(model=Odd(), tools=(), trace=recorder, budget=limits).run("Go.")
        trace = Trace.parse(recorder.text())
        assert trace.stop is not None
        assert "error" == trace.stop.reason

    def test_a_role_or_a_part_in_a_budget_is_counted(self) -> None:
        """What nobody knows is text to whoever counts it: more, never less."""
        for message in (
            {"role": "observer", "content": "word " * 500},
            {"role": "user", "content": [{"type": "hologram", "beam": "word " * 500}]},
            {"role": "user", "content": "", "aside": {"note": "word " * 500}},
        ):
            found = BudgetCalculator(counter="bytes@1").calculate_sync("gpt-4o", [message])
            assert found.messages_tokens >= 2_500

    @wires
    def test_three_thousand_results_that_do_not_fit(self, wire: Wire) -> None:
        """Each is bigger than the ceiling: one is cut, and nothing is measured again and again."""

        class Counted(Characters):
            asked = 0

            def size(self, text: str) -> int:
                self.asked += 1
                return len(text)

        talk, counter = Talk(), Counted()
        talk.user("Go.")
        for number in range(3_000):
            talk.step(f"{number} " + "row " * 500)
        made = assemble(talk.records, 1_000, wire=wire, counter=counter)
        assert made.request is not None
        assert len(made.request.text) <= 1_000
        assert ["cut"] == [r.decision for r in made.manifest.decisions if r.decision == "cut"]
        assert counter.asked < 200


class TestTheTaskIsGone:
    """T31: the one user message dropped after twenty calls, or the newest one, or all of it.

    What the user said since the last finished turn is protected (law 4): it stands whole in each
    request, or there is none and the refusal names it.
    """

    TASK = "Port the parser to the new grammar. " * 3

    @wires
    @pytest.mark.parametrize("places", [None, 5, 7])
    def test_after_twenty_calls(self, wire: Wire, places: int | None) -> None:
        turns = [Turn(calls=[call("read")])] * 20 + [Turn("Done.")]
        model, recorder = ScriptedModel(turns), Recorder()
        AgentRunner(
            model=model,
            tools=[Tool("read", lambda: "row " * 60)],
            trace=recorder,
            budget=ContextBudget(max_input_chars=1_800, max_messages=places),
            wire=wire,
            max_turns=30,
        ).run(self.TASK)
        trace = Trace.parse(recorder.text())
        assert [] == [str(breach) for breach in breaches(trace)]
        assert 21 == len(model.requests)
        for request in model.requests:
            told = [m.text for m in wire.decode(request.body) if m.kind is Kind.USER]
            assert [self.TASK] == told
        last = trace.manifest(21)
        assert {"omitted"} < {row.decision for row in last}
        assert all(row.reason for row in last)

    @wires
    def test_a_request_that_is_too_long_is_refused_not_dropped(self, wire: Wire) -> None:
        talk = Talk()
        talk.user("Before.")
        talk.says("Fine.")
        talk.user("word " * 1_000)
        said = assemble(talk.records, 2_000, wire=wire).manifest.refused
        assert said is not None
        assert "protected-does-not-fit" == said.reason
        assert ["r0003"] == [part.record for part in said.parts]

    @wires
    def test_of_nothing_is_a_request_of_nothing(self, wire: Wire) -> None:
        made = assemble([], 1_000, wire=wire)
        assert made.request is not None
        assert [] == wire.decode(made.request.body)


class TestTheWrongVictim:
    """T33: the newest result shortened while old ones stay; only the oldest looked at; no cut.

    One order: what must stay, then whole exchanges from the newest; the first that does not fit
    is cut, and all that is older is left out. Every result passes both gates.
    """

    @wires
    def test_older_gives_way_first(self, wire: Wire) -> None:
        talk = Talk()
        talk.user("Go.")
        results = [talk.step(f"{n} " + "row " * 50) for n in range(8)]
        for made in at_every_limit(talk, wire):
            if made.request is None:
                continue
            found = [decision_of(made, result).decision for result in results]
            order = {"omitted": 0, "cut": 1, "admitted": 2}
            assert sorted(found, key=order.__getitem__) == found
            assert found.count("cut") <= 1

    @wires
    def test_the_newest_is_cut_where_it_is_the_big_one(self, wire: Wire) -> None:
        talk = Talk()
        talk.user("Go.")
        small = [talk.step("ok") for _ in range(3)]
        big = talk.step("row " * 5_000)
        made = assemble(talk.records, 2_000, wire=wire)
        assert made.request is not None
        assert "cut" == decision_of(made, big).decision
        assert "behind-cut" == decision_of(made, small[-1]).reason

    @wires
    def test_a_log_of_tools_alone(self, wire: Wire) -> None:
        """No user's words to begin at: there is a request, and it is paired."""
        talk = Talk()
        for number in range(6):
            talk.step(f"{number} " + "row " * 50)
        found = [made for made in at_every_limit(talk, wire) if made.request is not None]
        assert len(found) > 20
        for made in found:
            assert made.request is not None
            assert [] == orphans(wire.decode(made.request.body))

    @wires
    def test_what_came_another_way_is_in_the_ceiling_too(self, wire: Wire) -> None:
        """A result of a history was never at the tool ceiling; the request is within its own."""
        talk = Talk()
        talk.user("Before.")
        talk.step("row " * 9_000)
        model, recorder = ScriptedModel([Turn("Done.")]), Recorder()
        AgentRunner(
            model=model,
            tools=(),
            trace=recorder,
            budget=ContextBudget(max_input_tokens=1_500, max_tool_output_chars=100),
            counter=ByteBound(),
            wire=wire,
            history=talk.records,
        ).run("Go.")
        assert [] == [str(breach) for breach in breaches(Trace.parse(recorder.text()))]
        assert len(model.requests[0].body) <= 1_500
