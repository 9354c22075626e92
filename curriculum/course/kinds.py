"""Every kind of source that a text may name: those of one case, of many runs, and of settings."""

from collections.abc import Callable
from pathlib import Path

from . import run_tables, settings, sources

KINDS: dict[str, Callable[[str, Path], str]] = {
    **sources.KINDS,
    "grid": run_tables.grid,
    "ends": run_tables.ends,
    "settings": settings.settings,
}
"""Sources of a block by the word before the colon. Each takes the rest and the text's folder."""


def fact_at(run: str, where: str) -> int:
    """A number of a run, or of what is named in its place. Raises `SourceError`."""
    return settings.setting(where) if run == "settings" else sources.fact_of(run, where)
