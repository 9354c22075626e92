"""The one shape of an error that a person reads."""


class CurriculumError(Exception):
    """A refusal with a stable code, the evidence, and the next thing to do.

    `code` is searchable and never changes; `evidence` lines hold numbers that add up.
    """

    code = "error"

    def __init__(self, headline: str, *evidence: str, code: str = "", next: str = "") -> None:
        self.headline, self.evidence, self.next = headline, evidence, next
        self.code = code or self.code
        super().__init__(headline)

    def __str__(self) -> str:
        lines = [f"{self.headline} [{self.code}]", *(f"  {line}" for line in self.evidence)]
        return "\n".join([*lines, f"  next: {self.next}"] if self.next else lines)
