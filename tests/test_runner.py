"""The loop: every run ends in exactly one named stop, and every call has exactly one result."""

import asyncio
import json
from typing import Any

import pytest

from curriculum.agent.output import Output
from curriculum.agent.run_errors import BadOutput, ScriptExhausted
from curriculum.agent.runner import AgentRunner, Outcome
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.unworkable import BudgetError
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.cut import marker
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Call, Kind, Record
from curriculum.record.unlawful import UnlawfulRecord
from curriculum.trace.errors import TraceError
from curriculum.trace.events import Finish
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.plain import Plain
from curriculum.wire.request import Request

READ = Turn(calls=[call("read")])
DONE = Turn("Done.")


def read() -> str:
    return "a line"


def run(turns: Any, *prompts: str, **fields: Any) -> tuple[Trace, Outcome]:
    """Run a script under a wide budget; the trace must be lawful."""
    trace = Recorder()
    model = ScriptedModel(turns) if isinstance(turns, list) else turns
    known: dict[str, Any] = {
        "tools": ToolRegistry(Tool("read", read)),
        "budget": ContextBudget(max_input_chars=5000, max_tool_output_chars=100),
    }
    outcome = AgentRunner(model=model, trace=trace, **{**known, **fields}).run(
        *(prompts or ("Go.",))
    )
    return checked(trace), outcome


def checked(recorder: Recorder) -> Trace:
    trace = Trace.parse(recorder.text())
    assert [] == list(breaches(trace))
    assert 1 == sum(event.type == "session.stop" for event in trace.events)
    return trace


class TestStops:
    """The closed list of stop reasons."""

    def test_completed_when_the_model_asks_for_no_tool(self) -> None:
        _, outcome = run([READ, DONE])
        assert ("completed", 2) == (outcome.stop, outcome.turns)

    def test_several_prompts_are_one_session(self) -> None:
        trace, outcome = run([DONE, READ, DONE], "One.", "Two.")
        assert ("completed", 3) == (outcome.stop, outcome.turns)
        assert ["One.", "Two."] == [r.text for r in trace.records if r.kind is Kind.USER]

    @pytest.mark.parametrize(
        ("finish", "stop"),
        [
            ("output-limit", "output-limit"),
            ("window-full", "output-limit"),
            ("refused", "refused"),
            ("paused", "paused"),
            ("done", "completed"),
        ],
    )
    def test_each_finish_has_one_stop(self, finish: str, stop: str) -> None:
        _, outcome = run([Turn("Half", finish=finish)])
        assert stop == outcome.stop

    def test_the_turn_limit_stops_a_model_that_would_go_on(self) -> None:
        _, outcome = run([READ] * 9, max_turns=3)
        assert ("turn-limit", 3) == (outcome.stop, outcome.turns)

    def test_protected_that_does_not_fit_is_an_outcome_not_an_exception(self) -> None:
        _, outcome = run([DONE], budget=ContextBudget(max_input_chars=20), system_prompt="x" * 30)
        assert ("protected-does-not-fit", 0) == (outcome.stop, outcome.turns)

    def test_an_unknown_finish_raises_and_is_never_taken_for_done(self) -> None:
        """A model that is not scripted may say anything."""

        class Odd:
            def respond(self, request: Request) -> Output:
                return Output("x", finish="finished")

            def finish(self) -> None: ...

        recorder = Recorder()
        runner = AgentRunner(
            model=Odd(),
            trace=recorder,
            tools=ToolRegistry(),
            budget=ContextBudget(max_input_chars=500),
        )
        with pytest.raises(BadOutput, match="none of done, tool-calls"):
            runner.run("Go.")
        trace = checked(recorder)
        assert ["error", "session.stop"] == [event.type for event in trace.events[-2:]]
        assert "error" == trace.events[-1].data.reason

    def test_done_with_calls_contradicts_itself(self) -> None:
        with pytest.raises(BadOutput, match="'done' and has 1 calls"):
            ScriptedModel([Turn(calls=[call("read")], finish="done")])

    def test_an_exception_of_the_model_is_written_before_it_is_raised(self) -> None:
        """By its type only: its words are not ours."""

        class Broken:
            def respond(self, request: Request) -> Output:
                raise ConnectionError("secret words")

            def finish(self) -> None: ...

        recorder = Recorder()
        with pytest.raises(ConnectionError):
            AgentRunner(
                model=Broken(),
                trace=recorder,
                tools=ToolRegistry(),
                budget=ContextBudget(max_input_chars=500),
            ).run("Go.")
        trace = checked(recorder)
        assert {"type": "ConnectionError"} == trace.events[-2].data.params
        assert "secret words" not in recorder.text()


