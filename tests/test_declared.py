"""What the law checker holds of a harness that declares its own decisions, and what it cannot.

No rule here can say again why such a harness chose what it chose. So its reasons, the places at
which it cuts, and what it leaves out are inputs, like a user's words. All else is held.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from curriculum.agent.own_loop import Recording
from curriculum.context.budget import ContextBudget
from curriculum.context.choices import Choice
from curriculum.context.policy import NEWEST_FIRST
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust
from curriculum.trace.diff import Diff
from curriculum.trace.explain import explain
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.rebuild import Rebuild
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat

from .cli.command import curriculum
from .kinds import leaves
from .own_loops import KEEP, READ, TWO, Loop
from .test_laws import poke, renumbered

Events = list[dict[str, Any]]
CHOICES = {
    **dict.fromkeys(["r0003", "r0004"], Choice.omit("too-old")),
    "r0007": Choice.cut("long", head=6, tail=3),
}


def record(run: Recording, user: str = "Read \u00e9.", choices: Any = CHOICES) -> None:
    """Two questions: the first is old by then, and of the two results one is long."""
    run.record("tools", tools=[READ])
    run.record("instruction", "Be brief.")
    run.record("user", "Hello.")
    run.assemble(rest=KEEP)
    run.request()
    run.response("Hello!", deltas=["Hel", "lo!"])
    run.record("user", user)
    run.assemble(rest=KEEP)
    run.request()
    run.response("I will.", TWO)
    run.tool_call(0)
    run.tool_result(0, "r\u00f6w " * 50)
    run.tool_call(1)
    run.tool_result(1, "No rows.", failed="tool-raised")
    run.assemble(choices, KEEP)
    run.request()
    run.response("Done.")
    run.record("user", "And now?")
    run.assemble({**choices, "r0007": Choice.replace("seen", "[cleared: \u00e9]")}, KEEP)
    run.request()
    run.response("Nothing.")
    run.stop()


def recorded(harness: str = "my-agent@1", policy: str = "last-two@1", **more: Any) -> str:
    recorder = Recorder()
    budget = ContextBudget(
        max_input_chars=500,
        output_reserve=50,
        capacity=600,
        max_tool_output_chars=40,
        max_messages=9,
    )
    record(Recording(recorder, harness, budget=budget, policy=policy), **more)
    return recorder.text()


@cache
def foreign() -> str:
    """The trace of a good loop of one's own."""
    return recorded()


def edited(change: Callable[[Events], object], text: str = "") -> Trace:
    """The trace with its events changed by hand."""
    header, *events = [json.loads(line) for line in (text or foreign()).splitlines()]
    change(events)
    spelled = [json.dumps(line, sort_keys=True) for line in (header, *events)]
    return Trace.parse("\n".join(spelled) + "\n")


def broken(trace: Trace) -> list[str]:
    return [str(breach) for breach in breaches(trace)]


def mended(trace: Trace) -> Trace:
    """The trace with every sum and fingerprint as its decisions now give them.

    What is still caught is caught for what the decisions say, not for a number left behind.
    """
    rebuild = Rebuild(trace)

    def mend(events: Events) -> None:
        for event, made in zip(events, trace.events, strict=True):
            if made.type == "context.assemble":
                data, request = event["data"], rebuild.request(made)
                rows = rebuild.table(made)
                for entry in data["decisions"]:
                    own = [row for row in rows if row.entry.first == entry["first"]]
                    size, byte = sum(row.size for row in own), sum(row.bytes for row in own)
                    if "size" in entry:
                        entry["size"] = size
                        entry.pop("bytes", None)
                        entry |= {"bytes": byte} if byte != size else {}
                sent = rebuild.messages(made.data)
                data["size"] = len(request.text)
                data["bytes"] = len(request.body)
                data["messages"] = sum(message.kind is not Kind.TOOLS for message in sent)
                data["fingerprint"] = request.fingerprint
                data["frame"] = data["size"] - sum(e.get("size", 0) for e in data["decisions"])
                last = {name: data[name] for name in ("bytes", "fingerprint", "messages")}
            elif made.type == "model.request":
                event["data"] = last

    text = "\n".join(
        [
            json.dumps({"format": "curriculum-trace", "version": "1.0"}),
            *(json.dumps(event) for event in _raw(trace)),
        ]
    )
    return edited(mend, text + "\n")


