"""What a learner has seen before a prediction, in a few sentences made from the trace."""

from typing import Any

from curriculum.record.cut import content_size
from curriculum.record.records import Kind
from curriculum.trace.facts import View
from curriculum.trace.reader import Event, Trace

from .result import Finding
from .why import shown


def seen(trace: Trace) -> list[Finding]:
    """One tool result on its way through both gates; of any other run, its requests and its end."""
    results = [event for event in trace.of("record.append") if event.data.kind is Kind.RESULT]
    if len(results) == 1:
        return _gates(View(trace), results[0])
    sent = sum(1 for _ in trace.of("model.request"))
    sizes = ", ".join(str(event.data.size) for event in trace.assemblies if event.data.size)
    stop = str(trace.stop.reason) if trace.stop is not None else "no stop"
    params: dict[str, int | str] = {"sizes": sizes, "stop": stop}
    if sent == 0:
        ended = Finding("seen.no-request", {"stop": stop})
    elif sent == 1:
        ended = Finding("seen.request", params)
    else:
        ended = Finding("seen.requests", {**params, "requests": sent})
    return [*([Finding("seen.results", {"count": len(results)})] if results else []), ended]


def _gates(view: View, result: Event[Any]) -> list[Finding]:
    made = view.before(result, "tool.result")
    size = made.data.size if made is not None else result.data.whole().original
    log, limit = (
        content_size(result.data.whole()),
        view.trace.start.budget.get("max_tool_output_chars"),
    )
    found = [Finding("seen.tool", {"size": size})]
    if limit is not None:
        found.append(Finding("seen.gate-1", {"limit": limit, "log": log}))
    for number, event in enumerate(view.trace.assemblies, 1):
        if event.seq < result.seq:
            continue
        manifest = event.data
        if manifest.refused is not None:
            found.append(Finding("seen.refused", {"limit": manifest.limit, "n": number}))
            break
        rows = view.rebuild.rows(manifest)
        row = next((row for row in rows if row.record.id == result.data.id), None)
        if row is not None and row.decision != "omitted":
            params: dict[str, int | str] = {"limit": manifest.limit, "shown": shown(row)}
            key = "seen.gate-2-cut" if row.decision == "cut" else "seen.gate-2"
            found.append(Finding(key, params))
            found.append(Finding("seen.size", {"n": number, "size": manifest.size or 0}))
        break
    return found


def changed(trace: Trace, variant: dict[str, int]) -> str:
    """The limits that change, as `max_tool_output_chars 180 -> 120`."""
    budget = trace.start.budget
    return ", ".join(
        f"{name} {budget.get(name, 'not given')} -> {value}" for name, value in variant.items()
    )
