"""The lines that a file of answers has, by the kind of exercise."""

from collections.abc import Callable

from curriculum.course.exercise import Exercise, Kind


def _slots(exercise: Exercise) -> list[str]:
    lines = [f"{slot.key} = ...   # {slot.ask}" for slot in exercise.slots]
    return [*lines, "confidence = ...   # 1 guess  2 fairly  3 sure"]


def _order(exercise: Exercise) -> list[str]:
    lines = [f"# {event.key}: {event.says}" for event in exercise.events]
    return [*lines, "order = ...   # the keys of what happens, in order, with blanks between"]


def _event(exercise: Exercise) -> list[str]:
    return [f"event = ...   # {exercise.ask or exercise.promise} (the number of an event)"]


def _explain(exercise: Exercise) -> list[str]:
    lines = [
        f"text = ...   # {exercise.ask}",
        "event = ...   # the number of an event that shows it",
        "value = ...   # what stands there",
    ]
    ticks = enumerate(exercise.ticks, 1)
    return [*lines, *(f"fact {n} = ...   # y or n: {tick.ask}" for n, tick in ticks)]


FORMS: dict[Kind, Callable[[Exercise], list[str]]] = {
    Kind.PREDICT: _slots,
    Kind.NUMBER: _slots,
    Kind.ORDER: _order,
    Kind.SPOT: _event,
    Kind.CAUSE: _event,
    Kind.EXPLAIN: _explain,
}
