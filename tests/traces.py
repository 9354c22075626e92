"""Traces made of any log: one assembly after each of some records, as a run would write them."""

import json
from collections.abc import Iterable, Sequence

import attrs

from curriculum.context.assemble import assemble
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.count.counters import Characters
from curriculum.record.cut import CUTTER
from curriculum.record.records import Kind, Record
from curriculum.record.text import UNICODE
from curriculum.trace.compacting_events import ContextMode
from curriculum.trace.events import ModelRequest, SessionStart, SessionStop, Stop
from curriculum.trace.laws import Breach, breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.protocol import Wire


def text_of(
    records: Sequence[Record],
    wire: Wire,
    limits: Iterable[tuple[int, int]],
    policy: Policy = NEWEST_FIRST,
    max_messages: int | None = None,
) -> str:
    """The trace of a log that is assembled after `n` records under `limit`, for each (n, limit).

    All records are those of an earlier log. All limits must be the same for a lawful trace; the last assembly may be refused.
    """
    plan = dict(limits)
    records = [_numbered(record) for record in records]
    budget = {"max_input_chars": max(plan.values(), default=1), "output_reserve": 0}
    budget |= {} if max_messages is None else {"max_messages": max_messages}
    components = {
        "policy": policy.id,
        "wire": wire.id,
        "counter": Characters().id,
        "cutter": CUTTER,
        "unicode": UNICODE,
    }
    trace, sent_count, turn, mode = Recorder(), 0, 0, ""
    trace.emit("session.start", SessionStart("test", budget, 99, components, history=len(records)))
    for n, record in enumerate(records, 1):
        seq = trace.emit("record.append", record, cause=1, turn=turn)
        if n not in plan:
            continue
        trigger = "tool-results" if record.kind is Kind.RESULT else "user"
        made = assemble(
            records[:n],
            plan[n],
            policy=policy,
            wire=wire,
            trigger=trigger,
            max_messages=max_messages,
        )
        manifest = made.manifest
        if (manifest.mode or "") != mode:
            trace.emit("context.mode", ContextMode(manifest.mode or "", mode), cause=seq, turn=turn)
            mode = manifest.mode or ""
        turn += 1
        seq = trace.emit("context.assemble", manifest, cause=seq, turn=turn)
        if manifest.refused is not None and n < len(records):
            # Nothing stands after a refusal, so all that there is of the log ends here.
            before = [(at, limit) for at, limit in plan.items() if at <= n]
            return text_of(records[:n], wire, before, policy, max_messages)
        if manifest.refused is not None:
            stop = SessionStop(Stop(manifest.refused.reason), sent_count)
            trace.emit("session.stop", stop, cause=seq, turn=turn)
            return trace.text()
        assert manifest.fingerprint is not None
        assert manifest.bytes is not None
        assert manifest.messages is not None
        sent = ModelRequest(manifest.fingerprint, manifest.bytes, manifest.messages)
        trace.emit("model.request", sent, cause=seq, turn=turn)
        sent_count += 1
    trace.emit("session.stop", SessionStop(Stop.INTERRUPTED, sent_count), cause=1, turn=turn)
    return trace.text()


def _numbered(record: Record) -> Record:
    """A call number that is negative cannot be written; one that no turn has pairs as little."""
    if record.answers is None or record.answers.call >= 0:
        return record
    return attrs.evolve(record, answers=attrs.evolve(record.answers, call=99))


def trace_of(records: Sequence[Record], wire: Wire, limit: int, every: int = 1) -> Trace:
    """The trace of a log that is assembled after every `every`-th record and after the last."""
    last = len(records)
    after = sorted({*range(every, last + 1, every), last})
    return Trace.parse(text_of(records, wire, [(n, limit) for n in after if n]))


def broken(trace: Trace) -> list[Breach]:
    """All breaches of a trace."""
    return list(breaches(trace))


def last_session(text: str) -> list[str]:
    """The lines of the session that a trace shows, the header first: the last that begins in it.

    Found from the lines alone, as the design says it: a parent's up to the place, then its own.
    """
    header, *lines = text.splitlines()
    sessions: dict[str, list[str]] = {}
    own: list[str] = []
    for line in lines:
        event = json.loads(line)
        if event["type"] == "session.branch":
            own = sessions[event["data"]["parent"]][: event["data"]["at"]]
        if event["type"] in ("session.start", "session.branch"):
            sessions[event["data"]["session"]] = own
        own.append(line)
    return [header, *own]
