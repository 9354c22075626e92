"""A Python that is ready: it has the commands imported, and each is run in a copy of it.

To start Python and import the libraries takes longer than most commands, and there are hundreds
of them. Each copy is a process of its own (`fork`) in the state right after the imports: nothing
of a test, nor of an earlier command, is in it. Where there is no `fork`, Python is started anew.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

CAN = hasattr(os, "fork")
AT_START = ("PYTHON", "LC_", "LANG")
"""Names of variables that Python reads when it starts: for them it must be started."""
SECONDS = 120


class Ready:
    """The process that waits, and the way to it: one line of JSON there, one back."""

    def __init__(self, root: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(root), "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from tests.cli.ready import serve; serve()"],
            cwd=root,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(
        self, module: str, args: Sequence[str], cwd: Path, env: Mapping[str, str]
    ) -> tuple[int, bytes, bytes]:
        """Run `python -m module args` in a copy: its exit code, and what it wrote."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with tempfile.TemporaryDirectory() as place:
            out, err = Path(place, "out"), Path(place, "err")
            asked: dict[str, Any] = {"module": module, "args": list(args), "cwd": str(cwd)}
            asked |= {"env": dict(env), "out": str(out), "err": str(err)}
            self.process.stdin.write(json.dumps(asked).encode() + b"\n")
            self.process.stdin.flush()
            code = json.loads(self.process.stdout.readline())
            return code, out.read_bytes(), err.read_bytes()


@cache
def ready(root: Path) -> Ready:
    """The one process that waits for the commands of this one."""
    return Ready(root)


def serve() -> None:
    """Import what commands need, then run each in a copy until nobody asks any more."""
    import importlib
    import signal

    from _pytest.config import default_plugins

    from curriculum.cli.main import COMMANDS

    for where, _ in COMMANDS.values():
        importlib.import_module(where.partition(":")[0])
    names = ["attrs", "cattrs", "rich.console", "rich.text", "curriculum.view.run", "pytest"]
    # Of pytest its own parts only: others it must import itself, to rewrite their assertions.
    names += [f"_pytest.{name}" for name in default_plugins if not name.startswith("pytester")]
    for name in names:
        importlib.import_module(name)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    answers = os.fdopen(os.dup(1), "wb")
    for line in sys.stdin.buffer:
        pid = os.fork()
        if pid == 0:
            _copy(json.loads(line), answers)
        _, status = os.waitpid(pid, 0)
        answers.write(b"%d\n" % os.waitstatus_to_exitcode(status))
        answers.flush()


def _copy(asked: dict[str, Any], answers: BinaryIO) -> None:
    """Be the command that was asked for, and end."""
    import runpy
    import signal
    import traceback

    signal.alarm(SECONDS)
    os.close(answers.fileno())
    code = 1
    try:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(asked[name], os.O_WRONLY | os.O_CREAT), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(asked["cwd"])
        os.environ.clear()
        os.environ.update(asked["env"])
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        sys.argv, sys.path[0] = [asked["module"], *asked["args"]], os.getcwd()
        runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
