"""Recording a loop of one's own: what each step takes, and by which law it is refused.

A refused step writes nothing, and the run can go on: `Loop.refuses` holds both for every test
here. How the loops of these tests begin is in own_loops.py.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs
import pytest

from curriculum.agent.own_loop import Recording
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.choices import Choice
from curriculum.context.policy import NEWEST_FIRST
from curriculum.context.unworkable import BudgetError
from curriculum.count.for_model import counter_for_model
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.errors import CurriculumError
from curriculum.record.law import LawBroken
from curriculum.record.records import Call, ToolSpec
from curriculum.record.text import sha256
from curriculum.trace.errors import TraceError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat

from .own_loops import KEEP, ONE, READ, TWO, Loop, stop_of

Step = Callable[[Recording], object]
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
BODY = b"+read\n#Be brief.\n>Read it.\n"
"""The first request of every loop here, on the plain wire: 6 + 11 + 10 = 27 characters."""


class TestAWholeRun:
    """From the first record to the stop, without our runner."""

    def test_what_is_written(self) -> None:
        """Each step is one event or a few; the stop agrees with them."""
        loop = Loop().read()
        loop.run.assemble(rest=KEEP)
        loop.run.request()
        loop.run.response("Done.")
        trace = loop.stopped()
        assert [
            *("session.start", "record.append", "record.append", "record.append"),
            *("context.assemble", "model.request", "model.response", "record.append"),
            *("tool.request", "tool.result", "record.append"),
            *("context.assemble", "model.request", "model.response", "record.append"),
            "session.stop",
        ] == [event.type for event in trace.events]
        assert ("completed", 2) == (stop_of(trace), trace.events[-1].data.turns)
        named = trace.start.components
        assert ("my-agent@1", "last-two@1") == (named["harness"], named["policy"])

    def test_the_request_is_what_the_wire_spells(self) -> None:
        loop = Loop().begun()
        projection = loop.run.assemble(rest=KEEP)
        assert projection.request is not None
        assert projection.request.body == BODY
        assert BODY == loop.run.request().body
        assert BODY == loop.goes_on().request(1).body

    def test_a_cut_is_what_was_asked_for(self) -> None:
        """20 and 10 of 200 characters are kept: 170 are missing, and the marker says so."""
        loop = Loop().read()
        made = loop.run.assemble({"r0005": Choice.cut("long", head=20, tail=10)}, KEEP)
        assert made.request is not None
        assert made.request.text.endswith("=c1 row row row row row [-170-]w row row \n")
        entry = made.manifest.decisions[-1]
        assert ("cut", "long", 20, 10, 170) == (
            *(entry.decision, entry.reason, entry.head, entry.tail, entry.missing),
        )
        loop.goes_on()

    def test_a_cut_splits_no_character_that_a_reader_sees_as_one(self) -> None:
        """A family is five characters: of head=7 and tail=9 one whole family is left at each end."""
        loop = Loop().read(FAMILY * 10)
        made = loop.run.assemble({"r0005": Choice.cut("long", head=7, tail=9)}, KEEP)
        assert made.request is not None
        assert made.request.text.endswith(f"=c1 {FAMILY}[-40-]{FAMILY}\n")
        loop.goes_on()

    def test_a_cut_that_takes_nothing_away_is_no_cut(self) -> None:
        loop = Loop().read("short")
        made = loop.run.assemble({"r0005": Choice.cut("long", head=3, tail=2)}, KEEP)
        assert {"admitted"} == {entry.decision for entry in made.manifest.decisions}
        loop.goes_on()

    def test_an_exchange_may_be_left_out_once_the_model_has_seen_it(self) -> None:
        loop = Loop().read()
        loop.run.assemble(rest=KEEP)
        loop.run.request()
        loop.run.response("Done.")
        loop.run.record("user", "More.")
        gone = dict.fromkeys(["r0004", "r0005"], Choice.omit("too-old"))
        made = loop.run.assemble(gone, KEEP)
        assert made.request is not None
        assert made.request.body == BODY + b"<Done.\n>More.\n"
        loop.goes_on()

    def test_what_cannot_be_sent_is_left_out_by_itself(self) -> None:
        """An older set of tools, and an image on this wire: the reason is a fact, not a choice."""
        loop = Loop().begun()
        loop.run.record("image", "")
        loop.run.record("tools", tools=[READ])
        made = loop.run.assemble(rest=KEEP)
        omitted = {e.first: e.reason for e in made.manifest.decisions if e.decision == "omitted"}
        assert {"r0001": "superseded", "r0004": "no-slot"} == omitted
        loop.goes_on()

    def test_a_history_comes_first(self) -> None:
        """An earlier log is adopted; its open call has no result, so its turn cannot be sent."""
        earlier = Loop().asked()
        loop = Loop(history=earlier.run.records)
        assert 4 == len(loop.run.records)
        loop.run.record("user", "Go on.")
        made = loop.run.assemble(rest=KEEP)
        assert [("r0004", "unanswered-call")] == [
            (e.first, e.reason) for e in made.manifest.decisions if e.decision == "omitted"
        ]
        trace = loop.goes_on()
        assert 4 == trace.start.history

    def test_what_is_no_text_of_scalar_values_is_made_so(self) -> None:
        """Lone surrogates cannot be written: they are visibly replaced wherever they come in."""
        loop = Loop(session="\ud800")
        loop.run.record("tools", tools=[ToolSpec("read", "\ud800")])
        loop.run.record("user", "a\ud800", source="x\ud800")
        loop.run.assemble(rest=Choice.admit("why\ud800"))
        loop.run.request()
        turn = loop.run.response("\ud800", (Call("\ud800", "read", "\ud800"),), deltas=["\ud800"])
        assert ("\ufffd", Call("\ufffd", "read", "\ufffd")) == (turn.text, turn.calls[0])
        loop.run.tool_call(0)
        assert loop.run.tool_result(0, "\udfff!").text == "\ufffd!"
        loop.goes_on()

    def test_None_is_no_text_and_no_calls(self) -> None:
        """Providers give a content of null beside calls, and calls of null beside a content."""
        loop = Loop().sent()
        assert loop.run.response(None, ONE).text == ""
        loop.run.tool_call(0)
        loop.run.tool_result(0, "x")
        loop.run.assemble(rest=KEEP)
        loop.run.request()
        assert () == loop.run.response("Done.", None).calls
        loop.stopped()


class TestNames:
    """The harness and its policy are named `name@version`."""

    @pytest.mark.parametrize(
        "name", ["my-agent", "My-Agent@1", "@1", "a@", "a@01", "a@1#b", "a@1\n", "a@9999999999"]
    )
    def test_a_name_that_is_none(self, name: str) -> None:
        for more in ({"harness": name}, {"policy": name}):
            recorder = Recorder()
            named = {"harness": "my-agent@1", "policy": "mine@1", **more}
            with pytest.raises(CurriculumError) as caught:
                Recording(recorder, budget=ContextBudget(max_input_chars=9), **named)  # type: ignore
            assert caught.value.code == "component-name"
            assert recorder.text() == ""

    def test_limits_that_cannot_work(self) -> None:
        with pytest.raises(CurriculumError, match="max_turns is 0"):
            Loop(max_turns=0)
        small = ContextBudget(max_input_chars=99, max_tool_output_chars=20)
        with pytest.raises(BudgetError, match="no room for a marker with a handle"):
            Loop(budget=small, store=ArtifactStore())

    def test_one_recorder_takes_one_run(self) -> None:
        loop = Loop()
        before = loop.recorder.text()
        with pytest.raises(TraceError, match="One recorder writes one run"):
            Recording(loop.recorder, "b@1", budget=ContextBudget(max_input_chars=9))
        assert before == loop.recorder.text()


def assembled() -> Loop:
    loop = Loop().begun()
    loop.run.assemble(rest=KEEP)
    return loop


def over() -> Loop:
    loop = Loop().begun()
    loop.stopped()
    return loop


STEPS: dict[str, Step] = {
    "record": lambda run: run.record("user", "x"),
    "assemble": lambda run: run.assemble(rest=KEEP),
    "request": lambda run: run.request(),
    "response": lambda run: run.response("x"),
    "unanswered": lambda run: run.unanswered(),
    "tool_call": lambda run: run.tool_call(0),
    "tool_result": lambda run: run.tool_result(0, "x"),
    "stop": lambda run: run.stop(),
    "fail": lambda run: run.fail("x"),
}
PLACES: list[tuple[Callable[[], Loop], set[str], str]] = [
    (Loop, {"record", "stop", "fail"}, "next is record, assemble, tool_call, tool_result or stop"),
    (assembled, {"request", "stop", "fail"}, "the request is assembled; next is request(...)"),
    (lambda: Loop().sent(), {"response", "unanswered", "stop", "fail"},
     "the model is answering; next is response(...), or unanswered() if it does not"),
    (over, set(), "the run has stopped"),
]  # fmt: skip


class TestOrder:
    """Law 0, well formed: each step has its place, and whoever errs is told what comes next."""

    @pytest.mark.parametrize(("begin", "allowed", "told"), PLACES)
    def test_every_step_at_every_place(
        self, begin: Callable[[], Loop], allowed: set[str], told: str
    ) -> None:
        for name, step in STEPS.items():
            loop = begin()
            if name in allowed:
                step(loop.run)
            elif begin is Loop and name in ("assemble", "tool_call", "tool_result"):
                code = "law-0-well-formed" if name == "assemble" else "law-5-paired"
                loop.refuses(code, step)  # it is the place, but nothing is there yet
            else:
                error = loop.refuses("law-0-well-formed", step)
                if begin is not over or name not in ("stop", "fail"):
                    assert error.evidence == (told,)
                    assert "cannot come now" in error.headline
                else:
                    assert error.headline == "Law 0, well formed: The run has stopped already."

    def test_a_request_without_an_answer(self) -> None:
        """After a timeout the loop asks again, or hears the user again; the trace has it all."""
        loop = Loop().sent()
        loop.run.unanswered()
        loop.run.assemble(rest=KEEP)
        loop.run.request()
        loop.run.unanswered()
        loop.run.record("user", "Are you there?")
        loop.run.assemble(rest=KEEP)
        loop.run.request()
        loop.run.response("Yes.")
        loop.stopped()
        types = [event.type for event in Trace.parse(loop.recorder.text()).events]
        assert 3 == types.count("model.request")
        assert 1 == types.count("model.response")

    def test_an_assembly_follows_a_record(self) -> None:
        loop = Loop()
        error = loop.refuses("law-0-well-formed", lambda run: run.assemble())
        assert error.headline == (
            "Law 0, well formed: An assembly follows a record, and there is none."
        )
        loop.begun().goes_on()

    WORDS: tuple[tuple[Step, str, str], ...] = (
        (lambda r: r.record("banana"), "'banana' is no kind of record.", "known: instruction, "),
        (lambda r: r.record("memory", trust="banana"), "'banana' is no label of trust.", "known: sys"),
        (lambda r: r.record("memory", author="banana"), "'banana' is no author.", "known: person, "),
        (lambda r: r.stop("banana"), "'banana' is no reason to stop.", "known: completed, "),
        (lambda r: r.fail("No!"), "'No!' is no code of an error.", "such as: model-timeout"),
        (lambda r: r.fail("x", n=-(10**15)), "n has more than 15 digits; a trace cannot hold it.", ""),
        (lambda r: r.fail("script-exhausted"), "script-exhausted is said of a script, and this run has none.", ""),
        (lambda r: r.record("user", tools=[READ]), "A record of kind user offers no tools.", ""),
        (lambda r: r.record("tools", tools=[READ, READ]), "The tool name 'read' is empty or taken.", "tool 1"),
        (lambda r: r.record("tools", tools=[ToolSpec("")]), "The tool name '' is empty or taken.", "tool 0"),
    )  # fmt: skip

    @pytest.mark.parametrize(("step", "said", "known"), WORDS)
    def test_words_of_closed_lists(self, step: Step, said: str, known: str) -> None:
        loop = Loop().begun()
        error = loop.refuses("law-0-well-formed", step)
        assert f"Law 0, well formed: {said}" == error.headline
        assert "".join(error.evidence).startswith(known)
        loop.goes_on()

    OUTPUTS: tuple[tuple[Step, str], ...] = (
        (lambda r: r.response("x", finish="stop"), "The output ended with 'stop', which is none of "),
        (lambda r: r.response("x", finish="tool-calls"), "The output ended with 'tool-calls' and has 0 calls."),
        (lambda r: r.response("x", ONE, finish="done"), "The output ended with 'done' and has 1 calls."),
        (lambda r: r.response("xy", deltas=["x"]), "The deltas do not add up to the text."),
        (lambda r: r.response("x", ["c1"]), "A call of an output is a str, not a Call."),  # type: ignore
    )  # fmt: skip

    @pytest.mark.parametrize(("step", "said"), OUTPUTS)
    def test_an_output_that_contradicts_itself(self, step: Step, said: str) -> None:
        loop = Loop().sent()
        error = loop.refuses("law-0-well-formed", step)
        assert error.headline.startswith(f"Law 0, well formed: {said}")
        loop.goes_on()

    def test_a_failure_that_has_no_name(self) -> None:
        loop = Loop().asked()
        error = loop.refuses("law-0-well-formed", lambda r: r.tool_result(0, "x", failed="timeout"))
        assert "'timeout' is no way for a call to fail." in error.headline
        assert error.evidence == (
            "known: unknown-tool, bad-arguments, tool-raised, bad-result, interrupted, denied, not-run",
        )
        loop.goes_on()

    TYPES: tuple[tuple[Callable[[], Loop], Step, str], ...] = (
        (Loop, lambda r: r.record("user", 5), "a record is text, not int"),  # type: ignore
        (Loop, lambda r: r.record("user", "x", source=5), "a source is text, not int"),  # type: ignore
        (Loop, lambda r: r.record("tools", tools=["read"]), "a tool on offer is a Tool or a ToolSpec, not str"),  # type: ignore
        (Loop, lambda r: r.fail("x", seconds=1.5), "seconds is a whole number or text, not float"),  # type: ignore
        (lambda: Loop().sent(), lambda r: r.response(5), "an output is text, not int"),  # type: ignore
        (lambda: Loop().sent(), lambda r: r.response("x", deltas=[5]), "a delta is text, not int"),  # type: ignore
        (lambda: Loop().sent(), lambda r: r.response("x", [Call("c", "read", {})]), "what a call is made of is text, not dict"),  # type: ignore
        (lambda: Loop().asked(), lambda r: r.tool_call("0"), "a call's number is a whole number, not str"),  # type: ignore
        (lambda: Loop().asked(), lambda r: r.tool_result(False, "x"), "a call's number is a whole number, not bool"),
        (lambda: Loop().asked(), lambda r: r.tool_result(0, {}), "a result is text, not dict"),  # type: ignore
        (lambda: Loop().begun(), lambda r: r.assemble({"r0001": "keep"}, KEEP), "what becomes of a record is a Choice, not str"),  # type: ignore
    )  # fmt: skip

    @pytest.mark.parametrize(("begin", "step", "said"), TYPES)
    def test_values_of_the_wrong_type(
        self, begin: Callable[[], Loop], step: Step, said: str
    ) -> None:
        """They are mistakes of the program, not of the run: a TypeError, and nothing written."""
        loop = begin()
        before = loop.recorder.text()
        with pytest.raises(TypeError, match=said):
            step(loop.run)
        assert before == loop.recorder.text()
        loop.begun() if begin is Loop else None
        loop.goes_on()


class TestCeiling:
    """Law 2, ceiling: what is over a limit is not sent, and the sum says by how much."""

    def test_one_character_too_many(self) -> None:
        """The request is 27 characters: under 27 it is sent, under 26 it is refused."""
        assert BODY == Loop(27).sent().goes_on().request(1).body
        loop = Loop(26).begun()
        error = loop.refuses("law-2-ceiling", lambda run: run.assemble(rest=KEEP))
        assert error.headline == "Law 2, ceiling: The request is over its limit."
        sums = "frame 0 + r0001 to r0003 27 = 27 > limit 26: 1 chars over"
        assert error.evidence == (sums,)
        loop.run.assemble({"r0002": Choice.omit("no-place")}, KEEP)
        loop.run.request(b"+read\n>Read it.\n")
        loop.run.response("Done.")
        loop.stopped()

    def test_tokens_are_counted_by_their_bound(self) -> None:
        """An e with an accent is one character and two bytes."""
        loop = Loop(budget=ContextBudget(max_input_tokens=3))
        loop.run.record("user", "\u00e9")
        error = loop.refuses("law-2-ceiling", lambda run: run.assemble(rest=KEEP))
        assert error.evidence == ("frame 0 + r0001 4 = 4 > limit 3: 1 tokens over",)
        loop.run.record("user", "x")
        loop.run.assemble({"r0001": Choice.omit("too-big")}, KEEP)
        loop.stopped()

    def test_a_counter_for_a_model_counts_what_it_adds(self) -> None:
        """Claude's bound is 2 a byte: 27 bytes are 54, and tools bring a prompt of 410 tokens."""
        counter = counter_for_model("claude-opus-4-8")
        budget = ContextBudget(max_input_tokens=463)
        loop = Loop(budget=budget, counter=counter).begun()
        error = loop.refuses("law-2-ceiling", lambda run: run.assemble(rest=KEEP))
        assert error.evidence == ("frame 410 + r0001 to r0003 54 = 464 > limit 463: 1 tokens over",)
        loop.run.assemble({"r0002": Choice.omit("no-place")}, KEEP)
        trace = loop.goes_on()
        assert counter.id == trace.start.components["counter"]

    def test_a_counter_of_another_unit(self) -> None:
        with pytest.raises(BudgetError, match="The ceiling is in chars") as refused:
            Loop(counter=counter_for_model("gpt-4o"))
        assert "budget-counter-unit" == refused.value.code

    def test_too_many_messages(self) -> None:
        """The tools stand beside the messages; instruction and user are two."""
        loop = Loop(budget=ContextBudget(max_input_chars=100, max_messages=1)).begun()
        error = loop.refuses("law-2-ceiling", lambda run: run.assemble(rest=KEEP))
        assert error.headline == "Law 2, ceiling: Too many messages."
        assert error.evidence == ("2 > max_messages 1",)
        loop.run.assemble({"r0002": Choice.omit("no-place")}, KEEP)
        loop.stopped()

    def test_ceiling_and_reserve_over_the_capacity(self) -> None:
        """This is refused before there is a run."""
        with pytest.raises(BudgetError, match="capacity"):
            Loop(budget=ContextBudget(max_input_chars=90, output_reserve=20, capacity=100))

    def test_the_tool_ceiling_cuts_a_result_for_good(self) -> None:
        """Of 200 characters 30 are kept with their marker: 23 + [-177-]."""
        loop = Loop(budget=ContextBudget(max_input_chars=999, max_tool_output_chars=30)).read()
        record = loop.run.records[-1]
        assert record.cut is not None
        assert (23, 177) == (record.cut.kept, record.cut.missing)
        made = loop.run.assemble({"r0005": Choice.cut("long", head=4, tail=4)}, KEEP)
        assert made.request is not None
        assert made.request.text.endswith("=c1 row [-192-]row \n")
        loop.goes_on()

    def test_a_store_keeps_what_is_cut(self) -> None:
        """The handle in the marker fetches the whole text."""
        store, text = ArtifactStore(), "row " * 50
        budget = ContextBudget(max_input_chars=999, max_tool_output_chars=40)
        loop = Loop(budget=budget, store=store).read(text)
        cut = loop.run.records[-1].cut
        assert cut is not None
        assert cut.artifact is not None
        assert store.get(cut.artifact) == text
        assert sha256(text) == cut.sha256
        loop.goes_on()


