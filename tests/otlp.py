"""Reads an export as any receiver of OTLP does, and puts a trace together again from it.

It knows nothing of the code that wrote the export: the wire format is the official protobuf, and
the way back is written out here.
"""

import base64
import json
from typing import Any

import attrs
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

Json = dict[str, Any]
IDS = ("traceId", "spanId", "parentSpanId")
PREFIXES = {
    "session.start": "start",
    "session.branch": "branch",
    "record.append": "record",
    "context.assemble": "context",
    "context.compact": "compact",
    "context.mode": "mode",
    "model.request": "request",
    "model.response": "response",
    "tool.request": "call",
    "tool.result": "result",
    "tool.truncate": "truncate",
    "artifact.store": "artifact",
    "error": "error",
    "session.stop": "stop",
}


@attrs.define
class Noted:
    """A span event."""

    name: str
    time: int
    facts: Json


@attrs.define
class Span:
    """A span as a receiver has it. Times are nanoseconds, `parent` is empty for the first."""

    trace: str
    id: str
    parent: str
    name: str
    kind: int
    start: int
    end: int
    status: int
    facts: Json
    events: list[Noted]


@attrs.define
class Export:
    """A whole request: what is said of all spans, and the spans."""

    resource: Json
    scope: str
    spans: list[Span]


def read(text: str) -> Export:
    """The export that `text` is, by the official protobuf. Fails for anything it does not know."""
    assert text.isascii()
    assert text.endswith("}\n")
    assert 1 == text.count("\n")
    written = json.loads(text)
    # OTLP spells ids in hex, the JSON of protobuf in base64: the one difference between the two.
    request = json_format.ParseDict(_ids(written, _base64), ExportTraceServiceRequest())
    again = json_format.MessageToDict(request, use_integers_for_enums=True)
    assert _filled(written) == _ids(again, _hex)  # no field was dropped, no number changed
    assert ExportTraceServiceRequest.FromString(request.SerializeToString()) == request
    [of_resource] = request.resource_spans
    [of_scope] = of_resource.scope_spans
    spans = [
        Span(
            trace=span.trace_id.hex(),
            id=span.span_id.hex(),
            parent=span.parent_span_id.hex(),
            name=span.name,
            kind=span.kind,
            start=span.start_time_unix_nano,
            end=span.end_time_unix_nano,
            status=span.status.code,
            facts=_facts(span.attributes),
            events=[Noted(e.name, e.time_unix_nano, _facts(e.attributes)) for e in span.events],
        )
        for span in of_scope.spans
    ]
    scope = f"{of_scope.scope.name} {of_scope.scope.version}"
    return Export(_facts(of_resource.resource.attributes), scope, spans)


def keys(export: Export) -> set[str]:
    """Every name of an attribute."""
    facts = [export.resource, *(span.facts for span in export.spans)]
    facts += [event.facts for span in export.spans for event in span.events]
    return {key for one in facts for key in one}


def lines(export: Export) -> list[Json]:
    """The events of the trace, as its lines hold them. The export must have its content."""
    found: list[Json] = []
    for span in export.spans:
        if "curriculum.type" in span.facts:
            found.append(_line(span.facts["curriculum.type"], span.facts, span.events))
        for event in span.events:
            type = event.name.removeprefix("curriculum.")
            if type in PREFIXES:
                found.append(_line(type, event.facts, []))
    return sorted(found, key=lambda line: line["seq"])


def _line(type: str, facts: Json, events: list[Noted]) -> Json:
    head = {
        name: facts[f"curriculum.{name}"]
        for name in ("seq", "turn", "cause", "uses")
        if f"curriculum.{name}" in facts
    }
    data = _under(f"curriculum.{PREFIXES[type]}.", facts)
    if type == "record.append":
        data = _record(data)
    if type == "context.assemble":
        for name in ("admitted", "cut", "omitted", "replaced"):
            data.pop(name, None)
        told = [
            _under("curriculum.decision.", e.facts)
            for e in events
            if e.name == "curriculum.decision"
        ]
        parts = [_under("curriculum.need.", e.facts) for e in events if e.name == "curriculum.need"]
        data |= {"decisions": told} if told else {}
        if "refused" in data:
            data["refused"]["parts"] = parts
    return {**head, "type": type, "data": data}


def _record(data: Json) -> Json:
    """A record's own fields: what is only counted is left out, what was said is put back."""
    said = data.pop("content", {})
    return {k: v for k, v in data.items() if k not in ("size", "cut", "calls", "tools")} | said


def _under(prefix: str, facts: Json) -> Json:
    data: Json = {}
    for key, value in facts.items():
        if key.startswith(prefix):
            *path, last = key.removeprefix(prefix).split(".")
            place = data
            for part in path:
                place = place.setdefault(part, {})
            place[last] = value
    return data


def _facts(attributes: Any) -> Json:
    facts = {attribute.key: _value(attribute.value) for attribute in attributes}
    assert len(facts) == len(attributes), "an attribute stands twice"
    return facts


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(part) for part in value.array_value.values]
    if kind == "kvlist_value":
        return _facts(value.kvlist_value.values)
    return getattr(value, kind) if kind else None


def _ids(value: Any, change: Any) -> Any:
    """The same with every id spelled otherwise."""
    if isinstance(value, list):
        return [_ids(part, change) for part in value]
    if isinstance(value, dict):
        return {k: change(v) if k in IDS else _ids(v, change) for k, v in value.items()}
    return value


def _base64(id: str) -> str:
    assert id == id.lower()
    return base64.b64encode(bytes.fromhex(id)).decode()


def _hex(id: str) -> str:
    return base64.b64decode(id).hex()


def _filled(value: Any) -> Any:
    """The same without empty lists and names, which protobuf does not write."""
    if isinstance(value, list):
        return [_filled(part) for part in value]
    if isinstance(value, dict):
        return {k: _filled(v) for k, v in value.items() if v != [] and (k, v) != ("key", "")}
    return value
