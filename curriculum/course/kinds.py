"""Every kind of source that a text may name: those of one case, of many runs, and of settings."""

from collections.abc import Callable
from pathlib import Path

from . import run_blocks, run_tables, settings, size_tables, sources

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
    "authors": size_tables.authors,
    "triangle": size_tables.triangle,
    "tools": size_tables.tools,
    "wires": size_tables.wires,
    "counted": size_tables.counted,
}
"""Sources of a block by the word before the colon. Each takes the rest and the text's folder."""


def fact_at(run: str, where: str) -> int:
    """A number of a run, of the settings of agents, or one that is cited. Raises `SourceError`.

    `cited: NUMBER SOURCE` is a number that was read and cannot be computed here.
    """
    if run == "settings":
        return settings.setting(where)
    if run == "cited":
        number, _, source = where.partition(" ")
        if not number.isdigit() or not source.strip():
            raise sources.SourceError(f"What is cited is a number and its source, not {where!r}.")
        return int(number)
    return sources.fact_of(run, where)