def _raw(trace: Trace) -> Events:
    from curriculum.trace.recorder import converter

    return [
        {
            **{"seq": e.seq, "type": e.type, "turn": e.turn, "data": converter.unstructure(e.data)},
            **({"cause": e.cause} if e.cause else {}),
        }
        for e in trace.events
    ]


def assembly(events: Events, n: int) -> Any:
    """The data of assembly `n`, from 1."""
    return [event for event in events if event["type"] == "context.assemble"][n - 1]["data"]


def entry(events: Events, n: int, first: str) -> Any:
    """The decision of assembly `n` whose range begins with `first`."""
    return next(one for one in assembly(events, n)["decisions"] if one["first"] == first)


class TestTheTraceOfThisFile:
    """Lawful as it stands, and with every sum computed again."""

    def test_it_is_lawful(self) -> None:
        assert [] == broken(Trace.parse(foreign()))
        assert foreign() == recorded()

    def test_mending_changes_nothing(self) -> None:
        whole = Trace.parse(foreign())
        assert whole.events == mended(whole).events

    def test_it_has_every_kind_of_decision(self) -> None:
        table = assembly([json.loads(line) for line in foreign().splitlines()[1:]], 3)
        assert [
            ("r0001", "admitted", "kept", "r0002"),
            ("r0003", "omitted", "too-old", "r0004"),
            ("r0005", "admitted", "kept", "r0006"),
            ("r0007", "cut", "long", None),
            ("r0008", "admitted", "kept", None),
        ] == [(e["first"], e["decision"], e["reason"], e.get("last")) for e in table["decisions"]]
        assert (6, 3, 191) == tuple(table["decisions"][3][k] for k in ("head", "tail", "missing"))
        events = [json.loads(line) for line in foreign().splitlines()[1:]]
        gone = entry(events, 4, "r0007")
        # =c1 [cleared: e]: the line is 4 + 12 + 1 characters, with one of two bytes
        assert ("replaced", "seen", "[cleared: \u00e9]") == (
            gone["decision"],
            gone["reason"],
            gone["text"],
        )
        assert (17, 18) == (gone["size"], gone["bytes"])


FREE = {
    # Who took part and what the run was given; nothing before it could hold it.
    "session.start data.session": "a name",
    "session.start data.max_turns": "a limit that was not reached; one more is another input",
    "session.start data.budget.capacity": "a window that is bigger than what is asked of it",
    "session.start data.budget.max_messages": "a limit that was not reached",
    "session.start data.components.harness": "a name",
    "record.append data.source": "who says where it comes from: only the loop knows",
    # What the harness decided, in its own words.
    "context.assemble data.decisions.*.reason": "no rule here gives it",
}
"""Each leaf that can be changed without a breach, and why it is an input."""


class TestEveryLeaf:
    """Each number and word of a good trace is changed, one by one."""

    def test_only_inputs_are_free(self) -> None:
        free: set[str] = set()
        events = [json.loads(line) for line in foreign().splitlines()[1:]]
        for at, event in enumerate(events):
            for path in leaves(event):
                try:
                    caught = broken(edited(lambda e, at=at, path=path: poke(e[at], path)))
                except CurriculumError:
                    caught = ["cannot be read"]
                if not caught:
                    parts = ("*" if isinstance(part, int) else str(part) for part in path)
                    free.add(f"{event['type']} {'.'.join(parts)}")
        assert free == set(FREE)

    def test_a_name_that_is_changed_everywhere_is_another_input(self) -> None:
        """The policy of one's own has no content here, so its name is all there is to it."""
        other = foreign().replace("last-two@1", "last-three@7")
        assert [] == broken(Trace.parse(other))


