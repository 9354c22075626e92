"""Inputs on which other trimmers lost a pair or a thought, or never ended, assembled here.

Each class is one kind of failure, named by what went wrong; its docstring says what makes the
whole kind impossible here. R and T number the inputs as they were collected.
"""

import json
from typing import Any

import pytest

from curriculum.agent.output import Output
from curriculum.agent.run_errors import BadOutput
from curriculum.agent.runner import AgentRunner
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.count.counters import Characters
from curriculum.count.token_budget import BudgetCalculator
from curriculum.record.records import Kind, Native, Record
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire

from .strategies import THOUGHTS
from .talk import Talk, at_every_limit, decision_of, orphans

wires = pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)


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
