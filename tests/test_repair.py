"""A trace that was cut off anywhere ends lawfully after its repair, and a run can go on from it."""

import contextlib
import json
from pathlib import Path

import pytest

from curriculum.agent.branching import branch
from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.course.lessons import all_cases
from curriculum.golden import files
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind
from curriculum.replay.mending import Flaw, mend
from curriculum.replay.repair import Change, Repaired, repair
from curriculum.trace.branch_laws import whole_at
from curriculum.trace.errors import TraceError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.registry import wire_of

from .kinds import of_each_kind

GOLDEN = files.root()
IDS = sorted(of_each_kind(all_cases()))
PRESSURE = [id for id in IDS if id.startswith("pressure/")]
"""Long cases of one shape: of them every seventh event is a place to cut."""


def data_of(id: str) -> bytes:
    return files.fixture(GOLDEN, id).read_bytes()


def ends_of_events(data: bytes) -> list[int]:
    """The number of bytes up to and with each event, the first of which is the start."""
    lines = data.split(b"\n")[:-1]
    return [sum(len(line) + 1 for line in lines[:n]) for n in range(2, len(lines) + 1)]


def repaired(data: bytes) -> Repaired:
    """The repair, which must be lawful, begin with what is kept, and change nothing twice."""
    made = repair(data, "cut.jsonl")
    trace = Trace.parse(made.text)
    assert [] == [str(breach) for breach in breaches(trace)]
    again = repair(made.text.encode(), "cut.jsonl")
    assert (made.text, ()) == (again.text, again.repairs)
    return made


def calls_and_results(trace: Trace) -> None:
    """Each call of the run has one result, and each result is that of a call."""
    own = trace.records[trace.start.history :]
    calls = [(record.id, n) for record in own for n in range(len(record.calls))]
    answers = [(r.answers.record, r.answers.call) for r in own if r.answers is not None]
    assert calls == sorted(answers)


def goes_on(trace: Trace) -> None:
    """With its log as the history of another run, whose first request has nothing half."""
    recorder = Recorder()
    wire = wire_of(trace.start.components["wire"])
    AgentRunner(
        model=ScriptedModel([Turn("On.")]),
        tools=(),
        trace=recorder,
        budget=ContextBudget(max_input_chars=10**6),
        wire=wire,
        history=mend(trace.records).records,
    ).run("Go on.")
    after = Trace.parse(recorder.text())
    assert [] == [str(breach) for breach in breaches(after)]
    assert "completed" == after.events[-1].data.reason
    reasons = {entry.reason for entry in after.assemblies[0].data.decisions}
    assert not reasons & {"unanswered-call", "unpaired-result"}


class TestEveryCutOfEveryGolden:
    """Behind each event, and within the line after it."""

    @pytest.mark.parametrize("id", IDS)
    def test_it_ends_lawfully_and_goes_on(self, id: str) -> None:
        data = data_of(id)
        whole = Trace.parse_bytes(data, id)
        places = ends_of_events(data)[:: 7 if id in PRESSURE else 1]
        for number, end in enumerate(places):
            cut = data[: end + (0, 1, 40)[number % 3]]
            made = repaired(cut)
            trace = Trace.parse(made.text)
            kept = made.text.split("\n")
            old = data.decode().split("\n")
            same = next((n for n, (a, b) in enumerate(zip(kept, old, strict=False)) if a != b), 0)
            gone = sum(one.what == Change.EVENT_LEFT_OUT for one in made.repairs)
            rewritten = any(one.what in (Change.HISTORY, *Flaw) for one in made.repairs)
            lines = cut.count(b"\n")
            assert rewritten or same == 0 or same >= lines - gone, (id, end)
            if len(trace.sessions) == len(whole.sessions):
                calls_and_results(trace)
            goes_on(trace)

    @pytest.mark.parametrize("id", ["harness/branch-open-call", "harness/interrupted"])
    def test_within_lines(self, id: str) -> None:
        """At every eleventh byte, wherever in a line that is; nothing but the named errors."""
        data = data_of(id)
        first = data.index(b"\n", data.index(b"\n") + 1)  # the end of session.start
        before = ""
        for end in range(0, len(data) + 1, 11):
            if end < first:
                with pytest.raises(TraceError, match="repair-nothing"):
                    repair(data[:end], "cut.jsonl")
                continue
            made = repair(data[:end], "cut.jsonl")
            if made.text != before:
                assert [] == [str(breach) for breach in breaches(Trace.parse(made.text))]
                before = made.text

    @pytest.mark.parametrize("id", ["harness/parallel-results", "admission/compacted"])
    def test_a_branch_goes_on_from_a_repaired_run(self, id: str) -> None:
        """From its last record, under the limits that it had."""
        data, case = data_of(id), all_cases()[id]
        assert case.staged is not None
        for end in ends_of_events(data)[10:40:3]:
            trace = Trace.parse(repaired(data[:end]).text)
            places = [at for at in range(1, len(trace.events)) if whole_at(trace, at)]
            made = case.staged.runner(recorder := Recorder())
            with contextlib.suppress(RunError):  # its script is another run's
                branch(made, trace, places[-1], "Go on.")
            assert [] == [str(breach) for breach in breaches(Trace.parse(recorder.text()))]


