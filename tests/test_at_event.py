"""A recorded run as it stood after event k: the log, the open calls and the next request."""

from typing import Any

import pytest

from curriculum.agent.runner import AgentRunner, Run
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.course.lessons import all_cases
from curriculum.golden import files
from curriculum.record.records import Record
from curriculum.replay.at_event import Comes, at_event
from curriculum.trace.errors import TraceError
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.standing import folded, standing

from .kinds import of_each_kind

GOLDEN = files.root()
SMALL = [id for id in of_each_kind(all_cases()) if not id.startswith("pressure/")]
"""The cases that are looked at event by event; those of one pressure are all alike."""


def golden(id: str) -> Trace:
    return Trace.read(files.fixture(GOLDEN, id))


def scripted(*turns: Turn, **fields: Any) -> Trace:
    trace = Recorder()
    known: dict[str, Any] = {
        "tools": ToolRegistry(Tool("read", lambda: "a line"), Tool("look", lambda: "a view")),
        "budget": ContextBudget(max_input_chars=900, max_tool_output_chars=100),
    }
    runner = AgentRunner(model=ScriptedModel(turns), trace=trace, **{**known, **fields})
    runner.run("Go.")
    return Trace.parse(trace.text())


TWO = Turn(calls=[call("read"), call("look")])
S = scripted(TWO, Turn("Done."))
"""start, tools, user | assemble, request, response, turn | ask, give, log, twice | and so on."""


class Watched(Recorder):
    """A recorder that notes what its run had whenever a line was written."""

    run: Run

    def __init__(self) -> None:
        super().__init__()
        self.had: list[tuple[int, tuple[Record, ...], list[Any]]] = []

    def emit(self, type: str, data: Any, **more: Any) -> int:
        seq = super().emit(type, data, **more)
        if type == "record.append":
            session = self.run.session
            self.had.append((more["turn"], tuple(session.records), list(session.open)))
        return seq


class TestItIsWhatTheRunHad:
    """Not something like it: the very records, calls and bytes."""

    @pytest.mark.parametrize("id", [id for id in SMALL if all_cases()[id].staged])
    def test_the_log_and_the_open_calls_after_each_record(self, id: str) -> None:
        """The run is watched while it runs, and its trace is asked afterwards.

        Of thinking and of the history the run's own list is ahead: it takes them in together.
        """
        case = all_cases()[id]
        assert isinstance(case.staged, Staged)
        recorder = Watched()
        run = recorder.run = case.staged.runner(recorder).begin()
        try:
            run.drive(case.staged.prompts)
        except Exception:
            assert case.stops != "completed"
        trace = Trace.parse(recorder.text())
        appended = list(trace.of("record.append"))
        assert len(appended) == len(recorder.had) > 0
        whole = 0
        for event, (turn, records, open) in zip(appended, recorder.had, strict=True):
            there = standing(trace, event.seq)
            assert turn == there.turn
            assert records[: len(there.records)] == there.records
            if len(records) == len(there.records) > trace.start.history:
                assert open == [one.answers for one in there.pending]
                whole += 1
        assert whole

    @pytest.mark.parametrize("id", SMALL)
    def test_the_next_request_is_the_one_that_was_assembled(self, id: str) -> None:
        """From each event after which nothing more enters the log, until it is assembled."""
        trace, checked = golden(id), 0
        for made in trace.assemblies:
            at = made.cause or 0
            while at < made.seq:
                found = at_event(trace, at)
                if found.comes is not Comes.SUMMARY:
                    checked += 1
                    assert made.data == found.manifest, at
                    want = made.data.fingerprint
                    assert want == (found.request.fingerprint if found.request else None)
                at += 1
        assert checked >= len(trace.assemblies) > 0

    @pytest.mark.parametrize("id", SMALL)
    def test_nothing_comes_that_did_not_come(self, id: str) -> None:
        """What is said to be next is what the trace has next.

        Interrupts, branches and the prompts of branches come from outside.
        """
        trace = golden(id)
        kinds = {
            Comes.ANSWER: {"model.response", "error", "session.stop"},
            Comes.RECORD: {"record.append", "tool.truncate", "artifact.store"},
            Comes.RESULTS: {"tool.request", "tool.result"},
            Comes.SUMMARY: {"context.compact"},
            Comes.STOP: {"session.stop", "error"},
            Comes.REQUEST: {"context.assemble", "model.request", "context.mode", "context.compact"},
            Comes.PROMPT: {"record.append", "session.stop", "error", "session.branch"},
        }
        for event, after in zip(trace.events, trace.events[1:], strict=False):
            found = at_event(trace, event.seq)
            outside = event.seq <= trace.start.history + 1 or event.type == "session.branch"
            outside |= after.type == "session.stop" and after.data.reason == "interrupted"
            outside |= after.type == "session.branch"
            outside |= id == "harness/branch-open-call" and event.seq == 14  # the branch's prompt
            if outside:
                continue
            if found.manifest is not None and found.manifest.refused is not None:
                kinds[Comes.STOP] = {"context.assemble", "session.stop"}
            assert after.type in kinds[found.comes], (event.seq, found.comes, found.why)
        assert Comes.NOTHING is at_event(trace, len(trace.events)).comes


