"""Inputs on which other trimmers failed, assembled under every policy that comes with the package.

Each class is one kind of failure, named by what went wrong; its docstring says what makes the
whole kind impossible here. R and T number the inputs as they were collected.
"""

import itertools
import json
from typing import Any

import attrs
import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.summaries import KeptLines, Summariser
from curriculum.agent.tools import Tool
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.context.policy import Policy
from curriculum.context.policy_registry import every_policy, policy_of
from curriculum.context.pooling import Rule
from curriculum.count.counters import Characters
from curriculum.record.records import Author, Kind, Record, Trust
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.plain import Plain
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire
from curriculum.wire.request import Request

from .talk import Talk, at_every_limit, decision_of, orphans, shown

POLICIES = [policy_of(one.policy.name) for one in every_policy()]
policies = pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
wires = pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)
some_wires = pytest.mark.parametrize(
    "wire", [Plain(), AnthropicMessages()], ids=lambda wire: wire.id
)


def test_of_every_policy() -> None:
    """A policy that is added later is under these tests from then on."""
    names = ["exact-fit", "newest-first", "planner-order", "pools", "stage-order"]
    assert set(names) <= {policy.name for policy in POLICIES}


def summariser_of(policy: Policy) -> Summariser | None:
    """One that keeps lines, where the policy compacts."""
    wants = policy.pooling is not None and policy.pooling.compact is not None
    return KeptLines() if wants else None


def run(
    policy: Policy,
    chars: int,
    *,
    turns: int = 20,
    task: str = "Read it all.",
    texts: tuple[str, ...] = ("row " * 60,),
    said: str = "",
    **more: Any,
) -> tuple[Trace, list[Request]]:
    """A run of `turns` calls, lawful; its trace, and what the model was given."""
    given, recorder = itertools.cycle(texts), Recorder()
    model = ScriptedModel([*[Turn(said, calls=[call("read")])] * turns, Turn("Done.")])
    limits = {name: more.pop(name) for name in ("max_messages",) if name in more}
    more.setdefault("summariser", summariser_of(policy))
    AgentRunner(
        model=model,
        tools=[Tool("read", lambda: next(given))],
        trace=recorder,
        budget=ContextBudget(max_input_chars=chars, **limits),
        policy=policy,
        max_turns=turns + 1,
        **more,
    ).run(task)
    trace = Trace.parse(recorder.text())
    assert [] == [str(breach) for breach in breaches(trace)]
    return trace, list(model.requests)


