"""What a number or a block of a text is computed from: goldens, runs, code, commands."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from curriculum.golden import files
from curriculum.golden.status import Status

from .runs import SourceError, trace_of
from .slots import SlotError, number_at

WIDE = 72
"""Characters of a request that a line of a block shows before it goes on below."""


def fact_of(run: str, where: str) -> int:
    """A number of a run: `TYPE ORDINAL FIELD`, as `slots` reads it. Raises `SourceError`."""
    try:
        return number_at(trace_of(run), where)
    except SlotError:
        raise SourceError(f"{run} has no number at {where!r}.") from None


def _cut(argument: str, folder: Path) -> str:
    """`FILE NAME`: the function, class or assignment of that name, as the file spells it."""
    name, wanted = argument.split(" ", 1)
    try:
        code = (folder / name).read_text(encoding="utf-8")
    except OSError:
        raise SourceError(f"No file is called {name!r}.") from None
    for node in ast.parse(code).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if wanted in (getattr(node, "name", ""), *names):
            return f"{ast.get_source_segment(code, node)}\n"
    raise SourceError(f"{name} has nothing called {wanted!r}.")


def _request(argument: str, _: Path) -> str:
    """`CASE [LIMIT=N ...], N [RECORD ...]`: request N, record by record, each behind its length.

    With names of records only those are shown.
    """
    run, what = argument.rsplit(",", 1)
    number, *only = what.split()
    trace = trace_of(run.strip())
    sizes = {row.record.id: row.size for row in trace.manifest(int(number))}
    spelled: dict[str, str] = {}
    for segment in trace.request(int(number)).segments:
        name = segment.record or "frame"
        spelled[name] = spelled.get(name, "") + segment.text
    lines: list[str] = []
    for name, text in spelled.items():
        start = f"{sizes.get(name, len(text)):>5}  {name}  "
        ended = text.replace("\n", "\u21b5\n").splitlines() if name in (only or spelled) else []
        for row in (row for line in ended for row in _rows(line)):
            lines.append(start + row)
            start = " " * len(start)
    return "\n".join(lines) + "\n"


def _rows(text: str) -> Iterator[str]:
    """The text in rows, broken after a blank; a blank that ends a text or a row is a dot."""
    while len(text) > WIDE:
        at = text.rfind(" ", 0, WIDE) + 1 or WIDE
        yield _dotted(text[:at])
        text = text[at:]
    yield _dotted(text)


def _dotted(row: str) -> str:
    return re.sub(" (\u21b5?)$", "\u00b7\\1", row)


def _decisions(argument: str, _: Path) -> str:
    """`CASE [LIMIT=N ...], N`: one line a record of request N: decision, size, reason."""
    run, number = argument.rsplit(",", 1)
    rows = trace_of(run.strip()).manifest(int(number))
    lines = [f"{r.record.id}  {r.decision:<9}{r.size:>5}  {r.reason}" for r in rows]
    return "\n".join(lines) + "\n"


def _sweep(argument: str, _: Path) -> str:
    """`CASE, RESULT, N, N, ...`: tool ceilings, and what each leaves of one result in request 2."""
    case, record, *ceilings = [part.strip() for part in argument.split(",")]
    first = trace_of(f"{case} max_tool_output_chars={ceilings[0]}")
    lines = ["tool ceiling   in the log   in request 2   bytes of request 2"]
    for ceiling in ceilings:
        trace = trace_of(f"{case} max_tool_output_chars={ceiling}")
        row = {row.record.id: row for row in trace.manifest(2)}[record]
        whole = row.record.whole()
        log = len(whole.head) + len(whole.tail) + _marker(whole.missing)
        seen = log - row.log + row.size
        same = "the same" if trace.request(2).body == first.request(2).body else "different"
        lines.append(f"{ceiling:>12}{log:>13}{seen:>15}   {'these' if trace is first else same}")
    return "\n".join(lines) + "\n"


def _marker(missing: int) -> int:
    return len(f"[-{missing}-]") if missing else 0


def _run(argument: str, _: Path) -> str:
    """`COMMAND [| from TEXT] [| to TEXT] [| only TEXT] [| without TEXT]`: what it prints of that.

    A line left out by `without` shows as `...`.
    """
    return _printed(argument, files.root().parent)


def _edited(argument: str, _: Path) -> str:
    """`FILE, OLD -> NEW, COMMAND`: what it prints in a copy where the file's first OLD is NEW."""
    name, change, command = [part.strip() for part in argument.split(",", 2)]
    old, new = change.split(" -> ")
    with TemporaryDirectory() as place:
        copy = checkout(Path(place))
        code = (copy / name).read_text(encoding="utf-8")
        if old not in code:
            raise SourceError(f"{name} has no {old!r}.")
        (copy / name).write_text(code.replace(old, new, 1), encoding="utf-8", newline="\n")
        return _printed(command, copy)


