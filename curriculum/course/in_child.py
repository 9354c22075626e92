"""The program of the child process: runs one job on a learner's file, and writes what came of it.

It is run by its path, with the path of a job. Nothing in it asks for more than the standard
library before the limits are set. The answer goes into a file beside the job, never to stdout.
"""

import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_SAID = 500
"""Characters of an error's own words that are kept."""
FILES = 64 << 20
"""Bytes that one file may grow to, where the system can limit that."""


def main(path: str) -> None:
    """Do the job at `path` and leave the process; whatever else runs in it does not go on."""
    job: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    limit(job["memory"], job["seconds"])
    find_course(job)
    work, out = Path(job["work"]), Path(path).parent
    try:
        from curriculum.course.child_jobs import JOBS

        (out / "began").touch()
        told = {"value": JOBS[job["kind"]](job, out)}
        text = json.dumps(told)
    except BaseException as error:
        text = json.dumps(how_it_ended(error, work))
    aside = out / "result.aside"
    aside.write_text(text, encoding="utf-8")
    os.replace(aside, out / "result.json")
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # the learner's code may have closed it
            stream.flush()
    os._exit(0)


def limit(memory: int, seconds: int) -> None:
    """Set the system's limits, where it has them: bytes of memory and files, seconds of work."""
    try:
        import resource
    except ImportError:
        return
    wanted = {"RLIMIT_AS": memory, "RLIMIT_FSIZE": FILES, "RLIMIT_CORE": 0}
    wanted["RLIMIT_CPU"] = seconds + 5  # for what escapes the parent, which counts by the wall
    for name, most in wanted.items():
        with suppress(AttributeError, ValueError, OSError):  # a system without this one
            kind = getattr(resource, name)
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, hard))


def find_course(job: Mapping[str, Any]) -> None:
    """Make the package and the lessons of the parent those of this process too.

    The learner's folder is the last that is searched, so that no file in it hides a module.
    """
    spec, root = importlib.util.find_spec("curriculum"), Path(job["root"]).resolve()
    if spec is None or Path(spec.origin or "").resolve().parent.parent != root:
        sys.path.insert(0, str(root))
        importlib.invalidate_caches()
    sys.path.append(job["work"])
    import curriculum.lessons

    curriculum.lessons.__path__ = list(job["lessons"])


def how_it_ended(error: BaseException, work: Path) -> dict[str, Any]:
    """What stopped the job, as data: a word for the kind, and the learner's line if there is one.

    `whose` is `course` for an error that came through no line of the learner's.
    """
    told: dict[str, Any] = {"ended": "raised", "type": type(error).__name__, "text": words(error)}
    told |= place(error, work)
    key = getattr(error, "finding", None)
    if key is not None:
        return {"ended": "refused", "key": key, "params": getattr(error, "params", {})}
    if isinstance(error, SystemExit):
        return told | {"ended": "exit", "code": words(error) or "0"}
    if isinstance(error, MemoryError):
        return told | {"ended": "memory"}
    if isinstance(error, EOFError) and "EOF when reading a line" in told["text"]:
        return told | {"ended": "input"}
    if isinstance(error, ModuleNotFoundError):
        return told | {"ended": "import", "name": error.name or ""}
    if isinstance(error, SyntaxError) and error.filename and inside(error.filename, work):
        where = {"file": inside(error.filename, work), "line": error.lineno or 0}
        return told | where | {"ended": "syntax", "text": (error.msg or "")[:MOST_SAID]}
    return told


def words(error: BaseException) -> str:
    """What the error says for itself, bounded; nothing if it cannot be asked."""
    try:
        return str(getattr(error, "headline", None) or error)[:MOST_SAID]
    except Exception:
        return ""


def place(error: BaseException, work: Path) -> dict[str, Any]:
    """The innermost line of the learner's that the error came through; else where it was raised.

    `call`: the course called what is there, and it cannot be called like that.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if inside(frame.filename, work)]
    if own:
        frame = own[-1]
        told = {"whose": "learner", "file": inside(frame.filename, work)}
    elif frames:
        frame = frames[-1]
        calls = frame.name == "ask" or Path(frame.filename).name == "child_jobs.py"
        wrongly = calls and isinstance(error, (TypeError, AttributeError))
        told = {"whose": "call" if wrongly else "course", "file": Path(frame.filename).name}
    else:
        return {"whose": "course", "file": "", "line": 0, "code": ""}
    return told | {"line": frame.lineno or 0, "code": (frame.line or "")[:MOST_SAID]}


def inside(file: str, work: Path) -> str:
    """The path of a file below the learner's folder; empty for one that is elsewhere or no file."""
    if not Path(file).is_absolute():  # code that was made at run time
        return ""
    with suppress(ValueError, OSError):
        return Path(file).resolve().relative_to(work.resolve()).as_posix()
    return ""


if __name__ == "__main__":
    main(sys.argv[1])