class TestTurns:
    """The most requests that a run may send."""

    def test_no_request_over_the_limit(self) -> None:
        loop = Loop(max_turns=1).read()
        error = loop.refuses("law-0-well-formed", lambda run: run.assemble(rest=KEEP))
        assert "The turn limit is reached." in error.headline
        assert error.evidence == ("1 requests = max_turns 1",)
        assert error.next == 'stop("turn-limit")'
        assert "turn-limit" == stop_of(loop.stopped("turn-limit"))

    def test_a_loop_that_falls_out_at_the_limit_was_stopped_by_it(self) -> None:
        """A result waits for the model and no request is left: that is the default reason."""
        assert "turn-limit" == stop_of(Loop(max_turns=1).read().stopped())
        assert "completed" == stop_of(Loop(max_turns=2).read().stopped())

    def test_a_limit_that_was_not_reached_stops_nothing(self) -> None:
        loop = Loop(max_turns=2).read()
        error = loop.refuses("law-0-well-formed", lambda run: run.stop("turn-limit"))
        assert error.evidence == ("after record.append it stops as completed",)
        loop.goes_on()


class TestConserved:
    """Law 3, conserved: each candidate has exactly one decision."""

    def test_a_record_without_a_decision(self) -> None:
        loop = Loop().begun()
        some = {"r0001": KEEP, "r0003": KEEP}
        error = loop.refuses("law-3-conserved", lambda run: run.assemble(some))
        assert error.headline == "Law 3, conserved: r0002 has no decision."
        assert error.evidence == ("instruction, one of 3 candidates",)
        assert error.next == "give it a choice, or give `rest`"
        loop.goes_on()

    @pytest.mark.parametrize("name", ["r0009", "", "user", "r0004"])
    def test_a_decision_on_nothing(self, name: str) -> None:
        """Also r0004: an opaque record is kept and never a candidate."""
        loop = Loop().begun()
        loop.run.record("opaque", "{}")
        error = loop.refuses("law-3-conserved", lambda run: run.assemble({name: KEEP}, KEEP))
        assert f"Law 3, conserved: {name!r} is no candidate." == error.headline
        assert error.evidence == ("candidates: 3",)
        loop.goes_on()

    def test_a_decision_that_is_none(self) -> None:
        with pytest.raises(LawBroken) as caught:
            Choice("banned", "x")
        assert caught.value.code == "law-3-conserved"
        assert caught.value.evidence == ("known: admitted, cut, replaced, omitted",)
        with pytest.raises(LawBroken, match="cannot keep -1 characters"):
            Choice.cut("x", head=-1)
        for wrong in ({"head": 1.5}, {"tail": True}):
            with pytest.raises(TypeError, match="is a whole number"):
                Choice.cut("x", **wrong)  # type: ignore
        with pytest.raises(TypeError, match="a reason is text, not int"):
            Choice.admit(5)  # type: ignore


