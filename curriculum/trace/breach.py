"""A law that a trace breaks, and the place that shows it."""

import attrs

from .facts import Fact


@attrs.frozen
class Breach:
    """A law that the trace breaks: where, what must stand there, what does, and the sum."""

    law: int
    seq: int
    field: str
    expected: Fact | None
    got: Fact | None
    why: str

    def __str__(self) -> str:
        """One line that a person can act on."""
        where = f"law {self.law}, event {self.seq} {self.field}".rstrip()
        return f"{where}: expected {self.expected}, got {self.got} ({self.why})"
