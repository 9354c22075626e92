"""Where goldens are: one file a trace, and a pending one beside it. Under CI they are only read."""

import os
from collections.abc import Iterator
from pathlib import Path

from curriculum.record.errors import CurriculumError


class GoldenError(CurriculumError):
    """A golden file that cannot be written now."""

    code = "golden"


def root() -> Path:
    """The folder of goldens: of the checkout around this package, else the installed one."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "golden"
    if (package.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return package / "_golden"


def writable_root(folder: Path | None = None) -> Path:
    """`folder`, or the folder of goldens. Raises `GoldenError` for the installed one."""
    place = folder or root()
    if place.name == "_golden" and place.resolve() == root().resolve():
        raise GoldenError(
            f"The goldens in {place} are installed; they are only read.",
            code="golden-installed",
            next="give a folder of your own with --golden, or work in a checkout",
        )
    return place


def fixture(folder: Path, id: str) -> Path:
    """The accepted trace of a case."""
    return folder / f"{id}.jsonl"


def pending(folder: Path, id: str) -> Path:
    """The recorded trace of a case that nobody has decided on yet."""
    return folder / f"{id}.pending.jsonl"


def present(folder: Path) -> Iterator[tuple[str, bool]]:
    """Every golden file by case id, and whether it is pending."""
    for path in sorted(folder.rglob("*.jsonl")):
        name = path.relative_to(folder).as_posix().removesuffix(".jsonl")
        yield name.removesuffix(".pending"), name.endswith(".pending")


def refuse_in_ci() -> None:
    """Raise `GoldenError` if this is a CI run: there, goldens are only read."""
    ci = os.environ.get("CI", "").lower()
    variable = "CI" if ci not in ("", "0", "false") else "TF_BUILD"
    if variable == "CI" or os.environ.get("TF_BUILD"):
        raise GoldenError(
            f"Goldens are not written under CI: {variable} is set to {os.environ[variable]!r}.",
            code="golden-ci",
            next="record and accept on your own machine, and commit the result",
        )


def read(path: Path) -> bytes | None:
    """The bytes of a golden file; None if there is none. Raises `GoldenError`."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise GoldenError(f"{path} cannot be read: {why}.", code="golden-read") from None