def cut(events: Events, n: int, first: str, **fields: Any) -> None:
    """Change fields of a decision; None takes one away."""
    one = entry(events, n, first)
    one.update(fields)
    for name in [name for name, value in fields.items() if value is None]:
        del one[name]


def user_cut(events: Events, decision: str, **fields: Any) -> None:
    """Send only the ends of the user's words in the third request."""
    decisions = assembly(events, 3)["decisions"]
    at = decisions.index(entry(events, 3, "r0005"))
    decisions[at : at + 1] = [
        {"first": "r0005", "decision": decision, "reason": "long", "size": 0, **fields},
        {"first": "r0006", "decision": "admitted", "reason": "kept", "size": 0},
    ]


def no_exchange(events: Events) -> None:
    """Leave out what the model waits for."""
    decisions = assembly(events, 3)["decisions"]
    decisions[2:] = [
        {"first": "r0005", "decision": "admitted", "reason": "kept", "size": 0},
        {"first": "r0006", "decision": "omitted", "reason": "big", "last": "r0008"},
    ]


def half_an_exchange(events: Events) -> None:
    """Leave out one of two results."""
    assembly(events, 3)["decisions"][-1] = {
        **{"first": "r0008", "decision": "omitted", "reason": "big"},
    }


def without_hash(events: Events) -> None:
    """Call a policy of ours a declared one: its reasons would then not be computed again."""
    for event in events:
        data = event["data"]
        for part in (data, data.get("components", {})):
            if "policy" in part:
                part["policy"] = part["policy"].partition("#")[0]


def refused(events: Events) -> None:
    """The harness says that a policy of its own has refused."""
    at = next(n for n, event in enumerate(events) if event["seq"] == 6)
    data = events[at - 1]["data"]
    for name in ("decisions", "size", "bytes", "frame", "messages", "fingerprint"):
        data.pop(name, None)
    limit = {"limit": "max_input_chars", "allowed": 500, "needed": 501, "frame": 501, "parts": []}
    data["refused"] = {"reason": "protected-does-not-fit", **limit}
    stop = {"reason": "protected-does-not-fit", "turns": 0}
    events[at:] = [{**events[-1], "seq": 6, "cause": 5, "turn": 1, "data": stop}]


def replaced_user(events: Events) -> None:
    """Send another text instead of the last question."""
    entry(events, 4, "r0008")["last"] = "r0009"
    other = {"first": "r0010", "decision": "replaced", "reason": "x", "size": 0, "text": "x"}
    assembly(events, 4)["decisions"].append(other)


def position(events: Events, id: str) -> int:
    """Where the event that appends the record stands, from 0."""
    return next(
        at for at, e in enumerate(events)
        if e["type"] == "record.append" and e["data"]["id"] == id
    )  # fmt: skip


def unasked(events: Events) -> None:
    """r0008 stands in the log as if somebody had handed it in."""
    at = position(events, "r0008")
    for seq in (at, at - 1):
        renumbered(events, gone=seq)
    events[at - 2]["cause"] = 1


def unsaid(events: Events) -> None:
    """r0009, the answer before the last question, was handed in as well."""
    at = position(events, "r0009")
    renumbered(events, gone=at)
    events[at - 1]["cause"] = 1


def last(events: Events, type: str) -> dict[str, Any]:
    """The last event of a type."""
    return [event for event in events if event["type"] == type][-1]


@cache
def accented() -> str:
    """A loop that cuts a result of 60 accented letters: 120 code points, 4 kept at each end."""
    loop = Loop().read("e\u0301" * 60)
    loop.run.assemble({"r0005": Choice.cut("long", head=4, tail=4)}, KEEP)
    loop.goes_on()
    return loop.recorder.text()


def accents(events: Events, name: str, kept: int) -> None:
    """Keep as many code points at one end; the missing count goes with it."""
    cut(events, 2, "r0005", missing=120 - 4 - kept, **{name: kept})