class TestHalfAPair:
    """R1, R23, T1, T3, T5, T7: a request that begins with a result, or ends in a call; half a batch.

    A turn and its results are one group: a rung of a ladder drops it whole or reduces results in
    place, a pool takes it whole or leaves it, and a summary stands for all of it (law 5).
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

    @policies
    @wires
    @pytest.mark.parametrize("order", [(0,), (1, 0), (2, 0, 1)])
    @pytest.mark.parametrize("between", [False, True])
    def test_at_no_limit(
        self, policy: Policy, order: tuple[int, ...], between: bool, wire: Wire
    ) -> None:
        """R1, T3: the last three or four messages. T7: results of one batch in any order."""
        talk, sent = self.batch(*order, between=between), set[int]()
        for made in at_every_limit(talk, wire, 15, policy):
            if made.request is not None:
                read = wire.decode(made.request.body)
                assert [] == orphans(read)
                sent.add(sum(message.kind is Kind.RESULT for message in read))
        assert {0, len(order)} == sent

    @policies
    @wires
    def test_three_messages_of_six(self, policy: Policy, wire: Wire) -> None:
        """T5: system, user, call, result, user, assistant, of which three fit."""
        talk = Talk()
        talk.system("Be brief.")
        talk.user("Read it.")
        talk.step("row " * 40)
        talk.user("Thanks.")
        talk.says("You are welcome.")
        made = assemble(talk.records, 10**6, wire=wire, policy=policy, max_messages=3)
        assert made.request is not None
        kinds = [m.kind for m in wire.decode(made.request.body)]
        assert [Kind.INSTRUCTION, Kind.USER, Kind.ASSISTANT] == kinds
        assert ["omitted"] * 2 == [decision_of(made, r).decision for r in talk.records[2:4]]

    @policies
    @wires
    def test_arguments_count(self, policy: Policy, wire: Wire) -> None:
        """R23: begins with a call of 9,000 characters that count as none; system and user gone."""
        talk = Talk()
        talk.system("Be brief.")
        talk.user("Write it.")
        talk.step("ok", json.dumps({"text": "x" * 9_000}))
        talk.says("Written.")
        talk.user("And now?")
        made = assemble(talk.records, 1_000, wire=wire, policy=policy)
        assert made.request is not None
        assert len(made.request.body) <= 1_000
        read = wire.decode(made.request.body)
        assert Kind.INSTRUCTION is read[0].kind
        assert (Kind.USER, "And now?") == (read[-1].kind, read[-1].text)
        assert ["omitted"] * 2 == [decision_of(made, r).decision for r in talk.records[2:4]]

    @policies
    @wires
    def test_arguments_that_must_be_sent_are_named(self, policy: Policy, wire: Wire) -> None:
        """R23: the model has not seen its result, so the call is sent or the refusal names it."""
        talk = Talk()
        talk.user("Write it.")
        turn = talk.calls(json.dumps({"text": "x" * 9_000}))
        talk.result(turn, "ok")
        said = assemble(talk.records, 5_000, wire=wire, policy=policy).manifest.refused
        assert said is not None
        assert "result-does-not-fit" == said.reason
        assert 5_000 >= said.allowed < said.needed
        assert ["r0002"] == [part.record for part in said.parts if part.size > 9_000]

    @policies
    @wires
    @pytest.mark.parametrize("late", [False, True])
    def test_a_result_without_its_call(self, policy: Policy, wire: Wire, late: bool) -> None:
        """T1: first in the log, or after the next turn has begun: it is never sent, by name."""
        talk = Talk()
        if late:
            turn = talk.calls("{}")
            talk.user("Never mind.")
            talk.says("Fine.")
            lost = talk.result(turn, "too late")
        else:
            talk.user("Go.")
            nobody = Record("r0009", Kind.ASSISTANT, Trust.ASSISTANT, Author.MODEL, "test")
            lost = talk.result(nobody, "of nobody")
        talk.user("Go on.")
        for made in at_every_limit(talk, wire, 15, policy):
            if made.request is not None:
                assert [] == orphans(wire.decode(made.request.body))
                assert "omitted" == decision_of(made, lost).decision
        made = assemble(talk.records, 10**6, wire=wire, policy=policy)
        assert "unpaired-result" == decision_of(made, lost).reason

    @policies
    @wires
    def test_two_results_with_one_id(self, policy: Policy, wire: Wire) -> None:
        """T7: the second is nobody's, and goes nowhere."""
        talk = Talk()
        talk.user("Go.")
        turn = talk.calls("{}")
        talk.result(turn, "the first")
        again = talk.result(turn, "the second")
        made = assemble(talk.records, 10**6, wire=wire, policy=policy)
        assert made.request is not None
        assert [] == orphans(wire.decode(made.request.body))
        assert "the first" in made.request.text
        assert "the second" not in made.request.text
        assert "unpaired-result" == decision_of(made, again).reason

    @policies
    @wires
    def test_ids_that_are_used_again(self, policy: Policy, wire: Wire) -> None:
        """T3: a search that stops at the first call of that id. Pairs are by record and place."""
        talk = Talk()
        talk.user("Go.")
        for number in range(3):
            turn = talk.calls("{}", "{}", id="same")
            talk.result(turn, f"{number} second " * 9, 1)
            talk.result(turn, f"{number} first " * 9, 0)
        made = assemble(talk.records, 10**6, wire=wire, policy=policy)
        assert made.request is not None
        read = [m for m in wire.decode(made.request.body) if m.kind is Kind.RESULT]
        said = [message.text.split()[:2] for message in read]
        assert [[str(n), word] for n in range(3) for word in ("first", "second")] == said

    @policies
    def test_one_batch_is_answered_in_one_message(self, policy: Policy) -> None:
        """T7: the results of one batch sent as two user messages, which Anthropic refuses."""
        wire = AnthropicMessages()
        made = assemble(self.batch(1, 0).records, 10**6, wire=wire, policy=policy)
        assert made.request is not None
        messages = json.loads(made.request.body)["messages"]
        blocks = [block["type"] for block in messages[2]["content"]]
        assert ["tool_result", "tool_result"] == blocks

    @wires
    def test_after_a_compaction(self, wire: Wire) -> None:
        """T7: two results with one id after a compaction. What is replaced is out, in pairs."""
        policy = policy_of("stage-order")
        writer, said = Writer("Decision: go on."), "Decision: go on."
        trace, requests = run(policy, 2_500, wire=wire, said=said, summariser=writer)
        events = [event.data for event in trace.of("context.compact")]
        took = [str(event.outcome) for event in events]
        if wire.id.startswith("openai-chat@1"):  # it has no place for a summary, and says so
            assert ["failed"] == took
            assert "summary-no-slot" == events[0].code
        else:
            assert "done" in took
        for request in requests:
            assert [] == orphans(wire.decode(request.body))


