"""Explaining in one's own words: written first, with one event cited that shows it.

No program can grade the words. It checks that the event exists and holds the cited value; then
three model answers are there to compare with, and three facts to tick. The verdict is *done*.
"""

from collections.abc import Sequence
from hashlib import sha256

import attrs

from curriculum.record.records import Record
from curriculum.trace.facts import View
from curriculum.trace.reader import Trace

from .answers import LONGEST, AnswerError
from .exercise import Exercise, Model
from .result import Finding, Result, Verdict
from .slots import Value

FEWEST = 5
"""Words that an explanation has at least."""


@attrs.frozen
class Explained:
    """What a learner wrote: the words, the event that shows it, and the value that stands there."""

    words: str
    seq: int
    value: str


def words_of(text: str) -> str:
    """An explanation. Raises `AnswerError` for one that is hardly any."""
    if len(text.split()) < FEWEST:
        raise AnswerError(
            f"That is {len(text.split())} words; {FEWEST} or more say why.", next="say it in full"
        )
    return text


def value_typed(text: str) -> str:
    """A cited value. Raises `AnswerError` for nothing."""
    if not text:
        raise AnswerError("No value was named.", next="name what stands in the event")
    return text


def cite(exercise: Exercise, trace: Trace, given: Explained) -> tuple[bool, list[Finding]]:
    """Whether the cited event exists, is of a type that can show it, and holds the value."""
    types = exercise.cites.split()
    params: dict[str, int | str] = {"seq": given.seq}
    if not 0 < given.seq <= len(trace.events):
        return False, [Finding("explain.no-event", {**params, "of": len(trace.events)})]
    event = trace.events[given.seq - 1]
    params["type"] = event.type
    if event.type not in types:
        known = " or ".join(types)
        return False, [Finding("explain.other-type", {**params, "types": known})]
    facts = View(trace).facts(event)
    value = given.value.strip()
    fields = [name for name, fact in facts.items() if _spelled(fact) == value]
    if isinstance(event.data, Record) and str(len(event.data.text)) == value:
        fields.append("text")
    if not fields:
        shown = value[:LONGEST]
        return False, [Finding("explain.no-value", {**params, "value": shown})]
    field = {"field": fields[0], "value": value[:LONGEST]}
    return True, [Finding("explain.cited", {**params, **field})]


def models_of(exercise: Exercise) -> list[Model]:
    """The model answers in an order that says nothing."""
    return sorted(
        exercise.models, key=lambda m: sha256(f"{exercise.id} {m.text}".encode()).digest()
    )


def compared(exercise: Exercise) -> list[Finding]:
    """What each model answer is, and why."""
    return [
        Finding(f"explain.model-{model.is_}", {"n": n, "why": model.why})
        for n, model in enumerate(models_of(exercise), 1)
    ]


def ticked(exercise: Exercise, ticks: Sequence[bool]) -> list[Finding]:
    """What is said of the facts that were ticked."""
    found: list[Finding] = []
    for number, (tick, said) in enumerate(zip(exercise.ticks, ticks, strict=True), 1):
        key = "explain.tick-right" if said == tick.is_ else "explain.tick-not"
        is_ = "yes" if tick.is_ else "no"
        found.append(Finding(key, {"n": number, "is": is_, "why": tick.why}))
    return found


def explained(
    exercise: Exercise, cited: tuple[bool, Sequence[Finding]], ticks: Sequence[bool]
) -> Result:
    """The result: done once an event is cited that holds what it is said to hold."""
    holds, said = cited
    if not holds:
        return Result(exercise.id, Verdict.NOT_YET, tuple(said))
    right = sum(said == tick.is_ for tick, said in zip(exercise.ticks, ticks, strict=True))
    found = [*said, *ticked(exercise, ticks), *compared(exercise)]
    score = right, len(exercise.ticks)
    done = Finding("explain.done", {"right": score[0], "of": score[1]})
    return Result(exercise.id, Verdict.PASS, (*found, done), score)


def _spelled(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
