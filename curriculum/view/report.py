"""How one check ended, for people."""

from curriculum.golden.status import Status
from curriculum.golden.verify import Verdict

from .safe import many
from .screen import PAD, Screen, fact

WORDS = {
    Status.HOLDS: ("good", "holds"),
    Status.DIVERGED: ("bad", "DIVERGED"),
    Status.UNKNOWN: ("bad", "UNKNOWN"),
    Status.MISSING: ("bad", "MISSING"),
    Status.PENDING: ("bad", "PENDING"),
    Status.UNCLAIMED: ("bad", "UNCLAIMED"),
    Status.UNREADABLE: ("bad", "UNREADABLE"),
    Status.UNLAWFUL: ("bad", "UNLAWFUL"),
    Status.FAILED: ("bad", "FAILED"),
    Status.UNCHECKED: ("bad", "NOT CHECKED"),
    Status.OWN_BUG: ("bad", "BUG"),
}


def show_verdict(screen: Screen, verdict: Verdict) -> None:
    """Print one verdict: one line if the case holds, the whole explanation if not."""
    style, word = WORDS[verdict.status]
    if verdict.status is Status.HOLDS:
        rebuilt = many(verdict.requests, "request")
        said = f"  {many(verdict.events, 'event')}, {rebuilt} rebuilt"
        screen.line((style, f"{word:<9} "), verdict.id, ("quiet", said), indent=PAD)
        return
    screen.line((style, f"{word:<9} "), ("head", verdict.id), f"  [{verdict.status.code}]")
    if verdict.explanation is not None:
        from .explanation import show_explanation  # most checks hold and need none

        show_explanation(screen, verdict.explanation, verdict.attribution)
    for line in verdict.evidence:
        fact(screen, "evidence", line)
    if verdict.next:
        fact(screen, "next", verdict.next)
