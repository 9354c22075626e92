"""Recording: a case is run, and its trace waits beside the fixture until somebody decides."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

from . import files, whole
from .cases import BY_TESTS, Case, run_case, to_record
from .files import GoldenError
from .steady import run_steadily


def record(cases: Mapping[str, Case], ids: Sequence[str], folder: Path | None = None) -> list[Path]:
    """Run each case twice and write its trace to its pending file. Returns the paths.

    Raises `GoldenError` under CI and for an unknown id, `CaseFailed` for a case that does not end
    as it declares or gives two traces, and `GoldenError` for a trace that breaks a law, all before
    a file is written.
    """
    files.refuse_in_ci()
    place = files.writable_root(folder)
    known(cases, ids)
    return _write(place, {id: _recorded(cases[id]) for id in ids})


def record_all(cases: Mapping[str, Case], folder: Path | None = None) -> tuple[list[str], int]:
    """Record every case that does not hold. Returns their ids, and how many hold and were left.

    Raises what `record` raises, before a file is written.
    """
    files.refuse_in_ci()
    place = files.writable_root(folder)
    traces: dict[str, bytes] = {}
    for id, case in sorted(cases.items()):
        text = run_case(case)
        if files.read(files.fixture(place, id)) != text.encode("ascii"):
            traces[id] = _recorded(case, text)
        else:
            check_lawful(id, Trace.parse(text, id))
    _write(place, traces)
    return list(traces), len(cases) - len(traces)


def _recorded(case: Case, first: str = "") -> bytes:
    """The lawful trace that the case gives each time. `first` is what it gave already."""
    text = run_steadily(case, first)
    check_lawful(case.id, Trace.parse(text, case.id))
    return text.encode("ascii")


def _write(folder: Path, traces: Mapping[str, bytes]) -> list[Path]:
    paths = {files.pending(folder, id): data for id, data in traces.items()}
    with whole.naming(paths):
        for path, data in paths.items():
            whole.write(path, data)
    return list(paths)


def keep(id: str, text: str, folder: Path) -> Path:
    """Write the trace `text` as the pending file of `id`, and return its path.

    Raises `GoldenError` under CI, for a trace that breaks a law, and if it cannot be written.
    """
    files.refuse_in_ci()
    check_lawful(id, Trace.parse(text, id))
    path = files.pending(folder, id)
    whole.write(path, text.encode("ascii"))
    return path


def check_lawful(id: str, trace: Trace) -> None:
    """Raise `GoldenError` if the trace breaks a law or was forced; it cannot be a golden then."""
    if (forced := trace.start.components.get("forced")) is not None:
        raise GoldenError(
            f"The trace of {id} is of a forced run; it cannot be a golden.",
            f"what was forced: {forced}",
            "a golden is what the harness does by itself",
            code="golden-forced",
            next=f"golden record {id}",
        )
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
            raise recorded_by_tests(id) if id.startswith(BY_TESTS) else unknown(id, cases)


def recorded_by_tests(id: str) -> GoldenError:
    """`id` is the trace of a test, which only pytest can run."""
    return GoldenError(
        f"{id} is recorded by a test, not by a case.",
        code="golden-by-tests",
        next=to_record(id),
    )


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