class TestTheLastResult:
    """R11, R19: a last result that is bigger than the ceiling, alone, or sent all the same.

    The exchange that the model has not seen is never left out or parted (law 12): its results are
    cut to the room, at most to their markers, or nothing is sent and the stop has a name.
    """

    def log(self) -> Talk:
        talk = Talk()
        talk.user("Read it.")
        talk.step("word " * 1_000)
        return talk

    @policies
    @wires
    def test_fills_the_ceiling_and_no_more(self, policy: Policy, wire: Wire) -> None:
        """R11: 1,289 tokens for a budget of 100. Here the room is used to the last characters."""
        for limit in (600, 1_000, 3_000):
            made = assemble(self.log().records, limit, wire=wire, policy=policy)
            assert made.request is not None
            # Provider wires charge the framing between two messages at its dearest.
            assert limit - 200 < len(made.request.body) <= limit
            assert "cut" == made.manifest.decisions[-1].decision

    @policies
    @wires
    def test_never_alone_and_never_in_silence(self, policy: Policy, wire: Wire) -> None:
        """R19: the last tool message by itself. Its call and the user's words go with it."""
        talk, found = self.log(), list[str]()
        for limit in range(1, 800, 7):
            made = assemble(talk.records, limit, wire=wire, policy=policy)
            said = made.manifest.refused
            if made.request is not None:
                read = wire.decode(made.request.body)
                assert [Kind.USER, Kind.ASSISTANT, Kind.RESULT] == [m.kind for m in read]
                assert [] == orphans(read)
            else:
                assert said is not None
                assert said.frame + sum(part.size for part in said.parts) == said.needed
                assert limit >= said.allowed < said.needed
            found.append(said.reason if said else "sent")
        assert ["protected-does-not-fit", "result-does-not-fit", "sent"] == list(
            dict.fromkeys(found)
        )

    @policies
    @some_wires
    def test_a_run_that_cannot_show_it_stops(self, policy: Policy, wire: Wire) -> None:
        """R19: a model that is never shown its result asks for ever. The run ends by name."""
        _, wide = run(policy, 10**6, wire=wire)
        least = len(wide[0].text)  # the task and the tools
        room = 10 if wire.id == "plain@1" else 100  # not enough for a call and a marker
        trace, requests = run(policy, least + room, wire=wire)
        assert trace.stop is not None
        assert "result-does-not-fit" == trace.stop.reason
        assert 1 == len(requests)