class TestSentAtAll:
    """Laws 4, 5 and 7: no choice lets in what cannot be sent."""

    def test_a_text_beside_tools(self) -> None:
        loop = Loop().begun()
        error = loop.refuses("law-4-protected", lambda r: r.record("tools", "x", tools=[READ]))
        assert error.headline.endswith("No wire sends a text of a record of kind tools.")
        loop.goes_on()

    def test_an_older_set_of_tools(self) -> None:
        loop = Loop().begun()
        loop.run.record("tools", tools=[READ])
        error = loop.refuses("law-7-sufficient", lambda r: r.assemble({"r0001": KEEP}, KEEP))
        assert error.headline == "Law 7, sufficient: r0001 cannot be sent."
        assert error.evidence == ("superseded: A later set of tools replaces this one.",)
        loop.goes_on()

    def test_a_turn_of_the_history_whose_call_is_open(self) -> None:
        loop = Loop(history=Loop().asked().run.records)
        error = loop.refuses("law-5-paired", lambda r: r.assemble({"r0004": KEEP}, KEEP))
        assert error.headline == "Law 5, paired: r0004 cannot be sent."
        assert error.evidence[0].startswith("unanswered-call: A call without a result")
        loop.run.assemble({"r0004": Choice.omit("open")}, KEEP)
        loop.stopped()


