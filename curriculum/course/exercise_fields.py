"""Reading the tables of an exercise file: each mistake by its line, with the nearest word."""

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, cast

import attrs

from curriculum.context.toml_lines import Place, line_at, lines_of
from curriculum.record.errors import CurriculumError


class ExerciseFileError(CurriculumError):
    """An exercise file that cannot be used. Its code begins with `exercise-`."""

    code = "exercise-file"


@attrs.frozen
class Fields:
    """One table of a file: its values, and where it stands. Everything raises with the line."""

    name: str
    text: str
    data: Mapping[str, Any]
    place: Place = ()

    def known(self, names: Iterable[str]) -> None:
        """Refuse the first key that is none of `names`."""
        known = list(names)
        for key in self.data:
            if key not in known:
                self.refuse(key, f"no field is called {key!r}", "exercise-field", near=(key, known))

    def refuse(
        self,
        key: str,
        why: str,
        code: str = "exercise-value",
        near: tuple[str, Sequence[str]] = ("", ()),
    ) -> NoReturn:
        """Raise for the value at `key`."""
        word, known = near
        line = line_at(lines_of(self.text), (*self.place, *([key] if key else [])))
        close = difflib.get_close_matches(word.casefold(), list(known), 1, 0.0)
        raise ExerciseFileError(
            f"{self.name}, line {line}: {why}.",
            *(f"nearest: {one}" for one in close),
            code=code,
            next="curriculum lesson check   # once it is mended",
        )

    def need(self, *keys: str) -> None:
        """Refuse a table that lacks one of `keys`, or has it empty."""
        for key in keys:
            if self.data.get(key) in (None, "", [], {}):
                self.refuse("", f"{key} is missing or empty", "exercise-missing", near=("", ()))

    def said(self, key: str, default: str = "") -> str:
        """A text."""
        value = self.data.get(key, default)
        if not isinstance(value, str):
            self.refuse(key, f"{key} is {shown(value)}; it is a text")
        return value

    def number(self, key: str, default: int = 0, least: int = 0) -> int:
        """A whole number of at least `least`."""
        value = self.data.get(key, default)
        if type(value) is not int or value < least:
            self.refuse(key, f"{key} is {shown(value)}; it is a whole number from {least}")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.data.get(key)
        if not isinstance(value, bool):
            self.refuse(key, f"{key} is {shown(value)}; it is true or false")
        return value

    def word(self, key: str, words: Iterable[str], default: str = "") -> str:
        """One of a closed list of words; `default` may be outside of it."""
        value, known = self.said(key, default), [str(word) for word in words]
        if value not in known and (key in self.data or not default):
            why = f"{key} is {value!r}; it is one of {', '.join(known)}"
            self.refuse(key, why, near=(value, known))
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, none of them empty."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(
            isinstance(one, str) and one.strip() for one in cast(list[Any], value)
        ):
            self.refuse(key, f"{key} is no list of texts that are not empty")
        return tuple(cast(list[str], value))

    def limits(self, key: str) -> dict[str, int]:
        """Limits by name."""
        return self._limits(key, self.data.get(key, {}))

    def variants(self, key: str) -> tuple[dict[str, int], ...]:
        """A list of limits by name."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.refuse(key, f"{key} is {shown(value)}; it is a list of tables")
        return tuple(self._limits(key, one) for one in cast(list[Any], value))

    def _limits(self, key: str, value: Any) -> dict[str, int]:
        nothing: dict[str, Any] = {"": None}
        numbers = cast(dict[str, Any], value) if isinstance(value, dict) else nothing
        for name, number in numbers.items():
            if type(number) is not int:
                self.refuse(key, f"{key} is no table of limits; {name or 'it'} is no whole number")
        return numbers

    def tables(self, key: str) -> "list[Fields]":
        """A list of tables, as `[[key]]` has them."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(
            isinstance(one, dict) for one in cast(list[Any], value)
        ):
            self.refuse(key, f"{key} is {shown(value)}; it is a list of tables, [[{key}]]")
        rows = enumerate(cast(list[dict[str, Any]], value), 1)
        return [Fields(self.name, self.text, row, (*self.place, key, n)) for n, row in rows]


def shown(value: Any) -> str:
    """A value inside a sentence: ASCII, and short."""
    if isinstance(value, (str, int, float, bool)):
        text = json.dumps(value)
        return text if len(text) <= 60 else f"{text[:60]}..."
    if isinstance(value, list):
        return f"a list of {len(cast(list[Any], value))}"
    return "missing" if value is None else "a table" if isinstance(value, dict) else "a date"
