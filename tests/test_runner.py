"""The loop: every run ends in exactly one named stop, and every call has exactly one result."""

import json
from typing import Any

import pytest

from curriculum.agent.model import BadOutput, Output
from curriculum.agent.runner import AgentRunner, Outcome
from curriculum.agent.scripted import ScriptedModel, ScriptExhausted, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import BudgetError, ContextBudget
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.cut import marker
from curriculum.record.records import Kind
from curriculum.trace.events import Finish
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder, TraceError
from curriculum.wire.openai_chat import OpenAIChat
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

    def test_ids_may_repeat_from_turn_to_turn(self) -> None:
        trace, outcome = run([Turn(calls=[call("read", id="x")])] * 3 + [DONE], wire=OpenAIChat())
        assert "completed" == outcome.stop
        assert 4 == sum(1 for _ in trace.of("model.request"))

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
