"""Why a trace differs: the input or rule that changed is named, first and with its numbers."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from curriculum.agent.expectations import Expect
from curriculum.agent.failures import FAILURES
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.policy import Policy
from curriculum.count.counters import Characters
from curriculum.course.lessons import all_cases
from curriculum.golden import decide
from curriculum.golden import record as recording
from curriculum.golden.cases import Case, run_case
from curriculum.golden.verify import Verdict, verify
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.cut import Cut
from curriculum.record.records import ToolSpec
from curriculum.trace.events import Stop
from curriculum.trace.explain import explain
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.rule_table import rule_of
from curriculum.trace.types import EVERY_TYPE as TYPES
from curriculum.view.report import show_verdict
from curriculum.view.screen import Screen
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.request import Message, SegmentClass


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the golden of s06."""
    for name in ("CI", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)
    recording.record(all_cases(), ["s06-context-budget"], tmp_path)
    decide.accept(all_cases(), ["s06-context-budget"], tmp_path)
    return tmp_path


def changed(place: Path, **fields: Any) -> Verdict:
    """The verdict on s06 with fields of its runner changed."""
    case = all_cases()["s06-context-budget"]
    now = attrs.evolve(case, scenario=case.scenario.under(**fields))
    return next(iter(verify({case.id: now}, [case.id], place)))


def report(verdict: Verdict, capsys: pytest.CaptureFixture[str]) -> str:
    show_verdict(Screen(plain=True), verdict)
    return capsys.readouterr().out


def budget(max_input: int, tool: int) -> ContextBudget:
    return ContextBudget(max_input_chars=max_input, max_tool_output_chars=tool)


def shorter_cutter(patch: pytest.MonkeyPatch) -> None:
    """A cutter that keeps one character less than it could."""
    fit = Cut.fit

    def less(self: Cut, limit: int, measure: Any) -> Cut | None:
        cut = fit(self, limit, measure)
        return cut if cut is None or cut is self else cut.to(cut.kept - 1)

    patch.setattr(Cut, "fit", less)


