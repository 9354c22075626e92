"""Tables of a text that are made of many runs of one demo: what each leaves of a result."""

import importlib
import re
from pathlib import Path

from curriculum.golden.cases import Case, run_case
from curriculum.trace.events import Stop
from curriculum.trace.reader import Trace

from .sources import SourceError, trace_of

NUMBER = re.compile(r"[\d,]*(?: %)?")
"""What stands at the right of its column; a cell may be empty."""


def grid(argument: str, folder: Path) -> str:
    """`FUNCTION, ROW ROW ..., COLUMN COLUMN ..., STOP=WORDS ...`: how each run of the demo stops.

    FUNCTION of the demo makes a scenario of a row and a column. A stop shows as its words, in
    which `_` is a blank.
    """
    name, rows, columns, words = [part.strip() for part in argument.split(",")]
    demo = importlib.import_module(f"curriculum.lessons.{folder.name}.demo")
    make, shown = getattr(demo, name), dict(word.split("=") for word in words.split())
    lines = [["", *columns.split()]]
    for row in rows.split():
        stops = [_stop(make(row, column), f"{row} {column}") for column in columns.split()]
        lines.append([row, *(shown.get(stop, stop).replace("_", " ") for stop in stops)])
    return aligned(lines)


def _stop(scenario: object, name: str) -> str:
    case = Case(name, name, Stop.COMPLETED, scenario)  # pyright: ignore[reportArgumentType]
    trace = Trace.parse(run_case(case, case.staged), name)
    if trace.stop is None:
        raise SourceError(f"The run {name!r} has no stop.")
    return str(trace.stop.reason)


def ends(argument: str, _: Path) -> str:
    """`CASE, N, ...`: tool ceilings, what each keeps of the first result, how the run stops."""
    case, *ceilings = [part.strip() for part in argument.split(",")]
    lines = [["tool ceiling", "head", "marker", "tail", "missing", "the run stops"]]
    for ceiling in ceilings:
        trace = trace_of(f"{case} max_tool_output_chars={ceiling}")
        cut = next(record.cut for record in trace.records if record.answers is not None)
        if cut is None or trace.stop is None:
            raise SourceError(f"{case} cuts nothing at {ceiling}.")
        sizes = (len(cut.head), len(cut.marker), len(cut.tail), cut.missing)
        lines.append([ceiling, *map(str, sizes), str(trace.stop.reason)])
    return aligned(lines, left=(5,))


def aligned(lines: list[list[str]], left: tuple[int, ...] = ()) -> str:
    """Columns of even width: numbers to the right, words to the left. No blank ends a line."""
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    numbers = [
        at not in left and all(NUMBER.fullmatch(line[at]) for line in lines[1:])
        for at in range(len(widths))
    ]
    rows = [
        "   ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numbers, strict=True)
        )
        for line in lines
    ]
    return "".join(f"{row.rstrip()}\n" for row in rows)
