"""A changed text is told by the text: where it stands, what it is, where both part, and no hash."""

from io import StringIO
from typing import Any

import pytest

from curriculum.agent.own_loop import Recording
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.choices import Choice
from curriculum.trace.explain import explain
from curriculum.trace.facts import View
from curriculum.trace.naming import named, place
from curriculum.trace.quoting import change
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.view.explanation import show_explanation
from curriculum.view.screen import Screen

KEEP = Choice.admit("kept")
READ = Turn(calls=[call("read_file")])
LINES = "".join(f"line {n:03}\n" for n in range(60))  # 540 characters


def run(text: str = LINES, turns: Any = None, limit: int | None = None, **fields: Any) -> Trace:
    """A run that reads one file and answers."""
    trace = Recorder()
    known: dict[str, Any] = {
        "tools": ToolRegistry(Tool("read_file", lambda: text)),
        "budget": ContextBudget(max_input_chars=5000, max_tool_output_chars=limit),
    }
    AgentRunner(
        model=ScriptedModel(turns or [READ, Turn("Done.")]), trace=trace, **{**known, **fields}
    ).run("Read it.")
    return Trace.parse(trace.text())


def told(left: Trace, right: Trace) -> list[str]:
    """The lines of the report, without the blanks in front."""
    out = StringIO()
    show_explanation(Screen(True, out), explain(left, right))
    return [line.strip() for line in out.getvalue().splitlines()]


def changed(left: Trace, right: Trace) -> list[str]:
    """What is told of each cause."""
    lines = told(left, right)
    return [line.removeprefix("changed   ") for line in lines if line.startswith("changed ")]


class TestTheOutputOfATool:
    """By the text that the log keeps of it; of a cut one the head first, then the tail."""

    def test_a_short_one(self) -> None:
        assert [
            "the tool's output, r0004 (result of read_file) text: '1 failed' -> '2 failed'"
        ] == (changed(run("1 failed"), run("2 failed")))

    def test_a_long_one(self) -> None:
        other = LINES.replace("line 030", "row  030!")
        assert [
            "the tool's output, r0004 (result of read_file) text: 540 -> 541 characters; "
            "they part at character 271: 'line 030\\nline 031\\nli' -> 'row  030!\\nline 031\\nl'"
        ] == changed(run(), run(other))

    def test_the_first_difference_says_the_same_and_no_sum_twice(self) -> None:
        lines = told(run(), run(LINES.replace("line 030", "row  030")))
        first = next(line for line in lines if line.startswith("first "))
        assert first == (
            "first     event 10 record.append r0004 (result of read_file) text: "
            "540 -> 540 characters; "
            "they part at character 271: 'line 030\\nline 031\\nli' -> 'row  030\\nline 031\\nli'"
        )
        assert "rule      the whole output" in lines
        assert not [line for line in lines if line.startswith(("expected ", "got "))]

    def test_the_kept_head_of_a_cut_one(self) -> None:
        assert [
            "the tool's output, r0004 (result of read_file) text: 540 -> 541 characters; "
            "the kept heads part at character 10: 'line 001\\nline 002\\nli' -> 'row  001!\\nline 002\\nl'"
        ] == changed(run(limit=100), run(LINES.replace("line 001", "row  001!"), limit=100))

    def test_the_kept_tail_of_a_cut_one(self) -> None:
        """Read from the end: there both are at the same place, though one is longer."""
        assert [
            "the tool's output, r0004 (result of read_file) text: 540 -> 541 characters; read from the "
            "end, the kept tails part at character 2: '57\\nline 058\\nline 059' -> '7\\nline 058\\nlast line'"
        ] == changed(run(limit=100), run(LINES.replace("line 059", "last line"), limit=100))

    def test_what_gate_1_cut_away(self) -> None:
        other = LINES.replace("line 030", "row  030!")
        assert [
            "the tool's output, r0004 (result of read_file): 540 -> 541 characters; "
            "all that differs lies in the part that gate 1 cut away"
        ] == changed(run(limit=100), run(other, limit=100))

    def test_one_that_is_cut_on_one_side_only(self) -> None:
        """60 characters fit, 540 do not: the kept ends are compared with the ends of the text."""
        assert (
            "the tool's output, r0004 (result of read_file) text: 60 -> 540 characters; read from the "
            "end, the kept tails part at character 1: ' 004\\nline 005\\nline 0' -> '7\\nline 058\\nline 059\\n'"
        ) == changed(run(LINES[:60], limit=100), run(limit=100))[0]

    def test_a_ceiling_alone_makes_no_text_another(self) -> None:
        lines = changed(run(limit=100), run(limit=80))
        assert ["the budget, max_tool_output_chars: 100 -> 80"] == lines

    def test_no_hash_is_said_to_part(self) -> None:
        for left, right in ((run(), run(LINES + "x")), (run(limit=100), run("x" * 500, limit=100))):
            assert not [line for line in told(left, right) if "part at" in line and "sha" in line]
        one, two = "3d33" * 16, "62a2" * 16
        assert "3d333d333d33... -> 62a262a262a2..." == change(one, two)
        assert "harness-of-my-own@1#0011aabb -> harness-of-my-own@1#2233ccdd" == (
            change("harness-of-my-own@1#0011aabb", "harness-of-my-own@1#2233ccdd").replace("'", "")
        )


