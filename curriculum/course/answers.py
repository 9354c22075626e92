"""What a learner typed: a number or a sum, yes or no, a word; and files of such answers."""

import ast
import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.trace.events import Stop

from .exercise import Answer, Slot
from .slots import Value

CONFIDENCE = {1: "guess", 2: "fairly", 3: "sure"}
"""How sure a learner is. It never changes a verdict."""
YES, NO = ("y", "yes"), ("n", "no")
LONGEST = 60
"""Characters that one answer may have."""
LARGEST = 10**12
_SUM = re.compile(r"[0-9+\-*() ]+\Z")


class AnswerError(CurriculumError):
    """An answer that cannot be read as what was asked for. It counts as no answer."""

    code = "answer-unreadable"


def answer_of(slot: Slot, typed: str) -> Value:
    """The value of what was typed for a question. Raises `AnswerError`."""
    text = typed.strip()
    match slot.type:
        case Answer.NUMBER:
            return number_of(text)
        case Answer.YES_NO:
            return yes_of(text)
        case Answer.STOP:
            return word_of(text, [str(stop) for stop in Stop], "a reason that a run stops with")
        case Answer.CHOICE:
            return word_of(text, slot.choices, "one of the choices")


def number_of(text: str) -> int:
    """A whole number, or a sum of some as 300-208. Raises `AnswerError`."""
    plain = re.sub(r"(?<=[0-9])[,_](?=[0-9]{3}\b)", "", text)
    if plain and len(plain) <= LONGEST and _SUM.match(plain):
        try:
            value = _worth(ast.parse(plain.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            value = None
        if value is not None and abs(value) < LARGEST:
            return value
    raise AnswerError(
        f"{text[:LONGEST]!r} is no whole number.",
        "a sum such as 300-208 will do",
        next="type a number",
    )


def _worth(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as value) if type(value) is int:
            return value
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            worth = _worth(inner)
            return None if worth is None else -worth
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _worth(left), _worth(right)
            if a is None or b is None or max(abs(a), abs(b)) > LARGEST:
                return None
            match op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case _:
                    return None
        case _:
            return None


def yes_of(text: str) -> bool:
    """Yes or no. Raises `AnswerError`."""
    if text.casefold() in (*YES, *NO):
        return text.casefold() in YES
    raise AnswerError(f"{text[:LONGEST]!r} is neither yes nor no.", next="type y or n")


def word_of(text: str, words: Sequence[str], what: str) -> str:
    """One of some words, or the only one that begins so. Raises `AnswerError`, nearest named."""
    if text in words:
        return text
    begun = [word for word in words if text and word.startswith(text)]
    if len(begun) == 1:
        return begun[0]
    near = difflib.get_close_matches(text[:LONGEST], list(words), 1, 0.0)
    raise AnswerError(
        f"{text[:LONGEST]!r} is not {what}.",
        f"known: {', '.join(words)}",
        next=f"nearest: {near[0]}" if near else "",
    )


def confidence_of(text: str) -> int:
    """How sure somebody is: 1, 2 or 3, or the word for it. Raises `AnswerError`."""
    for number, word in CONFIDENCE.items():
        if text.strip().casefold() in (str(number), word):
            return number
    raise AnswerError(
        f"{text.strip()[:LONGEST]!r} is none of 1 guess, 2 fairly, 3 sure.", next="type 1, 2 or 3"
    )


def spelled(value: Value) -> str:
    """A value as a learner reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


@attrs.frozen
class AnswersFile:
    """The lines `KEY = ANSWER` of a file, and on which line each stands."""

    name: str
    typed: Mapping[str, str]
    lines: Mapping[str, int]

    def get(self, key: str) -> str | None:
        """What was typed under a key; None if nothing was."""
        return self.typed.get(key)


def read_answers(path: Path, known: Sequence[str]) -> AnswersFile:
    """The answers of a file: one `KEY = ANSWER` a line, `#` begins a comment.

    Raises `AnswerError`: `answers-unreadable` for the file, `answers-line` for a line that is no
    such pair, that has a key which is none of `known`, or one that stood before.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise AnswerError(
            f"{path} cannot be read: {why}.", code="answers-unreadable", next="check the path"
        ) from None
    typed: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        key, equals, value = (part.strip() for part in words.partition("="))
        if not equals or not value or key not in known or key in typed:
            why = f"{key!r} stands twice" if key in typed else f"{words[:LONGEST]!r}"
            near = difflib.get_close_matches(key, list(known), 1, 0.0)
            raise AnswerError(
                f"{path.name}, line {number}: {why} is no line KEY = ANSWER.",
                f"keys: {', '.join(known)}",
                *(f"nearest: {name}" for name in near if name != key),
                code="answers-line",
            )
        typed[key], lines[key] = value, number
    return AnswersFile(path.name, typed, lines)
