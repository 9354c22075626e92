"""Recording a loop of one's own, whatever the loop does: a thousand wrong steps and right ones.

Each example draws steps in any order with any values, lawful or not. A step is taken or it is
refused; what is written in the end is lawful, and rebuilds every request that was given out.
"""

import json
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curriculum.agent.own_loop import Recording
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.choices import Choice
from curriculum.context.policy import NEWEST_FIRST
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.errors import CurriculumError
from curriculum.record.law import LawBroken
from curriculum.record.records import Call, Kind, Record, ToolSpec, Trust
from curriculum.trace.events import Finish, Stop
from curriculum.trace.failure_codes import FAILURE_CODES
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

from . import strategies
from .test_random_runs import budgets, histories

WRONG = (None, 5, 1.5, True, b"x", ["x"], {"x": 1}, object())
"""Values that are no text."""
SURROGATES = st.sampled_from(["\ud800", "a\udfffb", "\ud83d"])
MORE_KINDS = ("user", "user", "tools", "instruction", "mistake")
REASONS = st.sampled_from(["too-old", "kept", "", "newest", "no-slot", "\ud800", "[-12-]"])


def words() -> st.SearchStrategy[str]:
    return strategies.texts() | SURROGATES


class Loop:
    """A loop that does anything; it counts what was taken and what was refused."""

    def __init__(self, data: st.DataObject) -> None:
        self.draw, self.recorder = data.draw, Recorder()
        self.requests: list[bytes] = []
        self.taken = self.refused = 0
        self.run: Recording = self.recording()

    def recording(self) -> Recording:
        draw = self.draw
        while True:
            try:
                return Recording(
                    self.recorder,
                    "my-agent@1",
                    budget=draw(budgets()),
                    policy=draw(st.sampled_from(["last-two@1", "last-two@1", NEWEST_FIRST])),
                    wire=draw(st.sampled_from(strategies.WIRES)),
                    store=draw(st.sampled_from([None, ArtifactStore()])),
                    history=draw(st.just([]) | histories()),
                    max_turns=draw(st.integers(1, 6)),
                    session=draw(st.sampled_from(["session", "\ud800"])),
                )
            except CurriculumError:
                assert self.recorder.text() == ""

    def step(self, name: str) -> None:
        """Take one step; if it is refused, nothing of it may be written."""
        before = self.recorder.text()
        try:
            getattr(self, name)()
            self.taken += 1
        except (CurriculumError, TypeError) as error:
            self.refused += 1
            self.nothing_is_written(before, error)

    def nothing_is_written(self, before: str, error: Exception) -> None:
        assert before == self.recorder.text()
        if isinstance(error, LawBroken):
            assert error.code.startswith(f"law-{error.law}-")

    # What a loop may do next, most of the time.

    def lawful(self) -> None:
        """The step that the recording waits for, with values that are mostly fine."""
        draw, step = self.draw, self.run._step
        waiting = self.run._run.session.open
        if step == "request":
            self.request()
        elif step == "response":
            self.response()
        elif step == "assemble" and waiting:
            number = draw(st.sampled_from(waiting)).call
            if draw(st.booleans()):
                self.run.tool_call(number)  # its result is a step of its own
                return
            failed = draw(st.sampled_from([None, None, *FAILURE_CODES]))
            self.run.tool_result(number, draw(words()), failed=failed)
        elif step == "assemble":
            self.run.assemble(**self.decisions())
        else:
            self.run.stop()

    def decisions(self) -> dict[str, Any]:
        """Mostly everything is admitted and some long results are cut."""
        if self.run._loop.policy == NEWEST_FIRST:
            return {}
        cut = Choice.cut("long", head=self.draw(st.integers(0, 30)), tail=5)
        results = [r.id for r in self.run.records if r.kind is Kind.RESULT]
        some = self.draw(st.sets(st.sampled_from(results))) if results else set()
        gone = Choice.replace("seen", self.draw(words()))
        made = {id: self.draw(st.sampled_from([cut, cut, gone])) for id in sorted(some)}
        return {"choices": made, "rest": Choice.admit("kept")}

    # Any step, at any time.

    def record(self) -> None:
        draw = self.draw
        kind = draw(st.sampled_from([*Kind, *MORE_KINDS]))
        more: dict[str, Any] = {}
        if kind == "tools" or draw(st.integers(0, 9)) == 0:
            more["tools"] = draw(st.sampled_from(TOOL_SETS))
        if draw(st.integers(0, 4)) == 0:
            more["trust"] = draw(st.sampled_from([*Trust, "mistake", 5]))
        if draw(st.integers(0, 4)) == 0:
            more["author"] = draw(st.sampled_from(["tool", "person", "mistake", None]))
        if draw(st.integers(0, 4)) == 0:
            more["source"] = draw(words() | st.sampled_from(WRONG))
        self.run.record(kind, draw(words() | st.sampled_from(WRONG)), **more)

    def assemble(self) -> None:
        draw = self.draw
        ids = [r.id for r in self.run.records] + ["r9999", "", 5]
        keys = st.sampled_from(ids)
        made = draw(st.dictionaries(keys, self.choices(), max_size=4))
        self.run.assemble(made, draw(st.sampled_from([None, Choice.admit("kept"), "x"])))

    def choices(self) -> st.SearchStrategy[Any]:
        ends = st.integers(-1, 60) | st.sampled_from([10**9, True, 1.5])
        return st.builds(self.choice, REASONS, ends, ends)

    def choice(self, reason: str, head: Any, tail: Any) -> Any:
        """A choice; one that cannot be made is no step of the recording."""
        decision = self.draw(st.sampled_from(["admitted", "omitted", "cut", "replaced", "banned"]))
        text = self.draw(words() | st.sampled_from([5])) if decision == "replaced" else ""
        try:
            return Choice(decision, reason, head, tail, text)
        except (LawBroken, TypeError):
            return "no choice"

    def request(self) -> None:
        sent = self.draw(st.sampled_from(["nothing", "body", "text", "json", "messages", "other"]))
        made = self.run._projection
        body = b"" if made is None or made.request is None else made.request.body
        value: Any = {"nothing": None, "body": body, "text": body.decode()}.get(sent)
        if sent in ("json", "messages"):
            try:
                value = json.loads(body)
            except ValueError:
                value = {}
            value = value.get("messages", []) if sent == "messages" else {**value, "top_p": 1}
        elif sent == "other":
            value = self.draw(st.sampled_from([*WRONG[1:], "\ud800", b"", {}, {1: {2: (3,)}}]))
        request = self.run.request(value)
        self.requests.append(request.body)

    def response(self) -> None:
        draw = self.draw
        calls: Any = draw(strategies.calls()) or draw(st.sampled_from([(), None, ["x"]]))
        if draw(st.integers(0, 9)) == 0:
            calls = (Call("\ud800", "large_result", 5), Call("", ""))  # type: ignore
        text = draw(words() | st.sampled_from([None, 5]))
        deltas = draw(st.sampled_from([(), (), ("a",), (5,)]))
        if isinstance(text, str) and draw(st.booleans()):
            deltas = (text[:3], text[3:])
        finish = draw(st.sampled_from(["", "", "", *Finish, "mistake", 5]))
        self.run.response(text, calls, finish=finish, deltas=deltas, half_call=draw(words()))

    def tool_call(self) -> None:
        self.run.tool_call(self.draw(st.sampled_from([0, 0, 1, 2, -1, 9, True, "0"])))

    def tool_result(self) -> None:
        number = self.draw(st.sampled_from([0, 0, 1, 2, -1, 9, True, "0"]))
        failed = self.draw(st.sampled_from([None, None, *FAILURE_CODES, "mistake", 5]))
        self.run.tool_result(number, self.draw(words() | st.sampled_from(WRONG)), failed=failed)

    def stop(self) -> None:
        self.run.stop(self.draw(st.sampled_from([None, *Stop, "mistake", 5])))

    def fail(self) -> None:
        value = self.draw(st.sampled_from([1, -1, "x", "\ud800", 1.5, True, None]))
        code = self.draw(st.sampled_from(["model-timeout", "", "\ud800", 5, *Stop]))
        self.run.fail(code, seconds=value)

    def end(self) -> None:
        """However far the loop has come, it can end: by itself, or by an error of its own."""
        if self.draw(st.booleans()):
            with self.run:
                waiting = self.run._run.session.open[:] if self.run._step == "assemble" else []
                for answers in waiting:
                    self.run.tool_result(answers.call, "no time", failed="not-run")
            return
        error = self.draw(st.sampled_from([ValueError, KeyboardInterrupt, SystemExit]))
        with pytest.raises(error), self.run:
            raise error


