"""Judges a viewer: windows of files of many lengths, at their edges and beyond them."""

from collections.abc import Iterator
from hashlib import sha256
from types import ModuleType
from typing import Any

Scenario = dict[str, Any]
MOST = 100


def content(seed: int, lines: int) -> str:
    """A text of `lines` lines of 0 to 11 characters."""
    widths = (sha256(f"{seed} {n}".encode()).digest()[0] % 12 for n in range(lines))
    return "".join(f"{'abcdefghijkl'[:width]}\n" for width in widths)


def _windows() -> Iterator[Scenario]:
    for seed, lines in enumerate((1, 2, 7, 40, 101, 350)):
        text = content(seed, lines)
        for start in sorted({1, lines // 2 + 1, lines, lines + 1}):
            for count in (1, 5, 100):
                yield {"text": text, "start": start, "count": count}


HARD: tuple[Scenario, ...] = (
    {"text": "", "start": 1, "count": 5},
    {"text": "\n", "start": 1, "count": 5},
    {"text": "one\n\n", "start": 2, "count": 1},
    {"text": "one\ntwo", "start": 2, "count": 9},
    {"text": "a\rb\x0cc\u2028d\n", "start": 1, "count": 2},
    {"text": content(9, 12), "start": -3, "count": 4},
    {"text": content(9, 12), "start": 4, "count": 0},
    {"text": content(9, 150), "start": 1, "count": 1000},
    {"text": content(9, 150), "start": 300, "count": 5},
)
SCENARIOS: tuple[Scenario, ...] = (*_windows(), *HARD)
"""Windows of files, the smallest first; then what is odd."""


def ask(module: ModuleType, scenario: Scenario) -> Any:
    """What the learner's function gives."""
    return module.view(scenario["text"], scenario["start"], scenario["count"])


def judge(scenario: Scenario, answer: Any) -> str | None:
    """The first line that is not as asked; None if all are."""
    if not isinstance(answer, str):
        return f"view gives text; here it gave a {type(answer).__name__}"
    wanted, got = list(_wanted(scenario)), answer.split("\n")
    for number, line in enumerate(wanted):
        if number >= len(got):
            return f"line {number + 1} of the answer must be {line!a}; there is none"
        if got[number] != line:
            return f"line {number + 1} of the answer must be {line!a}; it is {got[number]!a}"
    if len(got) > len(wanted):
        return f"{len(wanted)} lines were asked for; one more is {got[len(wanted)]!a}"
    return None


def _wanted(scenario: Scenario) -> Iterator[str]:
    """The lines of the answer, found by walking through the text once."""
    text, start = scenario["text"], max(scenario["start"], 1)
    total = text.count("\n") + (not text.endswith("\n"))
    if not text:
        yield "the file is empty"
    elif start > total:
        yield f"no line {scenario['start']}; the last is {total}"
    else:
        end = min(total, start + min(MOST, max(1, scenario["count"])) - 1)
        yield f"lines {start}-{end} of {total}"
        number, line = 1, ""
        for sign in text if text.endswith("\n") else text + "\n":
            if sign != "\n":
                line += sign
                continue
            if start <= number <= end:
                yield f"{number}: {line}"
            number, line = number + 1, ""
        if end < total:
            yield f"more from line {end + 1}"


def smaller(scenario: Scenario) -> Iterator[Scenario]:
    """The same scenario with fewer lines, or with a smaller window."""
    lines = scenario["text"].splitlines(keepends=True)
    for kept in (lines[: len(lines) // 2], lines[:-1], lines[1:]):
        if 0 < len(kept) < len(lines):
            yield {**scenario, "text": "".join(kept)}
    for name in ("start", "count"):
        if scenario[name] > 1:
            yield {**scenario, name: scenario[name] // 2}


def show(scenario: Scenario) -> str:
    """A scenario as a learner reads it, in ASCII."""
    text, start, count = scenario["text"], scenario["start"], scenario["count"]
    return f"view(text, {start}, {count}) with text = {text!a}"
