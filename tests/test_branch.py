"""A branch goes on from a place in another session: it points there, and copies nothing."""

import contextlib
import json
from typing import Any

import attrs
import pytest

from curriculum.agent.branching import branch
from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.policy_registry import policy_of
from curriculum.course.lessons import all_cases
from curriculum.golden import files
from curriculum.golden.cases import run_case
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind
from curriculum.trace.branch_laws import whole_at
from curriculum.trace.errors import TraceError
from curriculum.trace.explain import explain
from curriculum.trace.laws import breaches
from curriculum.trace.otel import otlp
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.standing import standing

WIDE = ContextBudget(max_input_chars=900, max_tool_output_chars=100)
READ, DONE = Turn(calls=[call("read")]), Turn("Done.")


def runner(*turns: Turn, trace: Recorder | None = None, **fields: Any) -> AgentRunner:
    known: dict[str, Any] = {
        "tools": ToolRegistry(Tool("read", lambda: "a line"), Tool("look", lambda: "a view")),
        "budget": WIDE,
        "system_prompt": "Be brief.",
    }
    trace = trace or Recorder()
    return AgentRunner(model=ScriptedModel(turns), trace=trace, **{**known, **fields})


def ran(*turns: Turn, prompts: tuple[str, ...] = ("One.",), **fields: Any) -> Trace:
    made = runner(*turns, **fields)
    made.run(*prompts)
    return Trace.parse(made.trace.text())


PARENT = ran(Turn(calls=[call("read"), call("look")]), DONE, DONE, prompts=("One.", "Two."))
TURN = 8
"""The event that appends the model's turn with its two calls."""


def branched(at: int, *turns: Turn, parent: Trace = PARENT, **fields: Any) -> Trace:
    """A lawful trace of the parent and a branch after its event `at`."""
    made = runner(*(turns or (DONE,)), **fields)
    branch(made, parent, at, "Three.")
    trace = Trace.parse(made.trace.text())
    assert [] == [str(breach) for breach in breaches(trace)]
    return trace


class TestItPoints:
    """What stood before the place is the parent's, and stands in the trace once."""

    def test_the_parents_lines_stand_as_they_stood(self) -> None:
        trace = branched(TURN)
        assert PARENT.lines == trace.lines[: len(PARENT.lines)]

    def test_the_first_line_of_the_branch_names_the_parent_and_the_place(self) -> None:
        line = branched(TURN).lines[len(PARENT.lines)]
        assert (
            '{"cause":8,"data":{"at":8,"parent":"session","records":4,"session":"branch-1"},'
            '"seq":9,"turn":1,"type":"session.branch"}' == line
        )

    def test_no_record_stands_twice(self) -> None:
        """Each record.append of the branch is of a record that the parent has not."""
        lines = branched(4, READ, DONE).lines[len(PARENT.lines) :]
        own = [json.loads(line) for line in lines]
        texts = [
            e["data"]["text"] for e in own if e["type"] == "record.append" and "text" in e["data"]
        ]
        assert ["Three.", "a line", "Done."] == texts

    def test_both_sessions_are_whole_traces_by_themselves(self) -> None:
        trace = branched(TURN)
        assert ["session", "branch-1"] == list(trace.sessions)
        assert PARENT.events == trace.session("session").events
        own = trace.session("branch-1")
        assert trace.events == own.events
        assert PARENT.events[:TURN] == own.events[:TURN]
        assert list(range(1, len(own.events) + 1)) == [event.seq for event in own.events]

    def test_its_log_is_the_parents_up_to_the_place_and_its_own(self) -> None:
        trace = branched(14, READ, DONE)
        assert trace.records[:6] == PARENT.records[:6]
        assert "Three." == trace.records[6].text
        assert [f"r{n:04d}" for n in range(1, 11)] == [record.id for record in trace.records]

    def test_the_branch_sees_what_the_parent_said_before_and_nothing_after(self) -> None:
        place = next(e.seq for e in PARENT.of("record.append") if e.data.text == "Done.")
        last = branched(place).request(3).text
        assert "Done." in last
        assert "Three." in last
        assert "Two." not in last


