"""What an author is told of a lesson: what was checked, how often, and what is refused.

A check that checks nothing must not pass, so everything that is looked at is counted.
"""

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs

from curriculum.record.errors import CurriculumError


@attrs.frozen
class Refusal:
    """One thing that a lesson may not be: a stable code, where it stands, what is wrong.

    `evidence` has the numbers; `do` is the one thing to do about it.
    """

    code: str
    where: str
    says: str
    evidence: tuple[str, ...] = ()
    do: str = ""

    def data(self) -> dict[str, Any]:
        """The same facts as JSON has them."""
        return {**attrs.asdict(self), "evidence": list(self.evidence)}


@attrs.frozen
class Report:
    """What came of one lesson. `checked` counts by kind of thing; `waiting` are exercises."""

    lesson: str
    refusals: tuple[Refusal, ...]
    checked: Mapping[str, int]
    waiting: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many things were checked."""
        return sum(self.checked.values())

    def data(self) -> dict[str, Any]:
        """The same facts as JSON has them."""
        return {
            "lesson": self.lesson,
            "refusals": [refusal.data() for refusal in self.refusals],
            "checked": dict(self.checked),
            "total": self.total,
            "waiting": list(self.waiting),
        }


class Desk:
    """Where a lesson lies while it is checked: what is refused, and what has been looked at."""

    def __init__(self) -> None:
        self.refusals: list[Refusal] = []
        self.counts: Counter[str] = Counter()

    def looked(self, what: str, times: int = 1) -> None:
        """Count things that have been looked at, in the plural: `hints`, `variants`."""
        self.counts[what] += times

    def refuse(self, code: str, where: str, says: str, *evidence: str, do: str = "") -> None:
        """Note what is wrong."""
        self.refusals.append(Refusal(code, where, says, tuple(evidence), do))

    def refuse_unless(
        self, holds: bool, code: str, where: str, says: str, *evidence: str, do: str = ""
    ) -> bool:
        """Note what is wrong unless `holds`, which is given back."""
        if not holds:
            self.refuse(code, where, says, *evidence, do=do)
        return holds

    @contextmanager
    def trouble(self, code: str, where: str, do: str = "") -> Generator[None]:
        """Note whatever is raised here: an error of ours by its own code, any other by `code`."""
        try:
            yield
        except CurriculumError as error:
            self.refuse(
                error.code, where, error.headline, *error.evidence, do=do or error.next or ""
            )
        except Exception as error:  # the author's own code runs in here
            self.refuse(code, where, f"{type(error).__name__}: {error}", *_place(error), do=do)


def _place(error: Exception) -> tuple[str, ...]:
    """Where an error was raised, if that was in a file of a lesson."""
    import traceback

    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "lessons" in frame.filename.replace("\\", "/").split("/")
    ]
    if not frames:
        return ()
    name = frames[-1].filename.replace("\\", "/").rpartition("/")[2]
    return (f"{name}, line {frames[-1].lineno}, in {frames[-1].name}",)