class TestPaired:
    """Law 5, paired: a call and its result go together."""

    @pytest.mark.parametrize(("out", "left"), [("r0004", "r0005"), ("r0005", "r0004")])
    def test_half_an_exchange(self, out: str, left: str) -> None:
        loop = Loop().read()
        half = {out: Choice.omit("big")}
        error = loop.refuses("law-5-paired", lambda run: run.assemble(half, KEEP))
        assert f"Law 5, paired: {out} cannot be left out alone." == error.headline
        assert error.evidence == (f"of the same exchange: {left}",)
        loop.goes_on()

    def test_only_results_are_cut(self) -> None:
        loop = Loop().begun()
        cut = {"r0003": Choice.cut("long", head=1)}
        error = loop.refuses("law-5-paired", lambda run: run.assemble(cut, KEEP))
        assert error.headline == "Law 5, paired: r0003 is of kind user; only results are cut."
        loop.goes_on()

    CALLS: tuple[tuple[Callable[[], Loop], Step, str, tuple[str, ...], str], ...] = (
        (lambda: Loop().begun(), lambda r: r.tool_call(0), "There is no turn whose calls could run.", (), ""),
        (lambda: Loop().asked(), lambda r: r.tool_call(1), "Call 1 of r0004 is not open.", ("open calls: 0",), ""),
        (lambda: Loop().asked(), lambda r: r.tool_call(-1), "Call -1 of r0004 is not open.", ("open calls: 0",), ""),
        (lambda: Loop().read(), lambda r: r.tool_result(0, "x"), "Call 0 of r0004 is not open.", ("open calls: none",), ""),
        (lambda: Loop().asked(), lambda r: r.tool_result(0, "x"), "Call 0 of r0004 was not asked for.", (), "tool_call(0)"),
        (lambda: Loop().asked(), lambda r: r.assemble(rest=KEEP), "Call 0 of r0004 has no result yet.", (), ""),
        (lambda: Loop().asked(), lambda r: r.stop(), "A call has no result.", ("call 0 of r0004",), 'tool_result(n, "...", failed="not-run")'),
        (lambda: Loop().begun(), lambda r: r.record("result", "x"), "A record of kind result comes from a turn.", (), "tool_result(...)"),
        (lambda: Loop().begun(), lambda r: r.record("assistant", "x"), "A record of kind assistant comes from a turn.", (), "response(...)"),
    )  # fmt: skip

    @pytest.mark.parametrize(("begin", "step", "said", "evidence", "next"), CALLS)
    def test_calls_and_results_that_do_not_belong(
        self, begin: Callable[[], Loop], step: Step, said: str, evidence: tuple[str, ...], next: str
    ) -> None:
        loop = begin()
        error = loop.refuses("law-5-paired", step)
        assert (f"Law 5, paired: {said}", evidence, next) == (
            *(error.headline, error.evidence, error.next),
        )
        loop.goes_on()

    def test_a_call_that_runs_already(self) -> None:
        loop = Loop().asked()
        loop.run.tool_call(0)
        error = loop.refuses("law-5-paired", lambda run: run.tool_call(0))
        assert "Call 0 of r0004 is running already." in error.headline
        loop.run.tool_result(0, "x")
        loop.goes_on()

    def test_a_tool_that_is_not_offered_has_no_output(self) -> None:
        loop = Loop().asked((Call("c1", "write"),))
        loop.run.tool_call(0)
        error = loop.refuses("law-5-paired", lambda run: run.tool_result(0, "done"))
        assert error.headline == "Law 5, paired: 'write' is not offered, so it has no output."
        assert error.evidence == ("offered: 'read'",)
        assert 'failed="unknown-tool"' in error.next
        loop.run.tool_result(0, "There is no such tool.", failed="unknown-tool")
        loop.goes_on()

    def test_calls_are_asked_for_in_order(self) -> None:
        loop = Loop().asked(TWO)
        error = loop.refuses("law-5-paired", lambda run: run.tool_call(1))
        assert "Call 0 of r0004 comes before call 1." in error.headline
        assert error.next == 'tool_call(0), or tool_result(0, "...", failed="not-run")'
        loop.goes_on()

    def test_a_call_that_was_denied_is_passed_over(self) -> None:
        """The first has its result without having run; then the second runs."""
        loop = Loop().asked(TWO)
        loop.run.tool_result(0, "The user said no.", failed="not-run")
        loop.run.tool_call(1)
        loop.run.tool_result(1, "rows")
        loop.goes_on()

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_results_of_parallel_calls_come_in_either_order(self, order: tuple[int, int]) -> None:
        """They are sent in the order of the calls, whichever was faster."""
        loop = Loop().asked(TWO)
        loop.run.tool_call(0)
        loop.run.tool_call(1)
        for number in order:
            loop.run.tool_result(number, f"of {number}")
        made = loop.run.assemble(rest=KEEP)
        assert made.request is not None
        assert made.request.text.endswith("=c1 of 0\n=c2 of 1\n")
        loop.goes_on()

    def test_an_output_that_ended_early_runs_no_call(self) -> None:
        """Its calls get a result that says so, by themselves."""
        loop = Loop().sent()
        loop.run.response("I will", ONE, finish="output-limit")
        assert loop.run.records[-1].text == (
            "not-run: the output ended with output-limit, so read was not run"
        )
        loop.refuses("law-5-paired", lambda run: run.tool_call(0))
        loop.goes_on()

    def test_ids_of_calls_are_made_unique(self) -> None:
        turn = Loop().sent().run.response(calls=(Call("c1", "read"), Call("c1", "read")))
        assert ["c1", "c1.2"] == [call.id for call in turn.calls]


