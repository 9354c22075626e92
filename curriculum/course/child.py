"""A learner's code runs in a process of its own: on a copy of its files, within limits, watched.

This keeps a mistake from harming the learner's files, the course or the machine. It is no
security sandbox: the process may do what its user may do.
"""

import json
import os
import site
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, cast

import attrs

import curriculum
import curriculum.lessons

from .child_endings import Ending, Limits, Trouble, trouble_of
from .copying import Seals, copy_files

SHOWN = 2_000
"""Bytes of what a run prints that are kept."""
ANSWER = 16 << 20
"""Bytes of an answer or a trace."""
LET_GO = 1.0
"""Seconds in which what a run started must close its output after the run has ended."""
KEPT = (
    *("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "LANG", "LC_ALL"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "APPDATA", "__PYVENV_LAUNCHER__"),
)
"""Variables of the environment that a run gets: what finds Python and its libraries."""
PROGRAM = Path(__file__).with_name("in_child.py")


@attrs.frozen
class Ran:
    """What came of a run: its answer, or the trouble that ended it.

    `at` is the number of the trace or scenario it had come to, from 0; None before the first;
    `written` the files it left; `printed` the first
    of what it printed.
    """

    answer: Any = None
    trouble: Trouble | None = None
    at: int | None = None
    written: Mapping[str, bytes] = attrs.field(factory=dict[str, bytes])
    printed: str = ""


def run(
    job: Mapping[str, Any],
    folder: Path,
    *,
    given: Mapping[str, bytes] | None = None,
    sealed: Iterable[Path] = (),
    limits: Limits | None = None,
) -> Ran:
    """Do one job of `child_jobs` on a copy of the files in `folder`, in a process of its own.

    `given` are files that are laid beside the job; they and the files and folders in `sealed` must
    be as they were afterwards. Never raises for what the learner's code does.
    """
    limits = limits or Limits()
    try:
        with TemporaryDirectory(prefix="curriculum-", ignore_cleanup_errors=True) as name:
            place = Path(name).resolve()
            work, out = place / "work", place / "out"
            copy_files(folder, work)
            for part in (out, place / "tmp"):
                part.mkdir()
            for file, data in (given or {}).items():
                (out / file).write_bytes(data)
            whole = {
                **job,
                **{"work": str(work), "root": str(Path(curriculum.__file__).parents[1])},
                **{"lessons": [os.path.abspath(path) for path in curriculum.lessons.__path__]},
                **{"memory": limits.memory, "seconds": limits.seconds},
            }
            (out / "job.json").write_text(json.dumps(whole), encoding="utf-8")
            seals = Seals([*sealed, *(out / file for file in given or {})])
            ended = _watched(out / "job.json", place, limits)
            return _what_came(ended, out, seals)
    except OSError as error:  # no room, no rights, or a system that starts no processes
        why = error.strerror or type(error).__name__
        return Ran(trouble=trouble_of("child.no-process", why=why))


def _watched(job: Path, place: Path, limits: Limits) -> Ending:
    """Start the process, wait for it, and stop whatever it leaves. Raises `OSError`."""
    options = ["-B", "-P", "-X", "utf8"]
    process = subprocess.Popen(
        [sys.executable, *options, str(PROGRAM), str(job)],
        cwd=place / "work",
        env=environment(place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=sys.platform != "win32",
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    out = _Printed(process, limits.printed)
    late = False
    try:
        process.wait(limits.seconds)
    except subprocess.TimeoutExpired:
        late = True
    finally:  # an interrupt too leaves nothing running
        if late or process.poll() is None:
            stop(process)
        out.reader.join(LET_GO)
        lingers = out.reader.is_alive()
        stop(process)
        out.reader.join(LET_GO)
    code = process.returncode
    return Ending(code, limits, late=late, flood=out.flood, lingers=lingers, printed=out.text())


def environment(place: Path) -> dict[str, str]:
    """The environment of a run: little of this one's, home and temporary files in `place`."""
    found = {name: os.environ[name] for name in KEPT if name in os.environ}
    if paths := os.environ.get("PYTHONPATH"):
        found["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, paths.split(os.pathsep)))
    if site.ENABLE_USER_SITE:
        found["PYTHONUSERBASE"] = site.getuserbase()  # what is installed there is found from HOME
    found |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(place / "tmp"))
    found |= dict.fromkeys(("HOME", "USERPROFILE"), str(place / "work"))
    return found | {"PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}


class _Printed:
    """Reads what a process prints, keeps the first of it, and stops the process if it floods."""

    def __init__(self, process: "subprocess.Popen[bytes]", most: int) -> None:
        self.flood, self._process, self._most = False, process, most
        self._kept = bytearray()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        stream, count = cast(IO[bytes], self._process.stdout), 0
        with suppress(OSError, ValueError):
            while part := os.read(stream.fileno(), 65536):
                count += len(part)
                self._kept += part[: SHOWN - len(self._kept)]
                if count > self._most and not self.flood:
                    self.flood = True
                    stop(self._process)

    def text(self) -> str:
        """The first of what was printed."""
        return self._kept.decode("utf-8", "replace")


def stop(process: "subprocess.Popen[bytes]") -> None:
    """End the process and those that it started, as far as the system knows them."""
    if sys.platform == "win32":
        if process.poll() is None:
            ended = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            with suppress(OSError):
                subprocess.run(ended, capture_output=True, check=False)
    else:
        import signal

        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError):
        process.kill()
    process.wait()


def _what_came(ended: Ending, out: Path, seals: Seals) -> Ran:
    """The answer that the process left in its file, or what kept it from leaving one."""
    at = _number(out / "at")
    if (changed := seals.broken()) is not None:
        trouble = trouble_of("child.changed", file=changed.name)
        return Ran(trouble=trouble, at=at, printed=ended.printed)
    told = _told(out / "result.json")
    trouble = ended.trouble(told, (out / "began").exists())
    if trouble is not None:
        return Ran(trouble=trouble, at=at, printed=ended.printed)
    written = {file.name: file.read_bytes() for file in out.glob("*.jsonl") if _small(file)}
    return Ran(told["value"] if told else None, None, at, written, ended.printed)


def _told(file: Path) -> dict[str, Any] | None:
    """What the file says; None if there is none, an empty table if it cannot be read."""
    if not file.is_file():
        return None
    try:
        found: Any = json.loads(file.read_bytes()) if _small(file) else {}
    except (ValueError, RecursionError):
        return {}
    return cast(dict[str, Any], found) if isinstance(found, dict) else {}


def _small(file: Path) -> bool:
    return file.stat().st_size <= ANSWER


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
