"""Blocks of a text that show a run as a table: its turns, its outputs, its ends, its log."""

from pathlib import Path
from typing import Any

from curriculum.record.records import Record
from curriculum.trace.facts import View
from curriculum.trace.reader import Event, Trace
from curriculum.wire.provider_rules import objections

from .run_tables import aligned
from .sources import SourceError, trace_of

WIDE = 64
"""Characters of a record that a row shows."""


def short(text: str) -> str:
    """The beginning of a text, with visible line ends."""
    shown = text.replace("\n", "\u21b5")
    return shown if len(shown) <= WIDE else f"{shown[: WIDE - 3]}..."


def _answers(trace: Trace) -> list[tuple[Event[Any], Record]]:
    """Each output: the event that says how it ended, and the record that holds it."""
    view = View(trace)
    return [(said, view.turn_of(said)[0].data) for said in trace.of("model.response")]


def outputs(argument: str, _: Path) -> str:
    """`CASE`: each output of the model: what it says, what it asks for, how it ended."""
    rows = [["output", "says", "asks for", "ended by"]]
    for number, (said, record) in enumerate(_answers(trace_of(argument)), 1):
        calls = ", ".join(call.name for call in record.calls)
        rows.append([str(number), short(record.text), calls, str(said.data.finish)])
    return aligned(rows)


def turns(argument: str, _: Path) -> str:
    """`CASE`: each request with what caused it, its size, and how the output after it ended."""
    trace = trace_of(argument)
    ends: list[str] = [said.data.finish for said, _ in _answers(trace)]
    sent = [made.data for made in trace.assemblies if made.data.refused is None]
    rows = [["request", "because of", "size", "output ended by"]]
    for number, (made, end) in enumerate(zip(sent, ends, strict=True), 1):
        rows.append([str(number), made.trigger, str(made.size), end])
    return aligned(rows)


def endings(argument: str, _: Path) -> str:
    """`CASE, CASE, ...`: how the last output of each ended, and what the run stopped as."""
    rows = [["run", "last output ended by", "the run stops as", "model calls"]]
    for case in argument.split(","):
        trace = trace_of(case.strip())
        stop, failed = trace.stop, [event.data.params for event in trace.of("error")]
        if stop is None:
            raise SourceError(f"{case.strip()} has no stop.")
        ends: list[str] = [said.data.finish for said, _ in _answers(trace)]
        last = f"'{failed[0]['finish']}'" if failed else ends[-1]
        rows.append([case.strip(), last, str(stop.reason), str(stop.turns)])
    return aligned(rows)


def results(argument: str, _: Path) -> str:
    """`CASE, CASE, ...`: each call with what became of it: the code of its failure, its result."""
    rows = [["run", "call", "failure", "the result in the log"]]
    for case in argument.split(","):
        trace = trace_of(case.strip())
        made = [event.data for event in trace.of("tool.result")]
        kept = [record for record in trace.records if record.kind == "result"]
        for number, (result, record) in enumerate(zip(made, kept, strict=True), 1):
            failed = result.failed or "-"
            run = case.strip() if number == 1 else ""
            rows.append([run, result.tool, failed, _told(record)])
    return aligned(rows)


def _range(argument: str) -> tuple[str, tuple[int, int] | None]:
    """A case, and of how many from the first to the last; None for all."""
    case, comma, some = argument.partition(",")
    first, _, last = some.partition("-")
    return case.strip(), (int(first), int(last)) if comma else None


def records(argument: str, _: Path) -> str:
    """`CASE[, FIRST-LAST]`: the log as it is: id, kind, author, what it says."""
    case, some = _range(argument)
    log = trace_of(case).records
    first, last = some or (1, len(log))
    rows = [["record", "kind", "written by", "what it says"]]
    for record in log[first - 1 : last]:
        rows.append([record.id, str(record.kind), str(record.author), _told(record)])
    return aligned(rows)


def _told(record: Record) -> str:
    whole = record.whole()
    marker = f"[-{whole.missing}-]" if whole.missing else ""
    calls = " ".join(f"{call.id}: {call.name} {call.arguments}" for call in record.calls)
    tools = " ".join(tool.name for tool in record.tools)
    said = f"{whole.head}{marker}{whole.tail if whole.missing else ''}"
    return short(" ".join(part for part in (said, calls, tools) if part))


def seen(argument: str, _: Path) -> str:
    """`CASE[, FIRST-LAST]`: the size of each record in each request; `-` where it is left out."""
    case, some = _range(argument)
    trace = trace_of(case)
    sent = [made for made in trace.assemblies if made.data.refused is None]
    first, last = some or (1, len(sent))
    numbers = range(first, last + 1)
    columns = [{row.record.id: row for row in trace.manifest(number)} for number in numbers]
    rows: list[list[str]] = [["record", "kind", *(f"request {number}" for number in numbers)]]
    for record in trace.records:
        cells = [_cell(column.get(record.id)) for column in columns]
        if any(cells):
            rows.append([record.id, str(record.kind), *(cell.rjust(9) for cell in cells)])
    return aligned(rows)


def _cell(row: Any) -> str:
    if row is None:
        return ""
    cut = " cut" if row.decision == "cut" else ""
    return "-" if row.decision == "omitted" else f"{row.size}{cut}"


def without(argument: str, _: Path) -> str:
    """`CASE, RECORD`: each request that has the record, sent without it: what a provider says."""
    case, id = (part.strip() for part in argument.split(","))
    trace = trace_of(case)
    rows = [["request", "answer", "what the provider finds"]]
    for number in range(1, len(trace.assemblies) + 1):
        body = body_without(trace, number, id)
        if body is None:
            continue
        found = objections(trace.start.components["wire"].partition("@")[0], body)
        said = f"{found[0].place.partition('.')[0]}: {found[0].says}" if found else ""
        rows.append([str(number), "refused" if found else "taken", said])
    if len(rows) == 1:
        raise SourceError(f"{case} has no request with {id}.")
    return aligned(rows)


def body_without(trace: Trace, number: int, id: str) -> dict[str, Any] | None:
    """The body of request `number` (from 1) without the message of one record; None if it has none.

    It must be of a wire that sends a list `messages`, a message for each record but tools.
    """
    import json

    made = [event.data for event in trace.assemblies if event.data.refused is None][number - 1]
    sent = [row.record.id for row in trace.manifest(number) if row.decision != "omitted"]
    kept = [one for one in sent if trace.records[int(one[1:]) - 1].kind != "tools"]
    if id not in kept or made.size is None:
        return None
    body = json.loads(trace.request(number).body)
    del body["messages"][kept.index(id)]
    return body