class TestWhatMustStay:
    """R3, T13, T31: over the limit without a word; the task, the newest message or its image gone.

    What is protected competes with nothing: it stands whole in each request, or there is none and
    the refusal names every part of it with its size (law 4). What may go never goes in silence.
    """

    TASK = "Port the parser to the new grammar. " * 3

    @policies
    @wires
    def test_a_system_message_over_the_ceiling_is_refused(self, policy: Policy, wire: Wire) -> None:
        """R3: a system message of 1,005 for a budget of 100, returned as if it fitted."""
        talk = Talk()
        talk.system("rule " * 201)
        talk.user("Go.")
        said = assemble(talk.records, 100, wire=wire, policy=policy).manifest.refused
        assert said is not None
        assert ("protected-does-not-fit", 100) == (said.reason, said.allowed)
        assert ["r0001", "r0002"] == [part.record for part in said.parts]
        assert 1_005 <= said.parts[0].size <= 1_200
        assert said.frame + sum(part.size for part in said.parts) == said.needed

    @policies
    @some_wires
    @pytest.mark.parametrize("places", [None, 5, 7])
    def test_the_task_after_twenty_calls(
        self, policy: Policy, wire: Wire, places: int | None
    ) -> None:
        """T31: one user message, dropped after some twenty calls."""
        trace, requests = run(policy, 1_800, task=self.TASK, wire=wire, max_messages=places)
        assert 21 == len(requests)
        for request in requests:
            told = [m.text for m in wire.decode(request.body) if m.kind is Kind.USER]
            assert [self.TASK] == told
        last = trace.manifest(len(trace.assemblies))
        assert {"omitted", "replaced"} & {row.decision for row in last}
        assert all(row.reason for row in last)

    @policies
    @wires
    def test_the_newest_message_in_a_window_of_128(self, policy: Policy, wire: Wire) -> None:
        """T31: a window of 128 messages, and no signal; or the current message dropped from it."""
        talk = Talk()
        talk.system("Be brief.")
        for number in range(100):
            talk.user(f"Question {number}.")
            talk.says(f"Answer {number}.")
        talk.user("And now?")
        made = assemble(talk.records, 10**6, wire=wire, policy=policy, max_messages=128)
        assert made.request is not None
        read = wire.decode(made.request.body)
        assert [Kind.INSTRUCTION, Kind.USER] == [read[0].kind, read[-1].kind]
        assert ["Be brief.", "And now?"] == [read[0].text, read[-1].text]
        out = [row for row in made.manifest.decisions if row.decision == "omitted"]
        found = len(read), made.manifest.messages, out[0].first, out[-1].last
        # 74 of 202 are too many; the planner evicts what is older than two turns first.
        evicts = policy.name == "planner-order"
        assert found == ((7, 7, "r0002", "r0196") if evicts else (128, 128, "r0002", "r0075"))

    @policies
    @wires
    def test_all_that_the_user_waits_for(self, policy: Policy, wire: Wire) -> None:
        """T31: the *current* message dropped, or the list left empty."""
        talk = Talk()
        talk.user("Before.")
        talk.says("Fine.")
        talk.user("word " * 100)
        talk.user("And soon.")
        for made in at_every_limit(talk, wire, 30, policy):
            if made.request is not None:
                told = [m.text for m in wire.decode(made.request.body)]
                assert ["word " * 100, "And soon."] == told[-2:]
            else:
                assert made.manifest.refused is not None
                parts = made.manifest.refused.parts
                assert ["r0003", "r0004"] == [part.record for part in parts]

    @policies
    def test_an_image_is_left_out_by_name(self, policy: Policy) -> None:
        """T13: a first message compacted away with its image. Its words stay; the image, which no
        policy here protects, is in the table with the reason why it is not sent."""
        talk = Talk()
        talk.user("What is in this picture?")
        picture = talk.image("iVBORw0KGgo" * 40, 64, 64)
        wire, history = AnthropicMessages(), tuple(talk.records)
        trace, requests = run(policy, 2_500, wire=wire, history=history, task="Go on.")
        assert all("What is in this picture?" in request.text for request in requests)
        for number in range(1, len(trace.assemblies) + 1):
            row = next(r for r in trace.manifest(number) if r.record.id == picture.id)
            why = row.decision, row.reason
            assert row.decision == "admitted" or why in {
                ("omitted", "pool-full"),
                ("omitted", "not-chosen"),
                ("omitted", "compacted"),
                ("omitted", "behind-cut"),
                ("omitted", "no-room"),
            }

    @pytest.mark.parametrize(
        "policy", [p for p in POLICIES if p.pooling], ids=lambda policy: policy.name
    )
    @pytest.mark.parametrize("wire", [OpenAIChat2(), AnthropicMessages()], ids=lambda wire: wire.id)
    def test_an_image_that_a_policy_protects(self, policy: Policy, wire: Wire) -> None:
        """T13: with one rule it stays in every request, and no compaction takes it."""
        assert policy.pooling is not None
        rule = Rule("protect", name="pictures", kind=(Kind.IMAGE,))
        pooling = attrs.evolve(policy.pooling, rules=(rule, *policy.pooling.rules))
        policy, talk = attrs.evolve(policy, name="mine", pooling=pooling), Talk()
        talk.user("What is in this picture?")
        picture = talk.image("iVBORw0KGgo" * 40, 64, 64)
        trace, requests = run(
            policy,
            2_500,
            wire=wire,
            history=tuple(talk.records),
            said="Decision: go on.",
            summariser=Writer("Decision: go on.") if pooling.compact else None,
        )
        assert 21 == len(requests)
        assert all(picture.text in request.text for request in requests)
        compacted = [str(event.data.outcome) for event in trace.of("context.compact")]
        assert ("done" in compacted) == (pooling.compact is not None)


