"""A trace that was cut off anywhere, brought to an end that keeps the laws.

A run is ended as an interrupt would have ended it at that place: what belongs together and is not
whole is left out, each open call gets a result that says so, and the run stops. A log of some
other time is mended in both directions. All else stands as it stood, and each change is named.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import attrs

from curriculum.agent.branching import resume
from curriculum.agent.endings import written
from curriculum.agent.own_policy import declared
from curriculum.agent.own_steps import Elsewhere
from curriculum.agent.runner import AgentRunner
from curriculum.context.budget import ContextBudget
from curriculum.context.known_policies import policy_with_id
from curriculum.count.registry import counter_of
from curriculum.record.errors import CurriculumError
from curriculum.trace.continuing import go_on
from curriculum.trace.errors import TraceError
from curriculum.trace.events import SessionStop, Stop
from curriculum.trace.laws import breaches, check_components
from curriculum.trace.reader import Event, Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.standing import folded
from curriculum.trace.stops import must_stop
from curriculum.wire.registry import wire_of

from .mending import SAYS as FLAWS
from .mending import Flaw, mend
from .session_file import rewritten

LOG = {"session.start", "record.append"}
"""What a log of some other time consists of, and a run before its first turn."""


class Change(StrEnum):
    """What a repair changes beside single records. A closed list."""

    LINE_LEFT_OUT = "line-left-out"
    LINE_ENDED = "line-ended"
    EVENT_LEFT_OUT = "event-left-out"
    HISTORY = "history-count"
    ANSWERED = "call-answered"
    STOPPED = "run-stopped"


@attrs.frozen
class Repair:
    """One change: what it was, at which line or event (from 1) of which file, and in words."""

    what: str
    at: int
    says: str


@attrs.frozen
class Repaired:
    """A lawful trace, and all that was changed; `left` says what no repair may change."""

    text: str
    repairs: tuple[Repair, ...]
    left: tuple[str, ...] = ()


def repair(data: bytes, name: str) -> Repaired:
    """Repair the trace that the bytes of a file spell.

    Raises `TraceError` for bytes that hold no whole start, or that are broken elsewhere than at
    their end, and `CurriculumError` if a component is missing or a law was broken before the cut.
    """
    repairs: list[Repair] = []
    trace = _whole_lines(data, name, repairs)
    check_components(trace)
    left: tuple[str, ...] = ()
    if {event.type for event in trace.events} <= LOG:
        text, more = rewritten(trace)
        repairs += [Repair(what, at, says) for what, at, says in more]
    else:
        text, left = _ended(trace, name, repairs), _orphans(trace)
    for breach in breaches(Trace.parse(text, name)):
        raise CurriculumError(
            f"{name} breaks a law that no cut explains, so it cannot be repaired.",
            str(breach),
            code="trace-unlawful",
            next=f"curriculum trace validate {name}",
        )
    return Repaired(text, tuple(repairs), left)


def _whole_lines(data: bytes, name: str, repairs: list[Repair]) -> Trace:
    """The trace that the whole lines spell; a last line without its end is whole or left out."""
    end = data.rfind(b"\n") + 1
    rest, number = data[end:], data.count(b"\n") + 1
    if rest:
        try:
            trace = Trace.parse_bytes(data + b"\n", name)
        except TraceError:
            says = f"the first {len(rest)} bytes of a line whose rest is gone"
            repairs.append(Repair(Change.LINE_LEFT_OUT, number, says))
        else:
            repairs.append(Repair(Change.LINE_ENDED, number, "the line is whole but for its end"))
            return trace
    if number < 3:
        raise TraceError(
            f"{name} was cut off before its first event was whole; nothing can be repaired.",
            f"it has {len(data)} bytes, and {number - 1} whole lines",
            code="repair-nothing",
            next="run it again",
        )
    return Trace.parse_bytes(data[:end], name)


def _ended(trace: Trace, name: str, repairs: list[Repair]) -> str:
    """The text of a run, with what is missing at its end."""
    if trace.stop is not None:
        return "".join(f"{line}\n" for line in trace.lines)
    events = list(trace.events)
    while _dangles(events):
        gone = events.pop()
        says = f"{gone.type}: what it leads to was cut off"
        repairs.append(Repair(Change.EVENT_LEFT_OUT, gone.seq, says))
    dropped = len(trace.events) - len(events)
    lines = trace.lines[: len(trace.lines) - dropped]
    kept = Trace.parse("".join(f"{line}\n" for line in lines), name)
    recorder = Recorder()
    go_on(recorder, kept)
    before = recorder.seq
    run = _runner(kept, recorder).begin()
    resume(run, kept, folded(kept.events), kept.session_name)
    written(run)
    whole = Trace.parse(recorder.text(), name)
    for event in whole.events[before:]:
        if event.type == "record.append":
            tool = event.data.source.removeprefix("tool:")
            says = f"{tool}, asked for in {event.data.answers.record}: {FLAWS[Flaw.UNANSWERED]}"
            repairs.append(Repair(Change.ANSWERED, event.seq, says))
    stop = _stop(whole)
    seq = recorder.emit("session.stop", stop, turn=run.turn, cause=recorder.seq)
    repairs.append(Repair(Change.STOPPED, seq, f"the run stops: {stop.reason}"))
    return recorder.text()


def _dangles(events: Sequence[Event[Any]]) -> bool:
    """Whether the last event is nothing without one that was cut off."""
    return folded(events).incomplete or events[-1].type == "context.mode"


def _runner(trace: Trace, recorder: Recorder) -> AgentRunner:
    """A runner with the limits and components of the trace, to write as it would have."""
    start, named = trace.start, trace.start.components
    policy = declared(named["policy"]) if trace.declared else policy_with_id(named["policy"])
    assert policy is not None  # the components have been checked
    return AgentRunner(
        model=Elsewhere(),
        tools=(),
        trace=recorder,
        budget=ContextBudget(**start.budget),
        policy=policy,
        wire=wire_of(named["wire"]),
        counter=counter_of(named["counter"]),
        max_turns=start.max_turns,
    )


def _stop(trace: Trace) -> SessionStop:
    """The stop that the events lead to, and if they leave it open, an interrupt."""
    sent = sum(1 for _ in trace.of("model.request"))
    interrupted = SessionStop(Stop.INTERRUPTED, sent)
    asked: Event[Any] = Event(len(trace.events) + 1, "session.stop", 0, interrupted)
    return SessionStop(Stop(must_stop(trace, asked) or Stop.INTERRUPTED), sent)


def _orphans(trace: Trace) -> tuple[str, ...]:
    """What an earlier log brought with it: requests were made with it, so it stays as it is."""
    return tuple(
        f"{one.was or (one.call and one.call.record)}: {FLAWS[one.flaw]}"
        for one in mend(trace.records[: trace.start.history]).mended
    )