class Pressed(Recorder):
    """A recorder at whose event number `at` Ctrl-C is pressed, once, before or after it."""

    def __init__(self, at: int, written: bool) -> None:
        super().__init__()
        self.at, self.written = at, written

    def emit(self, type: str, data: Any, **more: Any) -> int:
        due, self.at = self.seq + 1 == self.at, 0 if self.seq + 1 == self.at else self.at
        if due and not self.written:
            raise KeyboardInterrupt
        seq = super().emit(type, data, **more)
        if due:
            raise KeyboardInterrupt
        return seq


class TestInterrupts:
    """Ctrl-C leaves a whole trace, and no call without a result."""

    def test_in_the_model(self) -> None:
        class Waiting:
            def respond(self, request: Request) -> Output:
                raise KeyboardInterrupt

            def finish(self) -> None: ...

        recorder = Recorder()
        with pytest.raises(KeyboardInterrupt):
            AgentRunner(
                model=Waiting(),
                trace=recorder,
                tools=ToolRegistry(),
                budget=ContextBudget(max_input_chars=500),
            ).run("Go.")
        assert "interrupted" == checked(recorder).events[-1].data.reason

    def test_in_the_second_of_three_parallel_tools(self) -> None:
        """The first result stands, the second and third say that they did not finish."""

        def stop() -> str:
            raise KeyboardInterrupt

        recorder = Recorder()
        tools = ToolRegistry(Tool("read", read), Tool("stop", stop))
        turn = Turn(calls=[call("read"), call("stop"), call("read")])
        with pytest.raises(KeyboardInterrupt):
            AgentRunner(
                model=ScriptedModel([turn, DONE]),
                trace=recorder,
                tools=tools,
                budget=ContextBudget(max_input_chars=500),
            ).run("Go.")
        trace = checked(recorder)
        results = [record.text for record in trace.records if record.kind is Kind.RESULT]
        assert [
            "a line",
            "interrupted: stop did not finish",
            "interrupted: read did not finish",
        ] == results
        assert "interrupted" == trace.events[-1].data.reason

    @pytest.mark.parametrize("written", [False, True], ids=["before", "after"])
    @pytest.mark.parametrize("stored", [False, True], ids=["bare", "stored"])
    def test_before_or_after_any_event(self, written: bool, stored: bool) -> None:
        """The trace is lawful, each call has one result, and the stop counts what was sent."""
        tools = ToolRegistry(Tool("read", lambda: "word " * 100))
        turns = [Turn(calls=[call("read"), call("read", id="b")]), READ, DONE]
        history = [Record("x", "user", "user", "person", "prompt", "hi")] * 2
        stops: list[str] = []
        for at in range(1 if written else 2, 99):
            recorder = Pressed(at, written)
            try:
                AgentRunner(
                    model=ScriptedModel(turns),
                    trace=recorder,
                    tools=tools,
                    budget=ContextBudget(max_input_chars=600, max_tool_output_chars=100),
                    history=history,
                    store=ArtifactStore() if stored else None,
                ).run("Go.")
                break
            except KeyboardInterrupt:
                trace = checked(recorder)
            stop = trace.events[-1].data
            stops.append(stop.reason)
            assert sum(e.type == "model.request" for e in trace.events) == stop.turns
            calls = {(r.id, n) for r in trace.records for n in range(len(r.calls))}
            answers = [(r.answers.record, r.answers.call) for r in trace.records if r.answers]
            assert sorted(calls) == sorted(answers)
        assert {"interrupted"} == set(stops[: -1 if written else None])
        assert stops[-1] == ("completed" if written else "interrupted")
        # 5 at the start, 4 a turn, 4 a call (5 with a store), 1 stop: 5 + 3 * 4 + 3 * 4 + 1 = 30
        assert len(stops) == (33 if stored else 30) - (not written)

    def test_after_a_refused_assembly_the_refusal_is_the_reason(self) -> None:
        """The run had ended; the interrupt only came before it could say so."""
        recorder = Pressed(4, True)
        with pytest.raises(KeyboardInterrupt):
            AgentRunner(
                model=ScriptedModel([DONE]),
                trace=recorder,
                tools=[],
                budget=ContextBudget(max_input_chars=20),
                system_prompt="x" * 30,
            ).run("Go.")
        assert "protected-does-not-fit" == checked(recorder).events[-1].data.reason

    @pytest.mark.parametrize(
        ("error", "name"),
        [(asyncio.CancelledError(), "BaseException"), (GeneratorExit(), "GeneratorExit")],
    )
    def test_whatever_breaks_a_tool_off_leaves_each_call_with_a_result(
        self, error: BaseException, name: str
    ) -> None:
        """The error is named as the nearest exception of the language: libraries rename theirs."""

        def stop() -> str:
            raise error

        recorder = Recorder()
        turn = Turn(calls=[call("read"), call("stop"), call("read")])
        with pytest.raises(type(error)):
            AgentRunner(
                model=ScriptedModel([turn]),
                trace=recorder,
                tools=[Tool("read", read), Tool("stop", stop)],
                budget=ContextBudget(max_input_chars=500),
            ).run("Go.")
        trace = checked(recorder)
        results = [record.text for record in trace.records if record.kind is Kind.RESULT]
        assert [
            "a line",
            "interrupted: stop did not finish",
            "interrupted: read did not finish",
        ] == results
        assert ["error", "session.stop"] == [event.type for event in trace.events[-2:]]
        assert {"type": name} == trace.events[-2].data.params

    def test_calls_of_an_output_that_ended_early_are_not_run(self) -> None:
        """The output limit was reached after a whole call: it gets a result, the tool does not run."""
        ran: list[int] = []
        tools = ToolRegistry(Tool("read", lambda: ran.append(1)))
        trace, outcome = run([Turn(calls=[call("read")], finish="output-limit")], tools=tools)
        assert "output-limit" == outcome.stop
        assert [] == ran
        text = "not-run: the output ended with output-limit, so read was not run"
        assert text == trace.records[-1].text


