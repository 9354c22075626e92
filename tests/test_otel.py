"""The OpenTelemetry export: what a receiver sees of a trace, and that nothing of it is lost."""

import hashlib
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest

from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.record.records import HIGHEST, Author, Kind, Record, Trust
from curriculum.trace import otel_names
from curriculum.trace.events import Finish
from curriculum.trace.otel import otlp
from curriculum.trace.otel_content import as_object
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.types import EVERY_TYPE as TYPES
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.plain import Plain

from . import test_hostile
from .kinds import of_each_kind
from .otlp import Export, Span, keys, lines, read
from .traces import last_session

ROOT = Path(__file__).resolve().parents[1]
IDS = {
    p.relative_to(ROOT / "golden").with_suffix("").as_posix(): p
    for p in sorted((ROOT / "golden").rglob("*.jsonl"))
}
GOLDENS = [IDS[id] for id in of_each_kind(IDS)]
OWN = ROOT / "tests/examples/tiny_agent/golden"
"""Goldens of a loop of one's own, which replaces contents and asks again after a timeout."""
ALL = [*GOLDENS, OWN / "own-messages.jsonl", OWN / "three-turns.jsonl"]
MS = 1_000_000


def golden(name: str) -> Trace:
    return Trace.read(ROOT / "golden" / f"{name}.jsonl")


def export(trace: Trace, content: bool = False) -> Export:
    return read(otlp(trace, content))


def ran(*turns: Turn, tools: ToolRegistry | None = None, **fields: Any) -> Trace:
    recorder = Recorder()
    runner = AgentRunner(
        model=ScriptedModel(turns),
        tools=tools or ToolRegistry(),
        trace=recorder,
        budget=fields.pop("budget", ContextBudget(max_input_chars=5000)),
        **fields,
    )
    with suppress(RunError):
        runner.run("Go.")
    return Trace.parse(recorder.text())


def of(kind: Kind, text: str, trust: Trust | None = None) -> Record:
    """A record of an earlier log, with the label that its kind has at most."""
    label = trust or HIGHEST.get(kind, Trust.EXTERNAL)
    return Record("?", kind, label, Author.HARNESS, "log", text)


def began(trace: Trace, events: int) -> Trace:
    """What a run that crashed after so many events has left."""
    return Trace(trace.events[:events], trace.name)


