"""A new lesson's folder: it runs as it is, and says TODO where its author has to write."""

import re
from pathlib import Path
from string import Template

import attrs

import curriculum.lessons
from curriculum.record.errors import CurriculumError

from .checked_files import MARK
from .lessons import folders, installed

FILES = Path(__file__).with_name("skeleton_files")
ENDING = ".txt"
"""What stands behind the name of each file there, so that none of them is taken for code."""
_ID = re.compile(r"s[0-9]{2}-[a-z0-9]+(-[a-z0-9]+)*\Z")


class SkeletonError(CurriculumError):
    """A lesson that cannot be begun. Nothing was written then."""

    code = "lesson-new"


@attrs.frozen
class Made:
    """The folder of a new lesson, its files by their path in it, and how many lines say TODO."""

    folder: Path
    files: tuple[str, ...]
    to_do: int


def begin(id: str, title: str = "") -> Made:
    """Write the files of a new lesson. Raises `SkeletonError`; nothing is written over."""
    folder = _place(id)
    short = id.partition("-")[0]
    values = {"id": id, "short": short, "title": title or "TODO the title"}
    texts = {_name(path, short): path.read_text(encoding="utf-8") for path in _templates()}
    filled = {name: Template(text).substitute(values) for name, text in texts.items()}
    try:
        folder.mkdir()
        for name, text in filled.items():
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            with file.open("x", encoding="utf-8", newline="\n") as new:
                new.write(text)
    except OSError as error:
        raise SkeletonError(
            f"{error.filename} cannot be written: {error.strerror or type(error).__name__}.",
            code="lesson-write",
            next="curriculum doctor",
        ) from None
    marked = sum(bool(MARK.search(line)) for text in filled.values() for line in text.splitlines())
    return Made(folder, tuple(sorted(filled)), marked)


def _place(id: str) -> Path:
    if not _ID.match(id):
        raise SkeletonError(
            f"{id!r} is no id of a lesson.",
            "it is s, two digits, and small words joined by -",
            code="lesson-id",
            next="curriculum lesson new s07-artifact-handles",
        )
    short = id.partition("-")[0]
    taken = next((one for one in folders() if one.name.partition("_")[0] == short), None)
    if taken is not None:
        raise SkeletonError(
            f"{short} is taken: {taken.name} is there already.",
            str(taken),
            code="lesson-exists",
            next="curriculum lessons   # and choose a number that is free",
        )
    root = Path(next(iter(curriculum.lessons.__path__)))
    if installed():
        raise SkeletonError(
            "The lessons here are installed; they are only read.",
            str(root),
            code="lesson-installed",
            next="work in a checkout: pip install -e .",
        )
    return root / id.replace("-", "_")


def _templates() -> list[Path]:
    return sorted(path for path in FILES.rglob(f"*{ENDING}"))


def _name(path: Path, short: str) -> str:
    """The path of a file in the lesson's folder; those of exercises begin with its number."""
    name = path.relative_to(FILES).as_posix().removesuffix(ENDING)
    return re.sub(r"/(?=\d)", f"/{short}_", name)
