"""The law checker: lawful traces pass, and each way of breaking a law is caught by that law.

The checker never calls `assemble`, so an assembler with a fault cannot vouch for itself.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.agent import runner as runner_module
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context import assemble as assemble_module
from curriculum.context.budget import ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.context.known_policies import register
from curriculum.context.plan import Plan
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.course.lessons import all_cases
from curriculum.golden.cases import run_case
from curriculum.record import cut as cut_module
from curriculum.record.cut import Cut
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.plain import Plain
from curriculum.wire.protocol import Wire

from . import strategies
from .kinds import leaves_of, of_each_kind
from .traces import broken, text_of, trace_of

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


FLAT = tuple(
    register(Policy(name="flat-test", version=number, **terms))
    for number, terms in enumerate(
        (
            {"cut": False},
            {"protect": (Kind.TOOLS,)},
            {"protect": (Kind.INSTRUCTION,), "cut": False},
            {"protect": (), "current_request": False},
        ),
        1,
    )
)
"""Policies of one's own, without pools."""


def laws_broken(trace: Trace) -> set[int]:
    return {breach.law for breach in breaches(trace)}


class TestLawfulTraces:
    """What the assembler writes keeps every law, whatever the log and the ceiling."""

    @given(data=st.data(), records=strategies.logs(), wire=st.sampled_from(strategies.WIRES))
    def test_any_log_at_a_ceiling_where_something_just_fits(
        self, data: st.DataObject, records: list[Record], wire: Wire
    ) -> None:
        """Random logs, lawful and not, under ceilings at the size of a suffix plus or minus 1."""
        limit = data.draw(strategies.edge_limits(records, wire))
        assert [] == broken(trace_of(records, wire, limit))

    @given(
        data=st.data(),
        records=strategies.logs(),
        wire=st.sampled_from(strategies.WIRES),
        policy=st.sampled_from(FLAT),
    )
    def test_any_log_under_a_policy_without_pools(
        self, data: st.DataObject, records: list[Record], wire: Wire, policy: Policy
    ) -> None:
        """What it protects and whether it may cut is the policy's, in the checker too."""
        limit = data.draw(strategies.edge_limits(records, wire, policy=policy))
        text = text_of(records, wire, [(len(records), limit)] if records else [], policy)
        assert [] == broken(Trace.parse(text))

    def test_a_policy_that_may_not_cut_is_caught_cutting(self) -> None:
        """The same decisions under the name of the other policy break a law, either way."""
        whole, cuts = FLAT[0], NEWEST_FIRST
        for policy, other in ((whole, cuts), (cuts, whole)):
            text = text_of(a_log(), Plain(), [(7, 150)], policy)
            assert laws_broken(Trace.parse(text.replace(policy.id, other.id)))

    @pytest.mark.parametrize("id", sorted(all_cases()))
    def test_every_case(self, id: str) -> None:
        """Every case that ships, also those that fail on purpose."""
        assert [] == broken(Trace.parse(run_case(all_cases()[id])))


def a_log() -> list[Record]:
    """Two questions; the second turn asks for two results, one of them long."""

    def record(n: int, kind: Kind, trust: Trust, text: str = "", **fields: Any) -> Record:
        return Record(f"r{n:04d}", kind, trust, Author.HARNESS, "test", text, **fields)

    calls = (Call("c1", "read"), Call("c2", "read"))
    return [
        record(1, Kind.INSTRUCTION, Trust.SYSTEM, "Be brief."),
        record(2, Kind.USER, Trust.USER, "first question"),
        record(3, Kind.ASSISTANT, Trust.ASSISTANT, "first answer"),
        record(4, Kind.USER, Trust.USER, "second question"),
        record(5, Kind.ASSISTANT, Trust.ASSISTANT, calls=calls),
        record(6, Kind.RESULT, Trust.TOOL, "short", answers=Answers("r0005", 0)),
        record(7, Kind.RESULT, Trust.TOOL, FAMILY * 30, answers=Answers("r0005", 1)),
    ]


# The plain lines of a_log: 11 + 16 + 14 + 17 + (12 + 12) + 10 + (4 + 150 + 1 = 155) = 247.
WHOLE = 247


