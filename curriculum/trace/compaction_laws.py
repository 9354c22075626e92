"""The laws on a compaction: it was due, it says what it replaces, and nothing is lost by it."""

from collections.abc import Iterator
from typing import Any

from curriculum.context.pooling import amount
from curriculum.record.records import Kind, Record

from .breach import Breach
from .compacting_events import Compacted, ContextCompact
from .compaction_facts import Due, summary_of
from .facts import View
from .reader import Event
from .rules import Derivation, operand

TRIGGERS = ("share", "records", "overflow", "explicit")
CODES = ("summariser-raised", "summary-no-text", "summary-no-slot")


def of_compaction(view: View, event: Event[ContextCompact]) -> Iterator[Breach]:
    """Every breach of one compaction that is not the value of a field."""
    log, said = view.pool_log, event.data
    if log is None or log.pooling.compact is None:
        yield Breach(6, event.seq, "type", "no compaction", event.type, "the policy wants none")
        return
    if said.trigger not in TRIGGERS:
        yield Breach(6, event.seq, "trigger", ", ".join(TRIGGERS), said.trigger, "when it is due")
        return
    due = view.due(event)
    yield from _due(due, said)
    yield from _outcome(view, due)


def _due(due: Due, said: ContextCompact) -> Iterator[Breach]:
    limit, measured = due.limits
    seq = due.event.seq
    if limit is None or (said.trigger != "explicit" and measured <= limit):
        yield Breach(6, seq, "trigger", "measured > limit", said.trigger, f"{measured} > {limit}")
    ladder = [step.name for step in due.log.pooling.ladder]
    if said.trigger == "overflow" and "summarise" not in ladder:
        yield Breach(6, seq, "trigger", "no overflow", said.trigger, "the ladder has no summarise")
    least = amount(due.terms.least, due.ceiling)
    turns = [g for g in due.gone if due.log.records[g.main].kind is Kind.ASSISTANT]
    if not turns or due.before < least:
        yield Breach(6, seq, "before", f"at least {least}", due.before, "what may be replaced")


def _outcome(view: View, due: Due) -> Iterator[Breach]:
    event = due.event
    said, seq, stands = event.data, event.seq, summary_of(view, event)
    if (said.outcome is Compacted.DONE) != (stands is not None):
        got = "a summary" if stands is not None else "no summary"
        yield Breach(0, seq, "outcome", "a summary if it is done", got, said.outcome)
        return
    fits = due.asked[0] <= due.ceiling
    if fits == (said.outcome is Compacted.DOES_NOT_FIT):
        want = "asked" if fits else Compacted.DOES_NOT_FIT
        why = f"request {due.asked[0]}, ceiling {due.ceiling}"
        yield Breach(2, seq, "outcome", want, said.outcome, why)
    if (said.code is not None) != (said.outcome is Compacted.FAILED):
        yield Breach(0, seq, "code", "what went wrong", said.code, said.outcome)
    elif said.code is not None and said.code not in CODES:
        yield Breach(0, seq, "code", ", ".join(CODES), said.code, "what can go wrong")
    measured = said.outcome in (Compacted.DONE, Compacted.GREW)
    if measured != (said.after is not None):
        yield Breach(6, seq, "after", "what the summary takes", said.after, said.outcome)
    elif said.after is not None and (said.after >= said.before) == (stands is not None):
        why = f"after {said.after}, before {said.before}"
        yield Breach(6, seq, "outcome", "smaller if it is done", said.outcome, why)
    if stands is not None and said.after != stands.after:
        yield Breach(6, seq, "after", stands.after, said.after, "the summary and a joint")
    yield from _survived(due, stands.record if stands is not None else None)


def _survived(due: Due, summary: Record | None) -> Iterator[Breach]:
    said, seq, must = due.event.data, due.event.seq, due.must_survive
    if summary is not None:
        lines = {line.strip() for line in summary.text.split("\n")}
        for line in must:
            if line not in lines:
                yield Breach(4, seq, "lost", line, "nothing", "what had to survive")
    if bool(said.lost) != (said.outcome is Compacted.LOST):
        want = "what was lost" if said.outcome is Compacted.LOST else "nothing"
        yield Breach(4, seq, "lost", want, ", ".join(said.lost), said.outcome)
    for number, line in enumerate(said.lost):
        if line not in must or line in said.lost[:number]:
            yield Breach(4, seq, f"lost.{number}", "a line that had to survive", line, "once")


def modes(view: View) -> Iterator[Breach]:
    """A mode that changes is said right before the assembly that is in it, and only then."""
    mode, events = "", view.trace.events
    for event in events:
        after = events[event.seq] if event.seq < len(events) else None
        if event.type == "context.mode":
            made = after.data.mode if after is not None and after.type == "context.assemble" else ""
            if after is not None and after.type == "session.stop":
                made = event.data.mode  # the run broke off before the assembly was written
            if (event.data.mode, event.data.was) != (made or "", mode) or event.data.mode == mode:
                yield Breach(0, event.seq, "mode", made, event.data.mode, f"it was {mode!r}")
            mode = event.data.mode
        elif event.type == "context.assemble" and (event.data.mode or "") != mode:
            yield Breach(0, event.seq, "mode", mode, event.data.mode, "a change of mode is said")
            mode = event.data.mode or ""


def compact_fact(view: View, event: Event[Any], field: str) -> Derivation:
    """One field of a compaction, from the log before it and the policy."""
    if view.pool_log is None or view.pool_log.pooling.compact is None:
        return Derivation((), "", None)
    due = view.due(event)
    limit, measured = due.limits
    operands = [operand(view, "policy", 1, "components.policy")]
    operands.append(operand(view, "ceiling", 1, f"budget.{view.trace.start.ceiling}"))
    sums = f"measured {measured}, limit {limit} ({due.trigger}); {len(due.members)} records"
    return Derivation(tuple(operands), sums, due.facts.get(field))


def summary_label(view: View, event: Event[Any], field: str) -> Derivation:
    """A label, or a field of `replaces`, of the summary that a compaction appends."""
    cause = view.event(event.cause or 1)
    due = view.due(cause)
    values: dict[str, Any] = {"kind": "summary", "author": "model", "source": "summary"}
    values["trust"] = str(due.trust)
    values |= {name: value for name, value in due.facts.items() if name.startswith("replaces.")}
    found = operand(view, "sha256", cause.seq, "sha256")
    return Derivation((found,), "the lowest label of what it replaces", values.get(field))
