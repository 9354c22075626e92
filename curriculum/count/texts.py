"""The texts of a folder, and what is passed over: each file has one of the two fates."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError

LARGEST = 2_000_000
"""Bytes of the largest file that is measured."""
VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".jj"})

SKIPS = {
    "binary": "binary: it has a NUL byte, or is not UTF-8",
    "empty": "empty",
    "huge": f"huge: more than {LARGEST} bytes",
    "link": "a symbolic link: followed, it might count a file twice or never end",
    "special": "no regular file: a pipe, a socket, a device",
    "unreadable": "unreadable",
    "version-control": "a folder of version control",
}
"""Why something is passed over."""


@attrs.frozen
class Skip:
    """A file or folder that is passed over, and why: a key of `SKIPS`."""

    path: str
    why: str


def folder_of(name: str) -> Path:
    """The folder `name`. Raises `CurriculumError` if it is missing, or is no folder."""
    path = Path(name)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is no file name"
        raise CurriculumError(
            f"{name} cannot be measured: {why}.", code="folder-missing", next="give a folder"
        ) from None
    if not stat.S_ISDIR(mode):
        raise CurriculumError(
            f"{name} is no folder.",
            code="folder-is-file",
            next="give the folder that it is in",
        )
    return path


def found_in(folder: Path) -> list[tuple[str, Path] | Skip]:
    """Every regular file with its path from `folder`, and what is skipped, in order of the paths.

    Links to folders are not followed, so no loop is entered.
    """
    found: list[tuple[str, Path] | Skip] = []
    broken: list[OSError] = []
    for here, folders, files in os.walk(folder, onerror=broken.append):
        at = Path(here)
        for name in folders:
            path = at / name
            if name in VERSION_CONTROL:
                found.append(Skip(_from(folder, path), "version-control"))
            elif path.is_symlink():
                found.append(Skip(_from(folder, path), "link"))
        folders[:] = [name for name in folders if name not in VERSION_CONTROL]
        found.extend(_file(folder, at / name) for name in files)
    found.extend(Skip(_from(folder, Path(error.filename)), "unreadable") for error in broken)
    return sorted(found, key=lambda one: one.path if isinstance(one, Skip) else one[0])


def _from(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _file(folder: Path, path: Path) -> tuple[str, Path] | Skip:
    name = _from(folder, path)
    try:
        found = path.lstat()
    except OSError:
        return Skip(name, "unreadable")
    if stat.S_ISLNK(found.st_mode):
        return Skip(name, "link")
    if not stat.S_ISREG(found.st_mode):
        return Skip(name, "special")  # to open a pipe would wait for its other end
    if found.st_size > LARGEST:
        return Skip(name, "huge")
    return name, path


def text_of(path: Path) -> tuple[str, bytes] | str:
    """The text of a file and its bytes, or why it is skipped: a key of `SKIPS`."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)  # it may have grown since it was looked at
    except OSError:
        return "unreadable"
    if len(data) > LARGEST:
        return "huge"
    if not data:
        return "empty"
    try:
        return "binary" if b"\0" in data else (data.decode(), data)
    except UnicodeDecodeError:
        return "binary"


def counted(skips: Iterator[Skip]) -> dict[str, int]:
    """How many were skipped for each reason, in the order of `SKIPS`."""
    found = dict.fromkeys(SKIPS, 0)
    for skip in skips:
        found[skip.why] += 1
    return {why: count for why, count in found.items() if count}
