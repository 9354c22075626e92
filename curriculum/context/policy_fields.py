"""The keys of one table of a policy file, each read with its type, its range and its words.

What is wrong is noted with its line, and reading goes on with the default, so that one run tells
every mistake.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar, cast

import attrs

from curriculum.record.records import Kind

from .policy_problems import Problem, nearest, shown, spelled
from .pooling import Amount
from .toml_lines import Place, line_at, lines_of

MOST = 100
"""Entries of one list: more than a person can keep in mind, and few enough to compare in pairs."""
BELOW = 10**15
"""No number of a file reaches it: a trace holds numbers of at most 15 digits."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}\Z")
"""What a component can be called."""
_SHARE = re.compile(r"(0|[1-9][0-9]?|100)%\Z")

W = TypeVar("W", bound=StrEnum)


@attrs.define(slots=False)
class Reading:
    """One reading of one file: its text, what was wrong so far, how many values were looked at."""

    file: str
    text: str
    problems: list[Problem] = attrs.field(factory=list[Problem])
    checked: int = 0

    @cached_property
    def lines(self) -> Mapping[Place, int]:
        """The line of every key."""
        return lines_of(self.text)

    def problem(self, place: Place, code: str, says: str, near: str = "", *more: str) -> None:
        """Note a mistake in what stands at `place`."""
        line = line_at(self.lines, place)
        self.problems.append(Problem(line, f"policy-{code}", says, near, more))


class Fields:
    """The keys of the table at `place`. A key that is not `known` is a mistake."""

    def __init__(self, reading: Reading, table: Any, place: Place, known: Sequence[str]) -> None:
        self.reading, self.place, self.known = reading, place, known
        self.given: dict[str, Any] = {}
        self.readable = isinstance(table, dict)
        if not isinstance(table, dict):
            self.wrong((), "type", table, "it must be a table")
            return
        for name, value in cast("dict[str, Any]", table).items():
            if name in known:
                self.given[name] = value
                continue
            of = spelled(place) or "a policy"
            says = f"{of} has no key {shown(name)}."
            near = nearest(name, known)
            reading.problem((*place, name), "unknown-key", says, near, f"known: {', '.join(known)}")

    def at(self, *parts: str | int) -> Place:
        """The place of something in this table."""
        return (*self.place, *parts)

    def wrong(self, parts: Place, code: str, value: Any, wanted: str) -> None:
        """Note that the value at `parts` is none that it could be."""
        place = self.at(*parts)
        self.reading.problem(place, code, f"{spelled(place)} is {shown(value)}; {wanted}.")

    def missing(self, name: str) -> None:
        """Note that the table lacks a key that it must have."""
        if self.readable:
            self.reading.problem(self.place, "missing", f"{spelled(self.place)} has no {name}.")

    def _read(self, name: str, default: Any, fits: Callable[[Any], bool], wanted: str) -> Any:
        if name not in self.given:
            return default
        self.reading.checked += 1
        value = self.given[name]
        if fits(value):
            return value
        self.wrong((name,), "type", value, f"it must be {wanted}")
        return default

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        return self._read(name, default, lambda value: isinstance(value, bool), "true or false")

    def maybe(self, name: str) -> bool | None:
        """True or false, or nothing said."""
        return self._read(name, None, lambda value: isinstance(value, bool), "true or false")

    def number(self, name: str, default: Any, least: int) -> Any:
        """A whole number from `least` on; a truth value is none."""
        wanted = f"a whole number from {least} on, of at most 15 digits"
        return self._read(
            name, default, lambda value: type(value) is int and least <= value < BELOW, wanted
        )

    def text(self, name: str, default: str) -> str:
        """A text that is not empty."""
        return self._read(
            name, default, lambda value: isinstance(value, str) and value != "", "a text"
        )

    def name(self, name: str, default: str) -> str:
        """The name of a component, or what it could be called."""
        said = self.text(name, default)
        if said == default or NAME.match(said):
            return said
        wanted = "a name is lower-case letters, digits, . _ - and begins with a letter or digit"
        self.wrong((name,), "name", said, wanted)
        return default

    def amount(self, name: str, default: Any) -> Amount | None:
        """A size in the counter's unit, or a share of the input ceiling."""
        value = self.given.get(name)
        self.reading.checked += name in self.given
        whole = type(value) is int and 0 <= value < BELOW
        if name not in self.given:
            return default
        if whole or (isinstance(value, str) and _SHARE.match(value)):
            return cast("Amount", value)
        wanted = 'it must be a whole number from 0 on, or a share from "0%" to "100%"'
        self.wrong((name,), "amount", value, wanted)
        return default

    def entries(self, name: str) -> list[Any]:
        """The entries of a list; none if it is no list."""
        value = self.given.get(name, [])
        if not isinstance(value, list):
            self.reading.checked += 1
            self.wrong((name,), "type", value, "it must be a list")
            return []
        entries = cast("list[Any]", value)
        if len(entries) > MOST:
            self.wrong((name,), "too-many", value, f"{MOST} entries are the most")
        return entries[:MOST]

    def tables(self, name: str, known: Sequence[str]) -> "list[Fields]":
        """The tables of a list `[[name]]`."""
        value = self.given.get(name)
        if isinstance(value, dict):
            self.wrong((name,), "type", value, f"write [[{name}]]")
            return []
        return [
            Fields(self.reading, entry, self.at(name, number), known)
            for number, entry in enumerate(self.entries(name), 1)
        ]

    def _texts(self, name: str) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        for number, entry in enumerate(self.entries(name), 1):
            self.reading.checked += 1
            if not isinstance(entry, str) or not entry:
                self.wrong((name, number), "type", entry, "it must be a text")
            elif any(entry == text for _, text in found):
                self.wrong((name, number), "duplicate", entry, "it stands there already")
            else:
                found.append((number, entry))
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts that are not empty, each once."""
        return tuple(text for _, text in self._texts(name))

    def word(self, name: str, default: str, known: Sequence[str], noun: str) -> str:
        """One of the known words."""
        word = self.text(name, default)
        if word == default or word in known:
            return word
        self.unknown((name,), word, known, noun)
        return default

    def words(
        self, name: str, default: tuple[W, ...], known: Iterable[W], noun: str
    ) -> tuple[W, ...]:
        """A list of known words, each once."""
        if name not in self.given:
            return default
        words = {str(word): word for word in known}
        texts = self._texts(name)
        for number, text in texts:
            if text not in words:
                self.unknown((name, number), text, list(words), noun)
        return tuple(words[text] for _, text in texts if text in words)

    def unknown(self, parts: Place, word: str, known: Sequence[str], noun: str) -> None:
        """Note that there is no such word."""
        place = self.at(*parts)
        says, near = f"no {noun} is called {shown(word)}.", nearest(word, known)
        if word == Kind.OPAQUE:
            says, near = "opaque records are never sent, so no policy decides on them.", ""
        says = f"{spelled(place)}: {says}"
        self.reading.problem(place, "unknown-word", says, near, f"known: {', '.join(known)}")
