"""Copies of a learner's files to run, and the proof that a run left the course's as they were."""

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path

MOST_FILES, MOST_BYTES = 200, 4 << 20
"""What is copied of a folder at most: files, and bytes of one file."""
SKIPPED = ("__pycache__", ".")
"""How the names of folders and files begin that are not copied."""


def copy_files(folder: Path, place: Path) -> None:
    """Copy the files of `folder` to the new folder `place`, without hidden and very large ones."""
    place.mkdir(parents=True)
    for file in files_in(folder)[:MOST_FILES]:
        if file.stat().st_size <= MOST_BYTES:
            copy = place / file.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)


def files_in(folder: Path) -> list[Path]:
    """The files below a folder in a fixed order, without hidden ones and caches."""
    found = [
        path
        for path in folder.rglob("*")
        if not any(part.startswith(SKIPPED) for part in path.relative_to(folder).parts)
    ]
    return sorted(path for path in found if path.is_file())


class Seals:
    """The hashes of files and of all files below folders, to be compared after a run."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = tuple(paths)
        self._before = self._now()

    def broken(self) -> Path | None:
        """The first file that has changed, gone or come since; None if all are as they were."""
        now = self._now()
        names = sorted(self._before.keys() | now.keys())
        return next((one for one in names if self._before.get(one) != now.get(one)), None)

    def __len__(self) -> int:
        return len(self._before)

    def _now(self) -> dict[Path, str]:
        found: dict[Path, str] = {}
        for path in self._paths:
            for file in files_in(path) if path.is_dir() else [path] * path.is_file():
                found[file] = hashlib.sha256(file.read_bytes()).hexdigest()
        return found
