"""The loop: assemble, send, append, run tools, until a named reason to stop."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from curriculum.context.assemble import Projection, assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.count.counters import counter_for
from curriculum.record.cut import CUTTER, Cut, content_size
from curriculum.record.records import Answers, Author, Kind, Record, Trust, named
from curriculum.record.session import Session
from curriculum.record.text import UNICODE, scalar, sha256
from curriculum.trace import events
from curriculum.trace.events import BY_FINISH, Finish, Stop
from curriculum.trace.recorder import Recorder
from curriculum.wire.plain import Plain

from .output import Output, checked
from .tools import ToolOutput, ToolRegistry

if TYPE_CHECKING:
    from curriculum.count.counter import Counter
    from curriculum.record.artifacts import Artifacts
    from curriculum.record.repeats import Repeats
    from curriculum.wire.protocol import Wire

    from .model import Model
    from .summaries import Summariser

SMALLEST_WITH_HANDLE = 28
"""Characters: a twelve-digit count, a handle of nine, and one character at each end."""
PERSON: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
MODEL: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "model"}
SYSTEM: dict[str, Any] = {"trust": Trust.SYSTEM, "source": "system_prompt"}
REGISTRY: dict[str, Any] = {"trust": Trust.DEVELOPER, "source": "registry"}
Step = tuple[str, Any]
"""An event that is to be written: its type and data."""


@attrs.frozen
class Outcome:
    """How a run ended, after how many model calls, and the session it leaves."""

    stop: Stop
    turns: int
    session: Session


@attrs.frozen(kw_only=True)
class AgentRunner:
    """All that a run needs. It changes nothing but the recorder, the model and the store.

    `history` is an earlier log that the run goes on from. `store` keeps what is cut, at either
    gate. `summariser` writes summaries where the policy wants them; before the prompts with the
    numbers in `compact_before` (from 1) one is asked for whatever the size. `counter` measures
    requests; by default characters, or bytes as the proven bound of tokens. `repeats` says how
    many steps in a row are a loop, which the run stops at. Raises `CurriculumError` for limits
    that cannot work.
    """

    model: "Model"
    tools: ToolRegistry = attrs.field(converter=ToolRegistry.of)
    trace: Recorder
    budget: ContextBudget
    system_prompt: str = ""
    policy: Policy = NEWEST_FIRST
    wire: "Wire" = attrs.field(factory=Plain)
    counter: "Counter | None" = None
    store: "Artifacts | None" = None
    summariser: "Summariser | None" = None
    history: Sequence[Record] = ()
    max_turns: int = 8
    compact_before: tuple[int, ...] = ()
    session_id: str = "session"
    repeats: "Repeats | None" = None

    def __attrs_post_init__(self) -> None:
        tool, turns = self.budget.max_tool_output_chars, self.max_turns
        small = self.store is not None and tool is not None and tool < SMALLEST_WITH_HANDLE
        unfit = self.counter is not None and self.counter.unit != self.budget.unit
        unfit |= self.summariser is not None and self.policy.pooling is None
        if small or unfit or type(turns) is not int or not 0 < turns < 10**15:
            from .endings import refusal

            raise refusal(self)

    def run(self, prompt: str, *more: str) -> Outcome:
        """Run each prompt to its end. Whatever happens, the trace ends in one `session.stop`.

        Raises what the model raised (`ScriptExhausted` and the like) after it has been written.
        """
        if not all(isinstance(text, str) for text in (prompt, *more)):  # pyright: ignore
            raise TypeError("run takes each prompt by itself, as text: run('One.', 'Two.')")
        return self.begin().drive((prompt, *more))

    def begin(self) -> "Run":
        """A run that nothing has been written of."""
        if self.policy.pooling is None and self.repeats is None:
            return Run(self)
        from .watched_run import run_of

        return run_of(self)


START = 1
"""The seq of session.start."""


class Run:
    """One run in progress: its log, and the events that say what became of it."""

    also: Mapping[str, str] = {}
    """Components that are not the runner's own."""

    def __init__(self, runner: AgentRunner) -> None:
        self.runner, self.trace, self.turn = runner, runner.trace, 0
        self.session = Session(runner.session_id)
        self.history = self.session.adopt(runner.history) if runner.history else []
        self.index = SessionIndex(runner.wire, runner.counter or counter_for(runner.budget.unit))
        self.refused: Stop | None = None
        self.chain: tuple[int, int, Sequence[Step]] = (START, 0, ())
        """The cause, the seq before, and the events of what was last written together."""

    def drive(self, prompts: Sequence[str], begin: Callable[[], None] | None = None) -> Outcome:
        """Run each prompt to its end, after `begin` or, if it is not given, `open`."""
        fresh = self.trace.seq == 0
        try:
            (begin or self.open)()
            stop = Stop.COMPLETED
            for prompt in prompts:
                stop = self.exchange(self.append(START, Kind.USER, prompt, **PERSON))
                if stop is not Stop.COMPLETED:
                    break
            else:
                getattr(self.runner.model, "finish", lambda: None)()
            turns = len(self.trace.seqs("model.request"))
            self.emit("session.stop", events.SessionStop(stop, turns))
        except BaseException as error:
            from .endings import wind_up

            wind_up(self, error, fresh)
            raise
        return Outcome(stop, turns, self.session)

    def open(self) -> None:
        """The start, and the records that stand before the first prompt."""
        runner, old = self.runner, self.history
        named = {"policy": runner.policy.id, "wire": runner.wire.id, "cutter": CUTTER}
        named |= {"counter": self.index.counter.id, "unicode": UNICODE, **self.also}
        limits, most = runner.budget.limits(), runner.max_turns
        start = events.SessionStart(runner.session_id, limits, most, named, history=len(old))
        self.trace.emit("session.start", start)
        for record in old:
            self.emit("record.append", record, START)
        # What the history says already, and says last, is not said again.
        same = [r for r in old if {"trust": r.trust, "source": r.source} == SYSTEM]
        told = [r.text for r in same if r.kind is Kind.INSTRUCTION][-1:]
        offered = [r.tools for r in old if r.kind is Kind.TOOLS][-1:]
        if (specs := runner.tools.specs) and offered != [specs]:
            self.append(START, Kind.TOOLS, author=Author.HARNESS, tools=specs, **REGISTRY)
        if (text := scalar(runner.system_prompt)) and told != [text]:
            self.append(START, Kind.INSTRUCTION, text, author=Author.HARNESS, **SYSTEM)

    def exchange(self, cause: int) -> Stop:
        """Turns until the model asks for no tool, or something stops the run."""
        trigger = "user"
        while self.turn < self.runner.max_turns:
            projection = self.assemble(cause, trigger)
            if self.refused is not None:
                return self.refused
            assert projection.request is not None
            seq = self.emit("model.request", projection.manifest.sent())
            output = checked(self.runner.model.respond(projection.request))
            turn, seq = self.answer(output, seq)
            if output.finish != Finish.TOOL_CALLS:
                if turn.calls:
                    from .endings import skip

                    skip(self, turn, seq, output.finish)
                return BY_FINISH[Finish(output.finish)]
            trigger, cause = "tool-results", self.act(turn, seq)
        return Stop.TURN_LIMIT

    def assemble(self, cause: int, trigger: str) -> Projection:
        """Decide what the model will see, and write it down."""
        return self.write(self.decide(trigger), cause)

    def decide(self, trigger: str, **more: Any) -> Projection:
        """What the model will see, by the policy and within the budget."""
        policy, budget = self.runner.policy, self.runner.budget
        limits = budget.max_input, budget.output_reserve
        more |= {"max_messages": budget.max_messages, "trigger": trigger}
        more |= {"policy": policy, "index": self.index, "capacity": budget.capacity}
        return assemble(self.session.records, *limits, **more)

    def write(self, made: Projection, cause: int) -> Projection:
        """Write the assembly down; one that refuses is what the run stops with."""
        self.refused = (refused := made.manifest.refused) and Stop(refused.reason)
        self.turn += 1
        self.emit("context.assemble", made.manifest, cause)
        return made

    def answer(self, output: Output, cause: int) -> tuple[Record, int]:
        """Write the output down as one record, and one before it for each block of thinking."""
        calls = named(output.calls)
        deltas = tuple(len(scalar(delta)) for delta in output.deltas)
        text, half = scalar(output.text), len(scalar(output.half_call))
        said = events.ModelResponse(Finish(output.finish), len(text), len(calls), deltas, half)
        steps: list[Step] = [("model.response", said)]
        for one in output.thinking:
            fields: dict[str, Any] = {"native": one.native, **MODEL}
            steps.append(("record.append", self.session.append(Kind.THINKING, one.text, **fields)))
        seq = self.append(cause, Kind.ASSISTANT, text, steps, calls=calls, **MODEL)
        return self.session.records[-1], seq

    def act(self, turn: Record, cause: int) -> int:
        """Run the calls of a turn in order."""
        seq = cause
        for number, call in enumerate(turn.calls):
            seq = self.emit("tool.request", events.ToolRequest(turn.id, number, call.name), cause)
            seq = self.take(turn, number, self.runner.tools.call(call), seq)
        return seq

    def take(self, turn: Record, number: int, output: ToolOutput, cause: int) -> int:
        """Gate 1: a result enters the log with at most the tool ceiling's characters."""
        name, text, trust = turn.calls[number].name, output.text, output.trust
        made = events.ToolResult(name, len(text), sha256(text), output.failed, trust)
        labels: dict[str, Any] = {"source": f"tool:{name}", "trust": trust or Trust.TOOL}
        steps: list[Step] = [("tool.result", made)]
        store, handle = self.runner.store, None
        if store is not None and made.size >= SMALLEST_WITH_HANDLE:
            handle = store.put(text, **labels)
            steps.append(("artifact.store", events.ArtifactStore(handle, made.size, made.sha256)))
        cut, truncated = self.gate(name, Cut.whole(text, handle))
        if truncated is not None:
            steps.append(("tool.truncate", truncated))
            text, handle = "", None
        labels |= {"author": Author.TOOL, "answers": Answers(turn.id, number), "tags": output.tags}
        return self.append(cause, Kind.RESULT, text, steps, cut=cut, artifact=handle, **labels)

    def gate(self, tool: str, whole: Cut) -> tuple[Cut | None, events.ToolTruncate | None]:
        """What gate 1 leaves of a tool's output, and the event that says so; None if all of it."""
        limit = self.runner.budget.max_tool_output_chars
        if limit is None or content_size(whole) <= limit:
            return None, None
        cut = whole.fit(limit, content_size)
        if cut is None:  # a handle grown long by collisions
            from .run_errors import RunError

            raise RunError("The marker is bigger than the tool ceiling.", limit=limit)
        kept = "tool-ceiling", limit, cut.kept, cut.missing, content_size(cut)
        return cut, events.ToolTruncate(*kept)

    def append(
        self, cause: int, kind: Kind, text: str = "", before: Sequence[Step] = (), **fields: Any
    ) -> int:
        """Append a record and write it, after the events that it belongs together with."""
        record = self.session.append(kind, text, **fields)
        steps = [*before, ("record.append", record)]
        self.chain = cause, self.trace.seq, steps
        for type, data in steps:
            cause = self.emit(type, data, cause)
        return cause

    def emit(self, type: str, data: Any, cause: int | None = None) -> int:
        """Write one event of this turn; its cause is the last one unless told otherwise."""
        return self.trace.emit(type, data, turn=self.turn, cause=cause or self.trace.seq)