class TestTheWrongVictim:
    """T33: results of the kept window shortened while old ones stay; only the oldest looked at.

    Rungs reduce the old before the recent, and each pool is served from its newest exchange; of
    exchanges worth the same, the exact packing takes the newer.
    """

    @policies
    @wires
    def test_older_gives_way_first(self, policy: Policy, wire: Wire) -> None:
        talk = Talk()
        talk.user("Go.")
        results = [talk.step(f"{n} " + "row " * 50, f'{{"n":{n}}}') for n in range(8)]
        for made in at_every_limit(talk, wire, 30, policy):
            if made.request is None:
                continue
            found = [decision_of(made, result).decision for result in results]
            order = {"omitted": 0, "replaced": 1, "cut": 2, "admitted": 3}
            # Exactly packed, an old exchange that is only its marker may be worth more than a
            # recent one that is whole; among those of one form the newer comes first.
            exact = made.manifest.packing == "exact"
            for part in (found[:6], found[6:]) if exact else (found,):
                assert sorted(part, key=order.__getitem__) == part
            assert found.count("cut") <= 1

    @policies
    @wires
    def test_the_newest_is_cut_where_it_is_the_big_one(self, policy: Policy, wire: Wire) -> None:
        talk = Talk()
        talk.user("Go.")
        for number in range(3):
            talk.step("ok", f'{{"n":{number}}}')
        big = talk.step("row " * 5_000)
        made = assemble(talk.records, 2_000, wire=wire, policy=policy)
        assert made.request is not None
        assert len(made.request.body) <= 2_000
        assert "cut" == decision_of(made, big).decision
        assert [] == orphans(wire.decode(made.request.body))

    @policies
    @wires
    def test_a_log_of_tools_alone(self, policy: Policy, wire: Wire) -> None:
        """No user's words to begin at: there is a request, and it is paired."""
        talk = Talk()
        for number in range(6):
            talk.step(f"{number} " + "row " * 50, f'{{"n":{number}}}')
        found = [m for m in at_every_limit(talk, wire, 30, policy) if m.request is not None]
        assert len(found) > 20
        for made in found:
            assert made.request is not None
            assert [] == orphans(wire.decode(made.request.body))

    @policies
    @wires
    def test_what_came_another_way_is_in_the_ceiling_too(self, policy: Policy, wire: Wire) -> None:
        """A result of a history was never at the tool ceiling; the request is within its own."""
        talk = Talk()
        talk.user("Before.")
        talk.step("row " * 9_000)
        _, requests = run(policy, 1_500, turns=0, wire=wire, history=tuple(talk.records))
        assert len(requests[0].text) <= 1_500


