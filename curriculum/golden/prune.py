"""What lies in the folder of goldens and belongs to nothing: only this module deletes it.

It is never filtered: files are called unclaimed only against the whole list of cases.
"""

import re
from collections.abc import Callable, Container, Mapping
from pathlib import Path

import attrs

from . import files, whole
from .cases import BY_TESTS, Case
from .files import GoldenError

TEMPORARY = re.compile(re.escape(whole.TEMPORARY) + r"[a-z0-9_]{8}\Z")


@attrs.frozen
class Stray:
    """One file, and why it belongs to nothing."""

    path: Path
    why: str


def strays(
    cases: Mapping[str, Case],
    folder: Path | None = None,
    tests: Callable[[], Container[str]] | None = None,
) -> list[Stray]:
    """Fixtures and pending files that no case claims, and what killed processes left behind.

    `tests` finds the ids that tests claim; it is asked only if there is such a file. Raises
    `GoldenError` under CI, for installed goldens, without cases, and for a folder in which no
    file belongs to a case: it is the folder of something else.
    """
    files.refuse_in_ci()
    place = files.writable_root(folder)
    found: list[Stray] = []
    claimed = 0
    by_tests: Container[str] | None = None
    for id, waits in files.present(place):
        if id.startswith(BY_TESTS):
            by_tests = (tests or tuple)() if by_tests is None else by_tests
        if id in cases or (by_tests is not None and id in by_tests):
            claimed += 1
        elif waits:
            found.append(Stray(files.pending(place, id), f"pending, and no {_who(id)} claims it"))
        else:
            found.append(Stray(files.fixture(place, id), f"no {_who(id)} claims it"))
    for path in sorted(place.rglob(f"{whole.TEMPORARY}*")):
        if path.is_file() and TEMPORARY.match(path.name):
            found.append(Stray(path, "left behind by a process that was killed"))
    if found and not claimed:
        raise GoldenError(
            f"No file in {place} belongs to a case, so it may be the folder of something else.",
            f"cases: {len(cases)}; files that would be deleted: {len(found)}",
            code="golden-wrong-folder",
            next="golden list",
        )
    return found


def _who(id: str) -> str:
    return "test" if id.startswith(BY_TESTS) else "case"


def prune(found: list[Stray]) -> list[Path]:
    """Delete these files. Returns the paths. Raises `GoldenError` for one that cannot go."""
    files.refuse_in_ci()
    gone: list[Path] = []
    for stray in found:
        try:
            stray.path.unlink(missing_ok=True)
        except OSError as error:
            raise GoldenError(
                f"{stray.path} cannot be removed: {error.strerror or type(error).__name__}.",
                *(f"deleted before: {path}" for path in gone),
                code="golden-write",
            ) from None
        gone.append(stray.path)
    return gone