OURS = ("limit", "share", "full", "needs", "room", "because")
FORGED: list[tuple[str, int, str, Callable[[Events], object]]] = [
    ("a reason of a rule of ours", 6, "decisions.r0003.reason", lambda e: cut(e, 3, "r0003", reason="no-room")),
    ("no reason", 6, "decisions.r0003.reason", lambda e: cut(e, 3, "r0003", reason="")),
    ("a defect that is none: superseded", 6, "decisions.r0003.reason", lambda e: cut(e, 3, "r0003", reason="superseded")),
    ("a defect that is none: no slot", 6, "decisions.r0003.reason", lambda e: cut(e, 3, "r0003", reason="no-slot")),
    ("a defect of what is sent", 6, "decisions.r0001.reason", lambda e: cut(e, 3, "r0001", reason="superseded")),
    ("a decision that is none", 3, "decisions.r0008.decision", lambda e: cut(e, 3, "r0008", decision="banned")),
    ("a text instead of what the model waits for", 12, "decisions.r0007.decision", lambda e: cut(e, 3, "r0007", decision="replaced", text="x", head=None, tail=None, missing=None)),
    ("a text under the name of admitted", 3, "decisions.r0007.text", lambda e: cut(e, 4, "r0007", decision="admitted")),
    ("a text under the name of a cut", 3, "decisions.r0007.text", lambda e: cut(e, 4, "r0007", decision="cut", head=6, tail=3, missing=191)),
    ("a text that is left out", 3, "decisions.r0003.text", lambda e: cut(e, 4, "r0003", text="x")),
    ("replaced, and no text", 3, "decisions.r0007.text", lambda e: cut(e, 4, "r0007", text=None)),
    ("a user's words that are replaced", 5, "decisions.r0010.decision", replaced_user),
    *((f"a number of a rule of ours: {name}", 6, f"decisions.r0007.{name}",
       lambda e, name=name: cut(e, 3, "r0007", **{name: "r0001" if name == "because" else "max_messages" if name == "limit" else 5}))
      for name in OURS),
    ("a room", 6, "room", lambda e: assembly(e, 3).update(room=100)),
    ("a user's words that are cut", 5, "decisions.r0005.decision", lambda e: user_cut(e, "cut", head=2, tail=1, missing=4)),
    ("the same under the name of admitted", 3, "decisions.r0005.head", lambda e: user_cut(e, "admitted", head=2, tail=1)),
    ("a cut without its missing count", 3, "decisions.r0007.missing", lambda e: cut(e, 3, "r0007", missing=None)),
    ("a cut without an end", 3, "decisions.r0007.tail", lambda e: cut(e, 3, "r0007", tail=None, missing=194)),
    ("a cut that cuts nothing", 3, "decisions.r0007.head", lambda e: cut(e, 3, "r0007", head=None, tail=None, missing=200)),
    ("another missing count", 6, "decisions.r0007.missing", lambda e: cut(e, 3, "r0007", missing=190)),
    ("an end that the log has not", 5, "decisions.r0007.missing", lambda e: cut(e, 3, "r0007", head=150, missing=47)),
    ("a cut that keeps a whole text", 5, "decisions.r0008.missing", lambda e: cut(e, 3, "r0008", decision="cut", head=8, tail=0, missing=0)),
    ("a cut that keeps all that the log has", 5, "decisions.r0007.missing", lambda e: cut(e, 3, "r0007", head=17, tail=16, missing=167)),
    ("an admitted record without its size", 3, "decisions.r0008.size", lambda e: cut(e, 3, "r0008", size=None)),
    ("the size of what is left out", 3, "decisions.r0003.size", lambda e: cut(e, 3, "r0003", size=4)),
    ("the bytes of what is left out", 3, "decisions.r0003.bytes", lambda e: cut(e, 3, "r0003", bytes=4)),
    ("a missing count of what is left out", 3, "decisions.r0003.missing", lambda e: cut(e, 3, "r0003", missing=4)),
    ("half an exchange", 5, "decisions", half_an_exchange),
    ("no exchange that the model waits for", 12, "decisions.r0006.decision", no_exchange),
    ("a candidate without a decision", 3, "decisions", lambda e: assembly(e, 3)["decisions"].pop(1)),
    ("fewer messages than are sent", 2, "messages", lambda e: e[0]["data"]["budget"].update(max_messages=4)),
    ("a smaller ceiling", 2, "size", lambda e: (e[0]["data"]["budget"].update(max_input_chars=50), *(assembly(e, n).update(limit=50) for n in (1, 2, 3)))),
    ("no capacity for the reserve", 2, "budget", lambda e: e[0]["data"]["budget"].update(capacity=549)),
    ("refused by a declared policy", 2, "refused", refused),
    ("a result that nobody asked for", 5, "cause", unasked),
    ("an answer that no model gave", 0, "cause", unsaid),
    ("tool calls that are none", 0, "calls", lambda e: last(e, "model.response")["data"].update(finish="tool-calls")),
    ("two calls of one id", 5, "calls.1.id", lambda e: e[position(e, "r0006")]["data"]["calls"][1].update(id="c1")),
    ("two tools of one name", 0, "tools.1.name", lambda e: e[position(e, "r0001")]["data"]["tools"].append({"name": "read"})),
    ("a tool without a name", 0, "tools.1.name", lambda e: e[position(e, "r0001")]["data"]["tools"].append({"name": ""})),
    ("a turn about an older record", 0, "cause", lambda e: last(e, "context.assemble").update(cause=position(e, "r0005") + 1)),
]  # fmt: skip

