"""What the views show, as data for `--json`."""

from typing import Any

from curriculum.replay.attribution import Attribution
from curriculum.trace.explain import Explanation
from curriculum.trace.facts import View, row_facts
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import converter


def run_data(trace: Trace) -> dict[str, Any]:
    """A run: budget, every request with its text and full decision table, events, stop."""
    view = View(trace)
    return {
        "session": trace.session_name,
        **({"sessions": list(trace.sessions)} if len(trace.sessions) > 1 else {}),
        "budget": trace.start.budget,
        "stop": trace.stop.reason if trace.stop else None,
        "turns": trace.stop.turns if trace.stop else None,
        "requests": [_request(view, event) for event in trace.assemblies],
        "events": [event_data(event) for event in trace.events],
    }


def event_data(event: Any) -> dict[str, Any]:
    """One event as its line has it."""
    data = {"seq": event.seq, "type": event.type, "turn": event.turn}
    if event.cause is not None:
        data["cause"] = event.cause
    return {**data, "data": converter.unstructure(event.data)}


def _request(view: View, event: Any) -> dict[str, Any]:
    if event.data.refused is not None:
        return {"seq": event.seq, "refused": converter.unstructure(event.data.refused)}
    segments = view.rebuild.request(event).segments
    return {
        "seq": event.seq,
        "body": "".join(segment.text for segment in segments),
        "fingerprint": event.data.fingerprint,
        "size": event.data.size,
        "limit": event.data.limit,
        "segments": [
            {"class": s.kind, "text": s.text, **({"record": s.record} if s.record else {})}
            for s in segments
        ],
        "decisions": [
            {"record": row.record.id, **row_facts(row)} for row in view.rebuild.table(event)
        ],
    }


def explanation_data(explanation: Explanation) -> dict[str, Any]:
    """Why two traces differ: causes, first fact with both sums, reach."""
    first = explanation.first
    return {
        "changed": [
            {
                "what": c.words,
                "field": c.field,
                "place": c.place,
                "expected": c.expected,
                "got": c.got,
                "more_fields": c.more,
                **({"note": c.note} if c.note else {}),
                **({"request": c.request, "more_records": c.others} if c.request else {}),
            }
            for c in explanation.causes
        ],
        "rules": [
            {"type": d.type, "field": d.field, "rule": d.rule.words if d.rule else ""}
            for d in explanation.rules
        ],
        "first": None
        if first is None
        else {
            "type": first.difference.type,
            "field": first.difference.field,
            "place": first.place,
            "expected": first.difference.expected,
            "got": first.difference.got,
            "rule": first.formula,
            "expected_sum": first.expected_sum,
            "got_sum": first.got_sum,
            "because": list(first.chain),
        },
        "facts": len(explanation.facts),
        "requests": explanation.requests,
        "requests_changed": list(explanation.changed),
    }


def attribution_data(found: Attribution) -> dict[str, Any]:
    """How many facts follow from which change."""
    return {
        "separable": found.separable,
        "follows": [
            {"fields": [cause.field for cause in group], "facts": n} for group, n in found.by_cause
        ],
        "dependent": [cause.field for cause in found.dependent],
        "from_rule": found.by_rule,
        "together": found.together,
    }
