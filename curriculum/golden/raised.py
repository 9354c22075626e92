"""Where a case raised: the line of the project's own code, and how far its run had come."""

import sysconfig
import traceback
from pathlib import Path

from curriculum.trace.recorder import Recorder

PACKAGE = Path(__file__).resolve().parents[1]
LIBRARIES = tuple(
    Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "purelib", "platlib")
)


def places(error: BaseException, trace: Recorder) -> list[str]:
    """Lines of evidence: file, line and function, then the request after which it happened."""
    found = [_line(error), _progress(trace)]
    return [line for line in found if line]


def _line(error: BaseException) -> str:
    """The deepest line outside this package; one of no library either, if there is one."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [f for f in frames if f.filename[:1] != "<" and not _within(f.filename, PACKAGE)]
    own = [f for f in outside if not any(_within(f.filename, place) for place in LIBRARIES)]
    for frame in reversed(own or outside):
        return f"at {_short(frame.filename)}, line {frame.lineno}, in {frame.name}"
    return ""


def _within(file: str, folder: Path) -> bool:
    return Path(file).resolve().is_relative_to(folder)


def _short(file: str) -> str:
    """The file as it is named from the working folder, if it is below it."""
    place, here = Path(file).resolve(), Path.cwd().resolve()
    return place.relative_to(here).as_posix() if place.is_relative_to(here) else str(place)


def _progress(trace: Recorder) -> str:
    """How many requests the run had sent; empty before its first event."""
    sent = len(trace.seqs("model.request"))
    if not trace.seq:
        return ""
    return f"after request {sent}" if sent else "before the first request"
