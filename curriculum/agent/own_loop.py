"""Recording a loop of one's own: the same trace, checked as it is written, without our runner."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from curriculum.context.assemble import Projection
from curriculum.context.budget import ContextBudget
from curriculum.context.choices import Choice, Terms, chosen
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.count.counter import Counter
from curriculum.record.law import LawBroken
from curriculum.record.records import Author, Call, Image, Kind, Record, ToolSpec, Trust
from curriculum.record.text import scalar
from curriculum.record.unlawful import UnlawfulRecord
from curriculum.trace import events
from curriculum.trace.events import Finish, Stop
from curriculum.trace.recorder import Recorder
from curriculum.wire.plain import Plain
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Request

from . import own_input
from .output import Output, checked
from .own_calls import Calls
from .own_policy import Declared, component, declared
from .own_steps import NEXT, Elsewhere
from .pooled_run import PooledRun
from .run_errors import BadOutput
from .runner import START, AgentRunner
from .thinking import Thinking
from .tools import Tool, ToolRegistry

if TYPE_CHECKING:
    from curriculum.record.artifacts import Artifacts

    from .summaries import Summariser


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
        counter: Counter | None = None,
        store: "Artifacts | None" = None,
        summariser: "Summariser | None" = None,
        history: Sequence[Record] = (),
        max_turns: int = 1000,
        session: str = "session",
    ) -> None:
        """Begin to write to `trace`. `harness` and a policy of one's own are named `name@version`.

        `max_turns` is the most requests that the run may send. With a `Policy`, `assemble`
        decides; with a name, the harness does, and gives its choices. `counter` measures requests
        in the budget's unit, and `summariser` writes the summaries that a policy wants, as those
        of `AgentRunner` do. Raises `CurriculumError`.
        """
        component(harness)
        if isinstance(policy, str):
            policy = declared(policy)
        self._loop = AgentRunner(
            model=Elsewhere(),
            tools=(),
            trace=trace,
            budget=budget,
            policy=policy,
            wire=wire or Plain(),
            counter=counter,
            store=store,
            summariser=summariser,
            history=history,
            max_turns=max_turns,
            session_id=scalar(session),
        )
        self._run = self._loop.begin()
        self._run.also = {"harness": harness}
        self._run.open()
        self._opened, self._sent = trace.seq, 0
        self._step = "assemble"
        self._projection: Projection | None = None
        self._calls: Calls | None = None

    @property
    def records(self) -> tuple[Record, ...]:
        """The log so far."""
        return self._run.session.events

    def record(
        self,
        kind: Kind | str,
        text: str = "",
        *,
        tools: ToolRegistry | Iterable[Tool | ToolSpec] = (),
        image: "bytes | str | PathLike[str] | Image | None" = None,
        trust: Trust | str | None = None,
        author: Author | str | None = None,
        source: str | None = None,
        tags: Iterable[str] = (),
    ) -> Record:
        """Append what comes from outside: the user's words, an instruction, tools, a memory.

        Labels that are not given are those of the kind: a user's words have the label `user`, an
        instruction `system`, anything else the lowest one, `external`. Policies know the record by
        its `tags`; `about:NAME` is its subject.

        `image` of a record of kind image is a file in PNG, JPEG, GIF or WebP, by its bytes or its
        path; or an `Image` that says what the `text`, base64, is. Raises `CurriculumError` for
        a file that cannot be read (`image-unreadable`) or is no such picture (`image-unknown`).
        """
        kind = own_input.word(Kind, kind, "kind of record")
        self._expect("assemble", "record(...)")
        if kind in (Kind.ASSISTANT, Kind.RESULT):
            step = "response" if kind is Kind.ASSISTANT else "tool_result"
            raise LawBroken(5, f"A record of kind {kind} comes from a turn.", next=f"{step}(...)")
        specs = own_input.offered(kind, tools)
        labels = own_input.labels(kind, trust, author, source)
        labels["tags"] = tuple(own_input.text(tag, "a tag") for tag in tags)
        said = own_input.text(text, "a record")
        if said and kind is Kind.TOOLS:
            todo = 'record("instruction", ...)'
            raise LawBroken(4, "No wire sends a text of a record of kind tools.", next=todo)
        if image is not None:
            said, labels["image"] = own_input.pictured(kind, image, said)
        self._append(kind, said, tools=specs, **labels)
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
        records, appended = self._run.session.records, self._appended()
        if not records:
            raise LawBroken(0, "An assembly follows a record, and there is none.")
        last, most, used = records[-1].kind, self._loop.max_turns, self._sent
        if used == most:
            sums = f"{used} requests = max_turns {most}"
            raise LawBroken(0, "The turn limit is reached.", sums, next='stop("turn-limit")')
        trigger = "tool-results" if last is Kind.RESULT else "user"
        policy = self._loop.policy
        if isinstance(policy, Declared):
            made = self._chosen(choices or {}, rest, policy.id, trigger)
            self._run.turn += 1
            self._run.emit("context.assemble", made.manifest, appended)
        elif choices is None and rest is None:
            made = self._run.assemble(appended, trigger)
        else:
            todo = 'Recording(..., policy="my-policy@1") for a policy of your own'
            raise LawBroken(6, f"{policy.id} decides; it takes no choices.", next=todo)
        self._projection = made
        self._step = "stop" if made.request is None else "request"
        return made

    def compact(self) -> None:
        """Ask for a summary of old exchanges, whatever their size, at the next assembly.

        Raises `LawBroken` if the policy wants none, or nobody is there to write it.
        """
        if not isinstance(self._run, PooledRun) or self._loop.summariser is None:
            todo = "Recording(..., policy=a policy with [compact], summariser=...)"
            raise LawBroken(0, f"{self._loop.policy.id} asks for no summary.", next=todo)
        self._run.explicit = True

    def _appended(self) -> int:
        """The seq of the last record's event: asking the trace takes longer as it grows."""
        _, before, steps = self._run.chain
        return before + len(steps) if steps else self._opened

    def _chosen(
        self, choices: Mapping[str, Choice], rest: Choice | None, policy: str, trigger: str
    ) -> Projection:
        budget, index = self._loop.budget, self._run.index
        limits = budget.max_input, budget.output_reserve, budget.max_messages
        index.read(self._run.session.records)
        return chosen(index, choices, rest, Terms(policy, *limits, trigger, budget.capacity))

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
        self._run.emit("model.request", made.manifest.sent())
        self._sent += 1
        self._step = "response"
        return made.request

    def response(
        self,
        text: str | None = "",
        calls: Iterable[Call] | None = (),
        *,
        finish: Finish | str = "",
        deltas: Iterable[str] = (),
        half_call: str = "",
        thinking: Iterable[Thinking] = (),
    ) -> Record:
        """Append the model's output as one record, and return it; its calls have unique ids.

        Each block of `thinking` is a record of its own before it.

        `finish` defaults to `tool-calls` if there are calls, else to `done`. Calls of an output
        that ended otherwise get a result that says they were not run. None is no text or calls.
        """
        self._expect("response", "response(...)")
        said = own_input.text("" if text is None else text, "an output")
        half = own_input.text(half_call, "half a call")
        pieces = tuple(own_input.text(delta, "a delta") for delta in deltas)
        try:
            output = checked(Output(said, tuple(calls or ()), str(finish), pieces, half, thinking))
        except BadOutput as error:
            raise LawBroken(0, error.headline, *error.evidence, next=error.next) from None
        for call in output.calls:
            for part in (call.id, call.name, call.arguments):
                own_input.text(part, "what a call is made of")
        turn, seq = self._run.answer(output, self._run.trace.seq)
        self._calls, self._step = Calls(self._run, turn, seq), "assemble"
        if output.finish != Finish.TOOL_CALLS:
            from .endings import skip

            skip(self._run, turn, seq, output.finish)
        return turn

    def unanswered(self) -> None:
        """Go on after a request that got no answer, as after a timeout.

        The trace has the request and no response; next is `record` or `assemble`.
        """
        self._expect("response", "unanswered()")
        self._step = "assemble"

    def tool_call(self, number: int = 0) -> Call:
        """Write down that call `number` (from 0) of the last turn is about to run; return it.

        Calls are asked for in order; those that have a result already are passed over.
        """
        return self._asked().ask(number)

    def tool_result(
        self, number: int, text: str, *, failed: str | None = None, trust: Trust | str | None = None
    ) -> Record:
        """Append what call `number` gave, cut to the tool ceiling; return it as the log has it.

        `failed` is one of `FAILURE_CODES` if it went wrong: `interrupted`, `denied` and `not-run`
        need no `tool_call` before them. `trust` is a label lower than `tool`, for a text from
        further away. Raises `TypeError` for what is no text.
        """
        return self._asked().answer(number, text, failed, own_input.of_result(trust))

    def _asked(self) -> Calls:
        self._expect("assemble", "tool_call and tool_result")
        if self._calls is None:
            raise LawBroken(5, "There is no turn whose calls could run.")
        return self._calls

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
        named = None if reason is None else own_input.word(Stop, reason, "reason to stop")
        stop = lawful_stop(self._run.trace, named)
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
            raise LawBroken(0, f"{asked} cannot come now.", NEXT[self._step])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        from .own_ending import broken_off

        if self._step == "over":
            return
        try:
            if error is None:
                self.stop()
        except BaseException as caught:
            error = caught
            raise
        finally:
            if error is not None:
                broken_off(self._run, error)
            self._step = "over"
