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
    if start.history > known:
        says = f"{start.history} records come from an earlier log, and {known} are here"
        told.append(("history-shorter", 1, says))
        start = attrs.evolve(start, history=known)
    mending = mend(trace.records)
    if not told and not mending.mended:
        return "".join(f"{line}\n" for line in trace.lines), []
    if start.history:  # only an earlier log has calls, so what was put in belongs to it
        grown = len(mending.records) - known
        start = attrs.evolve(start, history=start.history + grown)
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
