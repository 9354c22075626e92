"""The truncation settings of agents, put to one output of a shell: who shows which line of it.

The settings are numbers read from the agents' code, in `tests/presets.toml` of the checkout, each
with the place where it stands. The output: 5,000 lines of 40 bytes, newline included, all ASCII.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from curriculum.golden import files
from curriculum.record.cut import Cut
from curriculum.record.truncation import Truncation
from curriculum.record.truncation_chain import through

from .run_tables import aligned
from .sources import SourceError

LINES, WIDTH = 5_000, 40
OUTPUT = "".join(f"{number:04d} {'x' * (WIDTH - 6)}\n" for number in range(LINES))


@cache
def _presets() -> dict[str, dict[str, Any]]:
    path = files.root().parent / "tests" / "presets.toml"
    return {one["name"]: one for one in tomllib.loads(path.read_text("utf-8"))["preset"]}


@cache
def seen(name: str) -> Cut:
    """What a setting leaves of the output. Raises `SourceError` for one that is not known."""
    if name not in _presets():
        raise SourceError(f"No setting is called {name!r}.")
    rules = [Truncation.of(rule) for rule in _presets()[name].get("rule", ())]
    return through(rules, Cut.whole(OUTPUT))


@cache
def shown() -> tuple[int, ...]:
    """How many settings show each line whole, from the first to the last."""
    found = [0] * LINES
    for name in _presets():
        cut = seen(name)
        head, tail = len(cut.head) // WIDTH, LINES - len(cut.tail) // WIDTH
        for line in range(LINES):
            found[line] += line < head or line >= tail
    return tuple(found)


def settings(argument: str, _: Path) -> str:
    """`lines N N ...`: the settings that show these lines; `ends`: what each keeps;
    `read NAME ...`: where their numbers stand.
    """
    what, *names = argument.split()
    if what == "lines":
        counts = [shown()[int(name) - 1] for name in names]
        rows = [[f"{int(n):,}", str(c), "#" * c] for n, c in zip(names, counts, strict=True)]
        return aligned([["line", "settings that show it", ""], *rows])
    if what == "ends":
        rows = [[name, *(f"{n:,}" for n in _sizes(name))] for name in sorted(_presets())]
        return aligned([["setting", "first bytes", "last bytes", "missing"], *rows])
    if what == "read":
        found = [(name, _presets()[name]) for name in names]
        return "".join(
            f"{name} at {one['commit']}\n  {one['read'].partition(': ')[2]}\n"
            for name, one in found
        )
    raise SourceError(f"settings are asked for lines, ends or read, not {what!r}.")


def _sizes(name: str) -> tuple[int, int, int]:
    cut = seen(name)
    return len(cut.head), len(cut.tail), cut.missing


def setting(where: str) -> int:
    """A number: `count`, `lines`, `line N`, `by-at-most N`, `by-exactly N`, `NAME head`,
    `NAME tail`, `NAME missing`, or `NAME RULE FIELD` as the file gives it.
    """
    first, *rest = where.split()
    plain = {"count": len(_presets()), "lines": LINES}
    if not rest and first in plain:
        return plain[first]
    if first in _presets() and len(rest) == 2:
        return int(_presets()[first]["rule"][int(rest[0]) - 1][rest[1]])
    if first in _presets():
        return dict(zip(("head", "tail", "missing"), _sizes(first), strict=True))[rest[0]]
    number = int(rest[0])
    if first == "line":
        return shown()[number - 1]
    if first == "by-at-most":
        return sum(count <= number for count in shown())
    if first == "by-exactly":
        return shown().count(number)
    raise SourceError(f"The settings have no number at {where!r}.")