UNMENDED = {
    "refused by a declared policy",
    "a candidate without a decision",
    "a tool without a name",
}
"""Forgeries that no request can be made of."""


class TestForgeries:
    """Decisions that cannot be, with every sum and fingerprint made to go with them."""

    @pytest.mark.parametrize(("what", "law", "field", "edit"), FORGED, ids=[f[0] for f in FORGED])
    def test_the_forgery_is_caught(
        self, what: str, law: int, field: str, edit: Callable[[Events], object]
    ) -> None:
        trace = edited(edit)
        if what not in UNMENDED:
            trace = mended(trace)
        assert (law, field) in {(breach.law, breach.field) for breach in breaches(trace)}, broken(
            trace
        )

    @pytest.mark.parametrize("name", ["size", "bytes"])
    def test_a_size_or_a_byte_that_does_not_add_up(self, name: str) -> None:
        """r0007 is sent as 13 characters and 14 bytes."""
        trace = edited(lambda e: entry(e, 3, "r0007").update({name: 99}))
        assert (3, f"decisions.r0007.{name}") in {(b.law, b.field) for b in breaches(trace)}

    @pytest.mark.parametrize(("name", "kept"), [("head", 4), ("head", 0), ("tail", 4), ("tail", 2)])
    def test_a_cut_at_a_character_s_end_is_a_choice(self, name: str, kept: int) -> None:
        other = mended(edited(lambda e: accents(e, name, kept), accented()))
        assert [] == broken(other)

    @pytest.mark.parametrize(("name", "kept"), [("head", 3), ("head", 1), ("tail", 3), ("tail", 1)])
    def test_a_cut_inside_a_character_is_caught(self, name: str, kept: int) -> None:
        """A letter and its accent are two code points and one character; a cut splits neither."""
        forged = mended(edited(lambda e: accents(e, name, kept), accented()))
        assert [(6, f"decisions.r0005.{name}")] == [(b.law, b.field) for b in breaches(forged)]

    def test_another_choice_with_everything_mended_is_another_input(self) -> None:
        """One character less of the head, all sums right: that may have been chosen as well."""
        shorter = mended(edited(lambda e: entry(e, 3, "r0007").update(head=5, missing=192)))
        assert [] == broken(shorter)
        assert shorter.request(3).body != Trace.parse(foreign()).request(3).body

    def test_what_cannot_be_sent_is_not_admitted_for_that_reason(self) -> None:
        """An older set of tools is superseded, so it is left out and nothing else."""
        loop = Loop().begun()
        loop.run.record("tools", tools=[READ])
        loop.run.assemble(rest=KEEP)
        loop.goes_on()
        forged = edited(lambda e: cut(e, 1, "r0001", decision="admitted"), loop.recorder.text())
        assert (6, "decisions.r0001.reason") in {(b.law, b.field) for b in breaches(forged)}

    def test_a_policy_of_ours_cannot_pass_for_a_declared_one(self) -> None:
        """Without its hash its reasons are no reasons: dropping it hides nothing."""
        ours = ours_recorded()
        assert [] == broken(Trace.parse(ours))
        assert {6} <= {breach.law for breach in breaches(edited(without_hash, ours))}

    def test_a_declared_policy_needs_its_harness(self) -> None:
        """Without it the policy would have to be one that is installed here."""
        anonymous = edited(lambda e: e[0]["data"]["components"].pop("harness"))
        with pytest.raises(CurriculumError, match="made with policy last-two@1") as caught:
            broken(anonymous)
        assert caught.value.code == "component-not-installed"

    def test_a_call_is_asked_for_in_its_turn(self) -> None:
        """Neither twice nor before an earlier one that has no result."""
        twice = edited(
            lambda e: renumbered(e, twice=next(x["seq"] for x in e if x["type"] == "tool.request"))
        )
        assert 5 in {breach.law for breach in breaches(twice)}

        def swap(events: Events) -> None:
            asked = [event["data"] for event in events if event["type"] == "tool.request"]
            asked[0]["call"], asked[1]["call"] = 1, 0

        found = {(b.law, b.field, b.expected, b.got) for b in breaches(edited(swap))}
        assert (5, "call", 0, 1) in found


