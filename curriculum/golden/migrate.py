"""Across a major of the trace format: each step takes the events of one major to the next.

A file is written again only after its new text has passed the reader and the laws.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.trace import faults
from curriculum.trace.errors import TraceError
from curriculum.trace.events import FORMAT, VERSION
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace, values, version_of
from curriculum.trace.recorder import spell

from . import files, whole
from .files import GoldenError

Events = list[dict[str, Any]]
Steps = Mapping[int, Callable[[Events], Events]]
STEPS: Steps = {}
"""From each older major, the step to the next. There is one major so far."""


@attrs.frozen
class Move:
    """One file that can be written again: the version it has, and the bytes it gets."""

    path: Path
    version: str
    data: bytes


def chosen(names: Sequence[str], folder: Path) -> list[Path]:
    """The files that `names` mean: an id's golden and pending trace, or a file; all if none.

    Raises `GoldenError` for a name that is neither.
    """
    ids = dict(files.present(folder))
    if not names:
        return [_path(folder, id, waits) for id, waits in files.present(folder)]
    paths: list[Path] = []
    for name in names:
        if name in ids:
            both = files.fixture(folder, name), files.pending(folder, name)
            paths += [path for path in both if path.is_file()]
        elif Path(name).is_file():
            paths.append(Path(name))
        else:
            import difflib

            near = difflib.get_close_matches(name, list(ids), 1, 0.0)
            raise GoldenError(
                f"{name!r} is neither a golden nor a file.",
                *(f"nearest: {id}" for id in near),
                code="unknown-case",
                next="golden list",
            )
    return list(dict.fromkeys(paths))


def _path(folder: Path, id: str, waits: bool) -> Path:
    return files.pending(folder, id) if waits else files.fixture(folder, id)


def moves(paths: Sequence[Path], steps: Steps = STEPS) -> list[Move]:
    """What would be written again; files of this major need nothing. Changes nothing.

    Raises `GoldenError` under CI, and `TraceError` for a file that is newer, that no step leads
    on from, or that would break a law.
    """
    files.refuse_in_ci()
    found = [_move(path, steps) for path in paths]
    return [move for move in found if move is not None]


def migrate(planned: Sequence[Move]) -> list[Path]:
    """Write the files again, each in one step. Returns the paths. Raises `GoldenError`."""
    files.refuse_in_ci()
    wanted = {move.path: move.data for move in planned}
    with whole.naming(wanted):
        for path, data in wanted.items():
            whole.write(path, data)
    return list(wanted)


def _move(path: Path, steps: Steps) -> Move | None:
    name, data = str(path), files.read(path)
    if data is None:
        raise TraceError(f"{path} cannot be read: no such file.", code="trace-missing")
    lines = values(data, name)
    version = version_of(next(lines), name)
    here, major = int(VERSION.split(".")[0]), int(version.split(".")[0])
    if major == here:
        return None
    if major > here:
        raise faults.other_major(version, name)
    events: Events = list(lines)
    for older in range(major, here):
        if older not in steps:
            raise TraceError(
                f"{path} is a trace of version {version}; no step leads on from major {older}.",
                f"this program reads {FORMAT} {VERSION}",
                "the file is unchanged",
                code="trace-version",
                next=faults.UPGRADE,
            )
        events = _stepped(steps[older], events, name)
    header = {"format": FORMAT, "version": VERSION}
    new = "".join(f"{spell(value)}\n" for value in (header, *events)).encode("ascii")
    _check(new, path)
    return Move(path, version, new)


def _stepped(step: Callable[[Events], Events], events: Events, name: str) -> Events:
    try:
        return step(events)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise TraceError(
            f"{name} is not what its version says it is, so it cannot be migrated.",
            f"the step stopped at {type(error).__name__}: {error}",
            "the file is unchanged",
            code="trace-line",
        ) from error


def _check(data: bytes, path: Path) -> None:
    """Raise unless the new text is a lawful trace."""
    try:
        broken = next(breaches(Trace.parse_bytes(data, f"{path}, migrated")), None)
    except CurriculumError as error:
        error.evidence = (*error.evidence, "the file is unchanged")
        raise
    if broken is not None:
        raise TraceError(
            f"{path}, migrated, breaks a law.",
            str(broken),
            "the file is unchanged",
            code="trace-unlawful",
        )