class TestMoreThanOneField:
    """The first is told, and how many more there are."""

    def test_the_calls_of_one_turn(self) -> None:
        def turns(*ids: str) -> list[Turn]:
            return [Turn(calls=[call("read_file", id=id) for id in ids]), Turn("Done.")]

        left = run(turns=turns("a", "b"))
        assert [
            "the model's turn, r0003 (assistant, turn 1) calls.0.id: a -> x, and 1 more field"
        ] == (changed(left, run(turns=turns("x", "y"))))
        assert ["the model's turn, r0003 (assistant, turn 1) calls.1.id: b -> y"] == (
            changed(left, run(turns=turns("a", "y")))
        )

    def test_lengths_of_deltas_are_no_fields_of_their_own(self) -> None:
        """They follow from what was said; alone they are what changed."""
        one = run(turns=[READ, Turn("Done.", deltas=("Do", "ne."))])
        two = run(turns=[READ, Turn("Ready.", deltas=("Read", "y."))])
        assert ["the model's turn, r0005 (assistant, turn 2) text: 'Done.' -> 'Ready.'"] == (
            changed(one, two)
        )
        three = run(turns=[READ, Turn("Done.", deltas=("D", "one."))])
        assert ["the model's turn, model.response 2 deltas.0: 2 -> 1, and 1 more field"] == (
            changed(one, three)
        )


def tools(*names: str, says: str = "") -> Trace:
    return run(
        turns=[Turn("Done.")],
        tools=ToolRegistry(*(Tool(name, str, says if name == "b" else "") for name in names)),
    )


class TestTheToolsOnOffer:
    """Which came, went or moved, where that is all; else the field of the tool."""

    @pytest.mark.parametrize(
        ("before", "after", "words"),
        [
            ("a b", "a b c d", "added c, d"),
            ("a b c", "b", "removed a, c"),
            ("a b c", "c a b", "reordered a, b, c -> c, a, b"),
            ("a b", "c b", "added c; removed a"),
        ],
    )
    def test_what_came_or_went_or_moved(self, before: str, after: str, words: str) -> None:
        left, right = tools(*before.split()), tools(*after.split())
        assert [f"the tools on offer, r0001 (tools): {words}"] == changed(left, right)

    def test_another_description(self) -> None:
        left, right = tools("a", "b", says="one"), tools("a", "b", says="two")
        assert ["the tools on offer, r0001 (tools) tools.1 (b) description: one -> two"] == (
            changed(left, right)
        )
        both = tools("b", "c", says="two")
        assert ["the tools on offer, r0001 (tools): added c; removed a; changed b"] == (
            changed(left, both)
        )


def own(choice: Choice, memory: bool = False) -> Trace:
    """A loop of one's own with one choice about its first exchange."""
    recorder, kept = Recorder(), KEEP
    budget = ContextBudget(max_input_chars=900)
    run = Recording(recorder, "my-agent@1", budget=budget, policy="last-one@1")
    run.record("instruction", "Be brief.")
    run.record("user", "Hello.")
    run.assemble(rest=kept)
    run.request()
    run.response("Hello!")
    if memory:
        run.record("memory", "likes tea")
    run.record("user", "And now?")
    run.assemble({"r0002": choice, "r0003": choice}, kept)
    run.request()
    run.response("Done.")
    run.stop()
    return Trace.parse(recorder.text())


class TestAPlaceIsNamed:
    """An id, then what the record is; for a choice the request that it was made for."""

    def test_the_harness_s_own_choice(self) -> None:
        left, right = own(Choice.admit("kept")), own(Choice.omit("kept"))
        assert [
            "the harness's own choice in request 2, r0002 (user): decision admitted -> omitted, "
            "and 1 more record"
        ] == changed(left, right)

    def test_a_record_that_came(self) -> None:
        lines = changed(own(KEEP), own(KEEP, memory=True))
        assert "a record of the history, r0004 (memory): new" in lines

    def test_a_fact_of_a_decision(self) -> None:
        """The field as people read it; one of the new run alone is named from there."""
        left, right = own(KEEP), own(KEEP, memory=True)
        views, event = (View(left), View(right)), left.assemblies[1]
        assert "r0003 (assistant, turn 1) size" == place(*views, event, "decisions.r0003.size")
        assert "r0004 (memory, new) size" == place(*views, event, "decisions.r0004(new).size")
        assert "room" == place(*views, event, "room")

    def test_a_long_name_of_a_tool_never_hides_the_id(self) -> None:
        tools, turns = (
            ToolRegistry(Tool("t" * 60, lambda: "a line")),
            [Turn(calls=[call("t" * 60)])],
        )
        left = run(turns=[*turns, Turn("Done.")], tools=tools)
        event = next(e for e in left.of("record.append") if e.data.id == "r0004")
        assert f"r0004 (result of {'t' * 40}...)" == named(View(left), event)
