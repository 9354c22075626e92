"""Goldens of nobody's project: a folder of traces, and no settings that say whose they are."""

from pathlib import Path

from curriculum.trace.events import FORMAT

from .project import TABLE, ProjectError

NO_TABLE = f"no {TABLE} in or above"


def goldens_around(start: Path, own: Path) -> tuple[Path, int] | None:
    """The nearest folder `golden` in or above `start` that holds traces, and how many it holds.

    None if there is none, or if it is `own`, the folder that a command is about anyway.
    """
    for place in (start.resolve(), *start.resolve().parents):
        folder = place / "golden"
        count = sum(map(_is_trace, folder.rglob("*.jsonl"))) if folder.is_dir() else 0
        if folder == own.resolve():
            return None
        if count:
            return folder, count
    return None


def _is_trace(file: Path) -> bool:
    """Whether the first line is the header of a trace, of whatever version."""
    try:
        with file.open("rb") as lines:
            first = lines.readline(200)
    except OSError:
        return False
    return first.lstrip(b"\xef\xbb\xbf").startswith(b"{") and f'"{FORMAT}"'.encode() in first


def no_project(start: Path, folder: Path, count: int, others: int) -> ProjectError:
    """What is missing in the project that these goldens belong to."""
    settings = folder.parent / "pyproject.toml"
    traces = f"{count} golden trace{'' if count == 1 else 's'}"
    return ProjectError(
        f"{folder} holds {traces}, and there is {NO_TABLE} {start} that says whose.",
        f"without it these would be left out, and the course's own {others} cases checked instead",
        f"put into {settings}:",
        f"  {TABLE}",
        '  cases = ["golden_cases.py"]',
        code="project-none",
        next="golden guide",
    )
