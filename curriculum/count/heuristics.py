"""Rules of thumb for planning: a value and no bound, so no budget can admit by one.

A line ends with `\n`, so `\r\n` is one end; a last line without an end counts, and an empty text
has no line. A word is a run of characters without ASCII white space.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from curriculum.record.errors import CurriculumError

from .counter import Estimate
from .families import FAMILIES
from .whole import Estimator

TYPES = (
    *("spec", "acceptance", "test-plan", "module-docs", "source", "source-verbose"),
    *("json-yaml", "test", "unknown"),
)
"""Artifact types that have a weight. Any other type is weighed as `unknown`."""

_WORD = re.compile(r"[^ \t\n\r\f\v]+")


@cache
def weights() -> dict[str, Any]:
    """Tenths of a token, by rule: `weights.toml`, where each has its source."""
    return tomllib.loads(Path(__file__).with_name("weights.toml").read_text("utf-8"))


def lines_of(text: str) -> int:
    """Lines of `text`."""
    return text.count("\n") + (text[-1:] not in ("", "\n"))


def words_of(text: str) -> int:
    """Words of `text`."""
    return len(_WORD.findall(text))


class Words:
    """One word is 1.3 tokens: `words@seed`. Too low for nearly every file; kept to be compared."""

    id = "words@seed"
    unit = "tokens"

    def estimate(self, text: str) -> Estimate:
        """Words x 1.3, rounded up; a heuristic without a bound."""
        return _guess(words_of(text), weights()["words"]["tenths"])


class LineWeights:
    """Tokens a line by artifact type: `line-weights@VERSION:TYPE`, for a family where one is named.

    Version `seed` has the weights that a planner was given, for no family. Version `p95` has what
    95 of 100 files of the type stay under, for `o200k` unless `claude-4.7` is asked for. Figures
    and sources are in `weights.toml`. Raises `CurriculumError` for a version or family without any.
    """

    unit = "tokens"

    def __init__(self, version: str, type: str, family: str = "o200k") -> None:
        figures = weights()
        if version == "seed":
            self.family = ""
            table = figures["seed"]
        elif version == "p95" and family in figures["p95"]:
            self.family = family
            table = figures["p95"][family]
        else:
            raise CurriculumError(
                f"There are no line weights {version!a} for {family!a}.",
                f"known: seed, p95 for {' and for '.join(figures['p95'])}",
                code="line-weights-unknown",
                next="use line-weights@p95 with one of these families",
            )
        self.type = type if type in TYPES else "unknown"
        self.tenths: int = table[self.type]
        named = f":{family}" if self.family not in ("", "o200k") else ""
        self.id = f"line-weights@{version}:{self.type}{named}"

    def estimate(self, text: str) -> Estimate:
        """Lines x the weight, rounded up; a heuristic without a bound."""
        return _guess(lines_of(text), self.tenths)


def estimator_of(id: str) -> Estimator:
    """The rule of thumb called `id`. Raises `CurriculumError` for one that is not known."""
    name, _, option = id.partition(":")
    if id == Words.id:
        return Words()
    if name in ("line-weights@seed", "line-weights@p95"):
        type, _, family = option.partition(":")
        if family in ("", *FAMILIES):
            return LineWeights(name.partition("@")[2], type or "unknown", family or "o200k")
    raise CurriculumError(
        f"No estimator is called {id!a}.",
        "known: words@seed, line-weights@seed:TYPE, line-weights@p95:TYPE",
        f"types: {', '.join(TYPES)}",
        code="estimator-unknown",
        next="use one of these",
    )


def _guess(count: int, tenths: int) -> Estimate:
    return Estimate(-(-count * tenths // 10), None, "tokens", "heuristic", None)
