"""The laws by name, and the refusal of a step that would break one."""

from .errors import CurriculumError

LAWS = (
    *("well formed", "pure", "ceiling", "conserved", "protected", "paired", "explained"),
    *("sufficient", "same everywhere", "recoverable", "trust", "flat", "progress"),
)
"""The name of each law, by its number."""


class LawBroken(CurriculumError):
    """A step that would break a law, refused before anything of it is written.

    `law` is the law's number; the code is `law-5-paired` and the like.
    """

    def __init__(self, law: int, fact: str, *evidence: str, next: str = "") -> None:
        self.law = law
        code = f"law-{law}-{LAWS[law].replace(' ', '-')}"
        super().__init__(f"Law {law}, {LAWS[law]}: {fact}", *evidence, code=code, next=next)
