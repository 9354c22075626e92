"""Answers that somebody gives who has understood nothing. None of them may pass."""

from collections.abc import Iterator, Mapping

import attrs

from .exercise import Answer, Kind, Slot
from .scenes import Scene, same
from .slots import SlotError, Value, answer_at


@attrs.frozen
class Strategy:
    """One way to answer every question without looking: its name, and the answers."""

    name: str
    answers: Mapping[str, Value]


def strategies(scene: Scene) -> Iterator[Strategy]:
    """Every constant strategy that a scene has: all same, all changed, all by the difference."""
    slots = scene.exercise.slots
    was = {slot.key: was_or_any(scene, slot) for slot in slots}
    yield Strategy("all same", was)
    if scene.exercise.kind is Kind.PREDICT:
        yield from _all_changed(scene, was)
    for name, new in sorted(scene.variant.items()):
        old = scene.before.start.budget.get(name)
        for said in (True, False):
            word = "yes" if said else "no"
            if old is not None:
                moved = {key: _moved(value, new - old, said) for key, value in was.items()}
                yield Strategy(f"all by the difference {new - old:+}, {word} to the rest", moved)
            given = {key: _set(value, new, said) for key, value in was.items()}
            yield Strategy(f"always the new {name} {new}, {word} to the rest", given)


def was_or_any(scene: Scene, slot: Slot) -> Value:
    """What the run that was seen answers; of a comparison, that nothing differs."""
    try:
        return answer_at(slot, scene.before, scene.before)
    except SlotError:
        match slot.type:
            case Answer.NUMBER:
                return 0
            case Answer.YES_NO:
                return False
            case Answer.CHOICE:
                return slot.choices[0]
            case Answer.STOP:
                return "completed"


def _all_changed(scene: Scene, was: Mapping[str, Value]) -> Iterator[Strategy]:
    """Somebody for whom everything changes, and who guesses well how."""
    after = scene.answers()
    changed = {key: _other(value, after[key]) for key, value in was.items()}
    yield Strategy("all changed", changed)


def _other(was: Value, now: Value) -> Value:
    if not same(was, now):
        return now
    if isinstance(was, bool):
        return not was
    return was + 1 if isinstance(was, int) else f"not {was}"


def _moved(was: Value, by: int, said: bool) -> Value:
    if isinstance(was, bool):
        return said
    return was + by if isinstance(was, int) else was


def _set(was: Value, new: int, said: bool) -> Value:
    if isinstance(was, bool):
        return said
    return new if isinstance(was, int) else was


def moves(scene: Scene) -> tuple[str, ...]:
    """The keys of the questions whose answer is another one than in the run that was seen."""
    after = scene.answers()
    return tuple(
        slot.key
        for slot in scene.exercise.slots
        if not same(was_or_any(scene, slot), after[slot.key])
    )
