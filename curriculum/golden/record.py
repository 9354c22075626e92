"""Recording: a case is run, and its trace waits beside the fixture until somebody decides."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

from . import files, whole
from .cases import Case, run_case
from .files import GoldenError


def record(cases: Mapping[str, Case], ids: Sequence[str], folder: Path | None = None) -> list[Path]:
    """Run the cases and write each to its pending file. Returns the paths.

    Raises `GoldenError` under CI and for an unknown id, `CaseFailed` for a case that does not end
    as it declares, and `GoldenError` for a trace that breaks a law, all before a file is written.
    """
    files.refuse_in_ci()
    place = files.writable_root(folder)
    known(cases, ids)
    traces: dict[Path, bytes] = {}
    for id in ids:
        text = run_case(cases[id])
        check_lawful(id, Trace.parse(text, id))
        traces[files.pending(place, id)] = text.encode("ascii")
    with whole.naming(traces):
        for path, data in traces.items():
            whole.write(path, data)
    return list(traces)


def check_lawful(id: str, trace: Trace) -> None:
    """Raise `GoldenError` if the trace breaks a law; it cannot be a golden then."""
    broken = next(breaches(trace), None)
    if broken is not None:
        raise GoldenError(
            f"The trace of {id} breaks a law; it cannot be a golden.",
            str(broken),
            code="golden-unlawful",
        )


def known(cases: Mapping[str, Case], ids: Sequence[str]) -> None:
    """Raise `GoldenError` for the first id that no case has, with the nearest that one has."""
    for id in ids:
        if id not in cases:
            raise unknown(id, cases)


def unknown(id: str, names: Mapping[str, object]) -> GoldenError:
    """No case is called `id`."""
    import difflib

    near = difflib.get_close_matches(id, list(names), 1, 0.0)
    return GoldenError(
        f"No case is called {id!r}.",
        *(f"nearest: {name}" for name in near),
        code="unknown-case",
        next="golden list",
    )