class TestEveryPlace:
    """It begins behind the start and behind each record, and nowhere else."""

    @pytest.mark.parametrize("at", range(1, len(PARENT.events) + 1))
    def test_of_one_run(self, at: int) -> None:
        event = PARENT.events[at - 1]
        if event.type in ("session.start", "record.append"):
            there = standing(PARENT, at)
            trace = branched(at)
            assert there.records == trace.records[: len(there.records)]
            new = [r for r in trace.records[len(there.records) :] if r.kind is Kind.RESULT]
            assert [f"interrupted: {one.call.name} did not finish" for one in there.pending] == [
                record.text for record in new
            ]
            return
        made = runner(DONE)
        with pytest.raises(CurriculumError) as caught:
            branch(made, PARENT, at, "Three.")
        assert "branch-place" == caught.value.code
        assert "" == made.trace.text()

    def test_the_nearest_places_are_named(self) -> None:
        """Event 10 gives a result whose record is event 11; event 8 is the turn before it."""
        with pytest.raises(CurriculumError) as caught:
            branch(runner(DONE), PARENT, 10, "Three.")
        assert "nearest: 8, 11" in caught.value.evidence

    @pytest.mark.parametrize(
        "id", ["harness/odd-history", "harness/long-session", "harness/denied"]
    )
    def test_of_cases(self, id: str) -> None:
        """With a foreign history, with many turns, with failed calls."""
        case = all_cases()[id]
        parent = Trace.parse(run_case(case))
        assert case.staged is not None
        for at in range(1, len(parent.events) + 1):
            if not whole_at(parent, at):
                continue
            made = case.staged.runner(Recorder())
            known = {
                f: getattr(made, f) for f in ("budget", "wire", "max_turns", "tools", "policy")
            }
            if standing(parent, at).requests == made.max_turns:
                continue
            trace = branched(at, parent=parent, **known)
            assert 1 == len([r for r in trace.records if r.text == "Three."])

    @pytest.mark.parametrize("id", ["admission/compacted", "admission/smaller-mode"])
    def test_under_a_policy_of_pools(self, id: str) -> None:
        """Summaries and modes of the parent hold in the branch."""
        case = all_cases()[id]
        parent, count = Trace.parse(run_case(case)), 0
        assert case.staged is not None
        for at in range(1, len(parent.events) + 1):
            if whole_at(parent, at) and at > parent.start.history:
                made = attrs.evolve(case.staged.runner(recorder := Recorder()), history=())
                prompt = "Three."
                with contextlib.suppress(RunError):  # its script is longer than this one prompt
                    branch(made, parent, at, prompt)
                assert [] == [str(b) for b in breaches(Trace.parse(recorder.text()))], at
                count += 1
        assert count > 3


