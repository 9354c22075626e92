"""What is wrong with a policy file: the line, the value, the nearest word that would do."""

import difflib
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from curriculum.record.errors import CurriculumError

from .toml_lines import Place

SHOWN = 60
"""Characters of a value that an error repeats."""
LISTED = 20
"""Problems that one error tells; it says how many more there are."""


class PolicyFileError(CurriculumError):
    """A policy file that cannot be used. Its code begins with `policy-`."""

    code = "policy-file"


@attrs.frozen
class Problem:
    """One mistake in a file. `near` is the word that was probably meant; lines count from 1."""

    line: int
    code: str
    says: str
    near: str = ""
    more: tuple[str, ...] = ()

    def __str__(self) -> str:
        near = f" nearest: {self.near}" if self.near else ""
        return f"line {self.line}: {self.says}{near} [{self.code}]"


def refusal(file: str, problems: Iterable[Problem]) -> PolicyFileError:
    """The error for all mistakes of a file: the first in full, the others in a line each."""
    first, *others = sorted(problems, key=lambda problem: problem.line)
    evidence = [f"nearest: {first.near}"] if first.near else []
    evidence += first.more
    evidence += [f"and {other}" for other in others[: LISTED - 1]]
    if len(others) >= LISTED:
        evidence.append(f"and {len(others) - LISTED + 1} more")
    return PolicyFileError(
        f"{file}, line {first.line}: {first.says}",
        *evidence,
        code=first.code,
        next=once_mended(file),
    )


def once_mended(file: str) -> str:
    """The command to run when a file is put right."""
    return f"curriculum policy check {shlex.quote(file)}   # once it is mended"


def nearest(word: str, known: Sequence[str]) -> str:
    """The known word that is most like `word`."""
    return (difflib.get_close_matches(word[:SHOWN].casefold(), known, 1, 0.0) or [""])[0]


def spelled(place: Place) -> str:
    """A place as a sentence has it: `pool.prefer.cap`, `rule 2, kind`, `ladder 3`."""
    said = ""
    for before, part in zip((None, *place), place, strict=False):
        if isinstance(part, int):
            said += f" {part}"
        else:
            said += f"{', ' if isinstance(before, int) else '.' if said else ''}{_bare(part)}"
    return said


def _bare(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum() and len(key) <= SHOWN
    return key if plain else shown(key)


def shown(value: Any) -> str:
    """A value of a file inside a sentence: ASCII, and no longer than a line has room for."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        text = ascii(value[:SHOWN])
        return text if len(value) <= SHOWN else f"{text} and {len(value) - SHOWN} characters more"
    if isinstance(value, int) and abs(value) >= 10**SHOWN:
        return "a number of more than 60 digits"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return f"a list of {len(value)}"  # pyright: ignore[reportUnknownArgumentType]
    return "a table" if isinstance(value, dict) else "a date or a time"
