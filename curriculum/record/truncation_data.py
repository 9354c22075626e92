"""The data of a truncation rule: what may be said, in whole numbers, and what is wrong with it."""

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import CurriculumError
from .units import UNITS

KEYS = (
    *("unit", "most", "keep", "head", "tail", "lines", "keep_lines"),
    *("whole_lines", "marker", "odd"),
)
SMALLEST = {"chars": 18, "bytes": 18, "tokens": 5, "lines": 1}
"""What holds a marker with a twelve-digit count, and one ASCII character at each end."""
EXAMPLE = 'a rule: unit = "chars", most = 40_000, head = "20%", tail = "80%"'


class TruncationError(CurriculumError):
    """Data that make no truncation rule, or a marker that has no room in one."""

    code = "truncation"

    def __init__(self, headline: str, *evidence: str, code: str, next: str = EXAMPLE) -> None:
        super().__init__(headline, *evidence, code=code, next=next)


def known_keys(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table as fields. Raises `TruncationError` for a key that no rule has, or one it lacks."""
    for key in table:
        if key not in KEYS:
            raise _unknown(f"A truncation rule has no key {key!a}.", key, KEYS, "key")
    for key in KEYS[:2]:
        if key not in table:
            raise TruncationError(f"A truncation rule needs {key}.", code="truncation-missing")
    return dict(table)


def settled(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every field of a rule with its value; what is None in `given` was not said.

    Raises `TruncationError` for the first that is wrong.
    """
    unit, most, lines = given["unit"], given["most"], given["lines"]
    words = {"unit": UNITS, "marker": ("inside", "outside"), "odd": ("head", "tail")}
    for key, known in words.items():
        if given[key] not in known:
            code = "unit" if key == "unit" else "word"
            raise _unknown(f"{key} is {given[key]!a}.", given[key], known, code)
    if type(given["whole_lines"]) is not bool:
        headline = f"whole_lines is {given['whole_lines']!a}; it must be true or false."
        raise TruncationError(headline, code="truncation-word")
    for key in ("most", "keep", "lines", "keep_lines"):
        if key == "most" or given[key] is not None:
            _number(key, given[key], 1)
    head, tail = _ends(given["head"], given["tail"])
    keep = _keep(head, tail, given["keep"], most, unit)
    keep_lines = lines if given["keep_lines"] is None else given["keep_lines"]
    if unit == "lines" and keep_lines is not None:
        said = [f"{key} = {given[key]}" for key in ("lines", "keep_lines") if given[key]]
        headline = "A rule in lines has no second limit in lines."
        raise TruncationError(headline, *said, code="truncation-twice", next="give most and keep")
    if lines is not None and keep_lines is not None and keep_lines > lines:
        raise _over("keep_lines", keep_lines, "lines", lines)
    _room(unit, percent(head, tail), keep, given["marker"])
    if keep_lines is not None:
        _room("lines", percent(head, tail), keep_lines, given["marker"])
    return {**given, "keep": keep, "head": head, "tail": tail, "keep_lines": keep_lines}


def percent(head: str | int, tail: str | int) -> int:
    """How much of `keep` both ends are together."""
    if isinstance(head, str) and isinstance(tail, str):
        return int(head[:-1]) + int(tail[:-1])
    return 100


def shortest(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields without those that need not be said."""
    plain = {"head": "50%", "tail": "50%", "whole_lines": False, "marker": "outside", "odd": "head"}
    plain |= {"lines": None, "keep_lines": fields["lines"], "keep": fields["most"]}
    if type(fields["head"]) is int:
        plain |= {"keep": fields["keep"], "head": 0, "tail": 0}
    elif percent(fields["head"], fields["tail"]) == 100:
        plain |= {"tail": fields["tail"]}
    return {key: value for key, value in fields.items() if value != plain.get(key)}


def _ends(head: Any, tail: Any) -> tuple[str | int, str | int]:
    """Both ends as shares or both as amounts, at most 100 % and not nothing."""
    if head is None and tail is None:
        return "50%", "50%"
    shares = {key: _share(key, end) for key, end in (("head", head), ("tail", tail))}
    for key, end in (("head", head), ("tail", tail)):
        if end is not None and shares[key] is None:
            _number(key, end, 0)
    first, last = shares["head"], shares["tail"]
    if first is None and last is None:
        if not (head or 0) + (tail or 0):
            raise _share_error("head and tail are nothing; a rule keeps something.")
        return head or 0, tail or 0
    if head not in (None, 0) and tail not in (None, 0) and (first is None) != (last is None):
        raise _share_error(f"head is {head!a} and tail {tail!a}; both are shares, or amounts.")
    if first is None:
        first = 100 - (last or 0) if head is None else 0
    if last is None:
        last = 100 - first if tail is None else 0
    if not 0 < first + last <= 100:
        raise _share_error(
            f"head and tail are {first} + {last} = {first + last} % of what is kept."
        )
    return f"{first}%", f"{last}%"


def _share(key: str, end: Any) -> int | None:
    """The per cent of an end, None if it is no text."""
    if not isinstance(end, str):
        return None
    if not re.fullmatch("[0-9]{1,3}%", end):
        raise _share_error(f"{key} is {end!a}; a share is a whole number with %, at most 100%.")
    return int(end[:-1])


def _keep(head: str | int, tail: str | int, keep: int | None, most: int, unit: str) -> int:
    """What is kept of `unit`, at most as much as passes."""
    if isinstance(head, int) and isinstance(tail, int):
        if keep not in (None, head + tail):
            raise TruncationError(
                f"head and tail are {head} + {tail} = {head + tail}, and keep is {keep}.",
                code="truncation-twice",
                next="leave keep out, or give head and tail as shares",
            )
        if head + tail > most:
            raise _over("head + tail", head + tail, "most", most)
        return head + tail
    if keep is not None and keep > most:
        raise _over("keep", keep, "most", most)
    return most if keep is None else keep


def _room(unit: str, share: int, keep: int, marker: str) -> None:
    """Something is kept, and a marker inside has room for itself and both ends."""
    least, kept = SMALLEST[unit] if marker == "inside" else 1, keep * share // 100
    if kept < least:
        sum = f"{share} % of {keep} {unit} = {kept}"
        why = "a marker inside and both ends need" if marker == "inside" else "a rule keeps"
        headline = f"The rule keeps {kept} {unit} of a text; {why} at least {least}."
        raise TruncationError(headline, sum, code="truncation-small")


def _number(key: str, value: Any, least: int) -> None:
    """Traces hold whole numbers of at most 15 digits."""
    if type(value) is not int or not least <= value < 10**15:
        wanted = f"a whole number, at least {least}, of at most 15 digits"
        if key in ("head", "tail"):
            wanted += ', or a share like "20%"'
        raise TruncationError(f"{key} is {value!a}; it must be {wanted}.", code="truncation-number")


def _unknown(headline: str, word: Any, known: Iterable[str], what: str) -> TruncationError:
    names = list(known)
    near = difflib.get_close_matches(str(word), names, 1, 0.4)
    evidence = (*(f"nearest: {name}" for name in near), f"known: {', '.join(names)}")
    return TruncationError(headline, *evidence, code=f"truncation-{what}")


def _over(key: str, value: int, limit: str, most: int) -> TruncationError:
    return TruncationError(
        f"{key} is {value}, and {limit} {most}: a text would grow by being cut.",
        f"{value - most} over",
        code="truncation-over",
        next=f"{key} may be {most} at most",
    )


def _share_error(headline: str) -> TruncationError:
    return TruncationError(headline, code="truncation-share")
