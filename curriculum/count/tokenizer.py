"""Who counts a budget's text: a client of yours, or the best counter that is installed.

What a client does wrong never ends a budget: its count is replaced by characters // 3, which says
that it is a fallback.
"""

import asyncio
import inspect
from collections.abc import Awaitable
from typing import Any, Protocol, cast

import attrs

from curriculum.record.errors import CurriculumError

from .byte_bound import ByteBound
from .counter import Counter, Estimate
from .counters import utf8
from .registry import counter_of

ORDER = ("exact@1", "calibrated@1", "bytes@1")
"""Counters of a family, the best first: what is not installed is passed over."""


class TokenizerClient(Protocol):
    """Counts a text that stands alone with the tokenizer of `model`; sync or async.

    Its word is taken as exact. A client that only estimates says so: `kind = "heuristic"`. `id`
    names it in a budget; without one its class does.
    """

    def count(self, model: str, text: str) -> int | Awaitable[int]:
        """Tokens of `text`."""
        ...


class Unreachable(Exception):
    """A client gave no count that can be one; `why` says what it gave instead."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


@attrs.frozen
class Counting:
    """How a text was counted: for the labels of a budget, and for its buffer.

    `family` is the family that was counted in; `bounded`: by a bound in bytes.
    """

    counter: str
    kind: str
    bound_name: str | None
    family: str
    bounded: bool = False


class Installed:
    """The counter of this id, or the best for a family: a client that needs no service.

    Raises `CurriculumError` for a counter that is not known or does not count tokens.
    """

    def __init__(self, family: str, id: str = "") -> None:
        self.counter = _counter(id) if id else _best(family)
        name, _, counted_in = self.counter.id.partition(":")
        self._bytes = name == "bytes@1"
        self._family = counted_in or ("o200k" if self._bytes else "")
        self._ceiling = ByteBound(self._family or "claude-4.7")
        self.id = self.counter.id
        self.kind = "exact" if name == "exact@1" else "heuristic"
        self._said: Estimate | None = None

    def count(self, model: str, text: str) -> int:
        """The bound of `text` if the counter has one, else its estimate.

        A calibrated bound of a short text may be over the one in bytes, which holds as well.
        """
        found = self._said = self.counter.estimate(text)
        if found.bound is None:
            return max(1, found.value)
        return min(found.bound, self._ceiling.size(text))

    def counting(self) -> Counting:
        """How it counted, once it did."""
        said = self._said or self.counter.estimate("")
        return Counting(self.id, said.kind, said.bound_name, self._family, self._bytes)


def _counter(id: str) -> Counter:
    counter = _ready(id)
    if counter.unit != "tokens":
        raise CurriculumError(
            f"{id} counts {counter.unit}, and a window holds tokens.",
            code="counter-unit",
            next="curriculum budget gpt-4o --counter bytes@1:o200k",
        )
    return counter


def _ready(id: str) -> Counter:
    """The counter, once it has counted: one whose vocabulary is not installed says so now."""
    counter = counter_of(id)
    counter.estimate("a")
    return counter


def _best(family: str) -> Counter:
    for name in ORDER[:-1]:
        try:
            return _ready(f"{name}:{family}")
        except (CurriculumError, ImportError):
            continue
    return counter_of(f"{ORDER[-1]}:{family}")


def counting_of(client: object, family: str) -> Counting:
    """How a client counted: the model's own tokenizer, unless it says otherwise."""
    if isinstance(client, Installed):
        return client.counting()
    kind = _word(client, "kind")
    kind = kind if kind in ("exact", "calibrated", "heuristic") else "exact"
    bound = {"exact": "assumed", "calibrated": "p99"}.get(kind)
    return Counting(_word(client, "id") or type(client).__name__, kind, bound, family)


def _word(client: object, name: str) -> str:
    try:
        value = getattr(client, name, "")
    except Exception:  # the client may do whatever it likes
        return ""
    return value if isinstance(value, str) else ""


def fallback(family: str) -> Counting:
    """What is left when no count is to be had."""
    return Counting("characters // 3", "fallback", None, family)


def third(characters: int) -> int:
    """Characters // 3, and at least 1 of any text: a guess, too low for most text of Claude."""
    return max(1, characters // 3) if characters else 0


class Tokens:
    """Counts texts with one client, each text once. Raises `Unreachable`.

    `timeout` in seconds is for all its counts together, and can only end one that is awaited.
    """

    def __init__(self, client: TokenizerClient, model: str, timeout: float | None = None) -> None:
        self._client, self._model, self._timeout = client, model, timeout
        self._known: dict[str, int] = {"": 0}
        self._trusted = isinstance(client, Installed)

    async def count(self, texts: list[str]) -> None:
        """Count each of the texts; `of` then knows them."""
        try:
            async with asyncio.timeout(self._timeout):
                for text in texts:
                    await self._one(text)
        except TimeoutError:
            raise Unreachable("no count in the time that it was given") from None

    def count_sync(self, texts: list[str]) -> None:
        """The same from code that is not async. An async client gets an event loop of its own."""
        for number, text in enumerate(texts):
            if text not in self._known:
                found = self._asked(text)
                if _awaitable(found):
                    _close(found)
                    self._in_a_loop(texts[number:])
                    return
                self._known[text] = self._sane(found, text)

    def _in_a_loop(self, texts: list[str]) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            asyncio.run(self.count(texts))
            return
        raise Unreachable("the client is async and a loop is running: await calculate(...)")

    def of(self, texts: list[str]) -> int:
        """The tokens of these texts, which have been counted."""
        return sum(self._known[text] for text in texts)

    async def _one(self, text: str) -> None:
        if text in self._known:
            return
        found = self._asked(text)
        if _awaitable(found):
            try:
                found = await found
            except Exception as error:
                raise Unreachable(f"it raised {type(error).__name__}") from None
        self._known[text] = self._sane(found, text)

    def _asked(self, text: str) -> Any:
        try:
            return self._client.count(self._model, text)
        except Exception as error:
            raise Unreachable(f"it raised {type(error).__name__}") from None

    def _sane(self, found: Any, text: str) -> int:
        """The count if it can be one: a whole number, at least 1, at most 2 a byte.

        Our own bounds may be over that: of a text that its tokenizer makes longer first.
        """
        if type(found) is not int:
            raise Unreachable(f"it gave a {type(found).__name__}, not a whole number")
        if found >= 1 and (self._trusted or found <= 2 * utf8(text)):
            return found
        said = str(found) if -(10**15) < found < 10**15 else "a number of more than 15 digits"
        raise Unreachable(f"it gave {said} for a text of {utf8(text)} bytes")


def _awaitable(found: object) -> bool:
    try:
        return inspect.isawaitable(found)
    except Exception:  # an object may answer what it likes when it is asked for its class
        return False


def _close(found: object) -> None:
    if inspect.iscoroutine(found):
        cast("Any", found).close()
