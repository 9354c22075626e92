"""How golden files are written: whole or not at all, whatever comes between.

A temporary file beside the target is written, flushed and renamed. Ctrl-C waits for the end of
one such step. A killed process leaves the old file or the new one, and perhaps the temporary file.
"""

import os
import signal
import tempfile
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from curriculum.record.whole_file import name_anew, put

from .files import GoldenError, read

TEMPORARY = ".golden-"
"""How the name of a temporary file begins."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C between two files; `evidence` names those that were written before."""

    def __init__(self, *evidence: str) -> None:
        self.evidence = evidence
        super().__init__()


def write(path: Path, data: bytes) -> None:
    """Write `data` to `path` in one step.

    Raises `GoldenError`; then the file is as it was and no temporary file is left.
    """
    with undisturbed(), _named(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, data, TEMPORARY)


def remove_if(path: Path, data: bytes) -> bool:
    """Remove the file if it still holds `data`; whether it did. Raises `GoldenError`.

    It is first moved aside and read there, so that a file that another process puts in its place
    at this moment is never the one that goes.
    """
    if read(path) != data:
        return False
    with undisturbed(), _named(path, "removed"):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY)
        os.close(handle)
        aside, ours = Path(name), False
        try:
            path.replace(aside)
        except OSError as error:
            aside.unlink(missing_ok=True)
            if isinstance(error, FileNotFoundError):
                return False
            raise
        try:
            ours = aside.read_bytes() == data
        finally:
            if not ours:
                _put_back(aside, path)
            aside.unlink(missing_ok=True)
        return ours


def _put_back(aside: Path, path: Path) -> None:
    """Move what is not ours back, unless a still newer file is there already."""
    with suppress(FileExistsError):
        name_anew(aside, path)


@contextmanager
def _named(path: Path, done: str) -> Generator[None]:
    """Say which file the system refused, and that nothing was changed."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise GoldenError(
            f"{path} cannot be {done}: {why}.",
            "nothing was changed",
            code="golden-write",
            next="make room or change the rights, or give another folder with --golden",
        ) from None


@contextmanager
def undisturbed() -> Generator[None]:
    """Ctrl-C waits until the end; it would leave a temporary file whose name nobody knows."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def naming(wanted: Mapping[Path, bytes | None]) -> Generator[None]:
    """Where one of several files fails or Ctrl-C is pressed, name those that are done.

    `wanted` says what each file is to hold; None where it is to go.
    """
    before = {path: read(path) for path in wanted}
    try:
        yield
    except (GoldenError, KeyboardInterrupt) as error:
        done = [path for path, data in wanted.items() if data == read(path) != before[path]]
        lines = [f"done, and whole: {path}" for path in done]
        if not isinstance(error, GoldenError):
            raise Interrupted(*lines) from None
        if done:
            kept = [line for line in error.evidence if line != "nothing was changed"]
            error.evidence = (*kept, *lines)
        raise
