"""Every kind of source that a text may name: those of one case, of many runs, and of settings."""

from collections.abc import Callable
from pathlib import Path

from . import run_blocks, run_tables, settings, sources

KINDS: dict[str, Callable[[str, Path], str]] = {
    **sources.KINDS,
    "grid": run_tables.grid,
    "ends": run_tables.ends,
    "settings": settings.settings,
    "outputs": run_blocks.outputs,
    "turns": run_blocks.turns,
    "endings": run_blocks.endings,
    "results": run_blocks.results,
    "records": run_blocks.records,
    "seen": run_blocks.seen,
    "without": run_blocks.without,
}
"""Sources of a block by the word before the colon. Each takes the rest and the text's folder."""


def fact_at(run: str, where: str) -> int:
    """A number of a run, or of what is named in its place. Raises `SourceError`."""
    return settings.setting(where) if run == "settings" else sources.fact_of(run, where)


def cited(said: str, text: str) -> int:
    """`NUMBER, LOCATOR`: what others found; a reader must find the locator in the text.

    Raises `SourceError` where it is not there.
    """
    number, _, locator = (part.strip() for part in said.partition(","))
    if not locator or locator not in text:
        raise sources.SourceError(f"The text does not say where {number} stands: {locator!r}.")
    return int(number)
