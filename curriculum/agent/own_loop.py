"""Recording a loop of one's own: the same trace, checked as it is written, without our runner."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import attrs

from curriculum.context.assemble import Projection
from curriculum.context.budget import ContextBudget
from curriculum.context.choices import Choice, Terms, chosen
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.record.errors import CurriculumError
from curriculum.record.law import LawBroken
from curriculum.record.records import Author, Call, Kind, Record, ToolSpec, Trust, UnlawfulRecord
from curriculum.trace import events
from curriculum.trace.events import FAILURE_CODES, Finish, Stop
from curriculum.trace.recorder import Recorder
from curriculum.wire.plain import Plain
from curriculum.wire.request import Request, Wire

from .model import BadOutput, Output, checked
from .runner import PERSON, REGISTRY, START, SYSTEM, AgentRunner, Run
from .tools import Tool, ToolOutput

if TYPE_CHECKING:
    from curriculum.record.artifacts import ArtifactStore

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*@[0-9]+\Z")
_LABELS: dict[Kind, dict[str, Any]] = {
    Kind.USER: PERSON,
    Kind.INSTRUCTION: {**SYSTEM, "author": Author.HARNESS},
    Kind.TOOLS: {**REGISTRY, "author": Author.HARNESS},
}
"""Who says what, unless told otherwise. Any other kind begins with the lowest label."""


@attrs.frozen
class Declared(Policy):
    """A policy that a harness follows by itself: a name and a version, and no content here."""

    @property
    def id(self) -> str:
        """Name and version; without a hash, as there is nothing to hash."""
        return f"{self.name}@{self.version}"


class _Elsewhere:
    """The model of a loop of one's own: it is asked there, and never here."""

    def respond(self, request: Request) -> Output:
        raise LawBroken(0, "The loop asks its model itself.")