class TestEventByEvent:
    """Two parallel calls, written out."""

    def test_the_run_has_eighteen_events(self) -> None:
        types = [event.type for event in S.events]
        assert ["session.start", "record.append", "record.append"] == types[:3]
        assert ["tool.request", "tool.result", "record.append"] * 2 == types[7:13]
        assert 18 == len(types)

    NEXT = (
        (1, 0, "", "prompt"),
        (2, 1, "", "prompt"),
        (3, 2, "", "request"),
        (4, 2, "", "request"),
        (5, 2, "", "answer"),
        (6, 2, "", "record"),
        (7, 3, "read look", "results"),
        (8, 3, "read(8) look", "results"),
        (9, 3, "read(8) look", "record"),
        (10, 4, "look", "results"),
        (11, 4, "look(11)", "results"),
        (12, 4, "look(11)", "record"),
        (13, 5, "", "request"),
        (14, 5, "", "request"),
        (15, 5, "", "answer"),
        (16, 5, "", "record"),
        (17, 6, "", "prompt"),
        (18, 6, "", "nothing"),
    )

    @pytest.mark.parametrize(("at", "records", "open", "comes"), NEXT)
    def test_after(self, at: int, records: int, open: str, comes: str) -> None:
        """Records in the log, calls without a result (asked for by which event), what comes."""
        found = at_event(S, at)
        calls = [
            f"{one.call.name}({one.asked})" if one.asked else one.call.name
            for one in found.standing.pending
        ]
        assert (records, open, comes) == (len(found.standing.records), " ".join(calls), found.comes)

    def test_the_request_in_its_bytes(self) -> None:
        found = at_event(S, 13)
        assert found.request is not None
        assert (
            "+read\n+look\n>Go.\n!c1 read {}\n&c2 look {}\n=c1 a line\n=c2 a view\n"
            == found.request.text + "\n" * (not found.request.text.endswith("\n"))
        )
        assert S.request(2).body == found.request.body

    def test_a_turn_limit_that_is_reached_is_a_stop(self) -> None:
        """Two requests of two: the third would be the next."""
        trace = scripted(TWO, TWO, max_turns=2)
        last = list(trace.of("record.append"))[-1]
        found = at_event(trace, last.seq)
        assert (Comes.STOP, None) == (found.comes, found.request)
        assert "2 requests = max_turns" in found.why

    def test_a_refusal_is_a_stop_and_its_numbers_are_there(self) -> None:
        found = at_event(golden("s06-context-budget/system-does-not-fit"), 4)
        assert Comes.STOP is found.comes
        assert found.manifest is not None
        assert found.manifest.refused is not None

    def test_a_fold_goes_on_where_it_stands(self) -> None:
        """Taking in k events and then the rest gives what taking in all gives."""
        assert standing(S, 18) == folded(S.events)
        assert [standing(S, k).seq for k in range(1, 19)] == list(range(1, 19))

    @pytest.mark.parametrize("at", [0, -1, 19])
    def test_an_event_that_is_not_there(self, at: int) -> None:
        with pytest.raises(TraceError) as caught:
            at_event(S, at)
        assert "trace-no-event" == caught.value.code
        assert f"has 18 events; there is no event {at}" in caught.value.headline
