"""Counters by id: `NAME@VERSION`, with an option behind a colon where one has any."""

from importlib import import_module

from curriculum.record.errors import CurriculumError

from .counters import Characters, Counter

_COUNTERS = {
    "bytes@1": "byte_bound:ByteBound",
    "calibrated@1": "calibrated:Calibrated",
}
"""Where each counter is that the demo does not need: it is imported when it is named."""


def counter_of(id: str) -> Counter:
    """The counter that a trace names. Raises `CurriculumError` for one that is not known here."""
    if id == "chars@1":
        return Characters()
    name, _, option = id.partition(":")
    if name in _COUNTERS:
        module, _, kind = _COUNTERS[name].partition(":")
        made = getattr(import_module(f"{__package__}.{module}"), kind)
        return made(option) if option else made()
    raise CurriculumError(
        f"No counter is called {id!r}.",
        f"known: chars@1, {', '.join(_COUNTERS)}",
        code="counter-unknown",
        next="pip install --upgrade curriculum",
    )