class TestFurther:
    """Branches of branches, several of one place, an error and an interrupt in a branch."""

    def test_a_branch_of_a_branch(self) -> None:
        first = branched(TURN)
        place = len(first.events) - 1
        second = branched(place, parent=first)
        assert ["session", "branch-1", "branch-2"] == list(second.sessions)
        assert first.events[:place] == second.events[:place]
        assert first.lines == second.lines[: len(first.lines)]

    def test_two_branches_of_one_place(self) -> None:
        first = branched(TURN)
        made = runner(Turn("Other."))
        branch(made, first.session("session"), TURN, "Four.", session="other")
        both = Trace.parse(made.trace.text())
        assert [] == list(breaches(both))
        texts = {name: both.session(name).records[-1].text for name in both.sessions}
        assert {"session": "Done.", "branch-1": "Done.", "other": "Other."} == texts

    def test_a_name_that_is_taken(self) -> None:
        first = branched(TURN)
        made = runner(DONE)
        with pytest.raises(CurriculumError) as caught:
            branch(made, first, TURN, "Four.", session="session")
        assert "branch-name" == caught.value.code
        assert "" == made.trace.text()

    def test_an_error_ends_the_branch_and_not_the_parent(self) -> None:
        made = runner(READ)  # one turn less than it takes
        with pytest.raises(CurriculumError):
            branch(made, PARENT, TURN, "Three.")
        trace = Trace.parse(made.trace.text())
        assert [] == list(breaches(trace))
        assert trace.stop is not None
        assert "script-exhausted" == trace.stop.reason
        parent = trace.session("session").stop
        assert parent is not None
        assert "completed" == parent.reason

    def test_an_interrupt_before_or_after_any_event_of_it(self) -> None:
        class Pressed(Recorder):
            at, after = 0, False

            def emit(self, type: str, data: Any, **more: Any) -> int:
                due = self.seq + 1 == self.at
                self.at = 0 if due else self.at
                if due and not self.after:
                    raise KeyboardInterrupt
                seq = super().emit(type, data, **more)
                if due:
                    raise KeyboardInterrupt
                return seq

        whole = len(branched(TURN, READ, DONE).events)
        for at in range(TURN + 2, whole + 1):
            for after in (False, True):
                recorder = Pressed()
                recorder.at, recorder.after = at, after
                with pytest.raises(KeyboardInterrupt):
                    branch(runner(READ, DONE, trace=recorder), PARENT, TURN, "Three.")
                trace = Trace.parse(recorder.text())
                assert [] == [str(breach) for breach in breaches(trace)], (at, after)
                assert "branch-1" == trace.session_name

    def test_in_a_file(self, tmp_path: Any) -> None:
        """The parent's file stays as it is, and the new one is the same as in memory."""
        old = tmp_path / "parent.jsonl"
        old.write_text("".join(f"{line}\n" for line in PARENT.lines))
        before = old.read_bytes()
        branch(
            runner(DONE, trace=Recorder(tmp_path / "new.jsonl")), Trace.read(old), TURN, "Three."
        )
        assert before == old.read_bytes()
        made = runner(DONE)
        branch(made, PARENT, TURN, "Three.")
        assert made.trace.text().encode() == (tmp_path / "new.jsonl").read_bytes()

    def test_requests_of_the_parent_count_for_the_turn_limit(self) -> None:
        """Two were sent before the place, and eight are allowed: six are left."""
        place = next(e.seq for e in PARENT.of("record.append") if e.data.text == "Done.")
        trace = branched(place, *[READ] * 6)
        assert trace.stop is not None
        assert ("turn-limit", 8) == (trace.stop.reason, trace.stop.turns)

    def test_an_export_has_the_branch(self) -> None:
        text = otlp(branched(TURN))
        assert '"curriculum.session.branch"' in text
        assert '"curriculum.branch.at"' in text


class TestTerms:
    """A branch has the limits and components of its parent; other ones are named."""

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"max_turns": 9}, "max_turns: the parent has 8, the runner 9"),
            (
                {"budget": ContextBudget(max_input_chars=901, max_tool_output_chars=100)},
                "max_input_chars: the parent has 900, the runner 901",
            ),
            ({"policy": policy_of("pools")}, "policy: the parent has newest-first@1#"),
        ],
    )
    def test_other_terms(self, fields: dict[str, Any], said: str) -> None:
        with pytest.raises(CurriculumError) as caught:
            branch(runner(DONE, **fields), PARENT, TURN, "Three.")
        assert "branch-terms" == caught.value.code
        assert any(line.startswith(said) for line in caught.value.evidence)

    def test_a_recorder_that_holds_a_run(self) -> None:
        made = runner(DONE)
        made.run("One.")
        text = made.trace.text()
        with pytest.raises(CurriculumError, match="a recorder that holds a run"):
            branch(made, PARENT, TURN, "Three.")
        assert text == made.trace.text()

    def test_prompts_are_text(self) -> None:
        with pytest.raises(TypeError):
            branch(runner(DONE), PARENT, TURN, 5)  # type: ignore


LINES = branched(TURN).lines
BRANCH = len(PARENT.lines)


