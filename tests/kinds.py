"""Cases that differ in kind: for tests that take each golden apart, field by field.

Six pressures under one policy are one kind: the one in the middle stands for them there. That all
of them hold is what `golden verify` and test_pressure.py say.
"""

from collections.abc import Iterable

PRESSED = "-900"


def of_each_kind(ids: Iterable[str]) -> list[str]:
    """The ids without those of which another case is of the same kind."""
    return [id for id in ids if not id.startswith("pressure/") or id.endswith(PRESSED)]