def named(export: Export, name: str) -> Span:
    [span] = [span for span in export.spans if span.name == name]
    return span


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
@pytest.mark.parametrize("content", [False, True], ids=["bare", "content"])
class TestEveryGolden:
    """What holds for any trace."""

    def test_a_receiver_can_read_it(self, path: Path, content: bool) -> None:
        """The official protobuf takes it, and gives it back without a change."""
        got = export(Trace.read(path), content)
        assert content is got.resource["curriculum.content"]
        assert "curriculum" == got.resource["service.name"]
        assert (
            "open-telemetry/semantic-conventions-genai v0.1.0" == got.resource["curriculum.semconv"]
        )

    def test_each_event_stands_in_it_exactly_once(self, path: Path, content: bool) -> None:
        got = export(Trace.read(path), content)
        told = [fact["curriculum.seq"] for span in got.spans for fact in [span.facts, *(e.facts for e in span.events)] if "curriculum.seq" in fact]  # fmt: skip
        count = len(last_session(path.read_text())) - 1
        assert list(range(1, count + 1)) == sorted(told)

    def test_ids_come_of_the_bytes_of_the_file(self, path: Path, content: bool) -> None:
        got = export(Trace.read(path), content)
        shown = "".join(f"{line}\n" for line in last_session(path.read_text()))
        digest = hashlib.sha256(shown.encode()).hexdigest()
        last = f"{int(digest[31], 16) | 1:x}"
        assert {digest[:31] + last} == {span.trace for span in got.spans}
        ids = [span.id for span in got.spans]
        assert len(ids) == len(set(ids))
        assert all(len(id) == 16 and int(id, 16) for id in ids)
        first, *others = got.spans
        assert "" == first.parent
        assert {first.id} >= {span.parent for span in others}

    def test_time_is_the_place_in_the_trace(self, path: Path, content: bool) -> None:
        """Event n stands n milliseconds after the epoch; nothing stands outside its span."""
        got = export(Trace.read(path), content)
        for span in got.spans:
            assert span.facts.get("curriculum.seq", span.start // MS) * MS == span.start
            times = [span.start, *(event.time for event in span.events), span.end]
            assert sorted(times) == times
            assert got.spans[0].start <= span.start <= span.end <= got.spans[0].end
            for event in span.events:
                assert event.facts.get("curriculum.seq", span.start // MS) * MS == event.time

    def test_nothing_is_called_compacted_and_no_token_is_counted(
        self, path: Path, content: bool
    ) -> None:
        """The first is true or absent, and nothing is compacted; the second only a provider knows."""
        got = keys(export(Trace.read(path), content))
        assert "gen_ai.conversation.compacted" not in got
        assert not any(key.startswith("gen_ai.usage") for key in got)


class TestNothingIsLost:
    """A trace can be put together again from its export."""

    @pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
    def test_every_line_comes_back(self, path: Path) -> None:
        wanted = [json.loads(line) for line in last_session(path.read_text())[1:]]
        assert wanted == lines(export(Trace.read(path), content=True))

    def test_every_type_of_event_has_its_place(self) -> None:
        """A new type, finish or label must be given a name before it can be lost."""
        assert set(TYPES) == set(otel_names.FIELDS)
        assert set(Finish) == set(otel_names.FINISH_REASONS)
        assert set(Trust) == set(otel_names.ROLES)
        assert len(set(otel_names.FIELDS.values())) == len(TYPES)

    def test_without_content_no_word_of_anybody_is_in_it(self) -> None:
        """Names of tools, ids and sources are labels; texts, arguments and results are content."""
        tool = Tool("look", lambda n: "SECRET result", "SECRET description", {"type": "object"})
        turns = [Turn("SECRET turn", calls=[call("look", {"n": "SECRET argument"})]), Turn("Done.")]
        trace = ran(*turns, tools=ToolRegistry(tool), system_prompt="SECRET prompt")
        assert "SECRET" not in otlp(trace)
        text = otlp(trace, content=True)
        for word in ("prompt", "description", "turn", "argument", "result"):
            assert f"SECRET {word}" in text

    def test_what_stands_for_a_replaced_content_is_content(self) -> None:
        """Without content its characters and its SHA-256 say which it was."""
        trace = Trace.read(OWN / "own-messages.jsonl")
        said = "[old output; call the tool again if you need it]"
        chats = [span for span in export(trace, content=True).spans if span.name.startswith("chat")]
        told = [
            e.facts for chat in chats for e in chat.events if "curriculum.decision.text" in e.facts
        ]
        assert {said} == {facts["curriculum.decision.text"] for facts in told}
        assert said not in otlp(trace)
        bare = [event.facts for span in export(trace).spans for event in span.events]
        assert [(48, "98ea8cf5671f5a8f235264cc6c755da6026b74aca6b43cc22f78c37d40c76961")] * 11 == [
            (facts["curriculum.decision.text.size"], facts["curriculum.decision.text.sha256"])
            for facts in bare
            if facts.get("curriculum.decision.decision") == "replaced"
        ]

    def test_records_carry_their_label_and_size(self) -> None:
        """A cut record: what is kept of 2,000 characters, and the hash of the whole."""
        tool = named(export(golden("s06-context-budget")), "execute_tool large_result")
        assert {
            "curriculum.seq": 12,
            "curriculum.turn": 1,
            "curriculum.cause": 11,
            "curriculum.record.id": "r0005",
            "curriculum.record.kind": "result",
            "curriculum.record.trust": "tool",
            "curriculum.record.author": "tool",
            "curriculum.record.source": "tool:large_result",
            "curriculum.record.answers.record": "r0004",
            "curriculum.record.answers.call": 0,
            "curriculum.record.size": 180,
            "curriculum.record.cut.head": 86,
            "curriculum.record.cut.tail": 86,
            "curriculum.record.cut.original": 2000,
            "curriculum.record.cut.sha256": "8a8bf3b6c9158d348bd4a687396a8c37fd5a237b5c5f4eec268864c6309d4c96",
        } == tool.events[-1].facts


class TestS06:
    """The first lesson, span by span."""

    def test_the_spans(self) -> None:
        """A run of two chats, with one call between them: name, from, to, inside."""
        got = export(golden("s06-context-budget"))
        first = got.spans[0].id
        assert [
            ("invoke_agent", 1, 17, ""),
            ("chat", 5, 8, first),
            ("execute_tool large_result", 9, 12, first),
            ("chat", 13, 16, first),
        ] == [(s.name, s.start // MS, s.end // MS, s.parent) for s in got.spans]
        assert {1} == {span.kind for span in got.spans}  # INTERNAL
        assert {0} == {span.status for span in got.spans}  # nothing failed
        assert "curriculum.trace.otel 1" == got.scope

    def test_the_run(self) -> None:
        run = export(golden("s06-context-budget")).spans[0]
        assert {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": "curriculum",
            "gen_ai.conversation.id": "s06-context-budget",
            "curriculum.type": "session.start",
            "curriculum.seq": 1,
            "curriculum.turn": 0,
            "curriculum.start.session": "s06-context-budget",
            "curriculum.start.budget": {
                "max_input_chars": 300,
                "max_tool_output_chars": 180,
                "output_reserve": 0,
            },
            "curriculum.start.max_turns": 8,
            "curriculum.start.components": {
                "counter": "chars@1",
                "cutter": "both-ends@1",
                "policy": "newest-first@1#33fc9d5b",
                "unicode": "18.0.0",
                "wire": "plain@1",
            },
        } == run.facts
        assert [
            ("curriculum.record.append", 2),
            ("curriculum.record.append", 3),
            ("curriculum.record.append", 4),
            ("curriculum.session.stop", 17),
        ] == [(event.name, event.time // MS) for event in run.events]
        assert "completed" == run.events[-1].facts["curriculum.stop.reason"]

    def test_the_second_chat(self) -> None:
        """All that the assembly decided: five candidates, one of them cut."""
        chat = export(golden("s06-context-budget")).spans[3]
        assert {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "curriculum",
            "gen_ai.conversation.id": "s06-context-budget",
            "gen_ai.response.finish_reasons": ["stop"],
            "curriculum.type": "context.assemble",
            "curriculum.seq": 13,
            "curriculum.turn": 2,
            "curriculum.cause": 12,
            "curriculum.context.trigger": "tool-results",
            "curriculum.context.policy": "newest-first@1#33fc9d5b",
            "curriculum.context.wire": "plain@1",
            "curriculum.context.counter": "chars@1",
            "curriculum.context.unit": "chars",
            "curriculum.context.bound": "proven",
            "curriculum.context.limit": 300,
            "curriculum.context.reserve": 0,
            "curriculum.context.candidates": 5,
            "curriculum.context.band": "red",
            "curriculum.context.admitted": 4,
            "curriculum.context.cut": 1,
            "curriculum.context.omitted": 0,
            "curriculum.context.replaced": 0,
            "curriculum.context.room": 56,
            "curriculum.context.frame": 0,
            "curriculum.context.size": 300,
            "curriculum.context.bytes": 300,
            "curriculum.context.messages": 4,
            "curriculum.context.fingerprint": "eebe7f59c3b520f39603baa944cec511083b42455368b3b6c242b46f11148224",
        } == chat.facts
        assert [
            ("curriculum.decision", 13),
            ("curriculum.decision", 13),
            ("curriculum.decision", 13),
            ("curriculum.decision", 13),
            ("curriculum.decision", 13),
            ("curriculum.model.request", 14),
            ("curriculum.model.response", 15),
            ("curriculum.record.append", 16),
        ] == [(event.name, event.time // MS) for event in chat.events]
        assert {
            "curriculum.decision.first": "r0005",
            "curriculum.decision.decision": "cut",
            "curriculum.decision.reason": "cut-to-room",
            "curriculum.decision.size": 36,
            "curriculum.decision.limit": "max_input_chars",
            "curriculum.decision.head": 12,
            "curriculum.decision.tail": 11,
            "curriculum.decision.missing": 1977,
            "curriculum.decision.share": 36,
            "curriculum.decision.full": 185,
        } == chat.events[4].facts

    def test_the_call(self) -> None:
        """The tool's span holds gate 1: 2,000 characters came, 172 of them stay for good."""
        tool = export(golden("s06-context-budget")).spans[2]
        assert {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "large_result",
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": "c1",
            "curriculum.type": "tool.request",
            "curriculum.seq": 9,
            "curriculum.turn": 1,
            "curriculum.cause": 8,
            "curriculum.call.record": "r0004",
            "curriculum.call.call": 0,
            "curriculum.call.tool": "large_result",
        } == tool.facts
        result, truncate, _ = tool.events
        assert ("curriculum.tool.result", 2000) == (
            result.name,
            result.facts["curriculum.result.size"],
        )
        assert {
            "curriculum.seq": 11,
            "curriculum.turn": 1,
            "curriculum.cause": 10,
            "curriculum.truncate.reason": "tool-ceiling",
            "curriculum.truncate.limit": 180,
            "curriculum.truncate.kept": 172,
            "curriculum.truncate.missing": 1828,
            "curriculum.truncate.size": 180,
        } == truncate.facts

    def test_what_was_said(self) -> None:
        """Messages in the standard's shape, in sending order and cut as they were sent."""
        _, first, tool, second = export(golden("s06-context-budget"), content=True).spans
        asked = {"type": "tool_call", "id": "c1", "name": "large_result", "arguments": {}}
        answer = "row 0001. ro[-1977-] row 0200. "
        history = [
            {
                "role": "system",
                "parts": [{"type": "text", "content": "Keep tool output bounded. " * 8}],
            },
            {"role": "user", "parts": [{"type": "text", "content": "Read large_result."}]},
        ]
        called = {"role": "assistant", "parts": [asked]}
        result = {"type": "tool_call_response", "id": "c1", "response": answer}
        assert history == first.facts["gen_ai.input.messages"]
        assert [{**called, "finish_reason": "tool_call"}] == first.facts["gen_ai.output.messages"]
        assert [{"type": "function", "name": "large_result"}] == first.facts[
            "gen_ai.tool.definitions"
        ]
        assert [*history, called, {"role": "tool", "parts": [result]}] == second.facts[
            "gen_ai.input.messages"
        ]
        said = {"role": "assistant", "parts": [{"type": "text", "content": "It has 200 rows."}]}
        assert [{**said, "finish_reason": "stop"}] == second.facts["gen_ai.output.messages"]
        assert {} == tool.facts["gen_ai.tool.call.arguments"]
        assert tool.facts["gen_ai.tool.call.result"].startswith("row 0001. row 0002. ")
        assert "[-1828-]" in tool.facts["gen_ai.tool.call.result"]


class TestFailures:
    """What went wrong is a status and an `error.type`, on the span that it went wrong in."""

    def failed(self, name: str) -> list[tuple[str, int, str]]:
        spans = export(golden(name)).spans
        return [(s.name, s.start // MS, s.facts["error.type"]) for s in spans if s.status == 2]

    def test_a_refused_assembly_is_a_chat_that_says_what_did_not_fit(self) -> None:
        """336 characters are needed and 300 allowed: the three parts add up."""
        assert [
            ("invoke_agent", 1, "protected-does-not-fit"),
            ("chat", 5, "protected-does-not-fit"),
        ] == self.failed("s06-context-budget/system-does-not-fit")
        _, chat = export(golden("s06-context-budget/system-does-not-fit")).spans
        refused = {k.rpartition(".")[2]: v for k, v in chat.facts.items() if ".refused." in k}
        assert {
            "reason": "protected-does-not-fit",
            "limit": "max_input_chars",
            "allowed": 300,
            "needed": 336,
            "frame": 0,
        } == refused
        assert 300 == chat.facts["curriculum.context.limit"]
        assert not {"gen_ai.response.finish_reasons", "curriculum.context.admitted"} & set(
            chat.facts
        )
        assert [("r0001", 14), ("r0002", 302), ("r0003", 20)] == [
            (e.facts["curriculum.need.record"], e.facts["curriculum.need.size"])
            for e in chat.events
        ]  # fmt: skip

    @pytest.mark.parametrize("code", ["unknown-tool", "bad-arguments", "tool-raised"])
    def test_a_failed_call_fails_alone(self, code: str) -> None:
        [(name, start, error)] = self.failed(f"harness/{code}")
        assert name.startswith("execute_tool ")
        assert (9, code) == (start, error)

    def test_a_failed_call_has_no_result_but_its_record_has_the_text(self) -> None:
        tool = export(golden("harness/tool-raised"), content=True).spans[2]
        assert "gen_ai.tool.call.result" not in tool.facts
        assert tool.events[-1].facts["curriculum.record.content"]["text"].startswith("tool-raised")

    def test_a_request_that_was_never_answered_ends_with_the_run(self) -> None:
        """The standard has a finish reason for it; the error itself stands on the run."""
        assert [
            ("invoke_agent", 1, "script-exhausted"),
            ("chat", 12, "script-exhausted"),
        ] == self.failed("harness/script-exhausted")
        run, *_, chat = export(golden("harness/script-exhausted")).spans
        assert (15, ["error"]) == (chat.end // MS, chat.facts["gen_ai.response.finish_reasons"])
        error = next(event for event in run.events if event.name == "curriculum.error")
        assert {"expected": 1, "got": 2, "index": 1} == error.facts["curriculum.error.params"]

    @pytest.mark.parametrize("name", ["turn-limit", "output-limit"])
    def test_an_end_that_was_chosen_is_no_failure(self, name: str) -> None:
        assert [] == self.failed(f"harness/{name}")
        stop = export(golden(f"harness/{name}")).spans[0].events[-1]
        assert name == stop.facts["curriculum.stop.reason"]

    def test_a_call_that_was_not_run_has_a_span_that_says_so(self) -> None:
        """The output ended early, so its call was answered without being run."""
        trace = ran(Turn(calls=[call("look", id="c7")], finish="output-limit"))
        tool = named(export(trace), "execute_tool look")
        assert ("c7", "not-run", 2) == (
            tool.facts["gen_ai.tool.call.id"],
            tool.facts["error.type"],
            tool.status,
        )
        assert "curriculum.seq" not in tool.facts  # no event opened it; its result is an event
        assert "curriculum.tool.result" == tool.events[0].name

    def test_an_interrupt_before_the_answer_fails_the_chat(self) -> None:
        def stop(request: object) -> None:
            raise KeyboardInterrupt

        recorder = Recorder()
        model: Any = attrs.make_class("Model", {"respond": attrs.field()})(stop)
        budget = ContextBudget(max_input_chars=500)
        with pytest.raises(KeyboardInterrupt):
            AgentRunner(model=model, tools=ToolRegistry(), trace=recorder, budget=budget).run("Go.")
        run, chat = export(Trace.parse(recorder.text())).spans
        assert ("interrupted", "interrupted") == (run.facts["error.type"], chat.facts["error.type"])

    def test_an_error_of_the_model_is_named_by_its_code(self) -> None:
        """The run stops with `error`; the code says more: `raised`, and what."""

        def broken(request: object) -> None:
            raise ZeroDivisionError

        recorder = Recorder()
        model: Any = attrs.make_class("Model", {"respond": attrs.field()})(broken)
        budget = ContextBudget(max_input_chars=500)
        with pytest.raises(ZeroDivisionError):
            AgentRunner(model=model, tools=ToolRegistry(), trace=recorder, budget=budget).run("Go.")
        run, chat = export(Trace.parse(recorder.text())).spans
        assert ("raised", "raised") == (run.facts["error.type"], chat.facts["error.type"])
        assert {"type": "ZeroDivisionError"} == run.events[1].facts["curriculum.error.params"]


class TestUnfinished:
    """A file that a crash has left, and one of records only."""

    @pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
    def test_a_run_may_break_off_after_any_event(self, path: Path) -> None:
        """What is open ends with the last event, has no status, and says so; no event is lost."""
        whole = Trace.read(path)
        for count in range(1, len(whole.events)):
            trace = began(whole, count)
            got = export(trace, content=True)
            assert count == len(lines(got))
            assert (count * MS, 0) == (got.spans[0].end, got.spans[0].status)
            assert got.spans[0].facts["curriculum.unfinished"] is True
            for span in got.spans:
                if "curriculum.unfinished" in span.facts:
                    assert (count * MS, 0) == (span.end, span.status)
                    assert "gen_ai.response.finish_reasons" not in span.facts

    def test_only_what_is_open_is_unfinished(self) -> None:
        """Broken off while the tool ran: the run and the call are open, the chat is not."""
        got = export(began(golden("s06-context-budget"), 9))
        assert [("invoke_agent", True), ("chat", False), ("execute_tool large_result", True)] == [
            (span.name, "curriculum.unfinished" in span.facts) for span in got.spans
        ]
        whole = export(golden("s06-context-budget"))
        assert not any("curriculum.unfinished" in span.facts for span in whole.spans)

    def test_a_session_file_is_no_run(self) -> None:
        """Nobody was invoked, so no agent is claimed; the records are there."""
        [span] = export(began(golden("s06-context-budget"), 4)).spans
        assert ("session", 3) == (span.name, len(span.events))
        assert "gen_ai.operation.name" not in span.facts
        assert "s06-context-budget" == span.facts["gen_ai.conversation.id"]


class TestCounts:
    """How many candidates got which decision; the entries are ranges."""

    @pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
    def test_the_counts_add_up_to_the_candidates(self, path: Path) -> None:
        for span in export(Trace.read(path)).spans:
            if "curriculum.context.size" in span.facts:
                counts = [span.facts[f"curriculum.context.{n}"] for n in ("admitted", "cut", "omitted", "replaced")]  # fmt: skip
                assert span.facts["curriculum.context.candidates"] == sum(counts)

    def test_a_range_counts_for_all_in_it(self) -> None:
        """The last request of a long session: one entry leaves out r0003 to r0015."""
        chat = export(golden("harness/long-session")).spans[-1]
        facts = {
            name: chat.facts[f"curriculum.context.{name}"] for name in ("candidates", "omitted")
        }
        assert {"candidates": 21, "omitted": 13} == facts

    def test_opaque_records_are_no_candidates(self) -> None:
        """Six records with the prompt, one of them opaque and inside the range that is left out."""
        kinds = [Kind.USER, Kind.ASSISTANT, Kind.OPAQUE, Kind.USER, Kind.ASSISTANT]
        history = [of(kind, "a word or two") for kind in kinds]
        trace = ran(Turn("Yes."), budget=ContextBudget(max_input_chars=5), history=history)
        chat = named(export(trace), "chat")
        assert (5, 1, 4) == tuple(
            chat.facts[f"curriculum.context.{name}"]
            for name in ("candidates", "admitted", "omitted")
        )


class TestNames:
    """The standard's names are used for what the trace knows, and for nothing else."""

    def test_a_session_that_nobody_named_is_no_conversation(self) -> None:
        """The default name is the same for runs that have nothing to do with each other."""
        got = export(ran(Turn("Hello.")))
        assert "session" == got.spans[0].facts["curriculum.start.session"]
        assert "gen_ai.conversation.id" not in keys(got)
        named = export(ran(Turn("Hello."), session_id="mine"))
        assert ["mine", "mine"] == [s.facts["gen_ai.conversation.id"] for s in named.spans]

    def test_the_model_is_the_one_that_the_wire_names(self) -> None:
        got = export(ran(Turn("Hello."), wire=OpenAIChat("small:1")))
        assert "small:1" == named(got, "chat small:1").facts["gen_ai.request.model"]
        assert "gen_ai.request.model" not in keys(export(ran(Turn("Hello."))))

    @pytest.mark.parametrize(
        ("finish", "word"),
        [
            ("done", "stop"),
            ("output-limit", "length"),
            ("window-full", "length"),
            ("refused", "content_filter"),
            ("paused", "paused"),
        ],
    )
    def test_finishes_are_spelled_as_the_standard_spells_them(self, finish: str, word: str) -> None:
        chat = named(export(ran(Turn("Hello.", finish=finish))), "chat")
        assert [word] == chat.facts["gen_ai.response.finish_reasons"]

    def test_arguments_are_an_object_where_they_spell_one(self) -> None:
        """Anything else stays the text that the model wrote, to the character."""
        assert {"a": [1, None, True, {"b": "c"}]} == as_object('{"a":[1,null,true,{"b":"c"}]}')
        deep = '{"a":' * 17 + "1" + "}" * 17
        odd = ['{"a":0.5}', '{"a":1,"a":2}', "[1]", "{", "", '{"a":NaN}', '{"a":"\\ud800"}', deep]
        odd += ['{"a":' * 100_000, f'{{"a":{2**63}}}', f'{{"a":{"9" * 5000}}}']
        assert odd == [as_object(text) for text in odd]

    def test_no_library_of_the_standard_is_imported(self) -> None:
        """The names are pinned here; the learner installs no more for them."""
        code = "import sys, curriculum.trace.otel; print([m for m in sys.modules if m.split('.')[0] in ('opentelemetry', 'google')])"
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)  # fmt: skip
        assert ("[]\n", "") == (done.stdout, done.stderr)


class TestMessages:
    """Every kind of record that a wire can send has a place in the standard's messages."""

    def test_the_role_is_never_higher_than_the_trust(self) -> None:
        """The standard has four roles, and lets a custom one stand. Thinking is a part of its own kind."""
        history = [
            of(Kind.INSTRUCTION, "obey", Trust.DEVELOPER),
            of(Kind.USER, "ask", Trust.USER),
            of(Kind.THINKING, "hm", Trust.ASSISTANT),
            of(Kind.MEMORY, "likes tea", Trust.USER),
            of(Kind.SKILL, "from the web", Trust.EXTERNAL),
        ]
        got = named(export(ran(Turn("Yes."), history=history), content=True), "chat")
        assert [
            ("developer", "text", "obey"),
            ("user", "text", "ask"),
            ("assistant", "reasoning", "hm"),
            ("user", "text", "likes tea"),
            ("tool", "text", "from the web"),
            ("user", "text", "Go."),
        ] == [
            (message["role"], part["type"], part["content"])
            for message in got.facts["gen_ai.input.messages"]
            for part in message["parts"]
        ]

    def test_a_call_and_its_tool_are_written_as_structure(self) -> None:
        """Arguments, parameters and a result that is an object, with nothing and truth in them."""
        tool = Tool("look", lambda **_: '{"found":[null,true,2]}', "Looks.", {"type": "object"})
        asked = call("look", {"deep": None, "all": True}, id="c1")
        got = export(ran(Turn("Wait.", calls=[asked]), Turn("Ok."), tools=ToolRegistry(tool)), content=True)  # fmt: skip
        look = named(got, "execute_tool look").facts
        assert {"deep": None, "all": True} == look["gen_ai.tool.call.arguments"]
        assert {"found": [None, True, 2]} == look["gen_ai.tool.call.result"]
        definition = {"type": "function", "name": "look", "description": "Looks."}
        chat = got.spans[1].facts
        [tools] = chat["gen_ai.tool.definitions"]
        assert definition.items() <= tools.items()
        assert "object" == tools["parameters"]["type"]
        [said] = chat["gen_ai.output.messages"]
        assert ["text", "tool_call"] == [part["type"] for part in said["parts"]]

    def test_a_record_that_follows_an_answer_is_not_part_of_it(self) -> None:
        """Only the record of the answer itself stands in the chat, whatever it causes."""
        events = golden("s06-context-budget").events[:16]
        user = of(Kind.USER, "And now?", Trust.USER)
        later = attrs.evolve(events[3], seq=17, cause=16, data=attrs.evolve(user, id="r0007"))
        got = export(Trace((*events, later), "later"))
        assert (17, 16) == tuple(
            got.spans[0].events[-1].facts[name] for name in ("curriculum.seq", "curriculum.cause")
        )


class TestHostile:
    """What sessions and tools say stands in values and changes nothing else."""

    @pytest.mark.parametrize("wire", [Plain(), OpenAIChat()], ids=["plain", "openai-chat"])
    @pytest.mark.parametrize("what", list(test_hostile.HOSTILE))
    def test_any_text_comes_through_whole(self, what: str, wire: Plain | OpenAIChat) -> None:
        trace = test_hostile.run(test_hostile.HOSTILE[what], wire)
        again = Recorder()
        for event in trace.events:
            again.emit(event.type, event.data, turn=event.turn, cause=event.cause)
        got = export(trace, content=True)
        assert [json.loads(line) for line in again.text().splitlines()[1:]] == lines(got)

    def test_no_text_becomes_a_name(self) -> None:
        """Names of limits, components and parameters are anybody's in a file; they stay values."""
        text = (ROOT / "golden" / "harness" / "script-exhausted.jsonl").read_text()
        text = text.replace('"output_reserve":0', '"gen_ai.conversation.compacted":1')
        text = text.replace('"cutter":', '"":').replace('"index":1', '"error.type":1')
        got = export(Trace.parse(text))
        known = keys(export(golden("harness/script-exhausted")))
        assert known == keys(got)
        assert 1 == got.spans[0].facts["curriculum.start.budget"]["gen_ai.conversation.compacted"]

    def test_the_biggest_number_of_a_trace_is_a_number(self) -> None:
        """Fifteen digits have room in 64 bits; a trace holds no longer ones."""
        text = (ROOT / "golden" / "s06-context-budget.jsonl").read_text()
        got = export(Trace.parse(text.replace('"max_turns":8', '"max_turns":999999999999999')))
        assert 999999999999999 == got.spans[0].facts["curriculum.start.max_turns"]
