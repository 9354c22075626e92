"""Runs the commands of a learner, with a small lesson as the only one; and sits at a terminal."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from curriculum.course.workspace import create
from tests import small_lesson

from .command import ROOT, STYLE, Done
from .command import _python as python  # pyright: ignore[reportPrivateUsage]

PROGRAM = """
import os, sys
import curriculum.lessons
if "LESSONS" in os.environ:
    curriculum.lessons.__path__ = [os.environ["LESSONS"]]
sys.argv[0] = "curriculum"
from curriculum.cli.main import main
main()
"""
PATIENCE = 30
"""Seconds within which a step must come."""
Step = tuple[str, str | Callable[[], object]]
"""What is waited for, and what is then typed or done."""


class Learner:
    """A learner with the small lesson, and a folder of their own."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.lessons = small_lesson.lay_out(place / "lessons")
        self.folder = place / "mein Ordner äöü"

    def settle(self) -> "Learner":
        """With the folder made, as `curriculum start` makes it."""
        with small_lesson.only(self.lessons):
            create(self.folder)
        return self

    def run(self, *args: str, cwd: Path | None = None, **env: str) -> Done:
        """Run a command in the learner's folder."""
        here = cwd or (self.folder if self.folder.is_dir() else self.place)
        return python(["-c", PROGRAM, *args], here, {**self._env(), **env})

    def write(self, name: str, code: str) -> None:
        """Save a file of the learner's, such as s90_4."""
        (self.folder / "s90" / f"{name}.py").write_text(code, encoding="utf-8")

    @property
    def progress(self) -> list[str]:
        """The lines of the file of progress, without its head and notes."""
        lines = (self.folder / "progress.txt").read_text("utf-8").splitlines()
        return [line for line in lines[1:] if not line.startswith("#")]

    def sit(self, *args: str, steps: Sequence[Step], cwd: Path | None = None, **env: str) -> Done:
        """Run a command in a terminal of its own; each step waits for a text, then types or acts.

        After the last the command must end by itself.
        """
        here = cwd or (self.folder if self.folder.is_dir() else self.place)
        return sit(["-c", PROGRAM, *args], steps, here, **{**self._env(), **env})

    def _env(self) -> dict[str, str]:
        paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        return {"LESSONS": str(self.lessons), "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def sit(args: Sequence[str], steps: Sequence[Step], cwd: Path, **env: str) -> Done:
    """Run `python ARGS` in a pseudo-terminal, step by step."""
    import pty  # no such thing on Windows
    import select

    pid, terminal = pty.fork()
    if pid == 0:
        hidden = ("CI", "TF_BUILD", "FORCE_COLOR", "NO_COLOR", "COLUMNS")
        calm = {name: value for name, value in os.environ.items() if name not in hidden}
        calm |= {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "TERM": "xterm", **env}
        os.chdir(cwd)
        os.execve(sys.executable, [sys.executable, *args], calm)
    out, seen, left = b"", 0, list(steps)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        try:
            more = os.read(terminal, 65536) if ready else None
        except OSError:  # how Linux says that the other side is closed
            more = b""
        if more == b"":
            break
        out += more or b""
        text = out.decode("utf-8", "replace")
        if left and left[0][0] in text[seen:]:
            seen = text.index(left[0][0], seen) + len(left[0][0])
            act = left.pop(0)[1]
            deadline = time.monotonic() + PATIENCE
            if isinstance(act, str):
                os.write(terminal, act.encode())
            else:
                act()
    else:
        os.kill(pid, 9)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    text = STYLE.sub("", out.decode("utf-8", "replace").replace("\r\n", "\n"))
    assert not left, f"never came: {left[0][0]!r} in\n{text}"
    return Done(os.waitstatus_to_exitcode(status), text, "", out)
