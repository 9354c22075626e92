"""The loop: assemble, send, append, run tools, until a named reason to stop."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from curriculum.context.assemble import assemble
from curriculum.context.budget import BudgetError, ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.count.registry import counter_for
from curriculum.record.cut import CUTTER, Cut, content_size
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust
from curriculum.record.session import Session
from curriculum.record.text import UNICODE, scalar, sha256
from curriculum.trace import events
from curriculum.trace.events import BY_FINISH, Finish, Stop
from curriculum.trace.recorder import Recorder
from curriculum.wire.plain import Plain
from curriculum.wire.request import Wire

from .model import Model, Output, RunError, checked
from .tools import ToolOutput, ToolRegistry

if TYPE_CHECKING:
    from curriculum.record.artifacts import ArtifactStore

SMALLEST_WITH_HANDLE = 28
"""Characters: a twelve-digit count, a handle of nine, and one character at each end."""
PERSON: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
MODEL: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "model"}
TOOL: dict[str, Any] = {"trust": Trust.TOOL, "author": Author.TOOL}
HARNESS: dict[str, Any] = {"author": Author.HARNESS}


@attrs.frozen
class Outcome:
    """How a run ended, after how many model calls, and the session it leaves."""

    stop: Stop
    turns: int
    session: Session


@attrs.frozen(kw_only=True)
class AgentRunner:
    """All that a run needs. It changes nothing but the recorder, the model and the store.

    `history` is an earlier log that the run goes on from. `store` keeps what gate 1 cuts.
    """

    model: Model
    tools: ToolRegistry
    trace: Recorder
    budget: ContextBudget
    system_prompt: str = ""
    policy: Policy = NEWEST_FIRST
    wire: Wire = attrs.field(factory=Plain)
    store: "ArtifactStore | None" = None
    history: Sequence[Record] = ()
    max_turns: int = 8
    session_id: str = "session"

    def __attrs_post_init__(self) -> None:
        tool = self.budget.max_tool_output_chars
        if self.store is not None and tool is not None and tool < SMALLEST_WITH_HANDLE:
            why = f"max_tool_output_chars={tool} has no room for a marker with a handle."
            sums = f"marker 26 + 2 ends 2 = {SMALLEST_WITH_HANDLE} > {tool}"
            raise BudgetError(why, sums, code="budget-tool-ceiling-too-small")

    def run(self, prompt: str, *more: str) -> Outcome:
        """Run each prompt to its end. Whatever happens, the trace ends in one `session.stop`.

        Raises what the model raised (`ScriptExhausted` and the like) after it has been written.
        """
        return _Run(self).drive((prompt, *more))


class _Run:
    """One run in progress."""

    def __init__(self, runner: AgentRunner) -> None:
        self.runner, self.session, self.turn = runner, Session(runner.session_id), 0
        self.sent = 0
        counter = counter_for(runner.budget.unit)
        self.index = SessionIndex(runner.wire, counter)
        named = {"policy": runner.policy.id, "wire": runner.wire.id, "counter": counter.id}
        named |= {"cutter": CUTTER, "unicode": UNICODE}
        limits = runner.budget.limits()
        before, most = len(runner.history), runner.max_turns
        start = events.SessionStart(runner.session_id, limits, most, named, history=before)
        self.start = runner.trace.emit("session.start", start)

    def drive(self, prompts: Iterable[str]) -> Outcome:
        stop = Stop.ERROR
        try:
            self.open()
            for prompt in prompts:
                stop = self.exchange(self.append(self.start, Kind.USER, prompt, **PERSON))
                if stop is not Stop.COMPLETED:
                    break
            else:
                self.runner.model.finish()
        except RunError as error:
            stop = error.stop
            self.emit("error", events.Error(error.code, error.params))
            raise
        except KeyboardInterrupt:
            stop = Stop.INTERRUPTED
            raise
        except BaseException as error:
            stop = Stop.ERROR
            self.emit("error", events.Error("raised", {"type": type(error).__name__}))
            raise
        finally:
            self.emit("session.stop", events.SessionStop(stop, self.sent))
        return Outcome(stop, self.sent, self.session)

    def open(self) -> None:
        """The records that stand before the first prompt."""
        for record in self.runner.history:
            self.emit("record.append", self.session.adopt(record), cause=self.start)
        if specs := self.runner.tools.specs:
            fields = {"trust": Trust.DEVELOPER, "source": "registry", **HARNESS}
            self.append(self.start, Kind.TOOLS, tools=specs, **fields)
        if text := self.runner.system_prompt:
            fields = {"trust": Trust.SYSTEM, "source": "system_prompt", **HARNESS}
            self.append(self.start, Kind.INSTRUCTION, text, **fields)

    def exchange(self, cause: int) -> Stop:
        """Turns until the model asks for no tool, or something stops the run."""
        trigger = "user"
        while self.turn < self.runner.max_turns:
            budget = self.runner.budget
            projection = assemble(
                self.session.records,
                budget.max_input,
                budget.output_reserve,
                policy=self.runner.policy,
                max_messages=budget.max_messages,
                trigger=trigger,
                index=self.index,
            )
            self.turn += 1
            seq = self.emit("context.assemble", projection.manifest, cause=cause)
            if projection.request is None:
                assert projection.manifest.refused is not None
                return Stop(projection.manifest.refused.reason)
            seq = self.emit("model.request", projection.manifest.sent(), cause=seq)
            self.sent += 1
            output = checked(self.runner.model.respond(projection.request))
            turn, seq = self.answer(output, seq)
            if output.finish != Finish.TOOL_CALLS:
                self.skip(turn, seq, output.finish)
                return BY_FINISH[Finish(output.finish)]
            trigger, cause = "tool-results", self.act(turn, seq)
        return Stop.TURN_LIMIT

    def answer(self, output: Output, cause: int) -> tuple[Record, int]:
        """Write the output down as one record, whatever pieces it came in."""
        calls = _unique(output.calls)
        deltas = tuple(len(scalar(delta)) for delta in output.deltas)
        text = scalar(output.text)
        half = len(scalar(output.half_call))
        said = events.ModelResponse(Finish(output.finish), len(text), len(calls), deltas, half)
        seq = self.emit("model.response", said, cause=cause)
        seq = self.append(seq, Kind.ASSISTANT, text, calls=calls, **MODEL)
        return self.session.records[-1], seq

    def act(self, turn: Record, cause: int) -> int:
        """Run the calls of a turn in order; an interrupt still leaves each with a result."""
        seq = cause
        for number, call in enumerate(turn.calls):
            asked = events.ToolRequest(turn.id, number, call.name)
            seq = self.emit("tool.request", asked, cause=cause)
            try:
                output = self.runner.tools.call(call)
            except KeyboardInterrupt:
                for late in range(number, len(turn.calls)):
                    name = turn.calls[late].name
                    output = ToolOutput.failure("interrupted", tool=name)
                    self.take(turn, late, output, seq if late == number else cause)
                raise
            seq = self.take(turn, number, output, seq)
        return seq

    def skip(self, turn: Record, cause: int, finish: str) -> None:
        """Give the calls of an output that ended early a result that says they were not run."""
        for number, call in enumerate(turn.calls):
            output = ToolOutput.failure("not-run", tool=call.name, finish=finish)
            self.take(turn, number, output, cause)

    def take(self, turn: Record, number: int, output: ToolOutput, cause: int) -> int:
        """Gate 1: a result enters the log with at most the tool ceiling's characters."""
        name, text = turn.calls[number].name, output.text
        whole = events.ToolResult(name, len(text), sha256(text), output.failed)
        seq = self.emit("tool.result", whole, cause=cause)
        limit = self.runner.budget.max_tool_output_chars
        cut = None
        if limit is not None and len(text) > limit:
            handle = None
            if self.runner.store is not None:
                handle = self.runner.store.put(text)
                kept = events.ArtifactStore(handle, len(text), sha256(text))
                seq = self.emit("artifact.store", kept, cause=seq)
            cut = Cut.whole(text, handle).fit(limit, content_size)
            if cut is None:  # a handle grown long by collisions
                raise RunError("The marker is bigger than the tool ceiling.", limit=limit)
            size = content_size(cut)
            kept = events.ToolTruncate("tool-ceiling", limit, cut.kept, cut.missing, size)
            seq = self.emit("tool.truncate", kept, cause=seq)
        fields = {"source": f"tool:{name}", "answers": Answers(turn.id, number), **TOOL}
        return self.append(seq, Kind.RESULT, "" if cut else text, cut=cut, **fields)

    def append(self, cause: int, kind: Kind, text: str = "", **fields: Any) -> int:
        record = self.session.append(kind, text, **fields)
        return self.emit("record.append", record, cause=cause)

    def emit(self, type: str, data: Any, cause: int | None = None) -> int:
        last = self.runner.trace.seq if cause is None else cause
        return self.runner.trace.emit(type, data, turn=self.turn, cause=last)


def _unique(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls with ids that are unique within the turn: a repeated one gets its position."""
    seen: set[str] = set()
    unique: list[Call] = []
    for number, call in enumerate(calls, 1):
        id = scalar(call.id) or f"c{number}"
        while id in seen:
            id = f"{id}.{number}"
        seen.add(id)
        unique.append(Call(id, scalar(call.name), scalar(call.arguments)))
    return tuple(unique)
