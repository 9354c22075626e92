"""A run that goes round in circles is stopped; one that waits for something that changes is not."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.agent.failures import Denied
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.policy_registry import policy_of
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Call
from curriculum.record.repeats import Repeats, Watching, repeats_of
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.repeat_laws import repeats

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}
WIDE = ContextBudget(max_input_chars=9000, max_tool_output_chars=60)
DONE = Turn("Done.")


def tools() -> ToolRegistry:
    polled = count(1)
    return ToolRegistry(
        Tool("read", lambda: "a line"),
        Tool("row", lambda n=0: f"row {n}", "", NUMBER),
        Tool("long", lambda: "x" * 500 + str(next(polled))),
        Tool("poll", lambda: f"{next(polled)} done"),
        Tool("boom", boom),
        Tool("deny", deny),
    )


def boom() -> str:
    raise ValueError


def deny() -> str:
    raise Denied


def turn(*names: str) -> Turn:
    """`read` or `row:3`."""
    calls: list[Call] = []
    for name in names:
        tool, _, number = name.partition(":")
        calls.append(
            call(
                tool, {"n": int(number)} if number.isdigit() else {"n": number} if number else None
            )
        )
    return Turn(calls=calls)


def ran(
    turns: Sequence[Turn],
    limits: Repeats | None = Repeats(),  # noqa: B008
    prompts: Sequence[str] = ("Go.",),
    **fields: Any,
) -> Trace:
    recorder = Recorder()
    known: dict[str, Any] = {"tools": tools(), "budget": WIDE, "max_turns": 50}
    runner = AgentRunner(
        model=ScriptedModel(turns), trace=recorder, repeats=limits, **{**known, **fields}
    )
    runner.run(*prompts)
    trace = Trace.parse(recorder.text())
    assert [] == [str(breach) for breach in breaches(trace)]
    return trace


def ended(trace: Trace) -> tuple[str, int]:
    assert trace.stop is not None
    return str(trace.stop.reason), trace.stop.turns


class TestWhatStops:
    """Each rule, at its number and not one before."""

    def test_the_same_call_with_the_same_result_four_times(self) -> None:
        assert ("repeated", 4) == ended(ran([turn("read")] * 9))
        assert ("completed", 4) == ended(ran([turn("read")] * 3 + [DONE]))

    def test_the_same_failure_three_times_whatever_was_asked(self) -> None:
        turns = [turn("row:a"), turn("row:b"), turn("row:c")]
        assert ("repeated", 3) == ended(ran([*turns, DONE]))
        assert ("completed", 3) == ended(ran([*turns[:2], DONE]))
        assert ("repeated", 3) == ended(ran([turn("boom")] * 9))
        assert ("repeated", 3) == ended(ran([turn("deny")] * 9))

    def test_two_failures_in_turn_are_not_the_same(self) -> None:
        """boom, deny, boom, deny, boom, deny: that is an alternation, at the sixth."""
        assert ("repeated", 6) == ended(ran([turn("boom"), turn("deny")] * 5))

    def test_two_steps_that_take_turns(self) -> None:
        assert ("repeated", 6) == ended(ran([turn("row:1"), turn("row:2")] * 5))
        assert ("completed", 6) == ended(
            ran([turn("row:1"), turn("row:2")] * 2 + [turn("row:1"), DONE])
        )

    def test_the_numbers_are_data(self) -> None:
        assert ("repeated", 2) == ended(ran([turn("read")] * 9, Repeats(same_result=2)))
        assert ("repeated", 7) == ended(ran([turn("read")] * 9, Repeats(same_result=7)))
        off = Repeats(same_result=0, same_error=0, alternation=0)
        assert ("completed", 10) == ended(ran([turn("read")] * 9 + [DONE], off))
        assert ("completed", 10) == ended(ran([turn("read")] * 9 + [DONE], None))

    def test_parallel_calls_are_one_step(self) -> None:
        """Three equal calls in one turn are no loop; the same three in four turns are."""
        three = turn("read", "read", "read")
        assert ("completed", 2) == ended(ran([three, DONE]))
        assert ("repeated", 4) == ended(ran([three] * 9))

    def test_arguments_are_compared_as_what_they_say(self) -> None:
        """Blanks and the order of names are not what a model asks for."""
        spellings = ['{"n":1}', '{"n": 1}', '{ "n" : 1 }', '{"n":1 }']
        turns = [Turn(calls=[call("row", text)]) for text in spellings]
        assert ("repeated", 4) == ended(ran([*turns, DONE]))

    def test_under_a_policy_of_pools(self) -> None:
        trace = ran([turn("read")] * 9, policy=policy_of("pools"))
        assert ("repeated", 4) == ended(trace)

    def test_the_turn_limit_comes_first(self) -> None:
        assert ("turn-limit", 4) == ended(ran([turn("read")] * 9, max_turns=4))

    def test_nothing_is_written_of_what_would_have_been_sent(self) -> None:
        trace = ran([turn("read")] * 9)
        assert ["record.append", "session.stop"] == [event.type for event in trace.events[-2:]]
        assert 4 == len(trace.assemblies)


class TestNoFalseAlarm:
    """What changes is no repetition, and a new word of the user begins something new."""

    def test_polling(self) -> None:
        assert ("completed", 21) == ended(ran([turn("poll")] * 20 + [DONE]))

    def test_a_change_that_gate_1_cuts_away_is_a_change(self) -> None:
        """500 equal characters are cut to 60; the number behind them differs at the tool."""
        trace = ran([turn("long")] * 8 + [DONE])
        assert ("completed", 9) == ended(trace)
        assert 8 == sum(1 for _ in trace.of("tool.truncate"))

    def test_a_user_who_asks_again(self) -> None:
        turns = [turn("read"), turn("read"), DONE] * 3
        assert ("completed", 9) == ended(ran(turns, prompts=["Go."] * 3))

    def test_other_arguments(self) -> None:
        assert ("completed", 9) == ended(ran([turn(f"row:{n}") for n in range(8)] + [DONE]))

    def test_three_steps_that_take_turns(self) -> None:
        steps = [turn("row:1"), turn("row:2"), turn("row:3")]
        assert ("completed", 13) == ended(ran(steps * 4 + [DONE]))

    def test_an_earlier_log_repeats_nothing(self) -> None:
        """Its steps are over; the same call once more is the first of this run."""
        old = ran([turn("read")] * 3 + [DONE])
        assert ("completed", 4) == ended(ran([turn("read")] * 3 + [DONE], history=old.records))


Seen = tuple[str, str | None, str]


def said_by_hand(steps: Sequence[Seen], limits: Repeats) -> set[str]:
    """The rules that are true at the end, each by its own words, one loop a rule."""
    found: set[str] = set()
    n = limits.same_result
    if n and len(steps) >= n and len(set(steps[-n:])) == 1:
        found.add("same-result")
    n = limits.same_error
    last = steps[-n:] if n else []
    if n and len(last) == n and all(s[1] for s in last) and len({s[1:] for s in last}) == 1:
        found.add("same-error")
    n = limits.alternation
    last = steps[-n:] if n else []
    if n and len(last) == n and len(set(last[::2])) == 1 == len(set(last[1::2])):
        found |= {"alternation"} if last[0] != last[1] else set()
    return found


@given(
    st.lists(
        st.tuples(st.sampled_from("12"), st.sampled_from([None, "boom"]), st.sampled_from("xy"))
    ),
    st.builds(
        Repeats, st.sampled_from([0, 2, 3]), st.sampled_from([0, 2, 3]), st.sampled_from([0, 4, 5])
    ),
)
def test_it_finds_what_the_rules_say(steps: list[Seen], limits: Repeats) -> None:
    """Against the rules said by hand, after each of any steps of one tool."""
    watching = Watching(limits)
    for at, (arguments, failed, seen) in enumerate(steps, 1):
        watching.said([Call("c", "tool", arguments)])
        assert watching.found() is None  # the step is not whole yet
        watching.gave(0, failed, seen)
        want, found = said_by_hand(steps[:at], limits), watching.found()
        assert (found is not None) == bool(want)
        assert found is None or found.rule in want


class TestTheTrace:
    """The numbers stand in the trace, and the laws know by them where the run had to stop."""

    def test_the_component_names_every_number(self) -> None:
        trace = ran([DONE], Repeats(same_result=5))
        named = trace.start.components["repeats"]
        assert "repeats@1:same-result=5;same-error=3;alternation=6" == named
        assert Repeats(same_result=5) == repeats_of(named)

    def test_a_run_without_it_names_none(self) -> None:
        assert "repeats" not in ran([DONE], None).start.components

    @pytest.mark.parametrize(
        ("edit", "said"),
        [
            (lambda t: t.replace("same-result=4", "same-result=3"), "expected session.stop, got context.assemble (same-result: 3"),
            (lambda t: t.replace("same-result=4", "same-result=5"), "reason: expected interrupted, got repeated"),
            (lambda t: t.replace('"reason":"repeated"', '"reason":"completed"'), "reason: expected repeated, got completed"),
        ],
    )  # fmt: skip
    def test_an_edit_breaks_a_law(self, edit: Callable[[str], str], said: str) -> None:
        text = "".join(f"{line}\n" for line in ran([turn("read")] * 9).lines)
        found = [str(breach) for breach in breaches(Trace.parse(edit(text)))]
        assert any(said in one for one in found), found

    @pytest.mark.parametrize(
        "id", ["repeats@2:x=1", "repeats@1", "repeats@1:same-result=4;same-error=3", "repeats@1:same-result=04;same-error=3;alternation=6"]
    )  # fmt: skip
    def test_another_version_is_not_installed(self, id: str) -> None:
        with pytest.raises(CurriculumError) as caught:
            repeats_of(id)
        assert "component-not-installed" == caught.value.code

    @pytest.mark.parametrize("numbers", [(1, 3, 6), (4, 1, 6), (4, 3, 3), (-1, 3, 6), (4, True, 6)])
    def test_a_number_that_is_no_repetition(self, numbers: tuple[int, int, int]) -> None:
        with pytest.raises(CurriculumError) as caught:
            Repeats(*numbers)
        assert "repeats-limit" == caught.value.code


class TestTheReader:
    """Any trace can be asked, also that of a run that nobody watched."""

    def test_where_it_became_a_loop(self) -> None:
        """start, tools, user; then seven events a turn: the fourth result is event 31."""
        trace = ran([turn("read")] * 9 + [DONE], None)
        assert [(3 + 4 * 7, "same-result", 4)] == [
            (seq, one.rule, one.steps) for seq, one in repeats(trace, Repeats())
        ]

    def test_a_loop_is_told_once_and_a_second_again(self) -> None:
        turns = [turn("read")] * 6 + [turn("row:1")] + [turn("read")] * 4 + [DONE]
        found = repeats(ran(turns, None), Repeats())
        assert ["same-result"] * 2 == [one.rule for _, one in found]

    def test_polling_is_none(self) -> None:
        assert [] == repeats(ran([turn("poll")] * 9 + [DONE], None), Repeats())
