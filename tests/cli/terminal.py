"""Runs a command in a terminal of its own and types what a person would."""

import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .command import ROOT, STYLE, Done

PROMPT = "accept this? "
Typed = str | Callable[[], object]
"""What is typed at a prompt, or what somebody else does while the prompt stands there."""


def typed(
    args: Sequence[str], keys: Sequence[Typed], cwd: Path, prompt: str = PROMPT, **env: str
) -> Done:
    """Run `python ARGS` in a pseudo-terminal; at each prompt the next of `keys` is typed.

    After the last of them the terminal is closed. What is echoed is part of the output.
    """
    import pty  # no such thing on Windows

    pid, terminal = pty.fork()
    if pid == 0:
        hidden = ("CI", "TF_BUILD", "FORCE_COLOR", "NO_COLOR", "COLUMNS")
        calm = {name: value for name, value in os.environ.items() if name not in hidden}
        calm |= {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "TERM": "xterm", **env}
        os.chdir(cwd)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job in the background has it ignored
        os.execve(sys.executable, [sys.executable, *args], calm)
    out, left, seen = b"", list(keys), 0
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side is closed
            more = b""
        if not more:
            break
        out += more
        while out.decode("utf-8", "replace").count(prompt) > seen and left:
            key = left.pop(0)
            if isinstance(key, str):
                seen += 1
                os.write(terminal, key.encode())
            else:
                key()
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    text = STYLE.sub("", out.decode("utf-8", "replace").replace("\r\n", "\n"))
    return Done(os.waitstatus_to_exitcode(status), re.sub(r"\^[CD]", "", text), "", out)
