"""A trace that is a log and nothing else, written again with its log mended."""

from collections.abc import Iterable
from typing import Any

import attrs

from curriculum.record.records import Record
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

from .mending import SAYS, mend

Told = tuple[str, int, str]
"""What was changed, the event of the new trace at which it stands, and in words."""


def rewritten(trace: Trace) -> tuple[str, list[Told]]:
    """The text of the trace with its log mended; as it was read if it had no flaw."""
    known = len(trace.records)
    start, told = trace.start, list[Told]()
    mending = mend(trace.records)
    history = min(start.history, known)
    if history:  # only an earlier log has calls, so what was put in belongs to it
        history += len(mending.records) - known
    if history != start.history:
        says = f"{history} records come from an earlier log; it was {start.history}"
        told.append(("history-count", 1, says))
    elif not mending.mended:
        return "".join(f"{line}\n" for line in trace.lines), []
    start = attrs.evolve(start, history=history)
    told += [(one.flaw, int(one.record[1:]) + 1, _says(one)) for one in mending.mended]
    return _written(trace, start, mending.records), told


def _says(one: Any) -> str:
    where = f"{one.tool}, asked for in {one.call.record}" if one.call else one.was
    return f"{where}: {SAYS[one.flaw]}"


def _written(trace: Trace, start: Any, records: Iterable[Record]) -> str:
    recorder = Recorder()
    recorder.emit("session.start", start)
    for record in records:
        recorder.emit("record.append", record, cause=1)
    return recorder.text()
