"""The laws, checked on a trace alone: laws 0, 2 to 7, 10 and 12 of the design.

`assemble` is never called. Facts are recomputed by the table of rules, decisions by the ladder,
and what a model could read by decoding the rebuilt bytes.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from curriculum.context.manifest import Manifest
from curriculum.context.policy import NEWEST_FIRST
from curriculum.count.registry import counter_of
from curriculum.record.cut import CUTTER, content_size
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind, Trust, check, record_id, rises
from curriculum.record.text import UNICODE
from curriculum.wire.registry import wire_of
from curriculum.wire.request import Message

from .facts import Fact, View
from .grammar import findings
from .ladder import Step
from .reader import Event, Trace
from .rebuild import positions
from .rule_table import rule_of
from .rules import UNKNOWN


@attrs.frozen
class Breach:
    """A law that the trace breaks: where, what must stand there, what does, and the sum."""

    law: int
    seq: int
    field: str
    expected: Fact | None
    got: Fact | None
    why: str

    def __str__(self) -> str:
        """One line that a person can act on."""
        where = f"law {self.law}, event {self.seq} {self.field}".rstrip()
        return f"{where}: expected {self.expected}, got {self.got} ({self.why})"


def breaches(trace: Trace) -> Iterator[Breach]:
    """Every breach, in the order of events."""
    view = View(trace)
    check_components(trace)
    yield from _order(trace)
    yield from (Breach(*finding) for finding in findings(view))
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
    here = {"policy": NEWEST_FIRST.id, "cutter": CUTTER, "unicode": UNICODE}
    for name, id in here.items():
        if named.get(name) != id:
            raise CurriculumError(
                f"The trace was made with {name} {named.get(name)}; here is {id}.",
                code="component-not-installed",
                next="pip install a version of curriculum that has it",
            )


def _of_event(view: View, event: Event[Any]) -> Iterator[Breach]:
    if event.type == "record.append":
        yield from _record(view, event)
    yield from _facts(view, event)
    if event.type == "context.assemble":
        yield from _assembly(view, event)


LIMITS = {
    *("max_input_chars", "max_input_tokens", "output_reserve", "capacity"),
    *("max_tool_output_chars", "max_messages"),
}
BROKEN_OFF = {"interrupted", "error"}
"""Stops that may come at any moment."""
CAUSES = {
    "record.append": {
        *("session.start", "model.response", "tool.result", "tool.truncate", "artifact.store")
    },
    "context.assemble": {"record.append"},
    "model.request": {"context.assemble"},
    "model.response": {"model.request"},
    "tool.request": {"record.append"},
    "tool.result": {"tool.request", "record.append"},
    "tool.truncate": {"tool.result", "artifact.store"},
    "artifact.store": {"tool.result"},
}
"""The types of event that each type may follow from; the others may follow from any."""


def _order(trace: Trace) -> Iterator[Breach]:
    """Law 0: one start, one stop at the end, causes before effects, a request per assembly."""
    events, last = trace.events, len(trace.events)
    turn = 0
    runs = any(event.type == "context.assemble" for event in events)
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
        if event.type == "context.assemble":
            want = "session.stop" if event.data.refused else "model.request"
            got = after.type if after else "nothing"
            ended = got == "session.stop" and after is not None and after.data.reason in BROKEN_OFF
            if got != want and not ended and not (got == "error" and want == "session.stop"):
                yield Breach(0, event.seq, "type", want, got, "what follows an assembly")
    budget = trace.start.budget
    ceiling, reserve = budget.get(trace.start.ceiling, 0), budget.get("output_reserve", 0)
    capacity = budget.get("capacity")
    for name in budget.keys() - LIMITS:
        yield Breach(0, 1, f"budget.{name}", "a known limit", name, "what a budget can limit")
    if capacity is not None and ceiling + reserve > capacity:
        why = f"ceiling {ceiling} + reserve {reserve} > capacity {capacity}"
        yield Breach(2, 1, "budget", capacity, ceiling + reserve, why)


def _record(view: View, event: Event[Any]) -> Iterator[Breach]:
    """Laws 0, 2 and 10 for one record; no cut inside a cluster that shows in what is kept."""
    record = event.data
    position = view.known(event) + 1
    if record.id != record_id(position):
        yield Breach(0, event.seq, "id", record_id(position), record.id, "ids are positions")
    try:
        check(record)
    except CurriculumError as error:
        yield Breach(10, event.seq, "trust", "a lawful label", record.trust, error.headline)
    if record.kind is Kind.RESULT and rises(record.trust, Trust.TOOL):
        yield Breach(10, event.seq, "trust", "tool or lower", record.trust, "trust never rises")
    ceiling = view.trace.start.budget.get("max_tool_output_chars")
    from_tool = event.cause and view.event(event.cause).type.startswith("tool.")
    if ceiling is not None and from_tool:
        size = content_size(record.whole())
        if size > ceiling:
            yield Breach(2, event.seq, "text", ceiling, size, "kept text and marker > tool ceiling")


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
    if event.type != "context.assemble":
        return view.facts(event)
    bare = attrs.evolve(event, data=attrs.evolve(event.data, decisions=()))
    facts = view.facts(bare)
    must_refuse = view.ladder(event).refused
    for name in ("fingerprint", "size", "bytes", "frame", "messages", "room"):
        if event.data.refused is None and not must_refuse:
            facts.setdefault(name, "nothing")
    return facts


def _assembly(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    manifest, ladder = event.data, view.ladder(event)
    if (ladder.refused is None) != (manifest.refused is None):
        want = ladder.refused["reason"] if ladder.refused else "a request"
        got = manifest.refused.reason if manifest.refused else "a request"
        law = 12 if "result" in f"{want}{got}" else 2
        yield Breach(law, event.seq, "refused", want, got, f"room {ladder.start_room}")
        return
    if manifest.refused is not None:
        return
    if manifest.size is not None and manifest.size > manifest.limit:
        over = f"{manifest.size - manifest.limit} over"
        yield Breach(2, event.seq, "size", manifest.limit, manifest.size, over)
    yield from _conserved(view, event)
    yield from _decided(view, event)
    yield from _readable(view, event)


def _conserved(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Law 3: each candidate has one decision, and the sizes add up to the request."""
    end = 0
    records, known = view.trace.records, view.known(event)
    rebuilt = view.rebuilt(event)
    for entry in event.data.decisions:
        covered = positions(entry, records)
        skipped = [at for at in range(end, covered[0] if covered else end) if _counts(view, at)]
        if not covered or covered[0] < end or skipped or covered[-1] >= known:
            missed = record_id((skipped or [end])[0] + 1)
            yield Breach(3, event.seq, "decisions", missed, entry.first, "one decision each")
            return
        end = covered[-1] + 1
        sizes = [rebuilt.sizes.get(record_id(at + 1), 0) for at in covered]
        if entry.decision != "omitted" and entry.size != sum(sizes):
            field = f"decisions.{entry.first}.size"
            yield Breach(3, event.seq, field, sum(sizes), entry.size, "sizes add up")
    left = [at for at in range(end, known) if _counts(view, at)]
    if left:
        missed = record_id(left[0] + 1)
        yield Breach(3, event.seq, "decisions", missed, "nothing", "one decision each")


