"""Benchmarks print figures and ratios; they assert nothing about seconds.

Run them with `python -m pytest tests/benchmarks -q`.
"""

from collections.abc import Callable

import pytest

LINES: list[str] = []


@pytest.fixture
def figure() -> Callable[[str], None]:
    """Say one figure; all are printed together at the end."""
    return LINES.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures, after everything else."""
    terminalreporter.section("figures")
    for line in LINES:
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording is refused under CI; a benchmark's own folder is no golden of anybody."""
    for name in ("CI", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)
