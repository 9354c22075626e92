"""Review: each pending trace is explained first, then one key decides. Enter alone never accepts.

What was shown is what is accepted. Decisions that were made stay, however the review ends.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace

from . import files
from .cases import Case
from .compare import Comparison, Side, compare
from .decide import accept, reject, waiting
from .record import check_lawful, unknown

KEYS = {
    "a": "accept: it becomes the golden",
    "r": "reject: it is thrown away",
    "s": "skip: it keeps waiting",
    "A": "accept this one and all the rest, each shown first",
    "R": "reject this one and all the rest, each shown first",
    "S": "skip this one and all the rest",
    "d": "show the request that changed, record by record; of a new trace its requests",
    "q": "quit: what was decided stays",
    "?": "show these keys",
}


CHANGED = ("golden-changed", "golden-nothing-pending")
"""Codes that say that another process was faster."""


@attrs.frozen
class Look:
    """What is shown of one pending trace: how it differs from its golden, or what is wrong.

    `comparison` is None where there is nothing to compare; then `trace` alone is shown, if it can
    be read. `trouble` is why the golden, or the pending trace, cannot be read.
    """

    id: str
    data: bytes
    trace: Trace | None
    comparison: Comparison | None
    trouble: CurriculumError | None


class Desk(Protocol):
    """Where a review shows and asks: a terminal, or a test."""

    def show(self, look: Look, number: int, total: int) -> None:
        """Show what is to be decided."""
        ...

    def request(self, look: Look) -> None:
        """Show the first request that changed, or the requests of a new trace."""
        ...

    def say(self, text: str, error: CurriculumError | None = None) -> None:
        """Say one line, or why something was refused."""
        ...

    def ask(self, id: str) -> str | None:
        """One line of input; None at its end."""
        ...


@attrs.define
class Outcome:
    """What a review did, by id, and what still waits."""

    accepted: list[str]
    rejected: list[str]
    left: list[str]


def to_review(cases: Mapping[str, Case], ids: Sequence[str], folder: Path) -> list[str]:
    """The ids to look at: those asked for that wait, or all. Raises `GoldenError` for no id."""
    there = waiting(folder)
    for id in ids:
        if id not in cases and id not in there:
            raise unknown(id, cases)
    return [id for id in there if not ids or id in ids]


def look_at(cases: Mapping[str, Case], id: str, folder: Path) -> Look | None:
    """What there is to see of a pending trace now; None if it is gone."""
    path = files.pending(folder, id)
    data = files.read(path)
    if data is None:
        return None
    old = files.read(files.fixture(folder, id))
    trace: Trace | None = None
    try:
        trace = Trace.parse_bytes(data, str(path))
        check_lawful(id, trace)
        if old is None:
            return Look(id, data, trace, None, None)
        golden = Side(str(files.fixture(folder, id)), old)
        return Look(id, data, trace, compare(cases, golden, Side(str(path), data)), None)
    except CurriculumError as error:
        return Look(id, data, trace, None, error)


def review(
    cases: Mapping[str, Case], ids: Sequence[str], desk: Desk, folder: Path | None = None
) -> Outcome:
    """Go through what waits, in order of id. Raises `GoldenError` under CI and for an unknown id.

    A trace that cannot be accepted is told as such and keeps waiting.
    """
    files.refuse_in_ci()
    place = files.writable_root(folder)
    todo = to_review(cases, ids, place)
    outcome, standing = Outcome([], [], []), ""
    for number, id in enumerate(todo, 1):
        done = ""
        while not done:
            look = look_at(cases, id, place)
            if look is None:
                desk.say(f"{id} no longer waits: another process has decided.")
                break
            desk.show(look, number, len(todo))
            done = "refused"
            while done == "refused":
                key = standing or _asked(desk, look)
                standing = key if key in ("A", "R", "S") else standing
                done = _decided(cases, look, key, place, desk)
                if standing:
                    break
        if done in ("a", "r"):
            (outcome.accepted if done == "a" else outcome.rejected).append(id)
        if done == "q" or standing == "S":
            break
    there = waiting(place)
    outcome.left = [id for id in todo if id in there]
    return outcome


def _asked(desk: Desk, look: Look) -> str:
    """The next key that decides. Anything else is answered and asked again."""
    while True:
        line = desk.ask(look.id)
        if line is None:
            return "q"
        key = line.strip()
        if key == "d":
            desk.request(look)
        elif key in KEYS and key != "?":
            return key
        else:
            if key not in ("", "?"):
                desk.say(f"{key!r} is no key.")
            for name, words in KEYS.items():
                desk.say(f"{name}  {words}")


def _decided(cases: Mapping[str, Case], look: Look, key: str, folder: Path, desk: Desk) -> str:
    """Do what the key says: `a`, `r`, `s`, `q`, `refused`; empty if it must be shown again."""
    if key in ("q", "s", "S"):
        return key.lower()
    decide = accept if key in ("a", "A") else reject
    try:
        decide(cases, [look.id], folder, {look.id: look.data})
    except files.GoldenError as error:
        if error.code in CHANGED:
            if error.code == "golden-changed":
                desk.say(f"{look.id} was recorded again while it was on the screen. Look again.")
            return ""
        desk.say("", error)
        return "refused"
    except CurriculumError as error:  # the case fails, or what waits is no trace
        desk.say("", error)
        return "refused"
    desk.say(f"{'accepted' if decide is accept else 'rejected'}  {look.id}")
    return key.lower()