class TestOneRecordATurn:
    """An output is one record, whatever pieces it came in."""

    def test_deltas_become_one_record_and_are_kept_as_lengths(self) -> None:
        trace, _ = run([Turn("Hello you", deltas=("Hel", "lo ", "you"))])
        said = next(iter(trace.of("model.response"))).data
        assert (3, 3, 3) == said.deltas
        assert ["Hello you"] == [r.text for r in trace.records if r.kind is Kind.ASSISTANT]

    def test_deltas_that_do_not_add_up_are_refused_when_the_turn_is_given(self) -> None:
        with pytest.raises(BadOutput, match="do not add up"):
            ScriptedModel([Turn("Hello", deltas=("Hel",))])

    def test_a_half_written_call_is_no_call(self) -> None:
        trace, _ = run([Turn("I will", finish="output-limit", half_call='{"name":"re')])
        assert () == trace.records[-1].calls
        assert 11 == next(iter(trace.of("model.response"))).data.half_call

    def test_ids_that_a_model_repeats_in_a_turn_are_made_unique(self) -> None:
        turn = Turn(calls=[call("read", id="a"), call("read", id="a"), call("read", id="b")])
        trace, _ = run([turn, DONE], wire=OpenAIChat())
        turns = next(record for record in trace.records if record.calls)
        assert ["a", "a.2", "b"] == [c.id for c in turns.calls]
        body = json.loads(trace.request(2).body)
        assert ["a", "a.2", "b"] == [
            m["tool_call_id"] for m in body["messages"] if m["role"] == "tool"
        ]

    def test_an_id_made_unique_is_not_taken_by_another(self) -> None:
        """The third call would become a.3, which the first one has; so it goes on."""
        turn = Turn(calls=[call("read", id="a.3"), call("read", id="a"), call("read", id="a")])
        trace, _ = run([turn, DONE])
        turns = next(record for record in trace.records if record.calls)
        assert ["a.3", "a", "a.3.3"] == [c.id for c in turns.calls]

    def test_ids_may_repeat_from_turn_to_turn(self) -> None:
        trace, outcome = run([Turn(calls=[call("read", id="x")])] * 3 + [DONE], wire=OpenAIChat())
        assert "completed" == outcome.stop
        assert 4 == sum(1 for _ in trace.of("model.request"))

    def test_a_call_without_a_name_is_answered_as_unknown(self) -> None:
        """A real model may leave the name out; that is no reason to end a run."""

        class Nameless:
            def __init__(self) -> None:
                self.turns = [Output(calls=[Call("", "")]), Output("Done.")]

            def respond(self, request: Request) -> Output:
                return self.turns.pop(0)

        for wire in (Plain(), OpenAIChat()):
            trace, outcome = run(Nameless(), wire=wire)
            assert "completed" == outcome.stop
            assert (Call("c1", "unnamed", "{}"),) == trace.records[2].calls
            text = "unknown-tool: no tool is named unnamed; offered: read"
            assert text == trace.records[3].text

    def test_lone_surrogates_are_visibly_replaced_on_entry(self) -> None:
        tools = ToolRegistry(Tool("read", lambda: "a\ud800b"))
        trace, _ = run([Turn("x\udfffy", calls=[call("read")]), DONE], "Go \ud800.", tools=tools)
        texts = [record.text for record in trace.records if record.text]
        assert ["Go \ufffd.", "x\ufffdy", "a\ufffdb", "Done."] == texts


