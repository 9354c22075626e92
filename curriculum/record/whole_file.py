"""A file is written aside and then named, so that nobody ever sees half of it under its name."""

import os
import tempfile
from pathlib import Path


def put(path: Path, data: bytes, prefix: str, *, new: bool = False) -> None:
    """Write a temporary file beside `path`, its name beginning with `prefix`, and rename it.

    Raises `OSError`; with `new` also `FileExistsError` if something has the name. No temporary
    file is left then.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix)
    aside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        aside.chmod(0o666 & ~mask)  # a temporary file is private; what it becomes is not
        if new:
            name_anew(aside, path)
        else:
            aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def name_anew(aside: Path, path: Path) -> None:
    """Give a file a name that nothing has. Raises `FileExistsError` if something has it."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        aside.replace(path)
    else:
        aside.unlink()