class TestTrimAndTrigger:
    """T23: what is checked and what is trimmed to are two numbers, so that trimming never helps.

    The sum of a rung is what is compared with the ceiling, what a compaction is measured by, and
    at least what is sent.
    """

    @policies
    @wires
    def test_one_ceiling(self, policy: Policy, wire: Wire) -> None:
        """Where all fits to the last character all is sent whole; one less, and something gives."""
        talk = Talk()
        talk.user("Go.")
        for number in range(6):
            talk.step(f"{number} " + "row " * 50, f'{{"n":{number}}}')
        if policy.pooling is None:
            return
        roomy = assemble(talk.records, 10**6, wire=wire, policy=policy).manifest
        most = roomy.rungs[0].size
        at, under = (
            assemble(talk.records, limit, wire=wire, policy=policy).manifest
            for limit in (most, most - 1)
        )
        assert {"admitted"} == {row.decision for row in at.decisions}
        assert {"admitted"} < {row.decision for row in under.decisions}
        assert most == at.rungs[0].size == under.rungs[0].size
        assert (at.size or 0) <= most
        assert under.rungs[-1].size <= most - 1 or under.packing

    def test_a_compaction_is_measured_by_the_same_sum(self) -> None:
        """What the event says was too much is the first rung of the same log, to the character."""
        policy = policy_of("stage-order")
        trace, _ = run(policy, 2_500, said="Decision: go on.")
        events = list(trace.of("context.compact"))
        assert 1 < len(events)
        for event in events:
            before = [e.data for e in trace.of("record.append") if e.seq < event.seq]
            made = assemble(before, 2_500, policy=policy).manifest
            assert (made.rungs[0].size, 1_250) == (event.data.measured, event.data.limit)
            assert event.data.measured > event.data.limit

    def test_after_it_the_next_turn_asks_for_none(self) -> None:
        """The log is at most the trigger's size again, so a summary lasts for some turns."""
        trace, requests = run(policy_of("stage-order"), 4_000, turns=40, said="Decision: go on.")
        done = [e for e in trace.of("context.compact") if str(e.data.outcome) == "done"]
        turns = [sum(made.seq < event.seq for made in trace.assemblies) for event in done]
        assert 41 == len(requests)
        assert [] == [b for a, b in itertools.pairwise(turns) if b - a < 2]


class TestUnknownEnds:
    """T25: a loop in the trimmer that never ends.

    A group is weighed once at each rung, and again only when something happens to it.
    """

    @policies
    @some_wires
    def test_two_thousand_results_that_do_not_fit(self, policy: Policy, wire: Wire) -> None:
        """Each is bigger than the ceiling: what is measured grows with the log at first, and in
        the next turn not at all."""

        class Counted(Characters):
            asked = 0

            def size(self, text: str) -> int:
                self.asked += 1
                return len(text)

        talk, counter = Talk(), Counted()
        talk.user("Go.")
        for number in range(2_000):
            talk.step(f"{number} " + "row " * 500, f'{{"n":{number}}}')
        index = SessionIndex(wire, counter)
        made = assemble(talk.records, 1_000, policy=policy, index=index)
        assert made.request is not None
        assert len(made.request.body) <= 1_000
        assert counter.asked < 12 * 2_000
        counter.asked = 0
        talk.step("last " * 500, '{"n":-1}')
        made = assemble(talk.records, 1_000, policy=policy, index=index)
        assert made.request is not None
        assert counter.asked < 200


