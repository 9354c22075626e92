"""Two traces beside each other: the same explanation as `verify` gives, for any two files.

Who caused what is told where the second trace is what a case gives now: only then can the case be
run again with one change at a time.
"""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

from . import files
from .cases import Case, run_case, to_record
from .files import GoldenError

if TYPE_CHECKING:
    from curriculum.replay.attribution import Attribution
    from curriculum.trace.explain import Explanation


@attrs.frozen
class Side:
    """One of the two: what a person calls it, and its bytes."""

    name: str
    data: bytes


@attrs.frozen
class Comparison:
    """What was compared with what. `same` says that the bytes are; else there is an explanation."""

    expected: Trace
    got: Trace
    same: bool
    explanation: "Explanation | None" = None
    attribution: "Attribution | None" = None


def golden_and_new(case: Case, folder: Path) -> tuple[Side, Side]:
    """A case's golden, and its pending trace if one waits, else what the case gives now.

    Raises `GoldenError` if there is no golden, `CaseFailed` if the case cannot be run.
    """
    golden, waits = _golden(case.id, folder), files.pending(folder, case.id)
    new = files.read(waits)
    if new is None:
        return golden, Side(f"what {case.id} gives now", run_case(case).encode())
    return golden, Side(str(waits), new)


def golden_and_pending(id: str, folder: Path) -> tuple[Side, Side]:
    """The golden of a test and its pending trace. Raises `GoldenError` if one is missing."""
    golden, waits = _golden(id, folder), files.pending(folder, id)
    new = files.read(waits)
    if new is None:
        raise GoldenError(
            f"{id} has no pending trace to compare with, and only pytest can run its test.",
            f"no file at {waits}",
            code="golden-nothing-pending",
            next=to_record(id),
        )
    return golden, Side(str(waits), new)


def first_to_look_at(id: str, folder: Path) -> Side | None:
    """The pending trace of an id that has no golden yet: it is looked at alone; else None."""
    if files.read(files.fixture(folder, id)) is not None:
        return None
    waits = files.pending(folder, id)
    new = files.read(waits)
    return None if new is None else Side(str(waits), new)


def _golden(id: str, folder: Path) -> Side:
    path = files.fixture(folder, id)
    old = files.read(path)
    if old is None:
        raise GoldenError(
            f"{id} has no golden to compare with.",
            f"no file at {path}",
            code="fixture-missing",
            next=to_record(id),
        )
    return Side(str(path), old)


def two_files(expected: str, got: str) -> tuple[Side, Side]:
    """Two trace files. Raises `GoldenError` for one that is not there."""
    sides: list[Side] = []
    for name in (expected, got):
        data = files.read(Path(name))
        if data is None:
            raise GoldenError(
                f"{name} cannot be read: no such file.",
                code="trace-missing",
                next="golden diff ID, or golden diff FILE FILE",
            )
        sides.append(Side(name, data))
    return sides[0], sides[1]


def compare(cases: Mapping[str, Case], expected: Side, got: Side) -> Comparison:
    """Compare byte for byte, and explain. Raises `TraceError` for bytes that are no such trace."""
    old = Trace.parse_bytes(expected.data, expected.name)
    new = Trace.parse_bytes(got.data, got.name)
    if expected.data == got.data:
        return Comparison(old, new, True)
    try:
        return _explained(cases, old, new, got.data)
    except CurriculumError:
        raise
    except Exception as error:  # a trace that breaks a law may contradict itself
        for trace in (old, new):
            broken = _broken(trace)
            if broken:
                raise GoldenError(
                    f"{trace.name} breaks a law, so it cannot be compared.",
                    broken,
                    code="trace-unlawful",
                    next=f"curriculum trace validate {shlex.quote(trace.name)}",
                ) from error
        raise


def _explained(cases: Mapping[str, Case], old: Trace, new: Trace, got: bytes) -> Comparison:
    # Most traces are the same, and need none of these.
    from curriculum.trace.explain import explain

    explanation = explain(old, new)
    case = cases.get(new.start.session)
    if case is None or case.staged is None or not _gives(case, got):
        return Comparison(old, new, False, explanation)
    from curriculum.replay.attribution import attribute

    attribution = attribute(case.staged, old, new, explanation)
    return Comparison(old, new, False, explanation, attribution)


def _broken(trace: Trace) -> str:
    try:
        return next((str(breach) for breach in breaches(trace)), "")
    except Exception:
        return "its events contradict each other"


def _gives(case: Case, data: bytes) -> bool:
    try:
        return run_case(case).encode() == data
    except CurriculumError:
        return False
