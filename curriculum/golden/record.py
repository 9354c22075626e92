"""Recording and accepting: a recorded trace waits beside its fixture until somebody decides."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

from . import files
from .cases import Case, run_case
from .files import GoldenError


def record(cases: Mapping[str, Case], ids: Sequence[str], folder: Path | None = None) -> list[Path]:
    """Run the cases and write each to its pending file. Returns the paths.

    Raises `GoldenError` under CI and for an unknown id before anything runs, `CaseFailed` for a
    case that does not end as it declares, and `GoldenError` for a trace that breaks a law.
    """
    files.refuse_in_ci()
    place = folder or files.writable_root()
    _known(cases, ids)
    written: list[Path] = []
    for id in ids:
        written.append(keep(id, run_case(cases[id]), place))
    return written


def keep(id: str, text: str, folder: Path) -> Path:
    """Write the trace `text` as the pending file of `id`, and return its path.

    Raises `GoldenError` under CI, for a trace that breaks a law, and if it cannot be written.
    """
    files.refuse_in_ci()
    _check_lawful(id, Trace.parse(text, id))
    path = files.pending(folder, id)
    files.write(path, text)
    return path


def accept(cases: Mapping[str, Case], ids: Sequence[str], folder: Path | None = None) -> list[Path]:
    """Make each pending trace the fixture, in one rename. Returns the paths.

    Raises `GoldenError` under CI, and for an id that is unknown, has nothing pending, or whose
    pending trace is unlawful or no longer what the case gives, before any file is moved.
    """
    files.refuse_in_ci()
    place = folder or files.writable_root()
    _known(cases, ids)
    waiting = [files.pending(place, id) for id in ids]
    for id, path in zip(ids, waiting, strict=True):
        if not path.is_file():
            raise GoldenError(
                f"{id} has no pending trace.",
                f"no file at {path}",
                code="golden-nothing-pending",
                next=f"golden record {id}",
            )
        _check_lawful(id, Trace.read(path))
        if path.read_bytes() != run_case(cases[id]).encode():
            raise GoldenError(
                f"The pending trace of {id} is not what the case gives now.",
                "something has changed since it was recorded",
                code="golden-stale",
                next=f"golden record {id}",
            )
    accepted: list[Path] = []
    for id, path in zip(ids, waiting, strict=True):
        target = files.fixture(place, id)
        try:
            path.replace(target)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise GoldenError(f"{target} cannot be written: {why}.", code="golden-write") from None
        accepted.append(target)
    return accepted


def _check_lawful(id: str, trace: Trace) -> None:
    broken = next(breaches(trace), None)
    if broken is not None:
        raise GoldenError(
            f"The trace of {id} breaks a law; it cannot be a golden.",
            str(broken),
            code="golden-unlawful",
        )


def _known(cases: Mapping[str, Case], ids: Sequence[str]) -> None:
    for id in ids:
        if id not in cases:
            import difflib

            near = difflib.get_close_matches(id, list(cases), 1, 0.0)
            raise GoldenError(
                f"No case is called {id!r}.",
                *(f"nearest: {name}" for name in near),
                code="unknown-case",
                next="golden list",
            )
