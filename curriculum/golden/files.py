"""Where goldens are, and how they are written: one file a trace, whole or not at all."""

import os
import tempfile
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


def writable_root() -> Path:
    """The folder of goldens that may be written. Raises `GoldenError` for the installed one."""
    place = root()
    if place.name == "_golden":
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


def write(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: a temporary file beside it, flushed, renamed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".golden-")
        try:
            with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)  # a temporary file is private; a golden is not
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise GoldenError(
            f"{path} cannot be written: {why}.", "nothing was changed", code="golden-write"
        ) from None
