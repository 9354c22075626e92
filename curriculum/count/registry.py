"""Counters by id: `NAME@VERSION`, with an option behind a colon where one has any."""

from functools import cache
from importlib import import_module

from curriculum.record.errors import CurriculumError

from .counter import Counter
from .counters import Characters

_COUNTERS = {
    "bytes@1": "byte_bound:ByteBound",
    "calibrated@1": "calibrated:Calibrated",
    "exact@1": "exact:Exact",
    "fallback@1": "fallback:Fallback",
}
"""Where each counter is that the demo does not need: it is imported when it is named."""
_GIVEN = {
    "tiktoken@1": "curriculum.count.adapters.tiktoken_file",
    "huggingface@1": "curriculum.count.adapters.huggingface_file",
}
"""Counters that are made from a file of the user's, and by what."""


_DEAR = ("calibrated@1", "exact@1")
"""Counters that look at a text for longer than it takes to know it again."""


def _made(name: str, option: str) -> Counter:
    module, _, kind = _COUNTERS[name].partition(":")
    made = getattr(import_module(f"{__package__}.{module}"), kind)
    return made(option) if option else made()


@cache
def _remembered(name: str, option: str) -> Counter:
    """One memory for the whole process: who assembles, checks and shows counts a text once."""
    from .remembered import Remembered

    return Remembered(_made(name, option))


def counter_of(id: str) -> Counter:
    """The counter that a trace names. Raises `CurriculumError` for one that is not known here."""
    if id == "chars@1":
        return Characters()
    if ";" in id:
        from .for_model import read

        return read(id)
    name, _, option = id.partition(":")
    if name in _COUNTERS:
        return _remembered(name, option) if name in _DEAR else _made(name, option)
    if name in _GIVEN:
        raise CurriculumError(
            f"{id} counts with a file that is not known here.",
            f"its SHA-256 starts with {option.partition('#')[2] or '?'}",
            code="counter-needs-file",
            next=f"make the counter from that file with {_GIVEN[name]}",
        )
    if name == "degrading@1":
        raise CurriculumError(
            f"{id} fell back where its tokenizer failed, which no other run can do again.",
            code="counter-of-its-run",
            next=f"record the trace with bytes@1:{option}",
        )
    raise CurriculumError(
        f"No counter is called {id!r}.",
        f"known: chars@1, {', '.join(_COUNTERS)}",
        code="counter-unknown",
        next="pip install --upgrade curriculum",
    )
