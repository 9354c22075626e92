"""The result of a check, for people: what was found, the verdict, one next step."""

from curriculum.course.messages import text
from curriculum.course.result import Finding, Result, Verdict

from .screen import Screen, fact

LABELS = ("where", "rule", "sum", "yours")
"""Findings that stand under a label: the first word of the last part of their key."""
CLOSING = ("predict.score", "predict.score-after", "predict.all-right", "explain.done")
"""Findings that stand beside the verdict."""
STYLES = {Verdict.PASS: "good", Verdict.NOT_YET: "new", Verdict.COULD_NOT_CHECK: "bad"}


def show_finding(screen: Screen, finding: Finding) -> None:
    """Print one finding."""
    label = finding.key.rpartition(".")[2].partition("-")[0]
    if label in LABELS:
        fact(screen, label, finding.text)
    else:
        screen.line(finding.text, indent=2)


def show_verdict(screen: Screen, result: Result) -> None:
    """Print the verdict with the count beside it, and the next step."""
    done = any(finding.key == "explain.done" for finding in result.findings)
    said = text("verdict.done" if done else f"verdict.{result.verdict}")
    beside = next((f.text for f in result.findings if f.key in CLOSING), "")
    screen.line((STYLES[result.verdict], said), f"  {beside}" if beside else "", indent=2)
    if result.next:
        screen.line("next: ", ("code", result.next), indent=6)


def show_result(screen: Screen, result: Result, said: int = 0) -> None:
    """Print a result; its first `said` findings have been printed already."""
    for finding in result.findings[said:]:
        if finding.key not in CLOSING:
            show_finding(screen, finding)
    show_verdict(screen, result)
