"""Policies of pools under the law checker, which decides every candidate again in a way of its own.

The checker follows the guide of the policies from scratch for each assembly; the assembler keeps
sums as a log grows. Both must say the same of any session under any policy.
"""

import contextlib
import json
from functools import cache
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.context.known_policies import register
from curriculum.context.manifest import Manifest
from curriculum.context.policy import Policy
from curriculum.context.pooling import Pool, Rule, Smaller, Step
from curriculum.count.counters import Characters
from curriculum.count.registry import counter_of
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind, Record, Replaced, Trust
from curriculum.record.session import Session
from curriculum.record.unlawful import UnlawfulRecord
from curriculum.trace.facts import View, flatten
from curriculum.trace.ladder import POOLED
from curriculum.trace.reader import Event, Trace
from curriculum.trace.recorder import Recorder, converter
from curriculum.trace.rule_table import rule_of
from curriculum.trace.rules import spell_step
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.plain import Plain
from curriculum.wire.protocol import Wire

from . import pool_strategies, strategies
from .kinds import leaves
from .test_admission import Log, policy
from .test_laws import poke
from .test_random_runs import boom, turns
from .test_short_ways import by_the_rules_alone, found
from .traces import broken, text_of

WIRES: tuple[Wire, ...] = (Plain(), OpenAIChat2(), AnthropicMessages())
COUNTERS = (
    *("chars@1", "chars@1", "bytes@1", "calibrated@1:o200k"),
    "bytes@1:claude-4.7;reply=0;preamble=804;images=anthropic-high",  # tools cost what none shows
)


