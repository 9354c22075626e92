"""A trace as OpenTelemetry spans: one OTLP request in JSON, the same bytes for the same trace.

    invoke_agent            the run; where nothing was run, `session`
      chat {model}          one for each assembly, refused ones too, with its decisions
      execute_tool {name}   one for each call that was run or answered

An event that opens a span is attributes of that span; every other event of the trace is one span
event, on the span of what caused it. So each event stands in the export exactly once.
"""

import json
from typing import Any

import attrs

from curriculum.context.manifest import Manifest
from curriculum.record.records import Answers, Kind, Record
from curriculum.record.session import Session

from . import otel_names as n
from .events import ToolRequest
from .otel_content import as_object, definitions, input_messages, output_messages, result_of
from .otel_facts import counts_of, entries_of, facts_of
from .otel_values import Json, attributes, hex_id, time
from .reader import Event, Trace
from .rebuild import Rebuild
from .recorder import Recorder

LOG = ("session.start", "record.append")
"""What a session file holds; anything else comes of a run."""
ANSWERS = ("model.response", "tool.result", "artifact.store", "tool.truncate")
"""A record that follows one of these is its outcome."""


@attrs.define(eq=False)
class Span:
    """A span in the making: from event `start` to event `end`, under the one that starts at
    `parent`. `sent` says that a request went out, `ended` that the trace holds its end, `error`
    why it failed.
    """

    name: str
    start: int
    end: int
    facts: Json
    parent: int | None = None
    events: list[Json] = attrs.field(factory=list[Json])
    sent: bool = False
    ended: bool = False
    error: str | None = None

    def add(self, name: str, seq: int, facts: Json) -> None:
        """One span event."""
        spelled = {"name": name, "timeUnixNano": time(seq), "attributes": attributes(facts.items())}
        self.events.append(spelled)