class TestBiggerThanTheSource:
    """T27: what should make a request smaller makes it bigger, or is tried for ever.

    A reduction that saves nothing is none; a summary that is not smaller than what it stands for
    replaces nothing, and whatever went wrong once is not tried again.
    """

    @policies
    @wires
    @pytest.mark.parametrize("text", ["ab" * 300, "\\\n" * 200, "12 " * 30, "12345", "ok"])
    def test_no_reduction(self, text: str, policy: Policy, wire: Wire) -> None:
        talk = Talk()
        talk.user("Go.")
        for number in range(5):
            talk.step(text, f'{{"n":{number}}}')
        index = SessionIndex(wire, Characters())
        index.read(talk.records)
        for made in at_every_limit(talk, wire, 20, policy):
            rungs = [rung.size for rung in made.manifest.rungs]
            assert sorted(rungs, reverse=True) == rungs
            for message in made.messages:
                if message.kind is Kind.RESULT and message.cut is not None:
                    at = int(message.record[1:]) - 1
                    sent = "".join(part for _, part in wire.pieces(message))
                    assert len(sent) < len(index.item(at))

    @pytest.mark.parametrize(
        ("text", "outcome"),
        [("x" * 9_000, "grew"), ("", "empty"), (None, "failed")],
        ids=["bigger", "empty", "raises"],
    )
    def test_no_summary(self, text: str | None, outcome: str) -> None:
        """Asked once in forty turns: what fails would fail in every turn."""
        writer = Writer(text)
        trace, requests = run(policy_of("stage-order"), 4_000, turns=40, summariser=writer)
        (event,) = trace.of("context.compact")
        assert outcome == event.data.outcome
        assert 1 == writer.asked
        assert 41 == len(requests)
        assert [] == [r for r in trace.records if r.kind is Kind.SUMMARY]

    def test_a_request_for_it_that_does_not_fit(self) -> None:
        """T27: refuses while over the limit. Nobody is asked, its size is named, the run goes on."""
        talk = Talk()
        talk.user("Before.")
        for number in range(3):
            talk.says(f"{number} " + "word " * 900)
        writer = Writer("Short.")
        trace, requests = run(
            policy_of("stage-order"), 4_000, history=tuple(talk.records), summariser=writer
        )
        (event,) = trace.of("context.compact")
        assert "does-not-fit" == event.data.outcome
        assert event.data.size > 4_000
        assert 0 == writer.asked
        assert 21 == len(requests)


@attrs.define
class Writer:
    """Says the same each time; raises if that is nothing at all."""

    text: str | None
    id: str = "writer@1"
    asked: int = 0

    def summarise(self, request: Request) -> str:
        self.asked += 1
        if self.text is None:
            raise OSError
        return self.text