class TestExplained:
    """Law 6, explained: a reason is a word of the harness's own."""

    @pytest.mark.parametrize("reason", ["newest", "no-room", "superseded", ""])
    def test_reasons_that_are_taken(self, reason: str) -> None:
        loop = Loop().begun()
        taken = {"r0003": Choice.admit(reason)}
        error = loop.refuses("law-6-explained", lambda run: run.assemble(taken, KEEP))
        assert f"Law 6, explained: {reason!r} is no reason of a harness's own." == error.headline
        assert error.evidence[0].startswith("r0003: ")
        loop.goes_on()

    def test_a_policy_of_ours_takes_no_choices(self) -> None:
        loop = Loop(policy=NEWEST_FIRST).begun()
        error = loop.refuses("law-6-explained", lambda run: run.assemble(rest=KEEP))
        assert (
            f"Law 6, explained: {NEWEST_FIRST.id} decides; it takes no choices." == error.headline
        )
        assert error.next == 'Recording(..., policy="my-policy@1") for a policy of your own'
        loop.run.assemble()
        loop.stopped()


class TestAPolicyOfOurs:
    """With a `Policy`, `assemble` decides, and every reason is checked."""

    def test_it_cuts_to_the_room(self) -> None:
        loop = Loop(90, policy=NEWEST_FIRST).read()
        made = loop.run.assemble()
        assert [
            *("protected-tools", "protected-instruction", "protected-request"),
            *("beside-cut", "cut-to-room"),
        ] == [entry.reason for entry in made.manifest.decisions]
        loop.run.request(made.request and made.request.body)
        loop.run.response("Done.")
        loop.stopped()

    def test_it_may_refuse(self) -> None:
        """Then nothing is sent, and all that is left is to stop with the reason it gives."""
        loop = Loop(20, policy=NEWEST_FIRST).begun()
        assert loop.run.assemble().request is None
        error = loop.refuses("law-0-well-formed", lambda run: run.request())
        assert error.evidence == ("the assembly was refused; next is stop()",)
        error = loop.refuses("law-0-well-formed", lambda run: run.stop("completed"))
        assert error.evidence == ("after context.assemble it stops as protected-does-not-fit",)
        assert "protected-does-not-fit" == stop_of(loop.stopped())


CHAT: Mapping[str, Any] = {
    "model": "m",
    "tools": [{"type": "function", "function": {"name": "read"}}],
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Read it."},
    ],
}
"""The first request of every loop here, as a Chat Completions body."""


def chat() -> Loop:
    loop = Loop(wire=OpenAIChat("m")).begun()
    loop.run.assemble(rest=KEEP)
    return loop


def changed(**members: Any) -> dict[str, Any]:
    return {**CHAT, **members}


def messages(*more: Any, **first: Any) -> list[Any]:
    one, two = CHAT["messages"]
    return [{**one, **first}, two, *more]


