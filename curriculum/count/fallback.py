"""What is said of a text's size when its tokenizer is not there: `fallback@1:FAMILY`.

A budget must never fail because a tokenizer does. Characters // 3 is the usual guess, and no
bound: too low for 3 % of documents and every Chinese text under o200k, for 96 % of code under
Claude 4.7. So the guess is only the value. Budgets admit by the family's bound in bytes.
"""

import re
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from curriculum.record.errors import CurriculumError

from .counter import Counter, Estimate
from .families import Family, family_of

T = TypeVar("T")
_LONE = re.compile("[\ud800-\udfff]")
"""Half a character, which no UTF-8 has: it is sent as U+FFFD."""


class Fallback(Counter):
    """Characters // 3 as the value, the family's bound in bytes as bound and size.

    Raises `CurriculumError` for a family that is not known.
    """

    unit = "tokens"
    steady = True

    def __init__(self, family: str = "") -> None:
        self.family: Family = family_of(family)
        self.id = f"fallback@1:{family}"
        self.bound_name = self.family.bound_name

    def size(self, text: str) -> int:
        """The family's bound in bytes: a guess adds up to no bound."""
        return self.family.bound(_LONE.sub("\ufffd", text))

    def estimate(self, text: str) -> Estimate:
        """The guess, with the family's bound beside it."""
        bound = self.size(text)
        return Estimate(len(text) // 3, bound, self.unit, "fallback", self.bound_name)


class Degrading(Counter):
    """A counter that falls back when the one inside fails, and says so; it never raises.

    What it fell back on has the kind `fallback`; `failures` says how often for which reason: the
    name of what was raised, `timed-out`, or `nonsense`. Its id is its own, for which of its sizes
    are whose depends on the run; so a trace that it measured cannot be rebuilt.
    """

    unit = "tokens"
    steady = False

    def __init__(self, counter: Counter, family: str, seconds: int | None = None) -> None:
        self.fallback = Fallback(family)
        if counter.unit != self.unit:
            raise CurriculumError(
                f"{counter.id} counts {counter.unit}, and what it falls back on counts tokens.",
                code="counter-unit",
                next=f"use exact@1:{family} or bytes@1:{family}",
            )
        self.counter, self.seconds, self.images = counter, seconds, counter.images
        self.id = f"degrading@1:{family}"
        names = counter.bound_name, self.fallback.bound_name
        self.bound_name = next((name for name in names if name != "proven"), "proven")
        self.failures: dict[str, int] = {}

    def around(self, tools: bool) -> int:
        """As the counter inside: a number that stands in a table, not a count."""
        return self.counter.around(tools)

    def size(self, text: str) -> int:
        """The size that the counter inside says, or the family's bound in bytes."""

        def sound(size: object) -> bool:
            return self._sound(size, text)

        return self._asked(lambda: self.counter.size(text), sound, lambda: self.fallback.size(text))

    def estimate(self, text: str) -> Estimate:
        """The estimate of the counter inside, or the fallback's, whose kind is `fallback`."""

        def sound(made: object) -> bool:
            return (
                isinstance(made, Estimate)
                and self._sound(made.value, text)
                and (made.bound is None) == (made.bound_name is None)
                and (made.bound is None or self._sound(made.bound, text))
                and made.unit == self.unit
            )

        return self._asked(
            lambda: self.counter.estimate(text), sound, lambda: self.fallback.estimate(text)
        )

    def _sound(self, count: object, text: str) -> bool:
        """Whether this can be the tokens of `text`: not none, and no more than its bytes allow."""
        if type(count) is not int:
            return False
        return (1 if text else 0) <= count <= self.fallback.size(text)

    def _asked(
        self, ask: Callable[[], T], sound: Callable[[T], bool], instead: Callable[[], T]
    ) -> T:
        try:
            if "timed-out" in self.failures:
                raise TimeoutError
            made = ask() if self.seconds is None else _within(self.seconds, ask)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except TimeoutError:
            failed = "timed-out"
        except BaseException as error:  # a panic of a Rust library is no Exception
            failed = type(error).__name__
        else:
            if sound(made):
                return made
            failed = "nonsense"
        self.failures[failed] = self.failures.get(failed, 0) + 1
        return instead()


def degrading(counter: Counter, family: str, seconds: int | None = None) -> Degrading:
    """`counter`, or what a text of `family` has by its bytes where the counter fails.

    `seconds` is what one count may take; None waits for ever. A count that takes longer is left
    alone, not stopped, and the counter is not asked again. Raises `CurriculumError` if it counts
    no tokens.
    """
    return Degrading(counter, family, seconds)


def _within(seconds: int, ask: Callable[[], T]) -> T:
    done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            done.put((ask(), None))
        except BaseException as error:
            done.put((None, error))

    Thread(target=run, daemon=True, name="count").start()
    try:
        made, error = done.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return made  # pyright: ignore[reportReturnType]