class TestOneInputChanged:
    """One input: it is the cause of everything that differs."""

    def test_the_tool_ceiling_180_to_120(
        self, place: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Six facts follow, and no request changes: gate 2 had less room than 120 anyway."""
        verdict = changed(place, budget=budget(300, 120))
        found = report(verdict, capsys)
        explanation, attribution = verdict.explanation, verdict.attribution
        assert explanation is not None
        assert attribution is not None
        assert [("budget.max_tool_output_chars", 180, 120)] == [
            (c.field, c.expected, c.got) for c in explanation.causes
        ]
        assert [6] == [count for _, count in attribution.by_cause]
        assert (0, 0) == (attribution.by_rule, attribution.together)
        assert explanation.invisible
        assert "max_tool_output_chars: 180 -> 120" in found
        assert "6 of the 6 facts that differ follow from it, 0 do not" in found
        assert "event 11 tool.truncate kept: expected 172, got 112" in found
        assert "kept 172 + marker 8 = 180 <= 180" in found
        assert "kept 112 + marker 8 = 120 <= 120" in found
        assert "no request changes: all 2 are byte-identical" in found
        assert found.endswith("next      golden record s06-context-budget\n")

    def test_the_input_ceiling_300_to_290(
        self, place: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The room is the first fact that shows it; only the second request changes."""
        verdict = changed(place, budget=budget(290, 180))
        found = report(verdict, capsys)
        assert verdict.explanation is not None
        assert (2,) == verdict.explanation.changed
        assert "max_input_chars: 300 -> 290" in found
        assert "event 5 context.assemble room: expected 56, got 46" in found
        assert "limit 300 - frame 0 - protected (14 + 210 + 20) = 56" in found
        assert "limit 290 - frame 0 - protected (14 + 210 + 20) = 46" in found
        assert "1 of 2 change: request 2" in found

    def test_a_letter_of_the_system_text(
        self, place: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Where the texts part is said; the sizes are the same, both fingerprints are not."""
        verdict = changed(place, system_prompt="Keep tool output Bounded. " * 8)
        found = report(verdict, capsys)
        assert verdict.explanation is not None
        assert (1, 2) == verdict.explanation.changed
        assert (
            "the system text, r0002 (instruction) text: 208 -> 208 characters; they part at character"
            " 18: 'bounded. Keep tool o' -> 'Bounded. Keep tool o'\n"
        ) in found
        assert "2 of the 2 facts that differ follow from it" in found

    def test_a_longer_system_text(self, place: Path) -> None:
        """13 characters more leave 13 less for the result."""
        verdict = changed(place, system_prompt="Keep tool output bounded. " * 8 + "Be exact now.")
        assert verdict.explanation is not None
        first = verdict.explanation.first
        assert first is not None
        assert ("room", 56, 43) == (
            first.difference.field,
            first.difference.expected,
            first.difference.got,
        )

    def test_the_output_of_a_tool(self, place: Path) -> None:
        """What a tool returned is an input. What was cut of it cannot be put back."""
        registry = ToolRegistry(Tool("large_result", lambda: "x" * 2000))
        verdict = changed(place, tools=registry)
        assert verdict.explanation is not None
        assert verdict.attribution is not None
        assert {"r0005 cut.head"} == {c.field for c in verdict.explanation.causes}
        assert not verdict.attribution.separable

    def test_the_models_turn(self, place: Path) -> None:
        turns = [Turn(calls=[call("large_result")]), Turn("It has two hundred rows.")]
        verdict = changed(place, model=ScriptedModel(turns))
        assert verdict.explanation is not None
        assert ["the model's turn"] == [c.words for c in verdict.explanation.causes]
        assert verdict.explanation.invisible

    def test_one_turn_more_is_not_everything_different(self) -> None:
        """Events are aligned by cause: what comes after an extra turn is still compared with itself."""
        base = _reads(1)
        more = _reads(2)
        explanation = explain(base, more)
        assert [1, 2] == [
            n for n in (1, 2) if base.request(n).fingerprint == more.request(n).fingerprint
        ]
        assert (3,) == explanation.changed


def _reads(times: int) -> Trace:
    trace = Recorder()
    turns = [Turn(calls=[call("read")])] * times + [Turn("Done.")]
    AgentRunner(
        model=ScriptedModel(turns),
        tools=ToolRegistry(Tool("read", lambda: "a line")),
        trace=trace,
        budget=ContextBudget(max_input_chars=500),
    ).run("Read.")
    return Trace.parse(trace.text())


class TestARuleChanged:
    """Equal operands and another value: the rule itself is named, not an input."""

    def test_a_cutter_that_keeps_one_character_less(
        self, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shorter_cutter(monkeypatch)
        verdict = changed(place)
        found = report(verdict, capsys)
        assert verdict.explanation is not None
        assert verdict.attribution is not None
        assert () == verdict.explanation.causes
        assert len(verdict.explanation.facts) == verdict.attribution.by_rule
        assert "changed   a rule: kept + marker <= max_tool_output_chars" in found
        assert "with all inputs as they were, tool.truncate kept is 172 -> 171" in found
        assert "kept 171 + marker 8 = 179 <= 180" in found
        assert "the new run breaks law 6" in found

    def test_without_a_rerun_the_rule_is_found_by_its_equal_operands(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`curriculum trace diff` has only the two files."""
        expected = Trace.read(place / "s06-context-budget.jsonl")
        shorter_cutter(monkeypatch)
        got = Trace.parse(run_case(all_cases()["s06-context-budget"]))
        rules = explain(expected, got).rules
        assert ("tool.truncate", "kept") == (rules[0].type, rules[0].field)


class TestTwoThingsChanged:
    """Two changes at once are named and separated by running the case again with each alone."""

    def test_two_inputs(self, place: Path) -> None:
        text = "Keep tool output Bounded. " * 8
        verdict = changed(place, system_prompt=text, budget=budget(300, 120))
        assert verdict.attribution is not None
        counts = {cause.field: count for (cause,), count in verdict.attribution.by_cause}
        assert {"budget.max_tool_output_chars": 6, "r0002 text": 2} == counts
        assert (0, 0) == (verdict.attribution.by_rule, verdict.attribution.together)

    def test_two_inputs_that_act_on_the_same_fact(self, place: Path) -> None:
        """Ceiling 300 -> 310 and 8 characters more: the second request is as neither alone has it."""
        verdict = changed(
            place, system_prompt="Keep tool output bounded!! " * 8, budget=budget(310, 180)
        )
        assert verdict.attribution is not None
        assert verdict.attribution.together > 0

    def test_an_input_and_a_rule(
        self, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shorter_cutter(monkeypatch)
        verdict = changed(place, budget=budget(300, 120))
        found = report(verdict, capsys)
        assert verdict.attribution is not None
        assert verdict.attribution.by_rule > 0
        assert "max_tool_output_chars: 180 -> 120" in found
        assert "a rule: kept + marker <= max_tool_output_chars" in found


def verdict(place: Path, before: Staged, after: Staged) -> Verdict:
    """The verdict on a scenario after a change, against its golden from before."""
    case = Case("case", "a case", Stop.COMPLETED, before)
    recording.record({"case": case}, ["case"], place)
    decide.accept({"case": case}, ["case"], place)
    return next(iter(verify({"case": attrs.evolve(case, scenario=after)}, ["case"], place)))


def staged(turns: list[Turn], *prompts: str, **fields: Any) -> Staged:
    def build(trace: Recorder) -> AgentRunner:
        known: dict[str, Any] = {
            "tools": ToolRegistry(Tool("read", lambda: "a line")),
            "budget": ContextBudget(max_input_chars=500),
            "system_prompt": "Be brief.",
        }
        return AgentRunner(model=ScriptedModel(turns), trace=trace, **{**known, **fields})

    return Staged(build, prompts or ("Read.",))


READ, DONE = Turn(calls=[call("read")]), Turn("Done.")
SCHEMA = {"type": "object", "properties": {"rows": {"type": "integer"}}}


class TestEveryKindOfInput:
    """Whatever a scenario is made of: a change of it is named as a cause, and put back to count."""

    @pytest.mark.parametrize(
        ("what", "before", "after", "words"),
        [
            ("a turn more", staged([READ, DONE]), staged([READ, READ, DONE]), "the model's turn"),
            ("a turn less", staged([READ, READ, DONE]), staged([READ, DONE]), "the model's turn"),
            ("two turns less", staged([READ, READ, READ, DONE]), staged([READ, DONE]), "the model's turn"),
            ("another answer", staged([READ, DONE]), staged([READ, Turn("Ready.")]), "the model's turn"),
            ("another prompt", staged([DONE], "Hello."), staged([DONE], "Goodbye."), "the user's text"),
            ("no system text", staged([DONE]), staged([DONE], system_prompt=""), "the system text"),
            ("a system text", staged([DONE], system_prompt=""), staged([DONE]), "the system text"),
            (
                "a tool more",
                staged([READ, DONE]),
                staged([READ, DONE], tools=ToolRegistry(Tool("read", lambda: "a line"), Tool("b", str))),
                "the tools on offer",
            ),
            (
                "a tool's schema",
                staged([READ, DONE]),
                staged([READ, DONE], tools=ToolRegistry(Tool("read", lambda: "a line", "", SCHEMA))),
                "the tools on offer",
            ),
            (
                "a tool's output",
                staged([READ, DONE]),
                staged([READ, DONE], tools=ToolRegistry(Tool("read", lambda: "another line"))),
                "the tool's output",
            ),
            ("the turn limit", staged([READ, DONE]), staged([READ, DONE], max_turns=9), "the turn limit"),
            (
                "a limit that was not set",
                staged([READ, DONE]),
                staged([READ, DONE], budget=ContextBudget(max_input_chars=500, capacity=900)),
                "the budget",
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )  # fmt: skip
    def test_the_change_is_named_and_everything_follows_from_it(
        self, place: Path, what: str, before: Staged, after: Staged, words: str
    ) -> None:
        found = verdict(place, before, after)
        assert found.explanation is not None, what
        assert found.attribution is not None
        assert {words} == {cause.words for cause in found.explanation.causes}
        assert found.attribution.separable
        assert (0, None) == (found.attribution.by_rule, found.attribution.rule)
        if len(found.explanation.causes) == 1:  # several may reach the same fact
            assert [len(found.explanation.facts)] == [n for _, n in found.attribution.by_cause]
            assert 0 == found.attribution.together

    def test_a_tools_output_that_a_store_keeps_is_put_back_too(self, place: Path) -> None:
        """With a store, another event stands between the output and its record."""

        def reading(text: str) -> Staged:
            def build(trace: Recorder) -> AgentRunner:
                return AgentRunner(
                    model=ScriptedModel([READ, DONE]),
                    tools=ToolRegistry(Tool("read", lambda: text)),
                    trace=trace,
                    budget=ContextBudget(max_input_chars=500),
                    store=ArtifactStore(),
                )

            return Staged(build, ("Read.",))

        found = verdict(place, reading("one line " * 5), reading("two lines " * 5))
        assert found.attribution is not None
        assert found.attribution.separable
        assert {"the tool's output"} == {line.split(":")[0] for line in causes(found)}

    def test_a_prompt_more(self, place: Path) -> None:
        """The prompt and the turn that answers it are two inputs, counted together."""
        found = verdict(place, staged([DONE], "One."), staged([DONE, DONE], "One.", "Two."))
        assert found.explanation is not None
        assert found.attribution is not None
        assert {"the user's text", "the model's turn"} == {
            c.words for c in found.explanation.causes
        }
        assert found.attribution.separable
        assert 0 == found.attribution.by_rule

    def test_another_wire_is_a_component_that_no_input_puts_back(self, place: Path) -> None:
        found = verdict(place, staged([READ, DONE]), staged([READ, DONE], wire=OpenAIChat()))
        assert found.explanation is not None
        assert found.attribution is not None
        assert [("components.wire", "plain@1", "openai-chat@1:scripted")] == [
            (c.field, c.expected, c.got) for c in found.explanation.causes
        ]
        assert not found.attribution.separable

    def test_another_policy_is_a_component_not_an_unlawful_file(self, place: Path) -> None:
        """The golden is of a policy that is not installed here: the difference is explained by it."""
        other = Policy(version=2, cut=False)
        text = run_case(Case("case", "", Stop.COMPLETED, staged([READ, DONE], policy=other)))
        (place / "case.jsonl").write_text(text, encoding="ascii", newline="\n")
        case = Case("case", "a case", Stop.COMPLETED, staged([READ, DONE]))
        found = next(iter(verify({"case": case}, ["case"], place)))
        assert "diverged" == found.status.code
        assert found.explanation is not None
        assert ["components.policy"] == [c.field for c in found.explanation.causes]


def causes(found: Verdict) -> list[str]:
    assert found.explanation is not None
    return [f"{cause.words}: {cause.field}" for cause in found.explanation.causes]


class TestWhatComesAndGoes:
    """One thing less does not make everything after it another thing, nor the code another code."""

    def no_rule(self, found: Verdict) -> None:
        assert "diverged" == found.status.code
        assert found.attribution is not None
        assert found.attribution.separable
        assert (0, None) == (found.attribution.by_rule, found.attribution.rule)

    def test_the_first_of_three_prompts_is_gone(self, place: Path) -> None:
        turns = [Turn("One."), Turn("Two."), Turn("Three.")]
        before = staged(turns, "First?", "Second?", "Third?")
        found = verdict(place, before, staged(turns[1:], "Second?", "Third?"))
        self.no_rule(found)
        assert "the user's text: r0003" in causes(found)
        assert not any("Second" in line or "Third" in line for line in causes(found))

    def test_a_turn_in_front(self, place: Path) -> None:
        self.no_rule(
            verdict(
                place, staged([READ, DONE]), staged([Turn("Hm.", calls=[call("read")]), READ, DONE])
            )
        )

    def test_another_tool_in_one_turn_leaves_the_turns_after_it_what_they_were(
        self, place: Path
    ) -> None:
        tools = ToolRegistry(Tool("read", lambda: "a line"), Tool("look", lambda: "a line"))
        before = staged([READ, READ, READ, DONE], tools=tools)
        look = Turn(calls=[call("look")])
        found = verdict(place, before, staged([look, READ, READ, DONE], tools=tools))
        self.no_rule(found)
        assert ["the model's turn: r0004 calls.0.name"] == causes(found)

    def test_the_script_is_longer_than_it_was(self, place: Path) -> None:
        """Exhausted later than before: the turn more is the cause."""
        case = Case("case", "", Stop.SCRIPT_EXHAUSTED, staged([READ]))
        recording.record({"case": case}, ["case"], place)
        decide.accept({"case": case}, ["case"], place)
        after = attrs.evolve(case, scenario=staged([READ, READ]))
        found = next(iter(verify({"case": after}, ["case"], place)))
        self.no_rule(found)
        assert {"the model's turn"} == {line.split(":")[0] for line in causes(found)}

    def test_what_a_script_expects_is_an_input_that_is_in_no_trace(self, place: Path) -> None:
        def expecting(tool: str) -> Staged:
            return staged([READ, Turn("Done.", expect=Expect(tool=tool))])

        case = Case("case", "", Stop.EXPECTATION_FAILED, expecting("raed"))
        recording.record({"case": case}, ["case"], place)
        decide.accept({"case": case}, ["case"], place)
        after = attrs.evolve(case, scenario=expecting("reda"))
        found = next(iter(verify({"case": after}, ["case"], place)))
        assert found.attribution is not None
        assert not found.attribution.separable
        assert ["the script: error 1 params.expected"] == causes(found)

    @pytest.mark.parametrize(
        ("what", "at", "change"),
        [
            ("a text of the history", 1, {"text": "What was in that picture, then?"}),
            ("a superseded set of tools", 0, {"tools": (ToolSpec("older_read"),)}),
            ("an answer in the history", 4, {"text": "I was interrupted, sorry."}),
        ],
    )
    def test_a_record_of_the_history_is_named_as_one(
        self, place: Path, what: str, at: int, change: dict[str, Any]
    ) -> None:
        case = all_cases()["harness/odd-history"]
        runner = case.scenario.runner(Recorder())
        history = list(runner.history)
        history[at] = attrs.evolve(history[at], **change)
        found = verdict(place, case.scenario, case.scenario.under(history=history))  # type: ignore
        self.no_rule(found)
        assert 1 == len(causes(found)), what

    def test_a_record_less_in_the_history(self, place: Path) -> None:
        """Sending the same without the image: nothing but the history is named."""
        case = all_cases()["harness/odd-history"]
        history = list(case.scenario.runner(Recorder()).history)
        del history[2]
        found = verdict(place, case.scenario, case.scenario.under(history=history))  # type: ignore
        assert found.explanation is not None
        assert all(
            "history" in line or "a record" in line or "r000" in line for line in causes(found)
        )
        assert found.explanation.invisible
        self.no_rule(found)

    def test_limits_that_work_only_together_are_counted_together(self, place: Path) -> None:
        """Capacity 400, ceiling 300 -> capacity 800, ceiling 600: neither change works alone."""
        small = ContextBudget(capacity=400, output_reserve=100, max_input_chars=300)
        large = ContextBudget(capacity=800, output_reserve=100, max_input_chars=600)
        found = verdict(
            place, staged([READ, DONE], budget=small), staged([READ, DONE], budget=large)
        )
        self.no_rule(found)
        assert found.attribution is not None
        groups = [sorted(c.field for c in group) for group, _ in found.attribution.by_cause]
        assert [["budget.capacity", "budget.max_input_chars"]] == groups

    def test_a_tool_that_was_asked_for_something_else_is_no_cause_of_its_own(
        self, place: Path
    ) -> None:
        def asking(*rows: int) -> Staged:
            schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
            tools = ToolRegistry(Tool("rows", lambda n: "row. " * n, "", schema))
            turn = Turn(calls=[call("rows", {"n": n}) for n in rows])
            return staged([turn, DONE], tools=tools)

        found = verdict(place, asking(7, 2), asking(2, 7))
        self.no_rule(found)
        assert found.attribution is not None
        assert ["response"] == [group[0].key[0] for group, _ in found.attribution.by_cause]
        assert 2 <= len(found.attribution.dependent)
        assert 0 == found.attribution.together


class TestHonestSums:
    """What is printed as a sum of the golden is the golden's, or says that it is not."""

    def test_the_words_of_a_failure_are_code(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another text in the catalogue is a rule that changed, not a tool that did."""
        case = all_cases()["harness/unknown-tool"]
        recording.record({case.id: case}, [case.id], place)
        decide.accept({case.id: case}, [case.id], place)
        monkeypatch.setitem(FAILURES, "unknown-tool", "unknown-tool: {tool}? There is {offered}.")
        found = next(iter(verify({case.id: case}, [case.id], place)))
        assert [] == causes(found)
        assert found.attribution is not None
        assert found.attribution.rule is not None
        first = found.attribution.rule.first
        assert first is not None
        assert "the harness's own words for a failed call" == first.formula

    def test_turns_that_were_never_reached_are_no_cause(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Counting double stops the run before the first request; the script has not changed."""
        monkeypatch.setattr(Characters, "size", lambda self, text: 2 * len(text))
        found = changed(place)
        assert "case-failed" == found.status.code
        assert found.attribution is not None
        assert () == found.attribution.by_cause
        assert found.attribution.rule is not None
        first = found.attribution.rule.first
        assert first is not None
        assert ("room", 56, None) == (
            first.difference.field,
            first.difference.expected,
            first.difference.got,
        )

    def test_another_framing_is_a_rule_not_an_unlawful_golden(
        self, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The wire writes one blank more: no request of the golden rebuilds, the new run is lawful."""
        pieces = OpenAIChat.pieces

        def wider(self: OpenAIChat, message: Message) -> Any:
            return [*pieces(self, message)[:-1], (SegmentClass.FRAME, " }")]

        before = staged([Turn("Done.")], wire=OpenAIChat(), tools=ToolRegistry())
        case = Case("case", "", Stop.COMPLETED, before)
        recording.record({"case": case}, ["case"], place)
        decide.accept({"case": case}, ["case"], place)
        monkeypatch.setattr(OpenAIChat, "pieces", wider)
        found = next(iter(verify({"case": case}, ["case"], place)))
        assert "diverged" == found.status.code
        text = report(found, capsys)
        assert "is recorded; this code gives" in text
        assert "changed   a rule:" in text

    def test_a_hand_edited_fact_is_unlawful_not_a_rule(self, place: Path) -> None:
        path = place / "s06-context-budget.jsonl"
        path.write_text(
            path.read_text("ascii").replace('"reason":"beside-cut"', '"reason":"newest"'),
            encoding="ascii",
            newline="\n",
        )
        found = changed(place)
        assert "fixture-unlawful" == found.status.code
        assert any("law 6" in line for line in found.evidence)

    def test_a_case_that_stops_elsewhere_is_explained_too(
        self, place: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        found = changed(place, budget=budget(268, 180))
        text = report(found, capsys)
        assert "case-failed" == found.status.code
        assert "declared stop completed, got result-does-not-fit" in text
        assert "max_input_chars: 300 -> 268" in text

    def test_one_broken_case_does_not_take_the_others_with_it(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A bug of ours in one case is that case's verdict; the next case still has one."""
        from curriculum.trace import explain as module

        def broken(left: Trace, right: Trace) -> None:
            raise LookupError("oops")

        monkeypatch.setattr(module, "explain", broken)
        case = all_cases()["s06-context-budget"]
        other = attrs.evolve(case, scenario=case.scenario.under(budget=budget(300, 120)))  # type: ignore
        cases = {case.id: other, "zz": Case("zz", "", Stop.COMPLETED, staged([DONE]))}
        found = list(verify(cases, list(cases), place))
        assert ["own-bug", "fixture-missing"] == [v.status.code for v in found]
        assert "LookupError: oops" == found[0].evidence[0]

    def test_an_input_and_a_rule_are_not_counted_twice(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shorter_cutter(monkeypatch)
        found = changed(place, budget=budget(300, 120))
        assert found.explanation is not None
        assert found.attribution is not None
        counts = found.attribution
        total = counts.by_rule + counts.together + sum(n for _, n in counts.by_cause)
        assert len(found.explanation.facts) == total


class TestTheTableOfRules:
    """The law checker and the explainer share one table, and no field of any event is missing."""

    def test_every_fact_of_every_golden_has_a_rule(self) -> None:
        """Looking one up raises KeyError for a field that the table does not know."""
        seen = 0
        types: set[str] = set()
        for case in all_cases().values():
            view = View(Trace.parse(run_case(case)))
            for event in view.trace.events:
                types.add(event.type)
                for field in view.facts(event):
                    rule = rule_of(view, event, field)
                    assert rule.kind in ("input", "copy", "derived")
                    seen += 1
        assert set(TYPES) == types
        assert seen > 1500

    def test_identical_traces_have_no_difference(self) -> None:
        for case in all_cases().values():
            one, two = Trace.parse(run_case(case)), Trace.parse(run_case(case))
            found = explain(one, two)
            assert ((), (), None) == (found.causes, found.facts, found.first)


class TestMoreOrLessEvents:
    """An event on one side only is a fact too, and has a cause."""

    def test_a_ceiling_under_which_nothing_is_cut_removes_the_cut(self, place: Path) -> None:
        verdict = changed(place, budget=ContextBudget(max_input_chars=3000))
        assert verdict.explanation is not None
        assert verdict.attribution is not None
        gone = [d.type for d in verdict.explanation.facts if d.right is None]
        assert "tool.truncate" in gone
        assert verdict.attribution.separable

    def test_a_scenario_that_stops_elsewhere_is_a_failed_case_not_a_divergence(
        self, place: Path
    ) -> None:
        verdict = changed(place, budget=budget(268, 180))
        assert "case-failed" == verdict.status.code
        assert any("result-does-not-fit" in line for line in verdict.evidence)

    def test_a_case_that_cannot_start(self, place: Path) -> None:
        case = all_cases()["s06-context-budget"]

        def build(trace: Recorder) -> AgentRunner:
            raise LookupError("gone")

        broken = Case(case.id, case.title, case.stops, Staged(build, ("Read.",)))
        verdict = next(iter(verify({case.id: broken}, [case.id], place)))
        assert "case-failed" == verdict.status.code