def _counts(view: View, at: int) -> bool:
    return view.trace.records[at].kind is not Kind.OPAQUE


def _decided(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Laws 6, 4 and 12: each decision is the one that the facts before it lead to."""
    ladder, records = view.ladder(event), view.trace.records
    stay, waits = ladder.protected, ladder.waits
    for entry in event.data.decisions:
        named = [at for at in positions(entry, records) if at in ladder.steps]
        if ladder.rest is None or len(named) == len(positions(entry, records)):
            checked = named if ladder.rest is not None else positions(entry, records)
        else:
            others = (at for at in positions(entry, records) if at not in ladder.steps)
            checked = [*named, next(others)]
        for at in checked:
            step = ladder.step(at)
            law = 4 if at in stay else 12 if at in waits and entry.decision == "omitted" else 6
            yield from _step(event, entry, record_id(at + 1), step, law)


def _step(event: Event[Manifest], entry: Any, name: str, step: Step, law: int) -> Iterator[Breach]:
    from .rules import spell_step

    why = spell_step(step.reason, {**step.sum, **step.fields})
    must: dict[str, Fact] = {"decision": step.decision, "reason": step.reason, **step.fields}
    single = entry.last is None
    for field in ("decision", "reason", "head", "tail", "missing", "share", "full", "limit",
                  "needs", "room", "because", "size"):  # fmt: skip
        if field == "size" and not single:
            continue
        if must.get(field) != getattr(entry, field):
            where = f"decisions.{name}.{field}"
            yield Breach(law, event.seq, where, must.get(field), getattr(entry, field), why)


def _readable(view: View, event: Event[Manifest]) -> Iterator[Breach]:
    """Laws 4, 5 and 10 in what the bytes say: decoded again, contents and pairs hold."""
    rebuilt = view.rebuilt(event)
    try:
        read = view.rebuild.wire.decode(rebuilt.body)
    except CurriculumError as error:
        yield Breach(7, event.seq, "fingerprint", "a body of the wire", "other", error.headline)
        return
    sent = sorted(rebuilt.messages, key=lambda message: message.kind is not Kind.TOOLS)
    if _shown(read) != _shown(sent):
        yield Breach(4, event.seq, "decisions", "what was sent", "something else", "decoded again")
    open_calls: list[str] = []
    for message in read:
        if message.kind is Kind.ASSISTANT:
            if open_calls:
                yield Breach(5, event.seq, "decisions", open_calls[0], "no result", "pairs")
            open_calls = [call.id for call in message.calls]
        elif message.kind is Kind.RESULT:
            if message.call_id in open_calls:
                open_calls.remove(message.call_id)
            else:
                yield Breach(5, event.seq, "decisions", "an open call", message.call_id, "pairs")
    if open_calls:
        yield Breach(5, event.seq, "decisions", open_calls[0], "no result", "pairs")


def _shown(messages: Iterable[Message]) -> list[Any]:
    """What a wire keeps of messages: not the label, not the hash, and no empty set of tools."""
    shown: list[Any] = []
    for m in messages:
        content = (m.cut.head, m.cut.missing, m.cut.tail, m.cut.artifact) if m.cut else m.text
        if m.kind is not Kind.TOOLS or m.tools:
            shown.append((m.kind, content, m.calls, m.call_id, m.tools))
    return shown