class TestTheNumbersOfThisFile:
    """The ceilings below are chosen by hand; this holds the sums that they rest on."""

    def test_the_log_takes_247_characters_whole(self) -> None:
        assert broken(trace_of(a_log(), Plain(), WHOLE)) == []
        trace = trace_of(a_log(), Plain(), WHOLE, every=99)
        assert 247 == trace.assemblies[0].data.size


Break = Callable[[pytest.MonkeyPatch], None]


def fits_plus_one(patch: pytest.MonkeyPatch) -> None:
    """The room is believed to be one character bigger than it is."""
    take = Plan.take

    def generous(self: Plan, groups: Any) -> Any:
        self.room += 1
        left = take(self, groups)
        self.room -= 1
        return left

    patch.setattr(Plan, "take", generous)


def splits_graphemes(patch: pytest.MonkeyPatch) -> None:
    """A cut falls anywhere, also inside a family."""
    patch.setattr(cut_module, "at_or_before", lambda text, at: max(0, min(at, len(text))))
    patch.setattr(cut_module, "at_or_after", lambda text, at: max(0, min(at, len(text))))


def marker_outside(patch: pytest.MonkeyPatch) -> None:
    """The marker is not counted against the room."""
    fit = Cut.fit
    patch.setattr(
        Cut,
        "fit",
        lambda self, limit, measure: fit(self, limit, lambda c: measure(c) - len(c.marker)),
    )


def reason_swapped(patch: pytest.MonkeyPatch) -> None:
    """A record that merely fits is called protected."""
    table = Plan.table

    def swapped(self: Plan) -> Any:
        return tuple(
            attrs.evolve(d, reason="protected-request") if d.reason == "newest" else d
            for d in table(self)
        )

    patch.setattr(Plan, "table", swapped)


def trust_raised(patch: pytest.MonkeyPatch) -> None:
    """A tool result is sent as an instruction."""
    message = SessionIndex.message

    def raised(self: SessionIndex, position: int, cut: Cut | None = None) -> Any:
        sent = message(self, position, cut)
        return attrs.evolve(sent, kind=Kind.INSTRUCTION) if sent.kind is Kind.RESULT else sent

    patch.setattr(SessionIndex, "message", raised)


def protected_forgotten(patch: pytest.MonkeyPatch) -> None:
    """The user's request is nothing special."""
    protected = SessionIndex.protected
    patch.setattr(
        SessionIndex,
        "protected",
        lambda self, policy: [p for p in protected(self, policy) if p[1] != "protected-request"],
    )


def half_an_exchange(patch: pytest.MonkeyPatch) -> None:
    """The last result of an exchange is left out, its call is not."""
    spelled = SessionIndex.spelled

    def halved(self: SessionIndex, group: Any) -> Any:
        if len(group.members) > 2:
            return self.spell(group.members[:-1], [self.item(at) for at in group.members[:-1]])
        return spelled(self, group)

    patch.setattr(SessionIndex, "spelled", halved)


def unseen_dropped(patch: pytest.MonkeyPatch) -> None:
    """The exchange that the model waits for is treated like any other, and left out."""
    patch.setattr(SessionIndex, "unseen", lambda self: None)
    patch.setattr(Plan, "cut", lambda self, group: False)


def oldest_first(patch: pytest.MonkeyPatch) -> None:
    """The oldest exchanges are taken first."""
    take = Plan.take
    patch.setattr(Plan, "take", lambda self, groups: take(self, reversed(list(groups))))


def stale_fingerprint(patch: pytest.MonkeyPatch) -> None:
    """The fingerprint is that of other bytes."""
    real = assemble_module.sha256
    patch.setattr(assemble_module, "sha256", lambda body: real(body + b"\n"))


MUTANTS = [
    (fits_plus_one, 2, 246),
    (splits_graphemes, 6, 150),
    (marker_outside, 6, 150),
    (reason_swapped, 6, 247),
    (trust_raised, 7, 247),
    (protected_forgotten, 4, 247),
    (half_an_exchange, 5, 247),
    (unseen_dropped, 12, 150),
    (oldest_first, 6, 236),
    (stale_fingerprint, 7, 247),
]


