"""How a check ends: one stable code each, and the exit code that several give together."""

from enum import Enum


class Status(Enum):
    """The end of one check: its code in brackets, and the exit code of the process."""

    HOLDS = ("holds", 0)
    DIVERGED = ("diverged", 1)
    UNKNOWN = ("unknown-case", 2)
    MISSING = ("fixture-missing", 3)
    PENDING = ("pending", 4)
    UNCLAIMED = ("unclaimed", 4)
    UNREADABLE = ("fixture-unreadable", 5)
    UNLAWFUL = ("fixture-unlawful", 5)
    FAILED = ("case-failed", 6)
    UNCHECKED = ("could-not-check", 7)
    OWN_BUG = ("own-bug", 70)

    def __init__(self, code: str, exit: int) -> None:
        self.code, self.exit = code, exit


WORST_FIRST = (70, 2, 6, 5, 3, 7, 1, 4)


def exit_code(statuses: list[Status]) -> int:
    """The process's exit code: the first of the design's order that occurs, or 0."""
    found = {status.exit for status in statuses}
    return next((code for code in WORST_FIRST if code in found), 0)