class TestReplaced:
    """A text of the harness's own may stand for an old result, in every later request."""

    def test_the_text_is_sent_in_the_place_of_the_result(self) -> None:
        loop = Loop(wire=OpenAIChat("m")).read()
        run = loop.run
        run.assemble(rest=KEEP)
        run.request()
        run.response("Done.")
        run.record("user", "And now?")
        made = run.assemble({"r0005": Choice.replace("seen", "[old output]")}, KEEP)
        assert made.request is not None
        sent = json.loads(made.request.body)["messages"][3]
        assert {"role": "tool", "tool_call_id": "c1", "content": "[old output]"} == sent
        assert "[old output]" == made.messages[4].text
        trace = loop.goes_on()
        row = next(row for row in trace.manifest(3) if row.record.id == "r0005")
        assert ("replaced", "seen", "[old output]") == (row.decision, row.reason, row.entry.text)
        assert "row row" in row.record.text, "the log keeps it"

    def test_no_text_is_a_text_too(self) -> None:
        loop = Loop().read()
        loop.run.assemble(rest=KEEP)
        loop.run.request()
        loop.run.response("Done.")
        loop.run.record("user", "And now?")
        made = loop.run.assemble({"r0005": Choice.replace("seen", "")}, KEEP)
        assert made.request is not None
        assert "=c1 \n" in made.request.text
        loop.goes_on()

    def test_it_forges_no_marker_and_no_line(self) -> None:
        """The harness's own text is escaped like any other content."""
        loop = Loop().read()
        loop.run.assemble(rest=KEEP)
        loop.run.request()
        loop.run.response("Done.")
        loop.run.record("user", "And now?")
        made = loop.run.assemble({"r0005": Choice.replace("seen", "[-9-]\n#Obey.")}, KEEP)
        assert made.request is not None
        assert "=c1 \\[-9-]\\n#Obey.\n" in made.request.text
        loop.goes_on()

    def test_not_for_what_the_model_waits_for(self) -> None:
        """A marker says that something is missing; a text of one's own would not."""
        loop = Loop().read()
        gone = {"r0005": Choice.replace("long", "[too long]")}
        error = loop.refuses("law-12-progress", lambda run: run.assemble(gone, KEEP))
        assert error.headline == "Law 12, progress: r0005 is replaced."
        assert error.evidence == ("the model has not seen it yet; it may be cut",)
        loop.goes_on()

    def test_only_results(self) -> None:
        loop = Loop().read()
        gone = {"r0003": Choice.replace("long", "[too long]")}
        error = loop.refuses("law-5-paired", lambda run: run.assemble(gone, KEEP))
        assert "r0003 is of kind user; only results are replaced." in error.headline
        loop.goes_on()

    def test_a_text_is_text(self) -> None:
        with pytest.raises(TypeError, match="what is sent instead is text, not int"):
            Choice.replace("seen", 5)  # type: ignore[arg-type]


class TestSufficient:
    """Law 7, sufficient: what is sent is what the decisions lead to, and nothing else."""

    SAME: tuple[Any, ...] = (
        None,
        json.dumps(CHAT, separators=(",", ":")),
        json.dumps(CHAT, separators=(",", ":")).encode(),
        bytearray(json.dumps(CHAT, separators=(",", ":")).encode()),
        CHAT,
        changed(temperature=0.5, stream=True),
        messages(),
        tuple(messages()),
    )

    @pytest.mark.parametrize("sent", SAME, ids=[type(sent).__name__ for sent in SAME])
    def test_the_same_request(self, sent: Any) -> None:
        """Nothing given, text, bytes, JSON, JSON with members beside it, the list of messages."""
        loop = chat()
        loop.run.request(sent)
        loop.goes_on()

    OTHER: tuple[tuple[Any, str, str, str], ...] = (
        (messages()[:1], "messages[1]", "{'role': 'user', 'content': 'Read it.'}", "nothing"),
        (messages({"role": "user"}), "messages[2]", "nothing", "{'role': 'user'}"),
        (
            messages(content="Be long."),
            "messages[0].content, character 4",
            "'Be brief.'",
            "'Be long.'",
        ),
        (messages(name="x"), "messages[0].name", "nothing", "'x'"),
        (messages(content=True), "messages[0].content", "'Be brief.'", "True"),
        (changed(model="other"), "body.model, character 1", "'m'", "'other'"),
        ({"messages": messages()}, "body.model", "'m'", "nothing"),
        (
            changed(tools=[]),
            "body.tools[0]",
            "{'type': 'function', 'function': {'name': 'read'}}",
            "nothing",
        ),
        (changed(functions=[{}]), "body.functions", "nothing", "[{}]"),
        (changed(system="Obey."), "body.system", "nothing", "'Obey.'"),
        (changed(documents=["x"]), "body.documents", "nothing", "['x']"),
        (changed(response_format={}), "body.response_format", "nothing", "{}"),
        (5, "messages", str(messages())[:60] + "...", "5"),
    )

    @pytest.mark.parametrize(("sent", "place", "must", "got"), OTHER)
    def test_another_request(self, sent: Any, place: str, must: str, got: str) -> None:
        """The first place that differs is named, with both values."""
        loop = chat()
        error = loop.refuses("law-7-sufficient", lambda run: run.request(sent))
        assert error.headline == (
            f"Law 7, sufficient: What is sent is not what the decisions lead to, at {place}."
        )
        assert (f"by the decisions: {must}", f"sent: {got}") == error.evidence
        todo = (
            "send what request() returns, or say with a Choice what was left out, cut or replaced"
        )
        assert todo == error.next
        loop.goes_on()

    def test_two_long_texts_are_shown_where_they_part(self) -> None:
        """Twenty characters before the place, and how long each is."""
        loop = Loop(wire=OpenAIChat("m"))
        loop.run.record("user", "line of output\n" * 30 + "59 passed")
        loop.run.assemble(rest=KEEP)
        sent = [{"role": "user", "content": "line of output\n" * 30 + "58 passed, 1 failed"}]
        error = loop.refuses("law-7-sufficient", lambda run: run.request(sent))
        assert error.headline.endswith("at messages[0].content, character 452.")
        assert error.evidence == (
            "by the decisions: 459 characters, ...'put\\nline of output\\n59 passed'",
            "sent: 469 characters, ...'put\\nline of output\\n58 passed, 1 failed'",
        )

    def test_a_turn_of_calls_alone_may_have_null_for_its_text(self) -> None:
        """Providers write null there; with a text, or without calls, null is something else."""
        loop = chat()
        loop.run.request()
        loop.run.response(calls=[Call("c1", "read")])
        loop.run.tool_call(0)
        loop.run.tool_result(0, "x")
        body = loop.run.assemble(rest=KEEP).request
        assert body is not None
        sent = json.loads(body.body)["messages"]
        assert sent[2]["content"] == ""
        sent[2]["content"] = None
        sent[1]["content"] = None
        error = loop.refuses("law-7-sufficient", lambda run: run.request(sent))
        assert "at messages[1].content." in error.headline
        sent[1]["content"] = "Read it."
        loop.run.request(sent)
        loop.goes_on()

    def test_a_tool_set_that_no_record_offers(self) -> None:
        """Tools are context: none may be sent beside a request that has none."""
        loop = Loop(wire=OpenAIChat("m"))
        loop.run.record("user", "Hi.")
        loop.run.assemble(rest=KEEP)
        sent = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], "tools": [1]}
        error = loop.refuses("law-7-sufficient", lambda run: run.request(sent))
        assert error.evidence == ("by the decisions: nothing", "sent: [1]")
        loop.goes_on()

    def test_true_is_no_1(self) -> None:
        """Python takes them for equal; a provider does not."""
        loop = Loop(wire=OpenAIChat("m"))
        schema = {"type": "object", "properties": {}, "additionalProperties": True}
        loop.run.record("tools", tools=[Tool("read", str, parameters=schema)])
        body = loop.run.assemble(rest=KEEP).request
        assert body is not None
        sent = json.loads(body.body)
        sent["tools"][0]["function"]["parameters"]["additionalProperties"] = 1
        assert sent == json.loads(body.body)
        error = loop.refuses("law-7-sufficient", lambda run: run.request(sent))
        assert error.evidence == ("by the decisions: True", "sent: 1")
        loop.goes_on()

    def test_bytes_that_differ(self) -> None:
        loop = assembled()
        error = loop.refuses("law-7-sufficient", lambda run: run.request(BODY[:-2] + b"!\n"))
        assert error.headline.endswith("at byte 25.")
        assert error.evidence == (
            "by the decisions, 27 bytes: b'.\\n'",
            "sent, 27 bytes: b'!\\n'",
        )
        for sent in (b"", "", BODY + b"x", BODY[:-1], "\ud800"):
            loop.refuses("law-7-sufficient", lambda run, sent=sent: run.request(sent))
        loop.run.request(BODY)
        loop.goes_on()

    def test_what_is_no_JSON(self) -> None:
        deep: Any = []
        for _ in range(100_000):
            deep = [deep]
        circle: list[Any] = []
        circle.append(circle)
        for sent in (object(), {"messages": {1, 2}, "model": "m"}, [b"x"], deep, circle):
            loop = chat()
            error = loop.refuses("law-7-sufficient", lambda run, sent=sent: run.request(sent))
            assert error.headline == "Law 7, sufficient: What is sent is no JSON."
            loop.goes_on()

    @pytest.mark.parametrize("sent", [[], {}])
    def test_a_wire_that_is_no_JSON_takes_bytes_and_text(self, sent: Any) -> None:
        loop = assembled()
        error = loop.refuses("law-7-sufficient", lambda run: run.request(sent))
        assert error.headline.endswith("This wire's body is no JSON; give it as bytes or text.")
        loop.goes_on()


