"""What the course finds on this machine: Python, terminal, encoding, write access, extras."""

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from enum import StrEnum
from importlib import metadata, util
from pathlib import Path

import attrs

from .child import Limits, run
from .workspace import find


class Health(StrEnum):
    """`ok`; `note`: something does less than it could; `fault`: something will not work."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@attrs.frozen
class Sign:
    """One thing that was looked at: what is found, and what to do about it."""

    what: str
    found: str
    health: Health = Health.OK
    next: str = ""


EXTRAS = {
    "watch": ("watchfiles", "check again on every save"),
    "exact": ("splintr", "exact counts of tokens"),
    "plot": ("plotext", "plots in a terminal"),
    "tiktoken": ("tiktoken", "tokenizer files of tiktoken"),
    "huggingface": ("tokenizers", "tokenizer files of Hugging Face"),
}
"""The extras by name: the module that shows that one is here, and what it is for."""
NEEDED = ("attrs", "cattrs", "click", "fastjsonschema", "rich", "wcwidth")
"""The libraries that the course is installed with."""


def examine() -> Iterator[Sign]:
    """Look at one thing after another. Never raises."""
    looks: list[Callable[[], Sign]] = [
        *(python, course, libraries, terminal, encoding, folder, temporary, process),
        *(workspace, *(lambda name=name: extra(name) for name in EXTRAS)),
    ]
    for look in looks:
        try:
            yield look()
        except Exception as error:
            name = getattr(look, "__name__", "extra")
            yield Sign(name, f"{type(error).__name__}: {error}", Health.FAULT)


def python() -> Sign:
    """The interpreter. It is 3.11 or newer, or the course could not have been started."""
    found = f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}"
    return Sign("Python", found)


def course() -> Sign:
    """Which release of the course this is, and where."""
    here = Path(__file__).resolve().parents[1]
    try:
        release = metadata.version("curriculum")
    except metadata.PackageNotFoundError:
        release = "not installed"
    checkout = (here.parent / "pyproject.toml").is_file()
    return Sign("course", f"{release}, {'a checkout' if checkout else 'installed'} at {here}")


def libraries() -> Sign:
    """Whether everything is here that the course is installed with."""
    missing = [name for name in NEEDED if util.find_spec(name) is None]
    if missing:
        why = f"missing: {', '.join(missing)}"
        return Sign("libraries", why, Health.FAULT, "pip install --force-reinstall curriculum")
    return Sign("libraries", f"{len(NEEDED)} of {len(NEEDED)} are here")


def terminal() -> Sign:
    """Whether somebody sits at a terminal: without one answers come from a file."""
    ends = [name for name in ("stdin", "stdout") if _is_terminal(name)]
    if len(ends) < 2:
        found = "none: answers are read from files, and output is plain"
        return Sign("terminal", found, Health.NOTE, "curriculum predict s06-1 --help")
    columns = os.get_terminal_size().columns
    colour = "no colour, as NO_COLOR asks" if os.environ.get("NO_COLOR") else "colour"
    found = f"{columns} columns, {colour}"
    if columns < 60:
        return Sign("terminal", found, Health.NOTE, "a window of 80 columns reads better")
    return Sign("terminal", found)


def _is_terminal(name: str) -> bool:
    stream = getattr(sys, name, None)
    return bool(stream is not None and stream.isatty())


def encoding() -> Sign:
    """Whether the terminal can spell what is not ASCII."""
    name = getattr(sys.stdout, "encoding", None) or "unknown"
    files = sys.getfilesystemencoding()
    if not name.lower().replace("-", "").startswith("utf"):
        found = f"output {name}, so it is plain; file names {files}"
        return Sign("encoding", found, Health.NOTE, "set PYTHONUTF8=1 for the coloured look")
    return Sign("encoding", f"output {name}, file names {files}")


def folder() -> Sign:
    """Whether files can be written in the working folder, whatever is in its name."""
    return _writes("folder", Path.cwd(), "cd to a folder of your own")


def temporary() -> Sign:
    """Whether files can be written where a check makes its copies."""
    return _writes("temporary", Path(tempfile.gettempdir()), "set TMPDIR to a folder of your own")


def _writes(what: str, place: Path, next: str) -> Sign:
    try:
        handle, name = tempfile.mkstemp(dir=place, prefix=".curriculum-")
        os.close(handle)
        Path(name).unlink()
    except OSError as error:
        why = error.strerror or type(error).__name__
        return Sign(what, f"{place} cannot be written: {why}", Health.FAULT, next)
    return Sign(what, f"{place} can be written")


def process() -> Sign:
    """Whether a check can start its process, and what limits hold for it."""
    with tempfile.TemporaryDirectory(prefix="curriculum-") as empty:
        ran = run({"kind": "hello"}, Path(empty), limits=Limits(seconds=60))
    if ran.trouble is not None or ran.answer != "hello":
        why = ran.trouble.finding.text if ran.trouble is not None else "it did not answer"
        return Sign("process", why, Health.FAULT, "check that this Python may start programs")
    memory = "memory and time" if util.find_spec("resource") is not None else "time"
    return Sign("process", f"code is checked in a process of its own, limited in {memory}")


def workspace() -> Sign:
    """Whether the working folder is in a workspace."""
    found = find()
    if found is None:
        return Sign("workspace", "none here", Health.NOTE, "curriculum start my-course")
    count = len(found.progress().entries)
    return Sign("workspace", f"{found.folder}, exercises on record: {count}")


def extra(name: str) -> Sign:
    """Whether an extra is installed. None is needed."""
    module, use = EXTRAS[name]
    if util.find_spec(module) is None:
        add = f'pip install "curriculum[{name}]"'
        return Sign(f"extra {name}", f"not installed ({use})", Health.NOTE, add)
    return Sign(f"extra {name}", f"installed ({use})")