def otlp(trace: Trace, content: bool = False) -> str:
    """One `ExportTraceServiceRequest`: a line of ASCII JSON with sorted keys.

    `content` adds what was said. Without it the export holds ids, sizes, reasons and hashes.
    Raises `CurriculumError` where the content cannot be rebuilt.
    """
    again = Recorder()  # the trace as a recorder spells it, whoever wrote the file that was read
    for event in trace.events:
        again.emit(event.type, event.data, turn=event.turn, cause=event.cause, uses=event.uses)
    trace_id = hex_id(again.text(), 16)
    resource = {
        n.SERVICE: n.OURS,
        n.CLOCK: n.LOGICAL,
        n.SEMCONV: n.CONVENTIONS,
        n.CONTENT_WRITTEN: content,
    }
    spans = [_spelled(span, trace_id) for span in spans_of(trace, content)]
    scope = {"name": n.SCOPE, "version": n.SCOPE_VERSION}
    one = {
        "resource": {"attributes": attributes(resource.items())},
        "scopeSpans": [{"scope": scope, "spans": spans}],
    }
    whole = {"resourceSpans": [one]}
    return json.dumps(whole, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n"


def spans_of(trace: Trace, content: bool = False) -> list[Span]:
    """The spans of a trace in the order they start, the run's own first."""
    return _Reading(trace, content).spans()


def _spelled(span: Span, trace_id: str) -> Json:
    made: Json = {
        "traceId": trace_id,
        "spanId": _span_id(trace_id, span.start),
        "name": span.name,
        "kind": n.INTERNAL,
        "startTimeUnixNano": time(span.start),
        "endTimeUnixNano": time(span.end),
        "attributes": attributes(span.facts.items()),
        "events": span.events,
    }
    if span.parent is not None:
        made["parentSpanId"] = _span_id(trace_id, span.parent)
    if span.error is not None:
        made["status"] = {"code": n.STATUS_ERROR}
    return made


def _span_id(trace_id: str, seq: int) -> str:
    return hex_id(f"{trace_id} {seq}", 8)


class _Reading:
    """The events of a trace, read once and in order."""

    def __init__(self, trace: Trace, content: bool) -> None:
        self.trace, self.content = trace, content
        self.rebuild = Rebuild(trace)
        self.opened: list[Span] = []
        self.owners: dict[int, Span] = {}
        numbered = enumerate(trace.records, 1)
        self.opaque = [number for number, record in numbered if record.kind is Kind.OPAQUE]
        self.results = [number for number, record in numbered if record.kind is Kind.RESULT]
        session = trace.start.session
        # The name that a session has when nobody names it would join what does not belong together.
        named = session not in ("", Session().id)
        self.conversation: Json = {n.CONVERSATION: session} if named else {}
        ran = any(event.type not in LOG for event in trace.events)
        agent = {n.OPERATION: n.INVOKE_AGENT, n.PROVIDER: n.OURS} if ran else {}
        name = n.INVOKE_AGENT if ran else n.SESSION
        self.root = self._open(name, trace.events[0], {**agent, **self.conversation})

    def spans(self) -> list[Span]:
        """All spans, each with an end."""
        for event in self.trace.events[1:]:
            self._read(event)
        stop = self.trace.stop
        self.root.end, self.root.ended = len(self.trace.events), stop is not None
        if stop is not None and stop.reason in n.FAILED_STOPS:
            self.root.error = self._failure()
        for span in self.opened:
            if not span.ended:
                self._break_off(span)
            if span.error is not None:
                span.facts[n.ERROR] = span.error
        return self.opened

    def _read(self, event: Event[Any]) -> None:
        cause = self.trace.events[event.cause - 1] if event.cause is not None else None
        span = self.root if cause is None else self.owners[cause.seq]
        match event.type:
            case "context.assemble":
                self._assembly(event)
                return
            case "tool.request":
                self._request(event)
                return
            case "model.request":
                span.sent = True
            case "model.response":
                span.ended = True
                span.facts[n.FINISHES] = [n.FINISH_REASONS[event.data.finish]]
            case "tool.result":
                if cause is None or cause.type != "tool.request":  # answered without being run
                    span = self._start(event, *_tool(event.data.tool))
                span.ended, span.error = True, event.data.failed
            case "record.append":
                if cause is None or cause.type not in ANSWERS:
                    span = self.root
                self._outcome(span, event.data)
            case "error" | "session.stop":
                span = self.root
            case _:
                pass
        span.end = event.seq
        self.owners[event.seq] = span
        span.add(n.event_name(event.type), event.seq, facts_of(event, self.content))

    def _start(self, event: Event[Any], name: str, facts: Json) -> Span:
        parent = self.opened[0].start if self.opened else None
        self.opened.append(Span(name, event.seq, event.seq, facts, parent))
        return self.opened[-1]

    def _open(self, name: str, event: Event[Any], facts: Json) -> Span:
        """Start a span that the event opens: what the event says is attributes of it."""
        facts = {**facts, n.TYPE: event.type, **facts_of(event, self.content)}
        self.owners[event.seq] = span = self._start(event, name, facts)
        return span

    def _assembly(self, event: Event[Manifest]) -> None:
        manifest = event.data
        facts: Json = {n.OPERATION: n.CHAT, n.PROVIDER: n.OURS, **self.conversation}
        name, model = n.CHAT, n.model_of(manifest.wire)
        if model:
            name, facts[n.MODEL] = f"{n.CHAT} {model}", model
        span = self._open(name, event, facts)
        span.facts |= counts_of(manifest, self.opaque, self.results)
        for what, entry in entries_of(manifest, self.content):
            span.add(what, event.seq, entry)
        if manifest.refused is not None:
            span.ended, span.error = True, manifest.refused.reason
        elif self.content:
            messages = self.rebuild.messages(manifest)
            span.facts[n.INPUT] = input_messages(messages)
            span.facts[n.DEFINITIONS] = definitions(messages)

    def _request(self, event: Event[ToolRequest]) -> None:
        name, facts = _tool(event.data.tool)
        span = self._open(name, event, facts)
        self._call(span, Answers(event.data.record, event.data.call))

    def _call(self, span: Span, answers: Answers) -> None:
        """The call that a tool's span is about, as the model wrote it."""
        call = self.trace.records[int(answers.record[1:]) - 1].calls[answers.call]
        span.facts[n.CALL_ID] = call.id
        if self.content:
            span.facts[n.ARGUMENTS] = as_object(call.arguments)

    def _outcome(self, span: Span, record: Record) -> None:
        """What a record adds to the span that it is the outcome of."""
        operation = span.facts.get(n.OPERATION)
        if operation == n.EXECUTE_TOOL and record.answers is not None:
            self._call(span, record.answers)
            if self.content and span.error is None:
                span.facts[n.RESULT] = result_of(record)
        elif operation == n.CHAT and self.content:
            span.facts[n.OUTPUT] = output_messages(record, *span.facts[n.FINISHES])

    def _break_off(self, span: Span) -> None:
        """End a span that the trace holds no end of: with the run's failure, or nobody knows."""
        span.end = len(self.trace.events)
        if self.trace.stop is None:
            span.facts[n.UNFINISHED] = True
            return
        span.error = self._failure()
        if span.sent:
            span.facts[n.FINISHES] = [n.NO_ANSWER]

    def _failure(self) -> str:
        """What went wrong: the code of the error, or what the run stopped with."""
        codes = [event.data.code for event in self.trace.of("error")]
        stop = self.trace.stop
        return codes[-1] if codes or stop is None else str(stop.reason)


def _tool(name: str) -> tuple[str, Json]:
    facts = {n.OPERATION: n.EXECUTE_TOOL, n.TOOL_NAME: name, n.TOOL_TYPE: n.FUNCTION}
    return f"{n.EXECUTE_TOOL} {name}", facts
