"""Tables of a text about what requests weigh: by author, by tool, by wire, by counter, in a row."""

from collections.abc import Iterable
from pathlib import Path

from curriculum.count.counters import utf8
from curriculum.count.registry import counter_of
from curriculum.record.records import Author, Kind
from curriculum.trace.reader import Trace
from curriculum.wire.request import SegmentClass

from .run_tables import aligned
from .runs import trace_of

WRITERS = {
    Author.PERSON: "you",
    Author.HARNESS: "the agent",
    Author.TOOL: "the tool",
    Author.MODEL: "the model",
}
MARKS = "marks"
"""What stands around the texts and is in no record."""


def by_author(trace: Trace, number: int) -> dict[str, int]:
    """Characters of request `number` by who wrote them; the marks around them apart."""
    authors = {record.id: WRITERS[record.author] for record in trace.records}
    found = dict.fromkeys([*WRITERS.values(), MARKS], 0)
    for segment in trace.request(number).segments:
        frame = segment.kind is SegmentClass.FRAME or segment.record is None
        found[MARKS if frame else authors[segment.record or ""]] += len(segment.text)
    return found


def authors(argument: str, _: Path) -> str:
    """`CASE, N`: who wrote how much of request N, and each part in per cent."""
    run, number = argument.rsplit(",", 1)
    found = by_author(trace_of(run.strip()), int(number))
    total = sum(found.values())
    rows = [[name, f"{size:,}", f"{_percent(size, total)} %"] for name, size in found.items()]
    return aligned([["who", "characters", "share"], *rows, ["sum", f"{total:,}", ""]])


def _percent(part: int, whole: int) -> int:
    return (200 * part + whole) // (2 * whole)


def triangle(argument: str, _: Path) -> str:
    """`CASE`: each request, how much of it the one before began with, and all that was sent."""
    trace, rows, before, total = trace_of(argument.strip()), list[list[str]](), "", 0
    for number in range(1, len(trace.assemblies) + 1):
        text = trace.request(number).text
        again, total = _alike(before, text), total + len(text)
        sizes = (len(text), again, len(text) - again, total)
        rows.append([str(number), *(f"{size:,}" for size in sizes)])
        before = text
    return aligned([["request", "sent", "again", "new", "sent in all"], *rows])


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def tools(argument: str, _: Path) -> str:
    """`CASE`: what the definition of each tool weighs, how often it was sent, how often called."""
    trace = trace_of(argument.strip())
    sent, called = len(trace.assemblies), _called(trace)
    rows = [
        [name, str(size), str(sent), f"{size * sent:,}", str(called.count(name))]
        for name, size in _definitions(trace)
    ]
    return aligned([["tool", "characters", "sent", "in all", "called"], *rows])


def _called(trace: Trace) -> list[str]:
    return [call.name for record in trace.records for call in record.calls]


def _definitions(trace: Trace) -> Iterable[tuple[str, int]]:
    """Each tool with its definition and the marks around it, as request 1 has them."""
    (offered,) = [record for record in trace.records if record.kind is Kind.TOOLS]
    parts = [one for one in trace.request(1).segments if one.record == offered.id]
    starts = [at for at, one in enumerate(parts) if one.kind is SegmentClass.SCHEMA]
    for number, spec in enumerate(offered.tools):
        first = starts[number] - 1 if number else 0
        last = starts[number + 1] - 1 if number + 1 < len(starts) else len(parts)
        yield spec.name, sum(len(one.text) for one in parts[first:last])


def wires(argument: str, _: Path) -> str:
    """`N, CASE CASE ...`: request N of each case, by its wire: texts, marks, and both."""
    number, cases = argument.split(",", 1)
    rows: list[list[str]] = []
    for case in cases.split():
        trace = trace_of(case)
        request = trace.request(int(number))
        kinds = {False: 0, True: 0}
        for segment in request.segments:
            kinds[segment.kind is SegmentClass.FRAME] += len(segment.text)
        wire = trace.start.components["wire"].partition("@")[0]
        rows.append([wire, *(f"{n:,}" for n in (kinds[False], kinds[True], len(request.text)))])
    return aligned([["wire", "texts", "marks", "request"], *rows])


def counted(argument: str, _: Path) -> str:
    """`COUNTER COUNTER ..., TEXT | TEXT ...`: each text in characters, bytes and by each counter.

    In a text `\\u` and four digits stand for a character.
    """
    names, texts = argument.split(",", 1)
    counters = [counter_of(name) for name in names.split()]
    rows: list[list[str]] = []
    for text in (part.strip() for part in texts.split(" | ")):
        sizes = [len(text), utf8(text), *(one.estimate(text).value for one in counters)]
        rows.append([*map(str, sizes), text])
    heads = ["characters", "bytes", *names.split(), "text"]
    return aligned([heads, *rows], left=(len(heads) - 1,))