RUN = data_of("harness/interrupted")
"""One turn with four calls: tool.request 9, result 10, record 11; 12 to 14; 15, 16, 17; ..."""


def what(made: Repaired) -> list[tuple[str, int]]:
    return [(one.what, one.at) for one in made.repairs]


def cut(event: int, more: int = 0, data: bytes = RUN) -> bytes:
    """The bytes up to and with an event."""
    return data[: ends_of_events(data)[event - 1] + more]


class TestWhatIsChanged:
    """Each change has a name, a place and a sentence."""

    def test_behind_a_request_the_run_stops(self) -> None:
        assert [("run-stopped", 7)] == what(repaired(cut(6)))

    def test_a_response_whose_record_is_gone_is_left_out(self) -> None:
        """Its text stood in the record alone."""
        assert [("event-left-out", 7), ("run-stopped", 7)] == what(repaired(cut(7)))

    def test_a_turn_whose_calls_never_ran(self) -> None:
        """Four results of two events each, and the stop."""
        want = [("call-answered", at) for at in (10, 12, 14, 16)]
        assert [*want, ("run-stopped", 17)] == what(repaired(cut(8)))

    def test_a_call_that_was_asked_for(self) -> None:
        made = repaired(cut(12))
        trace = Trace.parse(made.text)
        results = [record.text for record in trace.records if record.kind is Kind.RESULT]
        assert [
            "a line that was read",
            "interrupted: remove did not finish",
            "interrupted: build did not finish",
            "interrupted: read did not finish",
        ] == results
        asked = trace.events[12]
        assert ("tool.result", 12) == (asked.type, asked.cause)

    def test_a_result_whose_record_is_gone(self) -> None:
        """What the tool gave is gone with it: all that is left is its size and its hash."""
        made = repaired(cut(13))
        assert ("event-left-out", 13) == what(made)[0]
        assert "tool.result: what it leads to was cut off" == made.repairs[0].says

    def test_half_a_line(self) -> None:
        made = repaired(cut(11, 17))
        assert ("line-left-out", 13) == what(made)[0]
        assert "the first 17 bytes of a line whose rest is gone" == made.repairs[0].says

    def test_a_line_that_lacks_its_end_alone_is_kept(self) -> None:
        made = repaired(cut(11)[:-1])
        assert ("line-ended", 12) == what(made)[0]
        assert len(Trace.parse(made.text).records) == 8

    def test_bytes_that_are_no_text_at_the_end(self) -> None:
        """As a file system may leave them."""
        made = repaired(cut(11) + b"\0\0\xff")
        assert ("line-left-out", 13) == what(made)[0]

    def test_a_whole_trace_is_left_as_it_is(self) -> None:
        made = repaired(RUN)
        assert (RUN.decode(), (), ()) == (made.text, made.repairs, made.left)

    def test_a_history_that_was_cut(self) -> None:
        """Six records of an earlier log, four of which are left: the start says so now."""
        made = repaired(cut(5, data=data_of("harness/odd-history")))
        assert ("history-count", 1) == what(made)[0]
        assert 5 == Trace.parse(made.text).start.history  # four, and a result for the open call

    def test_what_an_earlier_log_lacked_stays_once_requests_were_made_with_it(self) -> None:
        data = data_of("harness/odd-history")
        made = repaired(data)
        assert () == made.repairs
        assert 2 == len(made.left)
        assert made.left[1].startswith("r0006: a result that came after the next turn")

    def test_a_tool_ceiling_holds_for_what_is_put_in(self) -> None:
        """18 characters have no room for the sentence, so gate 1 cuts it like any other."""
        recorder = Recorder()
        budget = ContextBudget(max_input_chars=900, max_tool_output_chars=18)
        AgentRunner(
            model=ScriptedModel([Turn(calls=[call("read")]), Turn("Done.")]),
            tools=[Tool("read", lambda: "a line")],
            trace=recorder,
            budget=budget,
        ).run("Go.")
        made = repaired(cut(8, data=recorder.text().encode()))
        assert any(event.type == "tool.truncate" for event in Trace.parse(made.text).events)