class Recording:
    """One run of a harness of one's own, written as it happens.

    Steps in order: `record` what comes in; then for each turn `assemble`, `request`, `response`,
    and for each call `tool_call` and `tool_result`; at the end `stop`. As a context manager it
    stops by itself, also when the loop raises. A step that would break a law raises `LawBroken`
    with the law's name, and nothing of it is written.
    """

    def __init__(
        self,
        trace: Recorder,
        harness: str,
        *,
        budget: ContextBudget,
        policy: Policy | str = NEWEST_FIRST,
        wire: Wire | None = None,
        store: "ArtifactStore | None" = None,
        history: Sequence[Record] = (),
        max_turns: int = 1000,
        session: str = "session",
    ) -> None:
        """Begin to write to `trace`. `harness` and a policy of one's own are named `name@version`.

        `max_turns` is the most requests that the run may send. With a `Policy`, `assemble`
        decides; with a name, the harness does, and gives its choices. Raises `CurriculumError`.
        """
        own = [harness, policy] if isinstance(policy, str) else [harness]
        for name in own:
            if not _NAME.match(name):
                raise CurriculumError(
                    f"{name!r} is no name of a component.",
                    "lower-case letters, digits, . _ - and a version: my-agent@1",
                    code="component-name",
                )
        if isinstance(policy, str):
            name, _, version = policy.rpartition("@")
            policy = Declared(name, int(version))
        self._loop = AgentRunner(
            model=_Elsewhere(),
            tools=(),
            trace=trace,
            budget=budget,
            policy=policy,
            wire=wire or Plain(),
            store=store,
            history=history,
            max_turns=max_turns,
            session_id=session,
        )
        self._run = Run(self._loop)
        self._run.also = {"harness": harness}
        self._run.open()
        self._step = "assemble"
        self._projection: Projection | None = None
        self._turn: tuple[Record, int] | None = None
        self._asked: dict[int, int] = {}

    @property
    def records(self) -> tuple[Record, ...]:
        """The log so far."""
        return self._run.session.events

    def record(
        self,
        kind: Kind | str,
        text: str = "",
        *,
        tools: Iterable[Tool | ToolSpec] = (),
        trust: Trust | str | None = None,
        author: Author | str | None = None,
        source: str | None = None,
    ) -> Record:
        """Append what comes from outside: the user's words, an instruction, tools, a memory.

        Labels that are not given are those of the kind: a user's words have the label `user`, an
        instruction `system`, anything else the lowest one, `external`.
        """
        kind = Kind(kind)
        self._expect("assemble", "record(...)")
        if kind in (Kind.ASSISTANT, Kind.RESULT):
            step = "response" if kind is Kind.ASSISTANT else "tool_result"
            raise LawBroken(5, f"A record of kind {kind} comes from a turn.", next=f"{step}(...)")
        known = {"trust": Trust.EXTERNAL, "author": Author.HARNESS, "source": str(kind)}
        labels = {**known, **_LABELS.get(kind, {})}
        given = {"trust": trust and Trust(trust), "author": author and Author(author)}
        labels |= {name: value for name, value in given.items() if value}
        labels |= {"source": source} if source else {}
        specs = tuple(tool.spec if isinstance(tool, Tool) else tool for tool in tools)
        self._append(kind, text, tools=specs, **labels)
        return self._run.session.records[-1]

    def _append(self, kind: Kind, text: str, **fields: Any) -> None:
        try:
            self._run.append(START, kind, text, **fields)
        except UnlawfulRecord as error:
            raise LawBroken(10, error.headline, *error.evidence) from None

    def assemble(
        self, choices: Mapping[str, Choice] | None = None, rest: Choice | None = None
    ) -> Projection:
        """Write down what the model will see, and why; return it.

        With a policy of one's own, `choices` say by record id what becomes of each record, and
        `rest` is for all others. The projection's `request` is None if the policy refuses.
        """
        self._expect("assemble", "assemble(...)")
        if self._run.session.open:
            first = self._run.session.open[0]
            raise LawBroken(5, f"Call {first.call} of {first.record} has no result yet.")
        appended = self._run.trace.seqs("record.append")
        last = self.records[-1].kind if appended else None
        if last is None:
            raise LawBroken(0, "An assembly follows a record, and there is none.")
        trigger = "tool-results" if last is Kind.RESULT else "user"
        policy = self._loop.policy
        if isinstance(policy, Declared):
            made = self._chosen(choices or {}, rest, policy.id, trigger)
            self._run.turn += 1
            self._run.emit("context.assemble", made.manifest, appended[-1])
        elif choices is None and rest is None:
            made = self._run.assemble(appended[-1], trigger)
        else:
            todo = 'Recording(..., policy="my-policy@1") for a policy of your own'
            raise LawBroken(6, f"{policy.id} decides; it takes no choices.", next=todo)
        self._projection = made
        self._step = "stop" if made.request is None else "request"
        return made

    def _chosen(
        self, choices: Mapping[str, Choice], rest: Choice | None, policy: str, trigger: str
    ) -> Projection:
        budget, index = self._loop.budget, self._run.index
        limits = budget.max_input, budget.output_reserve, budget.max_messages
        index.read(self._run.session.records)
        return chosen(index, choices, rest, Terms(policy, *limits, trigger))

    def request(self, sent: object = None) -> Request:
        """Write down that the request goes out; return it.

        `sent` is what the loop really sends: the body as bytes, text or JSON, or the list of its
        messages. If it is not what the decisions lead to, that is refused (law 7).
        """
        self._expect("request", "request(...)")
        made = self._projection
        assert made is not None
        assert made.request is not None
        if sent is not None:
            from .as_sent import compare

            compare(made.request, sent)
        used = len(self._run.trace.seqs("model.request"))
        if used == self._loop.max_turns:
            raise LawBroken(0, "The turn limit is reached.", f"{used} requests = max_turns {used}")
        self._run.emit("model.request", made.manifest.sent())
        self._step = "response"
        return made.request

    def response(
        self,
        text: str = "",
        calls: Iterable[Call] = (),
        *,
        finish: Finish | str = "",
        deltas: Iterable[str] = (),
        half_call: str = "",
    ) -> Record:
        """Append the model's output as one record, and return it; its calls have unique ids.

        `finish` defaults to `tool-calls` if there are calls, else to `done`. Calls of an output
        that ended otherwise get a result that says they were not run.
        """
        self._expect("response", "response(...)")
        try:
            output = checked(Output(text, tuple(calls), str(finish), tuple(deltas), half_call))
        except BadOutput as error:
            raise LawBroken(0, error.headline, *error.evidence, next=error.next) from None
        self._turn = self._run.answer(output, self._run.trace.seq)
        self._asked, self._step = {}, "assemble"
        if output.finish != Finish.TOOL_CALLS:
            self._run.skip(*self._turn, output.finish)
        return self._turn[0]

    def tool_call(self, number: int = 0) -> Call:
        """Write down that call `number` (from 0) of the last turn is about to run; return it."""
        turn, seq = self._opened(number)
        if number in self._asked:
            raise LawBroken(5, f"Call {number} of {turn.id} is running already.")
        if number != len(self._asked):
            raise LawBroken(5, f"Call {len(self._asked)} of {turn.id} comes before call {number}.")
        call = turn.calls[number]
        asked = events.ToolRequest(turn.id, number, call.name)
        self._asked[number] = self._run.emit("tool.request", asked, seq)
        return call

    def tool_result(self, number: int, text: str, *, failed: str | None = None) -> Record:
        """Append what call `number` gave, cut to the tool ceiling; return it as the log has it.

        `failed` is one of `FAILURE_CODES` if it went wrong: `interrupted` and `not-run` need no
        `tool_call` before them.
        """
        turn, seq = self._opened(number)
        name = turn.calls[number].name
        if failed is not None and failed not in FAILURE_CODES:
            known = ", ".join(FAILURE_CODES)
            raise LawBroken(0, f"{failed!r} is no way for a call to fail.", f"known: {known}")
        if failed is None and name not in self._offered():
            why = f"offered: {', '.join(self._offered()) or 'none'}"
            todo = 'record("tools", tools=[...]) before, or failed="unknown-tool"'
            raise LawBroken(5, f"{name} is not offered, so it has no output.", why, next=todo)
        if number not in self._asked and failed not in ("interrupted", "not-run"):
            raise LawBroken(
                5, f"Call {number} of {turn.id} was not asked for.", next=f"tool_call({number})"
            )
        output = ToolOutput(Output(text).text, failed)
        self._run.take(turn, number, output, self._asked.get(number, seq))
        return self._run.session.records[-1]

    def _opened(self, number: int) -> tuple[Record, int]:
        self._expect("assemble", "tool_call and tool_result")
        if self._turn is None:
            raise LawBroken(5, "There is no turn whose calls could run.")
        turn, seq = self._turn
        waiting = [a.call for a in self._run.session.open if a.record == turn.id]
        if number not in waiting:
            left = ", ".join(map(str, waiting)) or "none"
            raise LawBroken(5, f"Call {number} of {turn.id} is not open.", f"open calls: {left}")
        return turn, seq

    def _offered(self) -> list[str]:
        sets = [r.tools for r in self._run.session.records if r.kind is Kind.TOOLS]
        return [tool.name for tool in sets[-1]] if sets else []

    def stop(self, reason: Stop | str | None = None) -> Stop:
        """End the run, and return its reason: by default the one that the events lead to.

        A loop of one's own may call a run `completed` after any turn.
        """
        from .own_ending import lawful_stop

        if self._step == "over":
            raise LawBroken(0, "The run has stopped already.")
        if self._run.session.open:
            left = ", ".join(f"call {a.call} of {a.record}" for a in self._run.session.open)
            todo = 'tool_result(n, "...", failed="not-run")'
            raise LawBroken(5, "A call has no result.", left, next=todo)
        stop = lawful_stop(self._run.trace, None if reason is None else Stop(reason))
        self._over(stop)
        return stop

    def fail(self, code: str, **params: int | str) -> None:
        """End the run with an error: a code of the loop's own, and numbers or names."""
        from .own_ending import failing

        if self._step == "over":
            raise LawBroken(0, "The run has stopped already.")
        failing(self._run, code, params)
        self._step = "over"

    def _over(self, stop: Stop) -> None:
        turns = len(self._run.trace.seqs("model.request"))
        self._run.emit("session.stop", events.SessionStop(stop, turns))
        self._step = "over"

    def _expect(self, step: str, asked: str) -> None:
        if self._step != step:
            raise LawBroken(0, f"{asked} cannot come now.", _NEXT[self._step])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._step == "over":
            return
        if error is None:
            self.stop()
            return
        from .endings import wind_up

        wind_up(self._run, error)
        self._step = "over"


_NEXT = {
    "assemble": "next is record, assemble, tool_call, tool_result or stop",
    "request": "the request is assembled; next is request(...)",
    "response": "the model is answering; next is response(...)",
    "stop": "the assembly was refused; next is stop()",
    "over": "the run has stopped",
}