@st.composite
def traces(draw: st.DrawFn) -> str:
    """A session that is assembled two or three times, at a ceiling where a rung just fits or any.

    Raises nothing for what a policy refuses: that ends the trace.
    """
    records = draw(pool_strategies.sessions())
    chosen, wire = register(draw(pool_strategies.policies())), draw(st.sampled_from(WIRES))
    most = draw(st.sampled_from([None, None, None, 1, 3, 6]))
    whole = assemble(records, 10**6, wire=wire, policy=chosen).manifest.size or 1
    tried = assemble(records, max(1, whole * 2 // 3), wire=wire, policy=chosen).manifest.rungs
    around = [max(1, rung.size + more) for rung in tried for more in (-1, 0, 1)]
    limit = draw(st.sampled_from(around or [whole]) | st.integers(1, whole + 1))
    after = {*draw(st.lists(st.integers(1, len(records)), max_size=2)), len(records)}
    return text_of(records, wire, [(n, limit) for n in sorted(after)], chosen, most)


def said(data: Manifest) -> dict[str, Any]:
    """What a manifest says that only policies of pools say, by field."""
    facts: dict[str, Any] = {}
    for name in POOLED:
        if (value := getattr(data, name)) is not None:
            flatten(name, converter.unstructure(value), facts)
    return facts


class TestRandomSessions:
    """Repeated, overruled, previewed, replaced, with defects: under any policy, wire, ceiling."""

    @settings(max_examples=200)
    @given(text=traces())
    def test_what_is_assembled_is_lawful(self, text: str) -> None:
        assert [] == broken(Trace.parse(text))

    @settings(max_examples=60)
    @given(text=traces())
    def test_the_checker_says_the_same_as_the_manifest(self, text: str) -> None:
        """Field by field and record by record, without the laws between."""
        view = View(Trace.parse(text))
        for event in view.trace.assemblies:
            ladder, data = view.ladder(event), event.data
            assert said(data) == dict(ladder.more)
            if data.refused is not None:
                named = attrs.asdict(data.refused)
                assert ladder.refused == {name: named[name] for name in ladder.refused or ()}
                assert ladder.parts == {part.record: part.size for part in data.refused.parts}
                continue
            for row in view.rebuild.table(event):
                step = ladder.step(int(row.record.id[1:]) - 1)
                assert (row.decision, row.reason) == (step.decision, step.reason), row.record.id

    @settings(max_examples=60)
    @given(text=traces(), more=st.integers(-1, 1))
    def test_one_look_finds_what_the_rules_find(self, text: str, more: int) -> None:
        """Also under another ceiling than it was made with, so that much is broken."""
        trace = Trace.parse(text)
        limit = trace.start.budget["max_input_chars"]
        other = f'"max_input_chars":{max(1, limit + more)}'
        trace = Trace.parse(text.replace(f'"max_input_chars":{limit}', other, 1))
        assert by_the_rules_alone(trace) == found(trace)

    @settings(max_examples=40)
    @given(text=traces())
    def test_every_fact_has_a_rule_that_can_be_told(self, text: str) -> None:
        """Whatever field an event has, the table knows it, and its sum can be said."""
        view = View(Trace.parse(text))
        for event in view.trace.events:
            for field, value in view.facts(event).items():
                rule = rule_of(view, event, field)
                if rule.derive is not None and event.type == "context.assemble":
                    assert value == rule.derive(view, event, field).value, field

    @settings(max_examples=80)
    @given(
        records=pool_strategies.sessions(),
        chosen=pool_strategies.policies(),
        wire=st.sampled_from(WIRES),
        limit=st.integers(1, 1500),
    )
    def test_a_kept_index_decides_as_a_new_one(
        self, records: list[Record], chosen: Policy, wire: Wire, limit: int
    ) -> None:
        """Law 1: what earlier calls have learned changes nothing, at any length of the log."""
        index = SessionIndex(wire, Characters())
        for n in range(1, len(records) + 1):
            kept = assemble(records[:n], limit, policy=chosen, index=index)
            assert assemble(records[:n], limit, policy=chosen, wire=wire).manifest == kept.manifest


class TestRandomRuns:
    """Runs that go on from such a session, whatever the model does and the tools return."""

    @settings(max_examples=80)
    @given(data=st.data())
    def test_every_run_is_lawful_and_rebuilds_its_requests(self, data: st.DataObject) -> None:
        long = data.draw(strategies.texts())
        model = ScriptedModel(data.draw(st.lists(turns(), max_size=5)))
        recorder, counter = Recorder(), data.draw(st.sampled_from(COUNTERS))
        unit = counter_of(counter).unit
        limits = {f"max_input_{unit}": data.draw(st.integers(100, 3000))}
        if data.draw(st.booleans()):
            limits["max_tool_output_chars"] = data.draw(st.integers(28, 200))
        if data.draw(st.booleans()):
            limits["max_messages"] = data.draw(st.integers(3, 20))
        runner = AgentRunner(
            model=model,
            tools=ToolRegistry(
                Tool("long", lambda: long * 3), Tool("short", lambda: "ok"), Tool("boom", boom)
            ),
            trace=recorder,
            budget=ContextBudget(**limits),
            counter=counter_of(counter),
            policy=data.draw(pool_strategies.policies()),
            wire=data.draw(st.sampled_from(WIRES)),
            store=data.draw(st.sampled_from([None, ArtifactStore()])),
            max_turns=data.draw(st.integers(1, 5)),
            history=data.draw(st.just([]) | pool_strategies.sessions()),
        )
        prompts = data.draw(st.lists(strategies.hostile(), min_size=1, max_size=2))
        with contextlib.suppress(RunError):  # a script that is too short or too long is lawful too
            runner.run(*prompts)
        trace = Trace.parse(recorder.text())
        assert [] == broken(trace)
        assert trace.stop is not None
        sent = [trace.request(n).body for n in range(1, trace.stop.turns + 1)]
        assert [request.body for request in model.requests] == sent


def a_log() -> Log:
    """The user asks, and of four exchanges each reads 102 characters; under 122 each, 493 in all."""
    log = Log()
    log.add(Kind.USER, "Go.")  # 5
    for at in range(4):
        log.read(f"{at} " + "x" * 98, arguments=f'{{"n":{at}}}')  # 17 + 105
    return log


def assembled(log: Log, chosen: Policy, limit: int, **more: Any) -> tuple[View, Event[Manifest]]:
    """The log under a policy on the plain wire: the view of its trace, and its assembly."""
    text = text_of(log.records, Plain(), [(len(log.records), limit)], register(chosen), **more)
    assert [] == broken(Trace.parse(text))
    view = View(Trace.parse(text))
    return view, view.trace.assemblies[0]


def sum_of(view: View, event: Event[Manifest], field: str) -> str:
    derive = rule_of(view, event, field).derive
    assert derive is not None
    return derive(view, event, field).sum


def told(view: View, event: Event[Manifest], record: str) -> str:
    step = view.ladder(event).step(int(record[1:]) - 1)
    return f"{step.reason}: {spell_step(step.reason, {**step.sum, **step.fields})}"


class TestSums:
    """Each decision and each number can be said as arithmetic that a reader can follow."""

    def test_rungs(self) -> None:
        """A marker takes 12, so that an exchange of which the result is masked takes 29."""
        view, event = assembled(a_log(), policy(Step("mask")), 492)
        whole = "frame 0 + 5 + 122 + 122 + 122 + 122 = 493 > high 492"
        assert whole == sum_of(view, event, "rungs.0.size")
        masked = "frame 0 + 5 + 29 + 29 + 29 + 122 = 214 <= high 492"
        assert masked == sum_of(view, event, "rungs.1.size")
        assert "fits: rung mask 214 <= high 492" == told(view, event, "r0009")
        cleared = "head 0 + tail 0 <= 0 characters, 100 missing; size 12 < 105"
        assert f"masked: ordinal 1 <= line 3; {cleared}" == told(view, event, "r0003")
        assert "protected-request: size 5" == told(view, event, "r0001")

    def test_a_rung_that_fails_by_its_messages_or_a_cap(self) -> None:
        view, event = assembled(a_log(), policy(pools=(Pool("ordinary", cap=200),)), 493)
        capped = "frame 0 + 5 + 122 + 122 + 122 + 122 = 493 <= high 493; ordinary 366 > cap 200"
        assert capped == sum_of(view, event, "rungs.0.size")
        view, event = assembled(a_log(), policy(), 493, max_messages=5)
        assert sum_of(view, event, "rungs.0.size").endswith("; 9 messages > max_messages 5")

    def test_pools(self) -> None:
        """Of 300, the request and the markers of the unseen exchange leave 300 - 5 - 29 = 266; the
        unseen takes 93 more, and 173 are left for the rest."""
        view, event = assembled(a_log(), policy(), 300)
        assert "unseen: 93 over the least <= room 266" == told(view, event, "r0009")
        assert "in-pool: used 0 + takes 122 <= room 173 of ordinary" == told(view, event, "r0007")
        full = "r0004: used 122 + takes 122 > room 173 of ordinary"
        assert f"pool-full: {full}" == told(view, event, "r0004")
        assert f"pool-full: {full}" == told(view, event, "r0003")
        used = "ordinary: used 122 <= room 173; r0004 takes 122 more"
        assert used == sum_of(view, event, "pools.1.used")

    def test_a_target(self) -> None:
        """Low is 120: below 300 requests go down by what is over, in steps of 180."""
        view, event = assembled(a_log(), policy(low="40%"), 300)
        assert 133 == event.data.target
        assert "high 300 - ((300 - 493) modulo 180) = 133" == sum_of(view, event, "target")

    def test_a_smaller_mode(self) -> None:
        """All four exchanges may not shrink, and 493 are over 492; in the smaller mode they may."""
        rule = Rule("protect", "keep", kind=(Kind.RESULT,))
        chosen = policy(Step("mask"), rules=(rule,), smaller=Smaller("less", ("keep",)))
        view, event = assembled(a_log(), chosen, 492)
        sizes = "5 + 17 + 105 + 17 + 105 + 17 + 105 + 17 + 105"
        over = f"frame 0 + {sizes} = 493 > 492 (max_input_chars)"
        assert over == sum_of(view, event, "mode") == sum_of(view, event, "smaller.needed")

    def test_who_came_later_is_named(self) -> None:
        log = a_log()
        log.read("other", arguments='{"n":0}')
        view, event = assembled(log, policy(Step("superseded")), 450)
        assert told(view, event, "r0003").startswith("asked-again: head 0 + tail 0")
        assert told(view, event, "r0003").endswith("; size 12 < 105; r0011 is later")


def stories() -> dict[str, str]:
    """Traces that between them have every field of pools, on small logs."""
    keep = Rule("protect", "keep", kind=(Kind.RESULT,), tag=("keep",))
    likes = Rule("prefer", "likes", kind=(Kind.MEMORY,))
    log = a_log()
    log.add(Kind.MEMORY, "Tea.", tags=("about:tea",))
    log.add(Kind.CONSTRAINT, "Only tests.")
    log.add(Kind.MEMORY, "Coffee.", tags=("about:tea",))
    log.read("other", arguments='{"n":0}')
    log.add(Kind.IMAGE, "")
    log.add(Kind.USER, "And?")
    rules = (keep, likes)

    def made(limit: int, *ladder: Step, **terms: Any) -> str:
        chosen = register(policy(*ladder, rules=rules, **terms))
        return text_of(log.records, Plain(), [(len(log.records), limit)], chosen)

    steps = (Step("superseded"), Step("cut", 20), Step("mask"))
    tagged = Log()
    tagged.add(Kind.USER, "Go.")
    tagged.read("y" * 90, tags=("keep",))
    small = register(policy(rules=rules, smaller=Smaller("less", ("keep",))))
    return {
        "a rung fits": made(400, *steps, order="edges"),
        "pools": made(300, Step("duplicates"), low="40%", order="protected-first"),
        "exact": made(300, packing="exact", pools=(Pool("prefer", value=5),)),
        "smaller": text_of(tagged.records, Plain(), [(3, 90)], small),
        "refused": text_of(tagged.records, Plain(), [(3, 9)], small),
    }


@cache
def story(name: str) -> str:
    return stories()[name]


INPUTS = {
    "session.start data.session",
    "session.start data.max_turns",
    "session.start data.history",
    "record.append data.source",
    "record.append data.author",  # no rule of these policies asks for it
    "record.append data.tags",
    "record.append data.text",  # of what no request sends
    "session.stop cause",  # an interrupt comes from anywhere
}
"""What the run was given: nothing before it in the trace could hold it."""


class TestEditedFacts:
    """No fact of a trace of pools can be changed by hand without a breach."""

    @pytest.mark.parametrize("name", sorted(stories()))
    def test_the_story_is_lawful(self, name: str) -> None:
        assert [] == broken(Trace.parse(story(name)))

    def test_the_stories_have_every_field(self) -> None:
        said = {
            field.split(".")[0]
            for name in stories()
            for event in Trace.parse(story(name)).assemblies
            for field in globals()["said"](event.data)
        }
        assert set(POOLED) == said

    @pytest.mark.parametrize("name", sorted(stories()))
    def test_every_number_and_word_is_held_by_something(self, name: str) -> None:
        """A leaf of any event, one more or a letter longer, is a breach or cannot be read."""
        lines = [json.loads(line) for line in story(name).splitlines()]
        free: set[str] = set()
        for at, line in list(enumerate(lines))[1:]:
            for path in leaves(line):
                edited = json.loads(json.dumps(line))
                poke(edited, path)
                if not caught([*lines[:at], edited, *lines[at + 1 :]]):
                    place = ".".join(str(part) for part in path if isinstance(part, str))
                    free.add(f"{line['type']} {place}")
        assert free <= INPUTS

    @pytest.mark.parametrize("name", sorted(stories()))
    def test_nothing_can_be_left_out(self, name: str) -> None:
        """What an assembly says is all there, and no list of it is shorter."""
        lines = [json.loads(line) for line in story(name).splitlines()]
        for at, line in enumerate(lines):
            if line.get("type") != "context.assemble":
                continue
            for field in POOLED:
                for gone in (
                    ("all", "last") if isinstance(line["data"].get(field), list) else ("all",)
                ):
                    if field not in line["data"]:
                        continue
                    edited = json.loads(json.dumps(line))
                    if gone == "all":
                        del edited["data"][field]
                    else:
                        edited["data"][field].pop()
                    assert caught([*lines[:at], edited, *lines[at + 1 :]]), (field, gone)


def caught(lines: list[dict[str, Any]]) -> bool:
    """Whether the trace of these lines breaks a law, or cannot be read."""
    spelled = [json.dumps(line, sort_keys=True, separators=(",", ":")) for line in lines]
    try:
        return bool(broken(Trace.parse("\n".join(spelled) + "\n")))
    except CurriculumError:
        return True


class TestOldLadder:
    """Under newest-first, too, what a summary stands for is sent no more."""

    def log(self, **labels: Any) -> list[Record]:
        log = a_log()
        labels = {"trust": Trust.TOOL, "replaces": Replaced("r0002", "r0007"), **labels}
        log.add(Kind.SUMMARY, "It read.", **labels)
        return log.records

    def test_it_is_omitted_as_compacted_without_a_record_that_caused_it(self) -> None:
        trace = Trace.parse(text_of(self.log(), Plain(), [(10, 1000)]))
        assert [] == broken(trace)
        (entry,) = [d for d in trace.assemblies[0].data.decisions if d.decision == "omitted"]
        said = entry.first, entry.last, entry.reason, entry.because
        assert ("r0002", "r0007", "compacted", None) == said

    def test_that_it_is_sent_all_the_same_is_a_breach(self) -> None:
        text = text_of(self.log(), Plain(), [(10, 1000)])
        lines = [json.loads(line) for line in text.splitlines()]
        lines[-3]["data"]["decisions"][1]["reason"] = "no-room"
        assert caught(lines)


class TestSummaries:
    """Laws 0 and 10: a summary names earlier records, and none of a lower label than its own."""

    def edited(self, **fields: Any) -> list[str]:
        log = a_log()
        replaces = Replaced("r0001", "r0005", ("r0001",))
        log.add(Kind.SUMMARY, "It read.", trust=Trust.TOOL, replaces=replaces)
        lines = [json.loads(line) for line in text_of(log.records, Plain(), []).splitlines()]
        data = lines[11]["data"]
        assert "summary" == data["kind"]
        data["replaces"] |= fields.pop("replaces", {})
        data |= fields
        spelled = [json.dumps(line) for line in lines]
        return [str(breach) for breach in broken(Trace.parse("\n".join(spelled) + "\n"))]

    def test_a_good_one_breaks_nothing(self) -> None:
        assert [] == self.edited()

    def test_a_higher_label(self) -> None:
        """The user's own words stay beside it; a tool's do not carry the user's label."""
        (breach,) = self.edited(trust="user")
        assert breach.startswith("law 10, event 11 trust: expected assistant, got user")
        (breach,) = self.edited(trust="assistant")
        assert breach.startswith("law 10, event 11 trust: expected tool, got assistant")

    @pytest.mark.parametrize(
        ("replaces", "place"),
        [
            ({"last": "r0010"}, "replaces.last"),  # itself
            ({"last": "r0099"}, "replaces.last"),
            ({"first": "r0006", "but": []}, "replaces.first"),
            ({"but": ["r0007"]}, "replaces.but.0"),
            ({"but": ["r0001", "r0001"]}, "replaces.but.1"),
        ],
    )
    def test_ids_that_are_none(self, replaces: dict[str, Any], place: str) -> None:
        (breach,) = self.edited(replaces=replaces)
        assert breach.startswith(f"law 0, event 11 {place}: ")

    def test_only_a_summary_replaces(self) -> None:
        assert [breach for breach in self.edited(kind="plan") if "replaces nothing" in breach]

    def test_a_run_takes_no_such_history(self) -> None:
        log = a_log()
        log.add(Kind.SUMMARY, "It read.", trust=Trust.USER, replaces=Replaced("r0002", "r0005"))
        with pytest.raises(UnlawfulRecord, match=r"cannot stand for r0002"):
            Session().adopt(log.records)

    def test_what_it_replaces_is_said_by_the_ids_of_the_log_that_takes_it(self) -> None:
        log = a_log()
        by = Replaced("r0002", "r0005", ("r0004", "r0005"))
        log.add(Kind.SUMMARY, "It read.", trust=Trust.TOOL, replaces=by)
        adopted = Session().adopt(log.records[1:])[-1]
        assert Replaced("r0001", "r0004", ("r0003", "r0004")) == adopted.replaces
        alone = Session().adopt(log.records[3:])[-1]
        assert None is alone.replaces
