"""Inputs on which other trimmers dropped the task, or the wrong record, assembled here.

Each class is one kind of failure, named by what went wrong; its docstring says what makes the
whole kind impossible here. T numbers the inputs as they were collected.
"""

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.count.byte_bound import ByteBound
from curriculum.record.records import Kind
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire

from .talk import Talk, at_every_limit, decision_of, orphans

wires = pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)


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