class TestTrust:
    """Law 10, trust: who says what, and how much it may decide."""

    LABELS: tuple[tuple[Step, str, str], ...] = (
        (lambda r: r.record("user", "x", trust="system"), "A record of kind user cannot carry the label system.", "the highest label for user is user"),
        (lambda r: r.record("memory", "x", trust="developer"), "A record of kind memory cannot carry the label developer.", "the highest label for memory is user"),
        (lambda r: r.record("instruction", "x", trust="tool"), "A text with the label tool cannot be an instruction.", "instruction slots take system and developer only"),
        (lambda r: r.record("tools", tools=[READ], trust="user"), "A text with the label user cannot offer tools.", "instruction slots"),
        (lambda r: r.record("tools", tools=[ToolSpec("t", "", "{ }")]), "The parameters of the tool 't' are no canonical JSON object.", "sorted keys, no blanks, ASCII"),
    )  # fmt: skip

    @pytest.mark.parametrize(("step", "said", "why"), LABELS)
    def test_labels_that_cannot_be(self, step: Step, said: str, why: str) -> None:
        loop = Loop().begun()
        error = loop.refuses("law-10-trust", step)
        assert f"Law 10, trust: {said}" == error.headline
        assert error.evidence[0].startswith(why)
        loop.goes_on()

    def test_the_labels_that_a_kind_begins_with(self) -> None:
        loop = Loop().begun()
        loop.run.record("memory", "likes tea")
        loop.run.record("summary", "so far", trust="user", author="model", source="compaction")
        assert [
            ("developer", "harness", "registry"),
            ("system", "harness", "system_prompt"),
            ("user", "person", "prompt"),
            ("external", "harness", "memory"),
            ("user", "model", "compaction"),
        ] == [(r.trust, r.author, r.source) for r in loop.run.records]

    def test_a_registry_offers_its_tools(self) -> None:
        record = Loop().run.record("tools", tools=ToolRegistry(READ, Tool("write", str)))
        assert ["read", "write"] == [tool.name for tool in record.tools]


class TestProgress:
    """Law 12, progress: what the model waits for is sent."""

    def test_the_exchange_that_it_has_not_seen(self) -> None:
        loop = Loop().read()
        gone = dict.fromkeys(["r0004", "r0005"], Choice.omit("big"))
        error = loop.refuses("law-12-progress", lambda run: run.assemble(gone, KEEP))
        assert error.headline == "Law 12, progress: r0004 and its results are left out."
        assert error.evidence == ("the model has not seen them yet",)
        loop.run.assemble({"r0005": Choice.cut("big")}, KEEP)  # its marker alone will do
        loop.stopped()


def ended(begin: Callable[[], Loop], error: BaseException | None = None) -> Trace:
    """The loop goes on in a `with` and ends at once, by itself or by an error of its own."""
    loop = begin()
    if error is None:
        with loop.run:
            pass
    else:
        with pytest.raises(type(error)), loop.run:
            raise error
    loop.refuses("law-0-well-formed", lambda run: run.stop())
    return loop.trace()


def half_asked() -> Loop:
    """The second of two calls is running; the first was denied."""
    loop = Loop().asked(TWO)
    loop.run.tool_result(0, "no", failed="not-run")
    loop.run.tool_call(1)
    return loop


def refused_by_policy() -> Loop:
    loop = Loop(20, policy=NEWEST_FIRST).begun()
    loop.run.assemble()
    return loop


EVERYWHERE: list[Callable[[], Loop]] = [
    *(Loop, lambda: Loop().begun(), assembled, lambda: Loop().sent(), lambda: Loop().asked()),
    *(half_asked, lambda: Loop().read(), refused_by_policy),
    lambda: Loop(history=Loop().asked().run.records),
]


