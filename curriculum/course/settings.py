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

    Raises `SourceError`.
    """
    try:
        return _number(*where.split())
    except (LookupError, ValueError):
        raise SourceError(f"The settings have no number at {where!r}.") from None


def _number(*words: str) -> int:
    match words:
        case ["count"]:
            return len(_presets())
        case ["lines"]:
            return LINES
        case ["line", number]:
            return shown()[int(number) - 1]
        case ["by-at-most", number]:
            return sum(count <= int(number) for count in shown())
        case ["by-exactly", number]:
            return shown().count(int(number))
        case [name, end]:
            return _sizes(name)[("head", "tail", "missing").index(end)]
        case [name, rule, field]:
            return int(_presets()[name]["rule"][int(rule) - 1][field])
        case _:
            raise ValueError