class TestTheArtifactStore:
    """With a store, what gate 1 cuts can be fetched again and has the same hash."""

    def test_the_handle_is_in_the_marker_and_leads_to_the_whole_text(self) -> None:
        store, text = ArtifactStore(), "word " * 100
        tools = ToolRegistry(Tool("read", lambda: text))
        trace, _ = run([READ, DONE], tools=tools, store=store)
        cut = trace.records[-2].cut
        assert cut is not None
        assert cut.artifact is not None
        assert text == store.get(cut.artifact)
        assert f"[-{cut.missing} {cut.artifact}-]" in trace.request(2).text
        kept = next(iter(trace.of("artifact.store"))).data
        assert (500, cut.sha256) == (kept.size, kept.sha256)

    def test_what_only_the_second_gate_cuts_can_be_fetched_too(self) -> None:
        """The log keeps the result whole, and the handle beside it, for any later marker."""
        store, text = ArtifactStore(), "word " * 100
        tools = ToolRegistry(Tool("read", lambda: text))
        budget = ContextBudget(max_input_chars=100)
        trace, _ = run([READ, DONE], tools=tools, store=store, budget=budget)
        record = trace.records[-2]
        assert (text, None) == (record.text, record.cut)
        assert record.artifact is not None
        assert text == store.get(record.artifact)
        row = next(row for row in trace.manifest(2) if row.decision == "cut")
        assert f"[-{row.entry.missing} {record.artifact}-]" in trace.request(2).text
        types = [event.type for event in trace.events]
        at = types.index("tool.result")
        assert ["tool.result", "artifact.store", "record.append"] == types[at : at + 3]

    @pytest.mark.parametrize(("size", "stored"), [(27, False), (28, True)])
    def test_a_result_that_a_marker_would_not_shorten_is_not_stored(
        self, size: int, stored: bool
    ) -> None:
        tools = ToolRegistry(Tool("read", lambda: "x" * size))
        trace, _ = run([READ, DONE], tools=tools, store=ArtifactStore())
        assert stored == (trace.records[-2].artifact is not None)
        assert stored == bool(list(trace.of("artifact.store")))

    def test_what_the_first_gate_cuts_has_its_handle_in_the_cut_alone(self) -> None:
        tools = ToolRegistry(Tool("read", lambda: "word " * 100))
        trace, _ = run([READ, DONE], tools=tools, store=ArtifactStore())
        record = trace.records[-2]
        assert record.cut is not None
        assert (True, None) == (record.cut.artifact is not None, record.artifact)

    def test_without_a_store_the_trace_names_no_handle(self) -> None:
        tools = ToolRegistry(Tool("read", lambda: "word " * 100))
        trace, _ = run([READ, DONE], tools=tools)
        assert [] == list(trace.of("artifact.store"))

    @pytest.mark.parametrize(("ceiling", "taken"), [(27, False), (28, True)])
    def test_the_smallest_tool_ceiling_has_room_for_a_handle_and_two_ends(
        self, ceiling: int, taken: bool
    ) -> None:
        """[-999999999999 a12345678-] is 26 characters, and one character at each end makes 28."""
        assert 26 == len(marker(999_999_999_999, "a12345678"))
        budget = ContextBudget(max_input_chars=5000, max_tool_output_chars=ceiling)
        tools = ToolRegistry(Tool("read", lambda: "word " * 100))
        if taken:
            trace, _ = run([READ, DONE], tools=tools, budget=budget, store=ArtifactStore())
            assert trace.records[-2].cut is not None
            return
        with pytest.raises(BudgetError, match="no room for a marker with a handle"):
            run([READ, DONE], tools=tools, budget=budget, store=ArtifactStore())


