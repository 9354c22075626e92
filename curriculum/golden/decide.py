"""Deciding on what waits: accept makes it the golden, reject throws it away.

What is accepted is exactly the bytes that were checked, whatever another process records
meanwhile. Killed at any moment, the fixture is the old one or the new one, whole.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from curriculum.trace.reader import Trace

from . import files, whole
from .cases import BY_TESTS, Case, run_case, to_record
from .files import GoldenError
from .record import check_lawful, known, unknown

Shown = Mapping[str, bytes]
"""The pending bytes by id that somebody has looked at before deciding."""


def waiting(folder: Path) -> list[str]:
    """The ids of all pending files, in order."""
    return sorted(id for id, waits in files.present(folder) if waits)


def accept(
    cases: Mapping[str, Case],
    ids: Sequence[str],
    folder: Path | None = None,
    shown: Shown | None = None,
) -> list[Path]:
    """Make each pending trace the fixture. Returns the paths.

    Raises `GoldenError` under CI, and for an id that is unknown, has nothing pending, or whose
    pending trace is unlawful, no longer what the case gives, or not what was `shown`, before any
    file is written.
    """
    files.refuse_in_ci()
    place = files.writable_root(folder)
    ids = list(dict.fromkeys(ids))
    known(cases, [id for id in ids if not id.startswith(BY_TESTS)])
    checked = {id: _pending(place, id, shown) for id in ids}
    for id, data in checked.items():
        _check(id, cases.get(id), data)
    targets = {files.fixture(place, id): data for id, data in checked.items()}
    with whole.naming(targets):
        for id, (target, data) in zip(checked, targets.items(), strict=True):
            whole.write(target, data)
            whole.remove_if(files.pending(place, id), data)
    return list(targets)


def reject(
    cases: Mapping[str, Case],
    ids: Sequence[str],
    folder: Path | None = None,
    shown: Shown | None = None,
) -> list[Path]:
    """Remove each pending file, also one whose case no longer exists. Returns the paths.

    Raises `GoldenError` under CI, and for an id that is unknown, has nothing pending, or whose
    pending trace is not what was `shown`, before any file is removed.
    """
    files.refuse_in_ci()
    place = files.writable_root(folder)
    ids = list(dict.fromkeys(ids))
    for id in ids:
        if id not in cases and id not in waiting(place):
            raise unknown(id, cases)
    checked = {id: _pending(place, id, shown) for id in ids}
    paths = {files.pending(place, id): data for id, data in checked.items()}
    with whole.naming(dict.fromkeys(paths)):
        for path, data in paths.items():
            whole.remove_if(path, data)
    return list(paths)


def _pending(folder: Path, id: str, shown: Shown | None) -> bytes:
    path = files.pending(folder, id)
    data = files.read(path)
    if data is None:
        raise GoldenError(
            f"{id} has no pending trace.",
            f"no file at {path}",
            code="golden-nothing-pending",
            next=to_record(id),
        )
    if shown is not None and data != shown[id]:
        raise GoldenError(
            f"The pending trace of {id} is not the one that was shown.",
            "it has been recorded again meanwhile",
            code="golden-changed",
            next=f"golden diff {id}",
        )
    return data


def _check(id: str, case: Case | None, data: bytes) -> None:
    """Without a case a test has recorded it; whether it still gives that, pytest says next."""
    waits = Trace.parse_bytes(data, f"{id}.pending.jsonl")
    check_lawful(id, waits)
    if case is not None and data != (text := run_case(case)).encode():
        from .parting import first_difference

        differs = first_difference(
            waits, Trace.parse(text, id), ("the pending trace", "what it gives now")
        )
        raise GoldenError(
            f"The pending trace of {id} is not what the case gives now.",
            "something has changed since it was recorded",
            *([differs] if differs else []),
            code="golden-stale",
            next=f"golden record {id}",
        )
