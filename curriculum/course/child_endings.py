"""How a run of a learner's code can end without an answer: one sentence and a verdict for each."""

import signal
from collections.abc import Mapping
from typing import Any

import attrs

from curriculum.record.errors import CurriculumError

from .result import Finding, Verdict

NOBODYS = (
    *("child.crash", "child.garbled", "child.changed", "child.no-process", "child.slow"),
    *("child.course", "child.import", "child.no-answer"),
)
"""Endings that say nothing of the learner's answer: it could not be checked."""


SECONDS = 10
"""How long a run may take by the wall clock, the start of Python with it."""
MEMORY = 1 << 30
"""Bytes of address space, where the system can limit it."""
PRINTED = 1_000_000
"""Bytes that a run may print."""


@attrs.frozen
class Limits:
    """What a run may take: seconds by the wall clock, bytes of memory, bytes printed."""

    seconds: int = SECONDS
    memory: int = MEMORY
    printed: int = PRINTED


@attrs.frozen
class Trouble:
    """Why there is no answer: the sentence, and whether it speaks of the learner's code."""

    finding: Finding
    verdict: Verdict


def trouble_of(key: str, **params: int | str) -> Trouble:
    """The trouble with this key of the catalogue."""
    verdict = Verdict.COULD_NOT_CHECK if key in NOBODYS else Verdict.NOT_YET
    return Trouble(Finding(key, params), verdict)


GARBLED = trouble_of("child.garbled")


@attrs.frozen
class Ending:
    """How the process ended: its code, and what it had to be stopped for.

    `lingers`: something that it started still held its output after it.
    """

    code: int
    limits: Limits = Limits()
    late: bool = False
    flood: bool = False
    lingers: bool = False
    printed: str = ""

    def trouble(self, told: Mapping[str, Any] | None, began: bool) -> Trouble | None:
        """What went wrong, the first cause first; None if there is an answer.

        `told` is what the process left: None for nothing, empty for what cannot be read.
        """
        if self.flood:
            return trouble_of("child.flood", bytes=self.limits.printed)
        if self.late:
            key = "child.endless" if began else "child.slow"
            return trouble_of(key, seconds=self.limits.seconds)
        if told is None:
            return self._without_answer(began)
        if "ended" in told:
            return self._as_told(told)
        if "value" not in told:
            return GARBLED
        return trouble_of("child.lingers") if self.lingers else None

    def _as_told(self, told: Mapping[str, Any]) -> Trouble:
        """The trouble that the process has written down; it may have written anything."""
        try:
            trouble = _told_trouble(told, self.limits.memory >> 20)
            return trouble if trouble.finding.text else GARBLED
        except (CurriculumError, LookupError, TypeError, ValueError):
            return GARBLED

    def _without_answer(self, began: bool) -> Trouble:
        if self.code < 0:
            return trouble_of("child.crash", how=_signal(-self.code))
        if self.code >= 0x80000000:  # how Windows reports a crash
            return trouble_of("child.crash", how=f"{self.code:#x}")
        if not began:
            return trouble_of("child.no-answer", code=self.code)
        return trouble_of("child.left", code=self.code)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _told_trouble(told: Mapping[str, Any], megabytes: int) -> Trouble:
    """The trouble that the process itself has written down."""
    ended = str(told.get("ended"))
    if ended == "refused":
        return trouble_of(str(told["key"]), **told["params"])
    where = {"file": str(told.get("file", "")), "line": int(told.get("line", 0))}
    said = {"type": str(told.get("type", "")), "text": str(told.get("text", ""))}
    if ended == "memory":
        return trouble_of("child.memory", megabytes=megabytes)
    if ended == "exit":
        return trouble_of("child.exit", code=str(told.get("code", "")))
    if ended == "input":
        return trouble_of("child.input", **where)
    if ended == "syntax":
        return trouble_of("child.syntax", **where, text=said["text"])
    if ended == "import" and told.get("whose") == "learner":
        name = str(told.get("name", ""))
        ours = name.split(".")[0] == "curriculum"
        return trouble_of("child.import-own" if ours else "child.import", **where, name=name)
    if told.get("whose") == "learner":
        return trouble_of("child.raised", **where, **said)
    if told.get("whose") == "call":
        return trouble_of("child.call", call=str(told.get("code", "")), **said)
    return trouble_of("child.course", **where, **said)