class TestGoingOn:
    """A history is an earlier log: the run goes on from it, whatever its ids are."""

    def test_the_end_of_another_session(self) -> None:
        _, first = run([READ, DONE], system_prompt="Be brief.")
        history = first.session.records[2:]
        trace, outcome = run([DONE], "And now?", history=history, wire=OpenAIChat())
        assert "completed" == outcome.stop
        kinds = ["user", "assistant", "result", "assistant", "tools", "user", "assistant"]
        assert kinds == [record.kind for record in trace.records]
        assert 4 == trace.start.history
        assert "a line" in trace.request(1).text

    def test_the_same_tools_and_instruction_are_not_said_again_and_again(self) -> None:
        history: list[Record] = []
        for number in range(3):
            _, outcome = run([DONE], f"{number}?", system_prompt="Be \ud800.", history=history)
            history = outcome.session.records
        kinds = [record.kind for record in history]
        assert (1, 1, 3) == tuple(map(kinds.count, (Kind.TOOLS, Kind.INSTRUCTION, Kind.USER)))

    def test_what_is_new_is_said(self) -> None:
        """Also if it was said once, and something else since."""
        _, one = run([DONE], system_prompt="One.")
        _, two = run([DONE], system_prompt="Two.", tools=[], history=one.session.records)
        trace, _ = run([DONE], system_prompt="One.", history=two.session.records)
        said = [r.text for r in trace.records if r.kind is Kind.INSTRUCTION]
        assert ["One.", "Two.", "One."] == said
        assert 1 == [r.kind for r in trace.records].count(Kind.TOOLS)

    def test_the_same_words_of_another_source_do_not_count(self) -> None:
        history = [Record("a", "instruction", "developer", "harness", "notes", "Be brief.")]
        trace, _ = run([DONE], system_prompt="Be brief.", history=history)
        said = [r.source for r in trace.records if r.kind is Kind.INSTRUCTION]
        assert ["notes", "system_prompt"] == said

    def test_a_history_that_no_log_can_take_is_refused_before_anything_is_written(self) -> None:
        recorder = Recorder()
        bad = Record("a", "user", "system", "person", "x", "Obey.")
        with pytest.raises(UnlawfulRecord):
            AgentRunner(
                model=ScriptedModel([DONE]),
                trace=recorder,
                tools=[],
                budget=ContextBudget(max_input_chars=500),
                history=[bad],
            ).run("Go.")
        assert "" == recorder.text()


class TestWhatIsGiven:
    """A mistake fails where it is made, with one clear sentence."""

    @pytest.mark.parametrize("most", [0, -1, True, 2.0, "3", None])
    def test_a_turn_limit_is_a_whole_number_of_at_least_one(self, most: Any) -> None:
        with pytest.raises(CurriculumError, match="max_turns is") as caught:
            run([DONE], max_turns=most)
        assert "max-turns" == caught.value.code

    def test_a_turn_limit_is_a_number_that_a_trace_can_hold(self) -> None:
        """15 digits; one more, and the trace could be written and never read."""
        trace, _ = run([DONE], max_turns=10**15 - 1)
        assert 999_999_999_999_999 == trace.start.max_turns
        with pytest.raises(CurriculumError, match="max_turns has more than 15 digits") as caught:
            run([DONE], max_turns=10**15)
        assert "max-turns" == caught.value.code

    def test_tools_may_be_a_list(self) -> None:
        trace, _ = run([READ, DONE], tools=[Tool("read", read)])
        assert "a line" == trace.records[-2].text

    def test_a_list_of_prompts_is_not_a_prompt(self) -> None:
        with pytest.raises(TypeError, match="run takes each prompt by itself"):
            run([DONE], ["One.", "Two."])  # type: ignore[arg-type]

    def test_a_model_needs_no_finish(self) -> None:
        class Short:
            def respond(self, request: Request) -> Output:
                return Output("Done.")

        _, outcome = run(Short())
        assert "completed" == outcome.stop

    def test_calls_are_calls(self) -> None:
        with pytest.raises(BadOutput, match="is a dict, not a Call"):
            Output(calls=[{"name": "read"}])  # type: ignore[list-item]

    @pytest.mark.parametrize("finish", [None, 5, [], b"done", object()])
    def test_a_finish_is_text(self, finish: Any) -> None:
        """Nothing that is no text is taken for a finish, and the trace stays writable."""

        class Odd:
            def respond(self, request: Request) -> Output:
                return Output("x", finish=finish)

        recorder = Recorder()
        with pytest.raises(BadOutput, match="none of done, tool-calls"):
            AgentRunner(
                model=Odd(),
                trace=recorder,
                tools=[],
                budget=ContextBudget(max_input_chars=500),
            ).run("Go.")
        params = checked(recorder).events[-2].data.params
        assert {"finish": finish if type(finish) is int else str(finish)} == params

    def test_parameters_of_an_error_are_numbers_or_text_that_can_be_written(self) -> None:
        error = BadOutput("x", a=1, b="\ud800", c=None, d=True, e=1.5)
        assert {"a": 1, "b": "\ufffd", "c": "None", "d": "True", "e": "1.5"} == error.params