class TestACacheBrokenEveryTurn:
    """T29: each turn changes what stands before, so that no prefix of a request is ever reused.

    Reductions go down to the low mark, and the line between old and recent moves in blocks: what
    is out or reduced stays as it is until the log has grown by that gap.
    """

    TURNS, CEILING = 100, 4_000

    def broken(self, policy: Policy, results: bool, keep: int) -> int:
        """In how many of a hundred growing turns the request does not begin as the earlier one
        did, up to that one's last `keep` exchanges. On the plain wire each record is a line."""
        talk, index = Talk(), SessionIndex(Plain(), Characters())
        talk.user("Go.")
        bodies, lines = list[bytes](), keep * (2 if results else 1)
        for number in range(self.TURNS):
            if results:
                talk.step(f"{number:03d} " + "x" * 96, f'{{"n":{number}}}')
            else:
                talk.says(f"{number:03d} " + "x" * 116)
            made = assemble(talk.records, self.CEILING, policy=policy, index=index)
            assert made.request is not None
            bodies.append(made.request.body)
        stays = [b"".join(body.splitlines(True)[:-lines]) for body in bodies]
        return sum(
            not later.startswith(kept) for kept, later in zip(stays, bodies[1:], strict=False)
        )

    @pytest.mark.parametrize(
        ("low", "broken"), [("80%", 11), (None, 68)], ids=["pools", "without-low"]
    )
    def test_what_is_left_out_stays_out(self, low: str | None, broken: int) -> None:
        """A ceiling of 4,000 holds 32 turns of 125. The 68 behind push one out each; with a low
        mark of 80 %, which is 6.4 turns away, six or seven at a time: in 11 turns."""
        pools = policy_of("pools")
        assert pools.pooling is not None
        assert "80%" == pools.pooling.low
        pooling = attrs.evolve(pools.pooling, low=low)
        assert broken == self.broken(attrs.evolve(pools, pooling=pooling), False, 2)

    @pytest.mark.parametrize(("block", "broken"), [(1, 68), (5, 14), (10, 7)])
    def test_what_is_masked_moves_in_blocks(self, block: int, broken: int) -> None:
        """From the turn on in which not all fits, the line moves in each turn, or once for each
        block: in 68 turns, 14, or 7 before the last exchange of the earlier request."""
        pools = policy_of("pools")
        assert pools.pooling is not None
        assert 1 == pools.pooling.block
        pooling = attrs.evolve(pools.pooling, block=block)
        assert broken == self.broken(attrs.evolve(pools, pooling=pooling), True, 1)

    def test_what_is_masked_once_stays_masked(self) -> None:
        """But for the two recent exchanges, the prefix parts in the turn in which masking begins,
        and never again."""
        assert 1 == self.broken(policy_of("pools"), True, 2)


class TestSaidToBeCut:
    """T35: "truncated" in the log, and sent untruncated.

    The trace does not report what was done: its decisions are what the request is made of, and
    the bytes of every request are built from them again (laws 6 and 7).
    """

    @policies
    @some_wires
    def test_is_what_was_sent(self, policy: Policy, wire: Wire) -> None:
        """Of each result, the request shows what the table says: all, two ends, its marker, or
        nothing."""
        texts = tuple(f"row {n}. " * (100 + n) for n in range(12))
        seen = dict.fromkeys(("admitted", "cut", "replaced", "omitted"), 0)
        for chars in (700, 2_500, 5_000):
            trace, requests = run(policy, chars, turns=11, texts=texts, wire=wire)
            for number, request in enumerate(requests, 1):
                assert request.body == trace.request(number).body
                told = shown(wire, request.body)
                for row in trace.manifest(number):
                    if row.record.kind is Kind.RESULT:
                        self.holds(row, told)
                        seen[row.decision] += 1
        replaced = seen.pop("replaced")
        assert replaced or policy.name not in ("exact-fit", "pools")
        assert not replaced or policy.name not in ("newest-first", "planner-order")
        assert all(seen.values())

    def holds(self, row: Any, told: list[str]) -> None:
        """One line of what is read is this result as the row says; none if it is left out."""
        text = row.record.text
        head, tail = row.entry.head or 0, row.entry.tail or 0
        marker = f"[-{len(text) - head - tail}-]"
        if row.decision == "omitted":
            begins = text.partition(".")[0]
            assert [] == [one for one in told if one.startswith(f"result:{begins}.")]
            assert f"result:{marker}" not in told
            return
        cut = f"{text[:head]}{marker}{text[len(text) - tail :]}"
        expected = text if row.decision == "admitted" else cut
        assert 1 == told.count(f"result:{expected}")