def ours_recorded() -> str:
    """A loop of one's own that lets a policy of ours decide."""
    loop = Loop(90, policy=NEWEST_FIRST).read()
    loop.run.assemble()
    loop.run.request()
    loop.run.response("Done.")
    loop.run.stop()
    return loop.recorder.text()


class TestHistories:
    """An earlier log may hold what this wire has no place for; then nobody waits for it."""

    def test_a_last_turn_with_a_label_of_another_kind(self) -> None:
        """A turn that was somebody else's: the wire has no place, so it is left out lawfully."""

        def one(n: int, kind: Kind, trust: Trust, **fields: Any) -> Record:
            return Record(f"r{n:04d}", kind, trust, Author.HARNESS, "import", "text", **fields)

        history = [
            one(1, Kind.USER, Trust.USER),
            one(2, Kind.ASSISTANT, Trust.EXTERNAL, calls=TWO[:1]),
            one(3, Kind.RESULT, Trust.TOOL, answers=Answers("r0002", 0)),
        ]
        loop = Loop(wire=OpenAIChat("m"), history=history)
        made = loop.run.assemble(rest=KEEP)
        assert [("r0002", "no-slot")] == [
            (e.first, e.reason) for e in made.manifest.decisions if e.decision == "omitted"
        ]
        loop.goes_on()


class TestErrors:
    """Only a loop of one's own may break off between a decision and its request."""

    def test_it_is_lawful_there_and_nowhere_else(self) -> None:
        loop = Loop().begun()
        loop.run.assemble(rest=KEEP)
        loop.run.fail("model-gone")
        trace = loop.trace()
        assert ["context.assemble", "error"] == [event.type for event in trace.events[4:6]]


def difference(left: str, right: str) -> Any:
    return explain(Trace.parse(left), Trace.parse(right))


LESS = {**CHOICES, "r0007": Choice.cut("long", head=3, tail=3)}