def _file(argument: str, folder: Path) -> str:
    """`FILE`: the whole file."""
    try:
        return (folder / argument).read_text(encoding="utf-8")
    except OSError:
        raise SourceError(f"No file is called {argument!r}.") from None


def _inside(argument: str, folder: Path) -> str:
    """`FOLDER, [FILE, OLD -> NEW,] COMMAND`: what it prints in a copy of a project's folder."""
    name, *change, command = [part.strip() for part in argument.split(",")]
    with TemporaryDirectory() as place:
        copy = Path(shutil.copytree(folder / name, Path(place) / "project", ignore=HIDDEN))
        if change:
            old, new = change[1].split(" -> ")
            code = (copy / change[0]).read_text(encoding="utf-8")
            if old not in code:
                raise SourceError(f"{change[0]} has no {old!r}.")
            (copy / change[0]).write_text(code.replace(old, new, 1), "utf-8", newline="\n")
        return _printed(command, copy).replace(str(copy), "...")


HIDDEN = shutil.ignore_patterns("__pycache__", "_golden")


def checkout(place: Path) -> Path:
    """A copy of the package, lessons, their sources and goldens in `place`, to change and run."""
    package = Path(__file__).resolve().parents[1]
    shutil.copytree(package, place / "curriculum", ignore=HIDDEN)
    for name in ("lessons", "golden", "tests/examples"):
        shutil.copytree(files.root().parent / name, place / name, ignore=HIDDEN)
    shutil.copy(files.root().parent / "tests" / "presets.toml", place / "tests")
    (place / "pyproject.toml").write_text("", encoding="utf-8")
    return place


PROGRAMS = {"curriculum": ["-m", "curriculum"], "golden": ["-m", "curriculum.golden"]}


def run_in(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one of our commands with this interpreter; a package in `folder` goes first."""
    first, *rest = shlex.split(command)
    program = PROGRAMS.get(first) or ([] if first.startswith("python") else None)
    if program is None:
        raise SourceError(f"{first!r} is no command of this course.")
    hidden = ("FORCE_COLOR", "CI", "TF_BUILD", "COLUMNS")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    root = folder if (folder / "curriculum").is_dir() else files.root().parent
    env |= {"PYTHONPATH": str(root), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, *program, *rest]
    return subprocess.run(
        words, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False
    )


@cache
def _output(command: str, folder: Path) -> str:
    done = run_in(command, folder)
    if done.returncode == Status.OWN_BUG.exit:
        raise SourceError(f"{command} fails: {done.stderr.strip().splitlines()[-2]}")
    return done.stdout + done.stderr


def _printed(argument: str, folder: Path) -> str:
    command, *filters = [part.strip() for part in argument.split(" | ")]
    lines = _output(command, folder).splitlines()
    for each in filters:
        word, wanted = each.split(" ", 1)
        hits = [at for at, line in enumerate(lines) if wanted in line]
        if not hits:
            raise SourceError(f"{command} prints no line with {wanted!r}.")
        lines = {
            "from": lines[hits[0] :],
            "to": lines[: hits[0] + 1],
            "only": [lines[at] for at in hits],
            "without": ["  ..." if wanted in line else line for line in lines],
        }[word]
    return "\n".join(lines).strip("\n") + "\n"


KINDS: dict[str, Callable[[str, Path], str]] = {
    "cut": _cut,
    "request": _request,
    "decisions": _decisions,
    "sweep": _sweep,
    "run": _run,
    "edited": _edited,
    "file": _file,
    "inside": _inside,
}
"""Sources of a block by the word before the colon. Each takes the rest and the text's folder."""
