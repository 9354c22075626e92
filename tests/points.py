"""Runs a command once for each point at which something can come between, in a process of its own.

A point is a line of the module that writes, or an event of the interpreter that touches a file of
the folder: open, rename, remove, link, chmod. At point K the process is killed or interrupted; K
counts up until the command is over before point K comes. `python -m tests.points` is one such
series: it loads everything once, forks a process for each K and prints what each left behind.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

ROOT = Path(__file__).resolve().parents[1]
FILE_EVENTS = (
    "open",
    "os.rename",
    "os.remove",
    "os.link",
    "os.chmod",
    "os.mkdir",
    "tempfile.mkstemp",
)


@attrs.frozen
class Left:
    """What one process left: how it ended (minus a signal), what it said, the files' texts.

    `again` is the same for the same command run a second time, from there.
    """

    point: int
    code: int
    said: str
    files: dict[str, str]
    again: "Left | None" = None

    def text(self, name: str) -> str | None:
        """What the file holds; None if there is none."""
        return self.files.get(name)

    @property
    def temporary(self) -> list[str]:
        """Files that are neither goldens nor pending."""
        return [name for name in self.files if not name.endswith(".jsonl")]


def series(what: str, folder: Path, *args: str) -> Iterator[Left]:
    """One `Left` for each point of `golden ARGS` in a copy of `folder`. `what`: see WHATS."""
    hidden = ("CI", "TF_BUILD")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [sys.executable, "-m", "tests.points", what, str(folder), *args],
        cwd=ROOT,
        env={**env, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        data = json.loads(line)
        again = data.pop("again")
        yield Left(**data, again=Left(**again) if again else None)


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupted() -> None:
    os.kill(os.getpid(), signal.SIGINT)


WHATS: dict[str, Callable[[], None]] = {"killed": killed, "interrupted": interrupted}


def strike(
    point: int,
    folder: Path,
    modules: tuple[str, ...],
    act: Callable[[], None],
    function: str = "",
) -> None:
    """From here on, call `act` at that point; of lines only those of `function`, if it is given."""
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1
        if seen == point:
            act()

    def of_file(event: str, args: tuple[Any, ...]) -> None:
        if event in FILE_EVENTS and any(str(arg).startswith(str(folder)) for arg in args[:2]):
            count()

    def of_line(frame: Any, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.endswith(modules):
            return None
        if function and frame.f_code.co_name != function:
            return of_line
        if event == "line":
            count()
        return of_line

    sys.addaudithook(of_file)
    sys.settrace(of_line)


def half_written() -> None:
    """The process is killed when half of the first file has reached the disk."""
    real = os.fdopen

    def fdopen(handle: int, *args: Any, **named: Any) -> Any:
        file = real(handle, *args, **named)
        write = file.write

        class Half:
            def __enter__(self) -> "Half":
                return self

            def __exit__(self, *_: object) -> None:
                file.close()

            def write(self, data: bytes) -> None:
                write(data[: len(data) // 2])
                file.flush()
                killed()

        return Half()

    os.fdopen = fdopen


def in_child(act: Callable[[], int], said: Path) -> int:
    """Run `act` in a fork, its output in the file `said`. Returns its exit code, or minus a signal."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            handle = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(handle, 1)
            os.dup2(handle, 2)
            code = act()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def texts(folder: Path) -> dict[str, str]:
    """Every file below the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("ascii")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def main(what: str, folder: str, *args: str) -> None:
    """Print one line of JSON a point."""
    from curriculum.cli.ending import run_command
    from curriculum.cli.golden import golden

    with tempfile.TemporaryDirectory() as place:
        copy, said = Path(place) / "golden", Path(place) / "said"
        words = ["golden", args[0], "--golden", str(copy), *args[1:]]

        def command() -> int:
            sys.argv = words
            return run_command(golden, "golden")

        def fresh() -> None:
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(folder, copy)

        def left(point: int, code: int) -> dict[str, Any]:
            spoken = said.read_text().replace(str(copy), "GOLDEN")
            return {"point": point, "code": code, "said": spoken, "files": texts(copy)}

        fresh()
        sys.argv = words
        sys.stdout, real = open(os.devnull, "w"), sys.stdout  # noqa: SIM115
        run_command(golden, "golden")  # so that all is imported before the first fork
        sys.stdout = real
        if what == "half-written":

            def halved() -> int:
                half_written()
                return command()

            fresh()
            found = left(1, in_child(halved, said))
            print(json.dumps({**found, "again": left(1, in_child(command, said))}))
            return
        point, code = 0, -1
        while code != 0:
            point += 1

            def struck(at: int = point) -> int:
                strike(at, copy, ("golden/whole.py", "record/whole_file.py"), WHATS[what])
                return command()

            fresh()
            code = in_child(struck, said)
            found = left(point, code)
            print(json.dumps({**found, "again": left(point, in_child(command, said))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