def edited(**changes: Any) -> str:
    event = json.loads(LINES[BRANCH])
    top = {name: changes.pop(name) for name in ("seq", "cause", "turn") if name in changes}
    event |= top
    event["data"] |= changes
    lines = [*LINES]
    lines[BRANCH] = json.dumps(event, sort_keys=True, separators=(",", ":"))
    return "".join(f"{line}\n" for line in lines)


class TestTheReaderAndTheLaws:
    """A branch that is not what it says is found."""

    @pytest.mark.parametrize(
        "changes",
        [
            {"parent": "nobody"},
            {"at": 0, "seq": 1},
            {"at": 99, "seq": 100},
            {"session": "session"},
            {"parent": "branch-1"},
        ],
    )
    def test_a_place_that_is_not_there(self, changes: dict[str, Any]) -> None:
        with pytest.raises(TraceError) as caught:
            Trace.parse(edited(**changes))
        assert "trace-reference" == caught.value.code
        assert f"line {BRANCH + 1}" in str(caught.value)

    @pytest.mark.parametrize("seq", [8, 10, BRANCH, True])
    def test_a_seq_that_does_not_count_on_from_the_place(self, seq: int) -> None:
        with pytest.raises(TraceError) as caught:
            Trace.parse(edited(seq=seq))
        assert "the line is event 9" in str(caught.value)

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"records": 5}, "law 0, event 9 records: expected 4, got 5"),
            ({"cause": 7}, "law 0, event 9 cause"),
            ({"turn": 2}, "law 0, event 9 turn: expected 1, got 2"),
        ],
    )
    def test_what_the_laws_say(self, changes: dict[str, Any], said: str) -> None:
        found = [str(breach) for breach in breaches(Trace.parse(edited(**changes)))]
        assert any(one.startswith(said) for one in found), found

    def test_a_place_between_two_events_that_belong_together(self) -> None:
        """Behind event 9, which asks for a call, no branch begins."""
        text = edited(at=9, seq=10, cause=9)
        lines = text.split("\n")[:-1]
        head = lines[: BRANCH + 1]
        found = list(breaches(Trace.parse("".join(f"{line}\n" for line in head))))
        assert any("where a session may go on" in breach.why for breach in found)

    def test_a_breach_of_the_parent_is_said_once(self) -> None:
        text = "".join(f"{line}\n" for line in LINES).replace('"size":82', '"size":83')
        found = [str(breach) for breach in breaches(Trace.parse(text))]
        assert len(found) == len(set(found))


class TestComparing:
    """Two traces with branches: the first session that differs is explained."""

    def test_a_change_in_the_branch(self) -> None:
        """The parents are the same; the branch's prompt is the input that changed."""
        made = runner(DONE)
        branch(made, PARENT, TURN, "Threes.")
        found = explain(branched(TURN), Trace.parse(made.trace.text()))
        assert ["the user's text"] == [cause.words for cause in found.causes]

    def test_a_change_in_the_parent_behind_the_place(self) -> None:
        """The branch is the same, but the parent's second question is not."""
        turns = Turn(calls=[call("read"), call("look")]), DONE, DONE
        other = branched(TURN, parent=ran(*turns, prompts=("One.", "2.")))
        assert branched(TURN).events == other.events
        found = explain(branched(TURN), other)
        assert [("Two.", "2.")] == [(cause.expected, cause.got) for cause in found.causes]

    def test_reading_beside_another_gives_the_same(self, tmp_path: Any) -> None:
        """What both files share is read once, also where their branches part."""
        texts = ["".join(f"{line}\n" for line in branched(at).lines) for at in (4, TURN, 14)]
        for ours in texts:
            for theirs in texts:
                for name, text in (("a", ours), ("b", theirs)):
                    (tmp_path / name).write_text(text)
                beside = Trace.read(tmp_path / "b", Trace.read(tmp_path / "a"))
                assert Trace.parse(theirs).written == beside.written
                assert Trace.parse(theirs).events == beside.events


def test_the_golden_branches_are_lawful_and_whole() -> None:
    for id in ("harness/branch", "harness/branch-open-call"):
        trace = Trace.read(files.fixture(files.root(), id))
        assert 2 == len(trace.sessions)
        assert [] == list(breaches(trace))
