"""Figures of tokens per byte, found on files: how they are found, written and read.

All figures are whole: tokens per 1,000 UTF-8 bytes, rounded up, and shares in permille, rounded
down. A file counts once however often it occurs. Half of the files give the figures, by the
first byte of their sha256; the other half shows whether they hold for files not seen.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import attrs

from curriculum.record.errors import CurriculumError

from .content import CLASSES
from .counters import utf8
from .families import FAMILIES

SHARE, SURE = 99, 95
"""In percent: files that a p99 covers, and how sure that is, were the files drawn at random."""


@attrs.frozen
class Figure:
    """What a byte of a content class costs: tokens per 1,000 bytes.

    `files` gave the figure and `covered` permille of them are not above it; of `others`, which did
    not, `held`. With fewer than 299 files p99 is the highest figure, and `sure` is False.
    """

    median: int
    p99: int
    files: int
    covered: int
    others: int = 0
    held: int = 0
    sure: bool = True


@attrs.frozen
class Sample:
    """One text: its bytes and tokens as it stands, and within a JSON string as it is sent."""

    bytes: int
    tokens: int
    sent_bytes: int
    sent_tokens: int

    @property
    def needed(self) -> int:
        """The least figure whose bound is enough for the text, as it stands and as it is sent."""
        return max(enough(self.tokens, self.bytes), enough(self.sent_tokens, self.sent_bytes))

    def under(self, p99: int) -> bool:
        """Whether the bound that `p99` gives is at least the tokens, both ways."""
        alone = self.tokens <= bound(p99, self.bytes)
        return alone and self.sent_tokens <= bound(p99, self.sent_bytes)


def per_thousand(tokens: int, bytes: int) -> int:
    """Tokens per 1,000 bytes, rounded up."""
    return -(-1000 * tokens // bytes)


def enough(tokens: int, bytes: int) -> int:
    """The least ratio whose `bound` for that many bytes is not under `tokens`, one or more."""
    return 1000 * (tokens - 1) // bytes + 1


def bound(ratio: int, bytes: int) -> int:
    """Tokens of that many bytes at `ratio` tokens per 1,000, rounded up."""
    return -(-ratio * bytes // 1000)


def gives_figures(data: bytes) -> bool:
    """Whether a file is of the half that figures are made from, not of the one that checks them."""
    return hashlib.sha256(data).digest()[0] % 2 == 0


def nearest_rank(values: Sequence[int], percent: int) -> int:
    """The smallest of the sorted `values` that `percent` percent of them do not exceed."""
    return values[max(0, -(-len(values) * percent // 100) - 1)]


def above_allowed(files: int) -> int:
    """How many of `files` files may be above a figure that is called p99; -1 if too few to say.

    The highest n for which n or fewer exceedances among so many files drawn at random would show,
    at SURE percent, that at least SHARE percent of all such files are covered.
    """
    allowed, mass, whole = -1, 0, 100**files
    for n in range(files + 1):
        mass += comb(files, n) * (100 - SHARE) ** n * SHARE ** (files - n)
        if 100 * mass > (100 - SURE) * whole:
            return allowed
        allowed = n
    return allowed


def figure(made_from: Sequence[Sample], checked_on: Sequence[Sample]) -> Figure:
    """The figures of one family and class; `made_from` holds one sample at least."""
    median = nearest_rank(sorted(per_thousand(s.tokens, s.bytes) for s in made_from), 50)
    highest = sorted(sample.needed for sample in made_from)
    allowed = above_allowed(len(highest))
    p99 = max(median, highest[-1 - max(0, allowed)])
    return Figure(
        median=median,
        p99=p99,
        files=len(made_from),
        covered=_permille(made_from, p99),
        others=len(checked_on),
        held=_permille(checked_on, p99),
        sure=allowed >= 0,
    )


def _permille(samples: Sequence[Sample], p99: int) -> int:
    return 1000 * sum(sample.under(p99) for sample in samples) // max(1, len(samples))


Table = Mapping[str, Mapping[str, Figure]]
"""Figures by family and class."""


@cache
def committed() -> dict[str, dict[str, Figure]]:
    """The figures that come with the package, by family and class."""
    said = _toml("calibration.toml")["families"]
    return {family: {name: _figure(one) for name, one in by.items()} for family, by in said.items()}


def _figure(said: dict[str, Any]) -> Figure:
    known = {field.name for field in attrs.fields(Figure)}
    counted: dict[str, Any] = {"files": 0, "covered": 0}
    counted |= {name: value for name, value in said.items() if name in known}
    return Figure(**counted)


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))


HEAD = """\
# Tokens per 1,000 UTF-8 bytes by tokenizer family and content class, rounded up. Written by
# `curriculum measure FOLDER --calibrate OUT.toml`; not edited by hand.
#
# median: of the files as they stand. p99: the bound that it gives is enough for 99 percent of such
# files, both as they stand and within a JSON string; sure to 95 percent by the order of what each
# file needs (with fewer than 299 files it is the highest, and sure is false). files: how many gave
# the figures; covered: permille of them that are not above the bound. others, held: the same of
# files that gave no figure. Equal files count once; a file's half follows from its sha256.
#
# A derived figure is that of o200k x a factor in factors.toml, median x median and p99 x p99,
# rounded up. No file was counted for it.
"""


def spelled(figures: Table, corpus: str, date: str) -> str:
    """The figures as TOML, ASCII, with what they were found on; derived families at the end."""
    lines = [HEAD, "version = 1", f"corpus = {_quoted(corpus)}", f"date = {_quoted(date)}"]
    for family, by in figures.items():
        for name, one in by.items():
            lines += ["", f'[families."{family}".{name}]']
            lines += [f"{key} = {_value(value)}" for key, value in attrs.asdict(one).items()]
    for family, by in derived(figures.get("o200k", {})).items():
        for name, (median, p99, factors) in by.items():
            lines += ["", f'[families."{family}".{name}]', f"median = {median}", f"p99 = {p99}"]
            lines += [f'derived = "o200k x {factors[0]} and {factors[1]} percent"']
    return "\n".join(lines) + "\n"


def derived(o200k: Mapping[str, Figure]) -> dict[str, dict[str, tuple[int, int, list[int]]]]:
    """Median, p99 and factors of the families that nothing counts offline, by class."""
    found: dict[str, dict[str, tuple[int, int, list[int]]]] = {}
    for family, by in _toml("factors.toml").items():
        for name in [name for name in CLASSES if name in o200k]:
            median, p99 = by[name]
            one = o200k[name]
            figures = -(-one.median * median // 100), -(-one.p99 * p99 // 100)
            found.setdefault(family, {})[name] = (*figures, by[name])
    return found


def _value(value: object) -> str:
    return str(value).lower()


def _quoted(text: str) -> str:
    import json

    return json.dumps(text).replace("\x7f", "\\u007f")


def of(family: str, kind: str) -> Figure:
    """The committed figure. Raises `CurriculumError` for a family that has none."""
    try:
        return committed()[family][kind]
    except KeyError:
        raise CurriculumError(
            f"Nothing was calibrated for {family}.",
            f"calibrated: {', '.join(name for name in FAMILIES if name in committed())}",
            code="family-not-calibrated",
            next=f"use bytes@1:{family}",
        ) from None


def size_in(text: str) -> int:
    """UTF-8 bytes of `text`; a lone surrogate has as many as the character that replaces it."""
    from curriculum.record.text import scalar

    return utf8(scalar(text))