TOOL_SETS: tuple[Any, ...] = (
    [Tool("t", lambda: "x"), ToolSpec("large_result", "Reads it.", '{"type":"object"}')],
    ToolRegistry(Tool("t", lambda: "x")),
    [],
    [ToolSpec("t"), ToolSpec("t")],
    [ToolSpec("")],
    [ToolSpec("\ud800", "\ud800")],
    [ToolSpec("t", "", "{ }")],
    ["t"],
    5,
)
STEPS = [
    *("lawful", "lawful", "lawful", "lawful", "lawful", "lawful", "record", "record"),
    *("assemble", "request", "response", "tool_call", "tool_result"),
]
LAST = ["stop", "fail", "lawful", "record"]


class TestRandomLoops:
    """Whatever sequence of calls a loop makes."""

    @settings(max_examples=200)
    @given(data=st.data())
    def test_what_is_written_is_lawful_and_rebuilds_its_requests(self, data: st.DataObject) -> None:
        loop = Loop(data)
        if data.draw(st.integers(0, 3)):  # else it begins with nothing
            loop.run.record("tools", tools=TOOL_SETS[0])
            loop.run.record("user", data.draw(words()))
        for name in data.draw(st.lists(st.sampled_from(STEPS), max_size=25)):
            loop.step(name)
        for name in data.draw(st.lists(st.sampled_from(LAST), max_size=2)):
            loop.step(name)
        loop.end()
        trace = Trace.parse(loop.recorder.text())
        assert [] == [str(breach) for breach in breaches(trace)]
        sent = [trace.request(n + 1).body for n in range(len(loop.requests))]
        assert loop.requests == sent
        prints = [event.data.fingerprint for event in trace.of("model.request")]
        assert prints == [trace.request(n + 1).fingerprint for n in range(len(prints))]
        self.the_log_is_the_one_in_the_trace(loop.run.records, trace)

    @staticmethod
    def the_log_is_the_one_in_the_trace(records: tuple[Record, ...], trace: Trace) -> None:
        assert list(records) == [attrs.evolve(r) for r in trace.records][: len(records)]
