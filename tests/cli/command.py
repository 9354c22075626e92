"""Runs the real commands, each in a process of its own, as a person would."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from .ready import AT_START, CAN, SECONDS, ready

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "golden"
COLOUR = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
STYLE = re.compile(r"\x1b\[[0-9;]*m")


@attrs.frozen
class Done:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str
    raw: bytes = b""

    @property
    def text(self) -> str:
        """The output without colour."""
        return STYLE.sub("", self.out)


def run(module: str, *args: str, cwd: Path | None = None, **env: str) -> Done:
    """Run `python -m module args`. `env` is set on top of a calm environment."""
    if CAN and not any(name.startswith(AT_START) for name in env):
        return _done(*ready(ROOT).run(module, args, cwd or ROOT, _calm(env)))
    return _python(["-m", module, *args], cwd, env)


def _calm(env: Mapping[str, str]) -> dict[str, str]:
    left_out = ("CI", "TF_BUILD", "FORCE_COLOR", "NO_COLOR", "COLUMNS")
    calm = {name: value for name, value in os.environ.items() if name not in left_out}
    return calm | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **env}


def _python(args: list[str], cwd: Path | None, env: Mapping[str, str]) -> Done:
    done = subprocess.run(
        [sys.executable, *args],
        cwd=cwd or ROOT,
        env=_calm(env),
        capture_output=True,
        timeout=SECONDS,
    )
    return _done(done.returncode, done.stdout, done.stderr)


def _done(code: int, out: bytes, err: bytes) -> Done:
    said, warned = (text.decode("utf-8", "replace").replace("\r\n", "\n") for text in (out, err))
    return Done(code, said, warned, out)


def curriculum(*args: str, cwd: Path | None = None, **env: str) -> Done:
    """Run `curriculum`."""
    return run("curriculum", *args, cwd=cwd, **env)


def without(module: str, *args: str, cwd: Path | None = None, **env: str) -> Done:
    """Run `curriculum` where a module is not installed."""
    hidden = f"import sys; sys.modules[{module!r}] = None; "
    run_it = f"sys.argv = {['curriculum', *args]!r}; from curriculum.cli.main import main; main()"
    return _python(["-c", hidden + run_it], cwd, env)


def shown(ids: Sequence[str], *options: str, **env: str) -> Done:
    """Run `curriculum run ID` for each of the ids, one after the other, in one process."""
    each = f"for id in {list(ids)!r}: run.main([id, *{options!r}], standalone_mode=False)"
    return _python(["-c", f"from curriculum.cli.run import run\n{each}"], None, env)


def golden(*args: str, cwd: Path | None = None, **env: str) -> Done:
    """Run `golden`."""
    return run("curriculum.golden", *args, cwd=cwd, **env)


def rich(*args: str, columns: int = 80, **env: str) -> Done:
    """Run `curriculum` in the look it has in a terminal of that many columns."""
    return curriculum(*args, COLUMNS=str(columns), **{**COLOUR, **env})
