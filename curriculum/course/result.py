"""What a check of an exercise says: one record, from which text, plain and JSON are made."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import attrs


class Verdict(StrEnum):
    """The three things that can be said. A check that could not run says nothing of the answer."""

    PASS = "pass"
    NOT_YET = "not-yet"
    COULD_NOT_CHECK = "could-not-check"


@attrs.frozen
class Finding:
    """One sentence of feedback: the key of its text in `messages.toml`, and the values in it."""

    key: str
    params: Mapping[str, int | str] = attrs.field(factory=dict[str, int | str])

    @property
    def text(self) -> str:
        """The sentence. Raises `CurriculumError` for a key or a value that the catalogue lacks."""
        from .messages import text

        return text(self.key, self.params)


@attrs.frozen
class Result:
    """The verdict on one exercise, with what was found, what is right first.

    `score` is how much was right of how much, as a count for people; `next` is the one next step.
    `trace` is the text of the trace that the learner's harness gave; empty if there is none.
    """

    exercise: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    score: tuple[int, int] | None = None
    next: str = ""
    trace: str = ""

    def data(self) -> dict[str, Any]:
        """The same facts as JSON has them."""
        found = [{"key": f.key, "params": dict(f.params), "text": f.text} for f in self.findings]
        data: dict[str, Any] = {
            "exercise": self.exercise,
            "verdict": str(self.verdict),
            "findings": found,
            "next": self.next,
        }
        if self.score is not None:
            data["right"], data["of"] = self.score
        return data