class TestMutantsOfTheAssembler:
    """A fault in the assembler is named by the law that it breaks."""

    @pytest.mark.parametrize(
        ("fault", "law", "limit"), MUTANTS, ids=[fault.__name__ for fault, _, _ in MUTANTS]
    )
    def test_the_fault_is_caught(
        self, monkeypatch: pytest.MonkeyPatch, fault: Break, law: int, limit: int
    ) -> None:
        """The same log and ceiling are lawful without the fault and break that law with it."""
        assert [] == broken(trace_of(a_log(), Plain(), limit, every=99))
        fault(monkeypatch)
        assert law in laws_broken(trace_of(a_log(), Plain(), limit, every=99))

    def test_the_tool_ceiling_ignored(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Gate 1 lets 2,000 characters into the log under a ceiling of 180."""
        monkeypatch.setattr(runner_module, "content_size", lambda cut: 0)
        trace = Trace.parse(run_case(all_cases()["s06-context-budget"]))
        assert 2 in laws_broken(trace)

    def test_the_marker_outside_the_tool_ceiling(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Gate 1 counts only the kept text: 180 characters and a marker are 188."""
        monkeypatch.setattr(runner_module, "content_size", lambda cut: cut.kept)
        trace = Trace.parse(run_case(all_cases()["s06-context-budget"]))
        found = next(b for b in breaches(trace) if b.law == 2 and b.field == "text")
        assert (180, 188) == (found.expected, found.got)


def edited(change: Callable[[list[dict[str, Any]]], Any], id: str = "s06-context-budget") -> Trace:
    """The trace of a case with its events changed by hand."""
    lines = [json.loads(line) for line in run_text(id).splitlines()]
    events = lines[1:]
    change(events)
    spelled = [
        json.dumps(line, sort_keys=True, separators=(",", ":")) for line in lines[:1] + events
    ]
    return Trace.parse("\n".join(spelled) + "\n")


@cache
def run_text(id: str) -> str:
    return run_case(all_cases()[id])


def renumbered(
    events: list[dict[str, Any]], gone: int | None = None, twice: int | None = None
) -> None:
    """Take the event with seq `gone` out, or write the one with seq `twice` again; mend the rest."""
    at = gone if gone is not None else twice
    assert at is not None
    kept = [e for e in events if e["seq"] != gone]
    if twice is not None:
        kept.insert(twice, json.loads(json.dumps(kept[twice - 1])))
    new = {e["seq"]: n for n, e in reversed(list(enumerate(kept, 1)))}
    for n, event in enumerate(kept, 1):
        event["seq"] = n
        if "cause" in event:
            event["cause"] = new.get(event["cause"], new.get(event["cause"] - 1, 1))
    events[:] = kept


EDITS: list[tuple[str, int, Callable[[list[dict[str, Any]]], Any]]] = [
    ("two stops", 0, lambda e: e.append({**e[-1], "seq": 18})),
    ("no stop", 0, lambda e: e.pop()),
    ("a stop that the events do not lead to", 0, lambda e: e[16]["data"].update(reason="refused")),
    ("a turn count", 0, lambda e: e[16]["data"].update(turns=3)),
    ("a record id", 0, lambda e: e[11]["data"].update(id="r0009")),
    ("a call in a result", 10, lambda e: e[11]["data"].update(calls=[{"id": "x", "name": "y"}])),
    ("a trigger", 0, lambda e: e[12]["data"].update(trigger="user")),
    ("a limit that is not the budget's", 0, lambda e: e[12]["data"].update(limit=301)),
    ("a component", 0, lambda e: e[12]["data"].update(policy="newest-first@2#00000000")),
    ("reserve over capacity", 2, lambda e: e[0]["data"]["budget"].update(capacity=299)),
    ("a size", 3, lambda e: e[12]["data"].update(size=299)),
    ("the size of one decision", 6, lambda e: e[12]["data"]["decisions"][4].update(size=35)),
    ("the number of candidates", 3, lambda e: e[12]["data"].update(candidates=4)),
    ("a decision missing", 3, lambda e: e[12]["data"]["decisions"].pop(1)),
    ("a decision twice", 3, lambda e: e[12]["data"]["decisions"].insert(1, e[12]["data"]["decisions"][1])),
    ("a protected record left out", 4, lambda e: e[12]["data"]["decisions"][1].update(decision="omitted")),
    ("a reason", 6, lambda e: e[12]["data"]["decisions"][3].update(reason="newest")),
    ("the kept head", 6, lambda e: e[12]["data"]["decisions"][4].update(head=13)),
    ("the missing count of gate 2", 6, lambda e: e[12]["data"]["decisions"][4].update(missing=149)),
    ("the missing count of gate 1", 6, lambda e: e[10]["data"].update(missing=1800)),
    ("the kept count of gate 1", 6, lambda e: e[10]["data"].update(kept=171)),
    ("the tool ceiling written beside a cut", 0, lambda e: e[10]["data"].update(limit=200)),
    ("the room", 6, lambda e: e[12]["data"].update(room=57)),
    ("a fingerprint", 7, lambda e: e[12]["data"].update(fingerprint="0" * 64)),
    ("a fingerprint of the request", 0, lambda e: e[13]["data"].update(fingerprint="0" * 64)),
    ("a byte of the system text", 7, lambda e: e[2]["data"].update(text="keep" + e[2]["data"]["text"][4:])),
    ("a result with the label of the system", 10, lambda e: e[11]["data"].update(trust="system")),
    ("an instruction with the label of a tool", 10, lambda e: e[2]["data"].update(trust="tool")),
    ("the hash of what was cut", 0, lambda e: e[11]["data"]["cut"].update(sha256="0" * 64)),
]  # fmt: skip


def both(events: list[dict[str, Any]], **fields: Any) -> None:
    """Change fields of the budget and, of the same name, of gate 1's event."""
    events[0]["data"]["budget"].update(max_tool_output_chars=fields["limit"])
    events[10]["data"].update(fields)


def unasked(events: list[dict[str, Any]], **start: Any) -> None:
    """The result stands in the log as if somebody had handed it in."""
    for seq in (11, 10, 9):
        renumbered(events, gone=seq)
    events[8]["cause"] = 1
    events[0]["data"].update(start)


def unsaid(events: list[dict[str, Any]]) -> None:
    """The last answer stands in the log, and no model gave it."""
    renumbered(events, gone=15)
    events[14]["cause"] = 1
    events[15]["data"]["reason"] = "interrupted"


def promised(events: list[dict[str, Any]]) -> None:
    """The last answer says that it ends in tool calls."""
    events[14]["data"]["finish"] = "tool-calls"
    events[16]["data"]["reason"] = "interrupted"


def called_alike(events: list[dict[str, Any]], name: str) -> None:
    """What tells the second of two calls apart from the first is what the first has."""
    turns = [e["data"] for e in events if e["data"].get("kind") == "assistant"]
    calls = next(turn["calls"] for turn in turns if len(turn.get("calls", ())) > 1)
    calls[1][name] = calls[0][name] if name == "id" else ""


def offered_twice(events: list[dict[str, Any]]) -> None:
    """One tool more is on offer, of a name that another has."""
    tools = next(e["data"]["tools"] for e in events if e["data"].get("tools"))
    tools.append({"name": tools[0]["name"]})


FORGED: list[tuple[str, str, int, Callable[[list[dict[str, Any]]], Any]]] = [
    ("a ceiling under which nothing was cut", "s06-context-budget", 6, lambda e: both(e, limit=5000)),
    ("no gate 1 although it cut", "s06-context-budget", 6, lambda e: renumbered(e, gone=11)),
    ("no tool.request", "s06-context-budget", 5, lambda e: renumbered(e, gone=9)),
    ("a result twice", "s06-context-budget", 5, lambda e: renumbered(e, twice=10)),
    ("gate 1 twice", "s06-context-budget", 0, lambda e: renumbered(e, twice=11)),
    ("a response twice", "s06-context-budget", 0, lambda e: renumbered(e, twice=7)),
    ("no record of the last answer", "s06-context-budget", 0, lambda e: renumbered(e, gone=16)),
    ("more requests than turns allowed", "s06-context-budget", 0, lambda e: e[0]["data"].update(max_turns=1)),
    ("a turn limit that was not reached", "harness/turn-limit", 0, lambda e: e[0]["data"].update(max_turns=99)),
    ("a failure that is none", "harness/tool-raised", 0, lambda e: e[9]["data"].update(failed="banana")),
    ("a failure on a good result", "s06-context-budget", 0, lambda e: e[9]["data"].update(failed="tool-raised")),
    ("a failure that is gone", "harness/unknown-tool", 5, lambda e: e[9]["data"].pop("failed")),
    ("the size of a whole result", "harness/unknown-tool", 6, lambda e: e[9]["data"].update(size=7)),
    ("an error that is gone", "harness/script-exhausted", 0, lambda e: renumbered(e, gone=len(e) - 1)),
    ("how many requests a script had", "harness/script-exhausted", 0, lambda e: e[-2]["data"]["params"].update(got=9)),
    ("deltas that do not add up", "harness/output-limit", 0, lambda e: e[6]["data"].update(deltas=[1])),
    ("a call without a result", "harness/unknown-tool", 5, lambda e: e[10]["data"]["answers"].update(call=1)),
    ("two ceilings", "s06-context-budget", 0, lambda e: e[0]["data"]["budget"].update(max_input_tokens=9)),
    ("a component more", "s06-context-budget", 0, lambda e: e[0]["data"]["components"].update(magic="m@1")),
    *((f"a component less: {name}", "s06-context-budget", 0, lambda e, name=name: e[0]["data"]["components"].pop(name))
      for name in ("policy", "wire", "counter", "cutter", "unicode")),
    ("the source of a stored result", "harness/artifact", 10, lambda e: e[20]["data"].update(source="tool:other")),
    ("the author of a stored result", "harness/artifact", 10, lambda e: e[20]["data"].update(author="person")),
    ("the label of a stored result", "harness/artifact", 10, lambda e: e[20]["data"].update(trust="external")),
    ("a stored result without its handle", "harness/artifact", 9, lambda e: e[20]["data"].pop("artifact")),
    ("a stored and cut result without its handle", "harness/artifact", 9, lambda e: e[12]["data"]["cut"].pop("artifact")),
    ("a handle without a store", "s06-context-budget", 9, lambda e: e[11]["data"]["cut"].update(artifact="a01234567")),
    ("a result that nobody asked for", "s06-context-budget", 5, unasked),
    ("a result of an earlier log after an answer", "s06-context-budget", 0, lambda e: unasked(e, history=5)),
    ("an answer that no model gave", "s06-context-budget", 0, unsaid),
    ("tool calls that are none", "s06-context-budget", 0, promised),
    ("an end without calls that has some", "s06-context-budget", 0, lambda e: e[6]["data"].update(finish="done")),
    ("two calls of one id", "harness/parallel-results", 5, lambda e: called_alike(e, "id")),
    ("a call without a name", "harness/parallel-results", 5, lambda e: called_alike(e, "name")),
    ("two tools of one name", "harness/parallel-results-openai", 0, offered_twice),
    ("a turn about an older record", "s06-context-budget", 0, lambda e: (e[12].update(cause=4), e[12]["data"].update(trigger="user"))),
]  # fmt: skip


class TestForgedTraces:
    """Edits that keep every sum, and still tell of a run that cannot have been."""

    @pytest.mark.parametrize(
        ("what", "id", "law", "edit"), FORGED, ids=[what for what, _, _, _ in FORGED]
    )
    def test_the_forgery_is_caught(
        self, what: str, id: str, law: int, edit: Callable[[list[dict[str, Any]]], Any]
    ) -> None:
        assert law in laws_broken(edited(edit, id)), what

    @pytest.mark.parametrize("name", ["policy", "wire", "counter", "cutter", "unicode"])
    def test_of_a_component_that_is_not_named_nothing_else_is_said(self, name: str) -> None:
        """No other rules bind such a trace, and none could be installed: the trace is at fault."""
        found = broken(edited(lambda e: e[0]["data"]["components"].pop(name)))
        assert [(0, 1, f"components.{name}")] == [(b.law, b.seq, b.field) for b in found]

    @pytest.mark.parametrize("name", ["wire", "counter"])
    def test_without_a_wire_or_a_counter_no_request_is_rebuilt(self, name: str) -> None:
        trace = edited(lambda e: e[0]["data"]["components"].pop(name))
        with pytest.raises(CurriculumError, match=f"names no {name}") as caught:
            trace.request(1) if name == "wire" else trace.manifest(1)
        assert "trace-unlawful" == caught.value.code

    def test_a_session_file_may_hold_turns_of_some_other_time(self) -> None:
        """It has no run in it, so nothing asked for its results here, and no request sends them."""
        records = {"session.start", "record.append"}
        lines = [json.loads(line) for line in run_text("s06-context-budget").splitlines()]
        kept = [line for line in lines[1:] if line["type"] in records]
        for seq, line in enumerate(kept, 1):
            line |= {"seq": seq, "turn": 0} | ({"cause": 1} if seq > 1 else {})
        text = "".join(json.dumps(line) + "\n" for line in [lines[0], *kept])
        assert {"assistant", "result"} <= {r.kind for r in Trace.parse(text).records}
        assert [] == broken(Trace.parse(text))

    @pytest.mark.parametrize("said", ["tool-raised: read raised OSError", "interrupted: by hand"])
    def test_a_good_result_may_begin_like_a_failure(self, said: str) -> None:
        """A tool that asks another harness passes on what that one said; so the text proves
        nothing, and only the event says whether the call failed."""
        recorder = Recorder()
        AgentRunner(
            model=ScriptedModel([Turn(calls=[call("read")]), Turn("Done.")]),
            tools=ToolRegistry(Tool("read", lambda: said)),
            trace=recorder,
            budget=ContextBudget(max_input_chars=500),
        ).run("Go.")
        trace = Trace.parse(recorder.text())
        assert [None] == [event.data.failed for event in trace.of("tool.result")]
        assert [] == broken(trace)

    @pytest.mark.parametrize(("middle", "kept"), [("x", 92), ("\u0301", 4)])
    def test_gate_1_may_keep_far_less_than_its_room(self, middle: str, kept: int) -> None:
        """A letter under 2,000 accents is one character, and what is gone cannot be looked at."""
        recorder = Recorder()
        AgentRunner(
            model=ScriptedModel([Turn(calls=[call("read")]), Turn("Done.")]),
            tools=ToolRegistry(Tool("read", lambda: f"Ansy{middle * 2000}x")),
            trace=recorder,
            budget=ContextBudget(max_input_chars=500, max_tool_output_chars=100),
        ).run("Go.")
        trace = Trace.parse(recorder.text())
        assert [kept] == [event.data.kept for event in trace.of("tool.truncate")]
        assert [] == broken(trace)

    def test_a_limit_reached_before_a_later_prompt_is_lawful(self) -> None:
        recorder = Recorder()
        AgentRunner(
            model=ScriptedModel([Turn("a"), Turn("b")]),
            tools=ToolRegistry(),
            trace=recorder,
            budget=ContextBudget(max_input_chars=500),
            max_turns=1,
        ).run("One.", "Two.")
        assert [] == broken(Trace.parse(recorder.text()))

    def test_a_cut_beside_a_line_end_and_a_combining_mark_is_lawful(self) -> None:
        """After a control character a combining mark is a cluster of its own."""
        text = "x" * 500 + "\n" + "\u0301" + "y" * 45
        recorder = Recorder()
        AgentRunner(
            model=ScriptedModel([Turn(calls=[call("read")]), Turn("Done.")]),
            tools=ToolRegistry(Tool("read", lambda: text)),
            trace=recorder,
            budget=ContextBudget(max_input_chars=500, max_tool_output_chars=100),
        ).run("Go.")
        assert [] == broken(Trace.parse(recorder.text()))


class TestEditedFacts:
    """A fact of a golden that somebody edits by hand breaks a law, and the event is named."""

    @pytest.mark.parametrize(("what", "law", "edit"), EDITS, ids=[what for what, _, _ in EDITS])
    def test_the_edit_is_caught(
        self, what: str, law: int, edit: Callable[[list[dict[str, Any]]], Any]
    ) -> None:
        assert law in laws_broken(edited(edit)), what

    def test_an_unedited_trace_is_lawful(self) -> None:
        """The way these tests spell a trace breaks nothing by itself."""
        assert [] == broken(edited(lambda events: None))

    @pytest.mark.parametrize(
        "id", sorted(set(of_each_kind(all_cases())) - {"harness/long-session"})
    )
    def test_every_number_and_word_is_held_by_something(self, id: str) -> None:
        """No leaf of any event but inputs can be changed without a breach or a refusal to read.

        A crash of the checker is no refusal: only errors of ours count.
        """
        free: set[str] = set()
        events = [json.loads(line) for line in run_text(id).splitlines()[1:]]
        for at, path in leaves_of(events):
            try:
                caught = bool(broken(edited(lambda e, at=at, path=path: poke(e[at], path), id)))
            except CurriculumError:
                caught = True
            if not caught:
                name = ".".join("*" if isinstance(part, int) else str(part) for part in path)
                free.add(f"{events[at]['type']} {name}")
        foreign = FOREIGN if events[0]["data"].get("history") else set()
        assert free <= INPUTS | foreign | THROWN_AWAY.get(id, set())
        if id == "s06-context-budget":
            assert free == {
                "session.start data.session",
                "session.start data.max_turns",
                "record.append data.source",
            }


def poke(event: dict[str, Any], path: tuple[Any, ...]) -> None:
    """Change one leaf: a number by one, a text by a letter."""
    *way, last = path
    for key in way:
        event = event[key]
    event[last] = event[last] + (1 if isinstance(event[last], int) else "x")


INPUTS = {
    # What the run was given, and who says so: nothing before it in the trace could hold it.
    "session.start data.session",
    "session.branch data.session",
    "session.start data.max_turns",
    "session.start data.budget.capacity",
    "session.start data.components.summariser",
    "session.start data.budget.max_tool_output_chars",  # where nothing was cut
    "model.response data.half_call",
    "record.append data.calls.*.id",  # of a turn that no request sends any more
    "error data.params.expected",  # what a script says of itself
    "error data.params.got",
    "error data.params.nearest",
    "record.append data.source",
    "record.append data.tags.*",  # where no rule asks for them
}
THROWN_AWAY = {
    "admission/compaction-grew": {"context.compact data.after"},
    "harness/repeated-error": {"record.append data.calls.*.arguments"},
}
"""What a summary took that nobody kept: its text is nowhere. What the last turn asked for, when the
run is stopped before a request sends it, and the failure is the same whatever was asked for."""
FOREIGN = {
    # What an earlier log held and no request sends.
    "session.start data.history",
    "record.append data.answers.call",
    "record.append data.calls.*.name",
    "record.append data.text",
    "record.append data.tools.*.name",
    "record.append data.native.block",  # of a provider that is not the wire's
    "record.append data.native.wire",
    "record.append data.image.width",  # one pixel more is the same patch
    "record.append data.image.height",
}


class TestOlderMinor:
    """A trace of format 1.0 has no bands; one of 1.1 has one for each request."""

    @staticmethod
    def without_bands(version: str) -> Trace:
        header, *lines = run_text("s06-context-budget").splitlines()
        assert '{"format":"curriculum-trace","version":"1.3"}' == header
        events = [json.loads(line) for line in lines]
        for event in events:
            event["data"].pop("band", None)
        spelled = [json.dumps(e, sort_keys=True, separators=(",", ":")) for e in events]
        return Trace.parse("\n".join([header.replace("1.3", version), *spelled, ""]))

    def test_a_trace_from_before_is_lawful(self) -> None:
        assert [] == broken(self.without_bands("1.0"))

    def test_a_trace_of_today_that_leaves_a_band_out_is_not(self) -> None:
        """244 of 300 is 81 per cent, amber; 300 of 300 is red."""
        found = [(b.law, b.field, b.expected, b.got) for b in broken(self.without_bands("1.1"))]
        assert [(6, "band", "amber", "nothing"), (6, "band", "red", "nothing")] == found