class TestExplained:
    """Why two traces of such a harness differ."""

    def test_another_choice(self) -> None:
        """What is cut is the harness's own choice; the sizes and the bytes follow from it."""
        found = difference(foreign(), recorded(choices=LESS))
        assert [("the harness's own choice", "context.assemble 3 decisions.r0007.head", 6, 3)] == [
            (c.words, c.field, c.expected, c.got) for c in found.causes
        ]
        assert (4, (3,)) == (found.requests, found.changed)
        assert found.first is not None
        first = found.first.difference
        assert ("context.assemble", "size") == (first.type, first.field)
        assert 3 == first.expected - first.got
        assert () == found.rules

    def test_another_reason_for_the_same_choice(self) -> None:
        """The model cannot see it."""
        other = {**CHOICES, "r0007": Choice.cut("big", head=6, tail=3)}
        found = difference(foreign(), recorded(choices=other))
        assert ["the harness's own choice"] == [cause.words for cause in found.causes]
        assert ("long", "big") == (found.causes[0].expected, found.causes[0].got)
        assert found.invisible
        assert () == found.facts

    def test_another_text_of_the_user(self) -> None:
        found = difference(foreign(), recorded(user="Read e!"))
        assert [("the user's text", "r0005 text")] == [(c.words, c.field) for c in found.causes]
        assert (2, 3, 4) == found.changed
        assert found.first is not None
        assert 2 == found.first.difference.left.turn  # the first that shows it

    def test_another_harness_or_policy(self) -> None:
        found = difference(foreign(), recorded(harness="my-agent@2", policy="last-three@1"))
        assert {
            ("components.harness", "my-agent@1", "my-agent@2"),
            ("components.policy", "last-two@1", "last-three@1"),
        } == {(c.field, c.expected, c.got) for c in found.causes}
        assert found.invisible

    @staticmethod
    def with_memory(memory: bool, calls: tuple[Call, ...] = ()) -> str:
        """One question; with a memory before it, every later record has another id."""
        one = Loop()
        one.run.record("tools", tools=[READ])
        if memory:
            one.run.record("memory", "likes tea")
        one.run.record("user", "Read it.")
        one.run.assemble(rest=KEEP)
        one.run.request()
        one.run.response("" if calls else "Done.", calls)
        for number in range(len(calls)):
            one.run.tool_call(number)
            one.run.tool_result(number, "a row")
        one.run.stop()
        return one.recorder.text()

    def test_one_record_more(self) -> None:
        """A memory before the question: everything after it keeps its partner."""
        found = difference(self.with_memory(False), self.with_memory(True))
        assert [("", "record.append")] == [
            (str(c.expected or ""), c.got) for c in found.causes if c.key[0] != "assemble"
        ]
        assert (1, (1,)) == (found.requests, found.changed)

    def test_ids_of_calls_are_the_models_and_never_renamed(self) -> None:
        """A record more gives the later ones other ids; the id of a call stays what it is."""
        sides = (self.with_memory(memory, (Call("call_1", "read"),)) for memory in (False, True))
        diff = Diff(*map(Trace.parse, sides))
        assert any(d.type == "record.append" for d in diff.differences)
        assert [] == [d for d in diff.differences if d.field.startswith("calls")]

    def test_a_tool_that_began_to_fail_is_the_tools_doing(self) -> None:
        """A harness tells the model of it in words of its own: no rule of ours has changed."""

        def loop(failed: str | None) -> str:
            one = Loop().asked()
            one.run.tool_call(0)
            one.run.tool_result(0, "gone" if failed else "a row", failed=failed)
            one.run.stop()
            return one.recorder.text()

        for old, new in ((None, "tool-raised"), ("tool-raised", None)):
            found = difference(loop(old), loop(new))
            assert ["the tool's output"] == [cause.words for cause in found.causes]
            assert () == found.rules

    def test_the_commands(self, tmp_path: Path) -> None:
        """`validate` says what is not checked; `diff` names the choice."""
        (tmp_path / "a.jsonl").write_text(foreign(), encoding="ascii")
        (tmp_path / "b.jsonl").write_text(recorded(choices=LESS), encoding="ascii")
        checked = curriculum("trace", "validate", "a.jsonl", "--plain", cwd=tmp_path)
        assert 0 == checked.code
        assert "last-two@1 is a policy of my-agent@1" in checked.out
        shown = curriculum("trace", "show", "a.jsonl", "--plain", cwd=tmp_path)
        assert (0, "") == (shown.code, shown.err)
        assert "too-old" in shown.out
        found = curriculum("trace", "diff", "a.jsonl", "b.jsonl", "--plain", cwd=tmp_path)
        assert 1 == found.code
        assert (
            "the harness's own choice in request 3, r0007 (result of read): head 6 -> 3\n"
            in found.out
        )
