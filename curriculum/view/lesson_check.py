"""What a check of lessons found, for their authors: refusals first, then what was looked at."""

from collections.abc import Sequence

from curriculum.course.authoring import Refusal, Report

from .safe import many
from .screen import Screen, fact

IN_ROW = 6
"""Counts that stand in one line."""


def show_report(screen: Screen, report: Report) -> None:
    """Print one lesson: each refusal with its code, the evidence, what to do; then the counts."""
    good = not report.refusals
    word = "holds" if good else many(len(report.refusals), "refusal")
    screen.line(("head", report.lesson), "  ", ("good" if good else "bad", word), indent=4)
    for refusal in report.refusals:
        _refusal(screen, refusal)
    fact(screen, "checked", f"{report.total} things")
    counts = [f"{what} {count}" for what, count in sorted(report.checked.items()) if count]
    for at in range(0, len(counts), IN_ROW):
        fact(screen, "", ", ".join(counts[at : at + IN_ROW]))
    if report.waiting:
        fact(screen, "waiting", f"{', '.join(report.waiting)}, for lessons that are not built yet")


def _refusal(screen: Screen, refusal: Refusal) -> None:
    code = ("quiet", f" [{refusal.code}]")
    screen.line(("bad", "  x "), f"{refusal.where}: {refusal.says}", code, indent=4)
    for line in refusal.evidence:
        screen.line(f"      {line}", indent=6)
    if refusal.do:
        screen.line(("quiet", "      do: "), ("code", refusal.do), indent=10)


def show_sum(screen: Screen, reports: Sequence[Report]) -> None:
    """Print how many lessons hold, and how many things were looked at in all."""
    refused = [report for report in reports if report.refusals]
    total = sum(report.total for report in reports)
    holds = len(reports) - len(refused)
    style = "bad" if refused or not total else "good"
    hold = "holds" if len(reports) == 1 else "hold"
    said = f"{holds} of {many(len(reports), 'lesson')} {hold}; {total} things checked"
    screen.line((style, said))
