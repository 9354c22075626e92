"""The laws, checked on a trace alone: laws 0, 2 to 7, 10 and 12 of the design.

`assemble` is never called. Facts are recomputed by the table of rules, decisions by the ladder,
and what a model could read by decoding the rebuilt bytes.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from curriculum.context.known_policies import policy_with_id
from curriculum.context.policy import NEWEST_FIRST
from curriculum.count.registry import counter_of
from curriculum.record.cut import CUTTER
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind
from curriculum.record.repeats import repeats_of
from curriculum.record.text import UNICODE
from curriculum.wire.registry import wire_of

from .assembly_laws import of_assembly
from .at_once import right_at_once
from .branch_laws import of_branch
from .breach import Breach
from .facts import Fact, View
from .grammar import COMPONENTS, log_breaches
from .reader import Event, Trace
from .record_laws import of_record
from .repeat_laws import COMPONENT, unstopped
from .rule_table import rule_of
from .rules import UNKNOWN


def breaches(trace: Trace) -> Iterator[Breach]:
    """Every breach, in the order of events; what sessions share is said once."""
    if len(trace.sessions) == 1:
        yield from _of_session(trace)
        return
    seen: set[Breach] = set()
    for name in trace.sessions:
        for breach in _of_session(trace.session(name)):
            if breach not in seen:
                seen.add(breach)
                yield breach


def _of_session(trace: Trace) -> Iterator[Breach]:
    view = View(trace)
    if unnamed := sorted(COMPONENTS - trace.start.components.keys()):
        for name in unnamed:  # nothing can be rebuilt, so nothing more can be said
            yield Breach(0, 1, f"components.{name}", "a component", "nothing", "names")
        return
    check_components(trace)
    yield from _order(trace)
    yield from log_breaches(view)
    yield from unstopped(view)
    if any(trace.of("context.mode")) or any(made.data.mode for made in trace.assemblies):
        from .compaction_laws import modes

        yield from modes(view)
    for event in trace.events:
        try:
            yield from _of_event(view, event)
        except CurriculumError as error:  # something it refers to is not there
            yield Breach(0, event.seq, "", "what it refers to", "nothing", error.headline)


def check_components(trace: Trace) -> None:
    """Raise `CurriculumError` if the trace names a component that is not installed here."""
    named = trace.start.components
    wire_of(named.get("wire", ""))
    counter_of(named.get("counter", ""))
    if COMPONENT in named:
        repeats_of(named[COMPONENT])
    here = {"policy": NEWEST_FIRST.id, "cutter": CUTTER, "unicode": UNICODE}
    # A policy that a harness declares is nothing that could be installed.
    if trace.declared or policy_with_id(named.get("policy", "")) is not None:
        del here["policy"]
    for name, id in here.items():
        if named.get(name) != id:
            raise CurriculumError(
                f"The trace was made with {name} {named.get(name)}; here is {id}.",
                code="component-not-installed",
                next="pip install --upgrade curriculum",
            )


def _of_event(view: View, event: Event[Any]) -> Iterator[Breach]:
    if event.type == "record.append":
        yield from of_record(view, event)
    if not right_at_once(view, event):
        yield from _facts(view, event)
    if event.type == "context.assemble":
        yield from of_assembly(view, event)
    if event.type == "context.compact":
        from .compaction_laws import of_compaction

        yield from of_compaction(view, event)
    if event.type == "session.branch":
        yield from of_branch(view, event)


LIMITS = {
    *("max_input_chars", "max_input_tokens", "output_reserve", "capacity"),
    *("max_tool_output_chars", "max_messages"),
}
BROKEN_OFF = {"interrupted", "error"}
"""Stops that may come at any moment."""
CAUSES = {
    "record.append": {
        *("session.start", "model.response", "tool.result", "tool.truncate", "artifact.store"),
        *("record.append", "context.compact"),  # what a model said follows what it thought
    },
    "context.compact": {"record.append"},
    "context.mode": {"record.append"},
    "context.assemble": {"record.append"},
    "model.request": {"context.assemble"},
    "model.response": {"model.request"},
    "tool.request": {"record.append"},
    "tool.result": {"tool.request", "record.append"},
    "tool.truncate": {"tool.result", "artifact.store"},
    "artifact.store": {"tool.result"},
    "session.branch": {"session.start", "record.append"},
}
"""The types of event that each type may follow from; the others may follow from any."""


def _order(trace: Trace) -> Iterator[Breach]:
    """Law 0: one start, one stop at the end, causes before effects, a request per assembly."""
    events, last = trace.events, len(trace.events)
    turn = logged = 0
    runs = any(event.type == "context.assemble" for event in events)
    own = "harness" in trace.start.components  # such a loop may break off before it sends
    if runs and events[-1].type != "session.stop":
        yield Breach(0, last, "type", "session.stop", events[-1].type, "a run ends in one stop")
    for event, after in zip(events, [*events[1:], None], strict=True):
        if event.type == "session.stop" and after is not None:
            yield Breach(0, event.seq, "type", "the last event", "more", "a run ends in one stop")
        if event.type == "session.start" and event.seq != 1:
            yield Breach(0, event.seq, "type", "the first event", "later", "a trace has one start")
        turn += event.type == "context.assemble"
        if event.turn != turn:
            yield Breach(0, event.seq, "turn", turn, event.turn, "turns are assemblies, counted")
        if event.seq > 1 and not 0 < (event.cause or 0) < event.seq:
            yield Breach(0, event.seq, "cause", "an earlier seq", event.cause, "causes come first")
        elif event.type in CAUSES:
            because = events[(event.cause or 0) - 1].type
            if because not in CAUSES[event.type]:
                want = " or ".join(sorted(CAUSES[event.type]))
                yield Breach(0, event.seq, "cause", want, because, "what an event follows from")
            elif event.type == "context.assemble" and event.cause != logged:
                why = "the last record is what a turn is about"
                yield Breach(0, event.seq, "cause", logged, event.cause, why)
        logged = event.seq if event.type == "record.append" else logged
        if event.type == "context.assemble":
            want = "session.stop" if event.data.refused else "model.request"
            got = after.type if after else "nothing"
            ended = got == "session.stop" and after is not None and after.data.reason in BROKEN_OFF
            failed = got == "error" and (want == "session.stop" or own)
            if got != want and not ended and not failed:
                yield Breach(0, event.seq, "type", want, got, "what follows an assembly")
    budget = trace.start.budget
    ceiling, reserve = budget.get(trace.start.ceiling, 0), budget.get("output_reserve", 0)
    capacity = budget.get("capacity")
    for name in budget.keys() - LIMITS:
        yield Breach(0, 1, f"budget.{name}", "a known limit", name, "what a budget can limit")
    if capacity is not None and ceiling + reserve > capacity:
        why = f"ceiling {ceiling} + reserve {reserve} > capacity {capacity}"
        yield Breach(2, 1, "budget", capacity, ceiling + reserve, why)


def _facts(view: View, event: Event[Any]) -> Iterator[Breach]:
    """Every derived fact recomputes from its operands; decisions are checked by the ladder."""
    facts = _plain_facts(view, event)
    for field, got in facts.items():
        rule = rule_of(view, event, field)
        if rule.derive is None:
            continue
        must = rule.derive(view, event, field)
        if must.value != UNKNOWN and must.value != got:
            yield Breach(rule.law, event.seq, field, must.value, got, must.sum or rule.words)


def _plain_facts(view: View, event: Event[Any]) -> dict[str, Fact]:
    """The facts of an event, and "nothing" for those that it leaves out and must have."""
    if event.type == "record.append":
        facts = view.facts(event)
        stored = view.before(event, "artifact.store") is not None
        if stored and event.data.kind is Kind.RESULT:
            facts.setdefault("cut.artifact" if event.data.cut else "artifact", "nothing")
        return facts
    if event.type != "context.assemble":
        return view.facts(event)
    bare = attrs.evolve(event, data=attrs.evolve(event.data, decisions=()))
    facts = view.facts(bare)
    ladder = None if view.declared else view.ladder(event)
    must_refuse = ladder is not None and ladder.refused is not None
    required = list(ladder.fills) if ladder is not None else []
    if event.data.refused is None and not must_refuse:
        required += ["fingerprint", "size", "bytes", "frame", "messages"]
        required += ["band"] * (view.trace.minor > 0)
    elif event.data.refused is None or not must_refuse:
        required = []  # that it is refused, or not, is said by itself
    for name in required:
        facts.setdefault(name, "nothing")
    return facts