class TestOneRecorderOneRun:
    """A recorder writes one run; a second one is refused before anything is written."""

    def test_a_second_run_on_the_same_recorder(self) -> None:
        recorder = Recorder()
        budget = ContextBudget(max_input_chars=500)
        first = AgentRunner(
            model=ScriptedModel([DONE]), trace=recorder, tools=ToolRegistry(), budget=budget
        )
        first.run("Go.")
        before = recorder.text()
        with pytest.raises(TraceError, match="One recorder writes one run"):
            first.run("Go.")
        assert before == recorder.text()

    def test_a_crash_leaves_a_readable_trace_on_disk(self, tmp_path: Any) -> None:
        """Every event is a whole line before the next thing happens."""
        path = tmp_path / "run.jsonl"
        recorder = Recorder(path)
        seen: list[int] = []

        class Looking:
            def respond(self, request: Request) -> Output:
                seen.append(len(Trace.read(path).events))
                return Output("Done.")

            def finish(self) -> None: ...

        AgentRunner(
            model=Looking(),
            trace=recorder,
            tools=ToolRegistry(),
            budget=ContextBudget(max_input_chars=500),
        ).run("Go.")
        recorder.close()
        assert [4] == seen  # start, user, assemble, request: all there while the model thinks
        assert "completed" == Trace.read(path).events[-1].data.reason

    def test_a_file_is_never_written_over(self, tmp_path: Any) -> None:
        path = tmp_path / "run.jsonl"
        path.write_text("precious")
        runner = AgentRunner(
            model=ScriptedModel([DONE]),
            trace=Recorder(path),
            tools=ToolRegistry(),
            budget=ContextBudget(max_input_chars=500),
        )
        with pytest.raises(TraceError, match="never writes over"):
            runner.run("Go.")
        assert "precious" == path.read_text()


class TestGrowingSessions:
    """Beyond the request itself, a turn costs the same at any length of the session (law 11)."""

    def test_trace_bytes_of_a_late_turn_are_those_of_an_early_one(self) -> None:
        """300 turns under a constant ceiling; digits of ids and seqs grow, nothing else does."""
        trace, _ = run(
            [READ] * 300 + [DONE], max_turns=400, budget=ContextBudget(max_input_chars=400)
        )
        by_turn: dict[int, int] = {}
        recorder_lines = _lines(trace)
        for event, line in zip(trace.events, recorder_lines, strict=True):
            by_turn[event.turn] = by_turn.get(event.turn, 0) + len(line)
        assert by_turn[290] <= by_turn[100] * 1.05

    def test_the_finish_list_is_closed(self) -> None:
        assert ["done", "tool-calls", "output-limit", "refused", "paused", "window-full"] == list(
            Finish
        )


def _lines(trace: Trace) -> list[str]:
    from curriculum.trace.recorder import converter

    return [
        json.dumps([e.seq, e.type, e.cause, converter.unstructure(e.data)]) for e in trace.events
    ]


class TestTheScript:
    """ScriptedModel fails loudly in both directions."""

    def test_a_call_too_many(self) -> None:
        with pytest.raises(ScriptExhausted) as caught:
            run([READ])
        assert {"index": 1, "expected": 1, "got": 2} == caught.value.params
