"""A recorded run as it stood after one event, and what it would have done next.

The log and the open calls are a fold over the events up to there; the next request is assembled
from them as the run itself did. Both are what the run had: its trace is enough to go back.
"""

from enum import StrEnum
from typing import Any

import attrs

from curriculum.context.assemble import Projection, assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.context.known_policies import policy_with_id
from curriculum.context.manifest import Manifest
from curriculum.count.registry import counter_of
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind
from curriculum.trace.compacting_events import Compacted
from curriculum.trace.events import BY_FINISH, Finish, Stop
from curriculum.trace.laws import check_components
from curriculum.trace.reader import Event, Trace
from curriculum.trace.repeat_laws import repeated
from curriculum.trace.standing import Standing, standing
from curriculum.wire.registry import wire_of
from curriculum.wire.request import Request


class Comes(StrEnum):
    """What comes next in a run that stands somewhere. A closed list."""

    REQUEST = "request"
    ANSWER = "answer"
    RECORD = "record"
    RESULTS = "results"
    SUMMARY = "summary"
    PROMPT = "prompt"
    STOP = "stop"
    NOTHING = "nothing"


@attrs.frozen
class AtEvent:
    """A run after one event: what it has, and what comes next, with the reason in words.

    `manifest` and `request` are those of the next request, or of the one that is being answered.
    `request` is None where nothing is to be sent: calls are open, the policy refuses, the run is
    over. Both are None where a harness of one's own decides what it sends.
    """

    standing: Standing
    comes: Comes
    why: str
    manifest: Manifest | None = None
    request: Request | None = None


def at_event(trace: Trace, at: int) -> AtEvent:
    """The run as it stood after its event `at` (from 1).

    Raises `TraceError` if there is no such event, `CurriculumError` if a component is missing.
    """
    there = standing(trace, at)
    check_components(trace)
    last = there.last
    if last.type == "session.stop":
        return AtEvent(there, Comes.NOTHING, f"the run has stopped: {last.data.reason}")
    if last.type == "error":
        return AtEvent(there, Comes.STOP, f"after the error {last.data.code}")
    if last.type == "context.compact" and last.data.outcome is Compacted.LOST:
        return AtEvent(there, Comes.STOP, "the summary lost what had to survive")
    if there.incomplete:
        return AtEvent(there, Comes.RECORD, f"the record that the {last.type} leads to")
    if last.type == "context.assemble":
        return _assembled(trace, there, last)
    if last.type == "model.request":
        made = trace.events[(last.cause or 1) - 1]
        sent = trace.request(there.requests)
        return AtEvent(there, Comes.ANSWER, "the request is out", made.data, sent)
    if there.pending:
        left = ", ".join(one.call.name for one in there.pending)
        why = f"of {left}; no request before each call has its result"
        return AtEvent(there, Comes.RESULTS, why)
    return _due(trace, there)


def _assembled(trace: Trace, there: Standing, made: Event[Manifest]) -> AtEvent:
    if made.data.refused is not None:
        return AtEvent(there, Comes.STOP, f"refused: {made.data.refused.reason}", made.data)
    number = sum(one.data.refused is None for one in trace.assemblies if one.seq <= made.seq)
    why = "it is assembled and not sent yet"
    return AtEvent(there, Comes.REQUEST, why, made.data, trace.request(number))


def _due(trace: Trace, there: Standing) -> AtEvent:
    """Between two steps: a request, if someone waits for one, and the run may go on."""
    trigger = _trigger(trace, there)
    if not trigger:
        ended = BY_FINISH.get(_finish(trace, there) or Finish.DONE, Stop.COMPLETED)
        if ended is not Stop.COMPLETED and there.last.type == "record.append":
            return AtEvent(there, Comes.STOP, f"the output ended early: {ended}")
        return AtEvent(there, Comes.PROMPT, "nobody waits for an answer")
    if there.requests == trace.start.max_turns:
        return AtEvent(there, Comes.STOP, f"{there.requests} requests = max_turns: turn-limit")
    if (loop := repeated(trace, there.seq + 1)) is not None:
        why = f"{loop.rule}: {loop.steps} steps in a row: repeated"
        return AtEvent(there, Comes.STOP, why)
    if trace.declared:
        harness = trace.start.components["harness"]
        return AtEvent(there, Comes.REQUEST, f"{harness} decides what it sends")
    made = next_request(trace, there, trigger)
    if made.needs is not None:
        why = f"{made.needs.measured} > {made.needs.limit}: the policy wants a summary first"
        return AtEvent(there, Comes.SUMMARY, why)
    if made.request is None:
        reason = made.manifest.refused.reason if made.manifest.refused else ""
        return AtEvent(there, Comes.STOP, f"refused: {reason}", made.manifest)
    return AtEvent(there, Comes.REQUEST, f"for {trigger}", made.manifest, made.request)


def _trigger(trace: Trace, there: Standing) -> str:
    """What the next turn would be for; empty if there is none."""
    own = there.records[trace.start.history :]
    spoken = (Kind.USER, Kind.ASSISTANT, Kind.RESULT, Kind.SUMMARY)
    last = next((record for record in reversed(own) if record.kind in spoken), None)
    if last is None or last.kind is Kind.ASSISTANT:
        return ""
    if last.kind is Kind.RESULT:
        return "tool-results" if _finish(trace, there) is Finish.TOOL_CALLS else ""
    return "user" if last.kind is Kind.USER else "continue"


def _finish(trace: Trace, there: Standing) -> Finish | None:
    ended = [e.data.finish for e in trace.of("model.response") if e.seq <= there.seq]
    return ended[-1] if ended else None


def next_request(trace: Trace, there: Standing, trigger: str) -> Projection:
    """What the run would have sent next, from its log, its limits and its components alone.

    Raises `CurriculumError` if its policy is not known here.
    """
    start = trace.start
    policy = policy_with_id(start.components["policy"])
    if policy is None:
        raise CurriculumError(
            f"The trace was made with policy {start.components['policy']}, which is not here.",
            code="component-not-installed",
        )
    budget = ContextBudget(**start.budget)
    index = SessionIndex(wire_of(start.components["wire"]), counter_of(start.components["counter"]))
    asks = "summariser" in start.components and there.trying and trigger != "continue"
    more: dict[str, Any] = {"capacity": budget.capacity, "max_messages": budget.max_messages}
    more |= {"summarise": "due" if asks else "", "trigger": trigger}
    limits = budget.max_input, budget.output_reserve
    return assemble(there.records, *limits, policy=policy, index=index, **more)
