"""The files of a plan as text; what cannot be counted is refused, and never counts as nothing."""

import difflib
import os
import shlex
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from curriculum.record.errors import CurriculumError
from curriculum.view.safe import many

UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Paths:
    """One name for each file, however often and by whatever way it is named."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, path: str) -> str:
        """The name that a file was first given, with forward slashes."""
        try:
            real = os.path.normcase(os.path.realpath(path))
        except (OSError, ValueError):  # a name that no file can have; reading it says so
            real = path
        return self._names.setdefault(real, Path(path).as_posix())


def pair(text: str) -> tuple[str, str]:
    """FILE:SUMMARY; the colon behind the letter of a drive is part of a path.

    Raises `CurriculumError` where one of the two is missing.
    """
    for at, sign in enumerate(text):
        start = text.rfind(":", 0, at) + 1
        drive = at == start + 1 and text[start].isalpha() and text[at + 1 : at + 2] in ("\\", "/")
        if sign == ":" and not drive:
            file, summary = text[:at], text[at + 1 :]
            if file and summary:
                return file, summary
            break
    raise CurriculumError(
        f"{text!a} is no FILE:SUMMARY.",
        code="plan-summary",
        next="curriculum plan ... --canonical docs/api.md:docs/api.summary.md",
    )


def read_all(paths: Sequence[str]) -> dict[str, str]:
    """The text of each file. Raises `CurriculumError` that names every file that has none."""
    texts: dict[str, str] = {}
    refused: list[CurriculumError] = []
    for path in paths:
        try:
            texts[path] = _read(path)
        except CurriculumError as error:
            refused.append(error)
    if not refused:
        return texts
    first, *others = refused
    more = [f"and {error.headline} [{error.code}]" for error in others]
    counted = (
        f"{many(len(refused), 'file')} of {len(paths)} cannot be counted; none is counted as 0"
    )
    raise CurriculumError(
        first.headline,
        *first.evidence,
        *more,
        *([counted] if more else []),
        code=first.code,
        next=first.next or "curriculum plan --help",
    )


def _read(path: str) -> str:
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise _folder(path)
        if not stat.S_ISREG(mode):
            raise CurriculumError(f"{path} is no regular file.", code="plan-no-file")
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise CurriculumError(
            f"{path} does not exist.", *_near(path), code="plan-missing"
        ) from None
    except OSError as error:
        raise CurriculumError(
            f"{path} cannot be read: {error.strerror or error}.", code="plan-unreadable"
        ) from None
    except ValueError:
        raise CurriculumError(f"{path!a} is no file name.", code="plan-missing") from None
    return _decoded(path, data)


def _decoded(path: str, data: bytes) -> str:
    zero = data.find(b"\0")
    if zero >= 0:
        utf16 = "; it begins as UTF-16 does" if data.startswith(UTF16) else ""
        raise CurriculumError(
            f"{path} is binary.",
            f"byte {zero + 1} of {len(data)} is 0{utf16}",
            code="plan-binary",
            next="leave it out, or name a text in UTF-8",
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CurriculumError(
            f"{path} is no UTF-8.",
            f"byte {error.start + 1} of {len(data)} is 0x{data[error.start]:02x}",
            code="plan-not-utf8",
            next="leave it out, or write it in UTF-8",
        ) from None


def _folder(path: str) -> CurriculumError:
    held = sum(1 for one in _children(Path(path)) if one.is_file())
    return CurriculumError(
        f"{path} is a folder.",
        f"it holds {many(held, 'file')}; each is named by itself",
        code="plan-folder",
        next=f"curriculum plan {shlex.quote(Path(path).as_posix())}/*" if held else "",
    )


def _children(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError:
        return


def _near(path: str) -> list[str]:
    wanted = Path(path)
    names = sorted(one.name for one in _children(wanted.parent) if one.is_file())
    near = difflib.get_close_matches(wanted.name, names, 1)
    return [f"nearest: {(wanted.parent / name).as_posix()}" for name in near]