class TestSessionFiles:
    """A log and nothing else is mended in both directions."""

    def log(self) -> bytes:
        """Two turns with calls and their results, as a session file."""
        lines = RUN.decode().split("\n")
        events = [json.loads(line) for line in lines[1:-1]]
        keep = [e for e in events if e["type"] in ("session.start", "record.append")]
        for seq, event in enumerate(keep, 1):
            event["seq"], event["turn"] = seq, 0
            if seq > 1:
                event["cause"] = 1
        text = [lines[0], *(json.dumps(e, sort_keys=True, separators=(",", ":")) for e in keep)]
        return "".join(f"{line}\n" for line in text).encode()

    def test_a_call_at_its_end(self) -> None:
        data = self.log()
        made = repaired(cut(6, data=data))  # r0005 is the first of four results
        assert ["unanswered-call"] * 3 == [one.what for one in made.repairs]
        assert 8 == len(Trace.parse(made.text).records)

    def test_a_result_without_its_call(self) -> None:
        """The turn's line is gone from the middle, so its results answer nothing."""
        lines = self.log().decode().split("\n")
        events = [json.loads(line) for line in lines[1:-1]]
        del events[4]  # r0004, the turn
        for seq, event in enumerate(events, 1):
            event["seq"] = seq
            if seq > 4:
                event["data"]["id"] = f"r{seq - 1:04d}"
                event["data"]["answers"]["record"] = "r0003"  # the user's: it has no calls
        text = [lines[0], *(json.dumps(e, sort_keys=True, separators=(",", ":")) for e in events)]
        made = repaired("".join(f"{line}\n" for line in text).encode())
        assert ["result-without-call"] * 4 == [one.what for one in made.repairs]
        records = Trace.parse(made.text).records
        assert [Kind.OPAQUE] * 4 == [record.kind for record in records[3:]]
        assert "a line that was read" == records[3].text

    def test_without_a_flaw_it_stays_byte_for_byte(self) -> None:
        data = self.log()
        assert (data.decode(), ()) == ((made := repaired(data)).text, made.repairs)


class TestWhatIsRefused:
    """What is no cut is not guessed at."""

    @pytest.mark.parametrize("size", [0, 1, 46, 47, 60])
    def test_nothing_whole_is_left(self, size: int) -> None:
        with pytest.raises(TraceError) as caught:
            repair(RUN[:size], "cut.jsonl")
        assert "repair-nothing" == caught.value.code

    def test_a_line_broken_in_the_middle(self) -> None:
        broken = RUN.replace(b'"seq":5', b'"seq":6', 1)
        with pytest.raises(TraceError) as caught:
            repair(broken, "cut.jsonl")
        assert "trace-line" == caught.value.code

    def test_a_law_that_was_broken_before_the_cut(self) -> None:
        broken = cut(12).replace(b'"bytes":', b'"bytes":1', 1)
        with pytest.raises(CurriculumError) as caught:
            repair(broken, "cut.jsonl")
        assert "trace-unlawful" == caught.value.code
        assert "law" in caught.value.evidence[0]

    def test_a_component_that_is_missing(self) -> None:
        with pytest.raises(CurriculumError) as caught:
            repair(cut(12).replace(b"newest-first@1#", b"newest-first@9#"), "cut.jsonl")
        assert "component-not-installed" == caught.value.code


def test_a_run_that_was_killed_leaves_a_file_that_can_be_repaired(tmp_path: Path) -> None:
    """What a recorder has written of a file when the process is gone: whole lines, no stop."""
    path = tmp_path / "killed.jsonl"
    path.write_bytes(cut(15))
    trace = Trace.read(path)
    assert trace.stop is None
    made = repaired(path.read_bytes())
    assert Trace.parse(made.text).stop is not None
    assert made.text.startswith(cut(15).decode())
