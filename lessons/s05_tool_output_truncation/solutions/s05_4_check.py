"""Judges a cutter: seeded logs with the error at many places, and texts that are hard to cut."""

import re
from collections.abc import Iterator
from hashlib import sha256
from types import ModuleType
from typing import Any

from curriculum.record.graphemes import at_or_after, at_or_before

ERROR = "error: no tax for ZZ"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
"""Five characters, one sign."""
ACCENT = "e\u0301"
Scenario = dict[str, Any]


def log(seed: int, lines: int, error: int) -> str:
    """A log of `lines` lines of 4 to 19 characters, the error at one of them."""
    found: list[str] = []
    for number in range(lines):
        width = sha256(f"{seed} {number}".encode()).digest()[0] % 16
        found.append(ERROR if number == error else f"ok {'x' * width}")
    return "".join(f"{line}\n" for line in found)


def _logs() -> Iterator[Scenario]:
    for seed, (lines, limit) in enumerate([(6, 48), (12, 60), (40, 90), (80, 120), (200, 200)]):
        for number, place in enumerate((0, 1, 2, 5, 9, 10)):
            at = max(number, place * (lines - 1) // 10)  # in a short log too, no line twice
            name = f"a log of {lines} lines, the error in line {at + 1}"
            yield {"name": name, "text": log(seed, lines, at), "limit": limit}


HARD: tuple[Scenario, ...] = (
    {"name": "a text that fits", "text": "all well\n", "limit": 24},
    {"name": "a text of exactly the limit", "text": "x" * 24, "limit": 24},
    {"name": "one character more than the limit", "text": "x" * 23 + "\n" + "y", "limit": 24},
    {"name": "one long line", "text": "0123456789" * 9, "limit": 30},
    {"name": "no end of line at the end", "text": "one\n" * 20 + "the last", "limit": 32},
    {"name": "a long first line", "text": "x" * 90 + "\nshort\n", "limit": 30},
    {"name": "families in a row", "text": FAMILY * 12, "limit": 26},
    {"name": "letters with accents in a row", "text": ACCENT * 30, "limit": 25},
    {"name": "a marker that the text itself has", "text": "[-5-]\n" * 20, "limit": 40},
    {"name": "a count that gets a digit more", "text": "12345678\n" * 13, "limit": 31},
    {"name": "empty lines", "text": "\n" * 100, "limit": 24},
)
SCENARIOS: tuple[Scenario, ...] = (*_logs(), *HARD)
"""Logs, the smallest first; then what is hard."""


def ask(module: ModuleType, scenario: Scenario) -> Any:
    """What the learner's function gives."""
    return module.cut(scenario["text"], scenario["limit"])


def judge(scenario: Scenario, answer: Any) -> str | None:
    """What is wrong with an answer; None if it is a good cut."""
    text, limit = scenario["text"], scenario["limit"]
    if not isinstance(answer, str):
        return f"cut gives text; here it gave a {type(answer).__name__}"
    if len(text) <= limit:
        fits = f"{len(text)} characters fit in {limit}, so the text comes back as it is"
        return None if answer == text else fits
    if len(answer) > limit:
        return f"at most {limit} characters; here are {len(answer)}, the marker counted"
    if not (found := list(_readings(text, answer))):
        return _no_marker(text, answer)
    wrong = [_of_ends(text, limit, head, tail) for head, tail in found]
    return None if None in wrong else wrong[0]


def _readings(text: str, answer: str) -> Iterator[tuple[str, str]]:
    """The heads and tails that an answer can be read as, with a true count between them."""
    for match in re.finditer(r"\[-([0-9]+)-\]", answer):
        head, tail = answer[: match.start()], answer[match.end() :]
        ends = text.startswith(head) and text.endswith(tail)
        if ends and match[1] == str(len(text) - len(head) - len(tail)):
            yield head, tail


def _no_marker(text: str, answer: str) -> str:
    match = re.search(r"\[-([0-9]+)-\]", answer)
    if match is None:
        return f"{len(text)} characters became {len(answer)}, and no marker [-N-] says so"
    kept = len(answer) - len(match[0])
    if text.startswith(answer[: match.start()]) and text.endswith(answer[match.end() :]):
        return f"{len(text)} - {kept} kept = {len(text) - kept} missing; the marker says {match[1]}"
    return "what stands around the marker is not a beginning and an end of the text"


def _of_ends(text: str, limit: int, head: str, tail: str) -> str | None:
    """What is wrong with the ends, given the room that their own marker leaves."""
    room = limit - len(f"[-{len(text) - len(head) - len(tail)}-]")
    first, last = room - room // 2, room // 2
    end = text.rfind("\n", 0, first) + 1
    start = text.find("\n", len(text) - last - 1) + 1 or len(text)
    if end or start < len(text):
        return _of_lines(text, (head, end, first), (tail, len(text) - start, last))
    if at_or_before(text, len(head)) != len(head):
        return "the head ends inside of a sign that is several characters"
    if at_or_after(text, len(text) - len(tail)) != len(text) - len(tail):
        return "the tail starts inside of a sign that is several characters"
    end, start = at_or_before(text, first), at_or_after(text, len(text) - last)
    for name, has, most in (("head", len(head), end), ("tail", len(tail), len(text) - start)):
        if has != most:
            return f"no whole line fits; {most} characters of the {name} do, here are {has}"
    return None


def _of_lines(text: str, *ends: tuple[str, int, int]) -> str | None:
    """Each end: what it is, how long it may be in whole lines, and its half of the room."""
    (head, _, _), (tail, _, _) = ends
    if head and not head.endswith("\n"):
        return f"the head stops inside of a line: {head[-12:]!r}"
    if tail and text[len(text) - len(tail) - 1] != "\n":
        return f"the tail starts inside of a line: {tail[:12]!r}"
    for name, (has, most, half) in zip(("head", "tail"), ends, strict=True):
        if len(has) != most:
            return (
                f"the {name} may have {half} characters, and its whole lines of at most so many"
                f" take {most}; here are {len(has)}"
            )
    return None


def smaller(scenario: Scenario) -> Iterator[Scenario]:
    """The same scenario with fewer lines, or, of one line, with fewer characters."""
    lines = scenario["text"].splitlines(keepends=True)
    parts = lines if len(lines) > 1 else list(scenario["text"])
    for kept in (parts[: len(parts) // 2], parts[len(parts) // 2 :], parts[:-1], parts[1:]):
        if 0 < len(kept) < len(parts):
            yield {**scenario, "name": "a part of that text", "text": "".join(kept)}


def show(scenario: Scenario) -> str:
    """A scenario as a learner reads it, in ASCII."""
    return f"{scenario['name']}: cut({scenario['text']!a}, {scenario['limit']})"