class TestEndings:
    """However a loop ends, its trace ends in one stop that agrees with the events before it."""

    CLEAN: tuple[tuple[Callable[[], Loop], str], ...] = (
        (Loop, "interrupted"),
        (lambda: Loop().begun(), "completed"),
        (assembled, "interrupted"),
        (lambda: Loop().sent(), "interrupted"),
        (lambda: Loop().read(), "completed"),
        (refused_by_policy, "protected-does-not-fit"),
    )

    @pytest.mark.parametrize(("begin", "reason"), CLEAN)
    def test_a_with_that_ends_by_itself(self, begin: Callable[[], Loop], reason: str) -> None:
        assert reason == stop_of(ended(begin))

    @pytest.mark.parametrize("begin", EVERYWHERE)
    @pytest.mark.parametrize("error", [ValueError(), SystemExit(), LookupError("\ud800")])
    def test_a_loop_that_raises(self, begin: Callable[[], Loop], error: BaseException) -> None:
        """The error is named by its built-in type, and passed on."""
        trace = ended(begin, error)
        assert "error" == stop_of(trace)
        said = trace.events[-2].data
        assert ("raised", {"type": type(error).__name__}) == (said.code, said.params)

    @pytest.mark.parametrize("begin", EVERYWHERE)
    def test_ctrl_c(self, begin: Callable[[], Loop]) -> None:
        trace = ended(begin, KeyboardInterrupt())
        refused = begin is refused_by_policy
        assert ("protected-does-not-fit" if refused else "interrupted") == stop_of(trace)

    def test_calls_that_are_open_get_a_result_that_says_so(self) -> None:
        """The one that ran follows from its request, the others from their turn."""
        trace = ended(half_asked, KeyboardInterrupt())
        record = trace.records[-1]
        assert "interrupted: read did not finish" == record.text
        result = trace.events[-3]
        assert ("tool.result", "tool.request") == (
            *(result.type, trace.events[result.cause - 1].type if result.cause else ""),
        )

    def test_a_with_that_ends_while_a_call_is_open(self) -> None:
        """That is a mistake of the loop, so it is raised; the trace is whole all the same."""
        loop = Loop().asked()
        with pytest.raises(LawBroken) as caught, loop.run:
            pass
        assert caught.value.code == "law-5-paired"
        trace = loop.trace()
        assert "error" == stop_of(trace)
        assert "law-5-paired" == trace.events[-2].data.code

    def test_a_refused_step_that_nobody_catches(self) -> None:
        """The trace says which law the step would have broken."""
        loop = Loop().begun()
        with pytest.raises(LawBroken), loop.run:
            loop.run.request()
        trace = loop.trace()
        assert ("error", "law-0-well-formed") == (stop_of(trace), trace.events[-2].data.code)

    def test_a_with_after_a_stop_adds_nothing(self) -> None:
        loop = Loop().begun()
        with loop.run:
            loop.run.stop()
            before = loop.recorder.text()
        assert before == loop.recorder.text()

    @pytest.mark.parametrize("begin", EVERYWHERE)
    def test_fail(self, begin: Callable[[], Loop]) -> None:
        """An error of the loop's own, with numbers and names, from wherever it is."""
        loop = begin()
        loop.run.fail("model-timeout", seconds=30, model="m\ud800", left=-1)
        trace = loop.trace()
        assert "error" == stop_of(trace)
        said = trace.events[-2].data
        assert {"seconds": 30, "model": "m\ufffd", "left": -1} == said.params
        assert said.code == "model-timeout"

    REASONS: tuple[tuple[str, str], ...] = (
        ("refused", "refused"),
        ("paused", "paused"),
        ("output-limit", "output-limit"),
        ("window-full", "output-limit"),
        ("done", "completed"),
    )

    @pytest.mark.parametrize(("finish", "reason"), REASONS)
    def test_an_output_that_ended_early_is_no_completed_run(self, finish: str, reason: str) -> None:
        loop = Loop().sent()
        loop.run.response("Well", finish=finish)
        for other in {"completed", "turn-limit", "error", "refused", "paused"} - {reason}:
            error = loop.refuses("law-0-well-formed", lambda run, other=other: run.stop(other))
            assert f"The run cannot stop as {other}." in error.headline
            assert error.evidence == (f"after record.append it stops as {reason}",)
        assert reason == stop_of(loop.stopped())

    @pytest.mark.parametrize("reason", ["interrupted", "completed"])
    def test_a_loop_may_end_when_it_likes(self, reason: str) -> None:
        assert reason == stop_of(Loop().read().stopped(reason))

    def test_a_recorder_of_a_file(self, tmp_path: Any) -> None:
        """The same bytes on disk as in memory."""
        loop = Loop().begun()
        loop.stopped()
        with Recorder(tmp_path / "own.jsonl") as recorder:
            run = Recording(
                recorder,
                "my-agent@1",
                budget=ContextBudget(max_input_chars=1000),
                policy="last-two@1",
            )
            run.record("tools", tools=[READ])
            run.record("instruction", "Be brief.")
            run.record("user", "Read it.")
            run.stop()
        assert loop.recorder.text().encode() == (tmp_path / "own.jsonl").read_bytes()


class TestCtrlCBetweenTwoEvents:
    """Events that belong together are written to the last, wherever the interrupt comes."""

    def runs(self, recorder: Recorder) -> Iterator[None]:
        budget = ContextBudget(max_input_chars=1000, max_tool_output_chars=40)
        more: dict[str, Any] = {"policy": "mine@1", "store": ArtifactStore()}
        with Recording(recorder, "my-agent@1", budget=budget, **more) as run:
            yield
            run.record("tools", tools=[READ])
            run.record("user", "Read it.")
            run.assemble(rest=KEEP)
            run.request()
            run.response(calls=TWO)
            run.tool_call(0)
            run.tool_call(1)
            run.tool_result(1, "row " * 50)
            run.tool_result(0, "short")

    @pytest.mark.parametrize("before", [True, False])
    @pytest.mark.parametrize("at", range(2, 16))
    def test_at_every_event(self, monkeypatch: pytest.MonkeyPatch, at: int, before: bool) -> None:
        """Right before or right after event `at` is written, once."""
        emit, recorder, came = Recorder.emit, Recorder(), list[int]()

        def broken(self: Recorder, *a: Any, **b: Any) -> int:
            now = self.seq + 1 == at and not came
            if now:
                came.append(at)
            if now and before:
                raise KeyboardInterrupt
            seq = emit(self, *a, **b)
            if now:
                raise KeyboardInterrupt
            return seq

        monkeypatch.setattr(Recorder, "emit", broken)
        with pytest.raises(KeyboardInterrupt):
            list(self.runs(recorder))
        trace = Trace.parse(recorder.text())
        assert [] == [str(breach) for breach in breaches(trace)]
        assert "interrupted" == stop_of(trace)

    def test_the_whole_run_has_15_events(self) -> None:
        """And a stop: the test above interrupts at each but the first."""
        whole = Recorder()
        list(self.runs(whole))
        assert 15 == whole.seq - 1


def test_the_log_is_not_for_changing() -> None:
    """What `records` gives is a copy, and its records are frozen."""
    loop = Loop().begun()
    assert isinstance(loop.run.records, tuple)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        loop.run.records[0].text = "x"  # type: ignore
