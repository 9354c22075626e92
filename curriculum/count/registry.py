"""Counters by unit and by id."""

from curriculum.record.errors import CurriculumError

from .counters import Characters, Counter


def counter_for(unit: str) -> Counter:
    """The built-in counter of a budget's unit: chars or tokens."""
    return counter_of("chars@1" if unit == "chars" else "bytes@1")


def counter_of(id: str) -> Counter:
    """The counter that a trace names. Raises `CurriculumError` for one that is not built in."""
    if id == "chars@1":
        return Characters()
    if id == "bytes@1":
        from .byte_bound import ByteBound

        return ByteBound()
    raise CurriculumError(
        f"No counter is called {id!r}.",
        "known: chars@1, bytes@1",
        code="counter-unknown",
        next="pip install --upgrade curriculum",
    )
