"""Grading a prediction, in the one sentence that a learner is told:

each question counts once; it is right if the run agrees, or would agree once your earlier number
is left standing.

For that the case is run again with the earlier numbers forced at their stages. Then the first
difference only: where, rule, sum, and what would follow from the learner's number.
"""

from collections.abc import Mapping, Sequence

import attrs

from curriculum.record.records import Kind
from curriculum.replay.forced import Forced, ForcedRun, forced
from curriculum.trace.reader import Trace

from .exercise import Exercise, Force, Slot
from .misconceptions import Suspect, is_slip, suspects
from .scenes import Scene, same
from .slots import SlotError, Spot, Value, answer_at, spots_of
from .why import Why, why

Given = Mapping[str, Value]
"""A learner's answers by the key of the question."""


@attrs.frozen
class Mark:
    """One question: the learner's answer, the run's, and that of the run in which the learner's
    earlier numbers stand; None where no such number differs, or none could stand.
    """

    slot: Slot
    yours: Value
    run: Value
    standing: Value | None = None

    @property
    def agrees(self) -> bool:
        """Whether the run itself agrees."""
        return same(self.yours, self.run)

    @property
    def right(self) -> bool:
        """Whether the run agrees, or would once the earlier numbers are left standing."""
        return self.agrees or (self.standing is not None and same(self.yours, self.standing))


@attrs.frozen
class Grade:
    """A graded prediction. `first` is the place of the first answer that is not right.

    `why` explains the run's answer there, `yours` is the run in which the learner's number stands,
    if the question forces one. `invisible` says that no request differs between the two runs.
    """

    exercise: Exercise
    marks: tuple[Mark, ...]
    first: int | None
    why: Why | None = None
    yours: ForcedRun | None = None
    suspects: tuple[Suspect, ...] = ()
    invisible: bool = False

    @property
    def passed(self) -> bool:
        """Whether all answers are right."""
        return self.first is None

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(mark.right for mark in self.marks)

    @property
    def slip(self) -> bool:
        """Whether the first difference looks like a slip in counting, and like nothing else."""
        if self.first is None or self.suspects:
            return False
        mark = self.marks[self.first]
        return is_slip(mark.yours, mark.run)

    @property
    def again(self) -> tuple[int, ...]:
        """The places of the questions behind the first difference that are not right yet."""
        if self.first is None:
            return ()
        return tuple(n for n, mark in enumerate(self.marks) if n > self.first and not mark.right)


def grade(scene: Scene, given: Given) -> Grade:
    """Grade answers to every question. Raises `CurriculumError` if the run cannot be made."""
    marks = marked(scene, given)
    first = next((n for n, mark in enumerate(marks) if not mark.right), None)
    unseen = _bodies(scene.before) == _bodies(scene.after)
    if first is None:
        return Grade(scene.exercise, marks, None, invisible=unseen)
    return Grade(
        scene.exercise,
        marks,
        first,
        why(scene.after, marks[first].slot.read, scene.before),
        standing(scene, given, first + 1) if marks[first].slot.forces is not None else None,
        suspects(scene, given, first),
        unseen,
    )


def marked(scene: Scene, given: Given) -> tuple[Mark, ...]:
    """Each answer beside the run's, and beside that of the run with earlier numbers standing."""
    found: list[Mark] = []
    for at, slot in enumerate(scene.exercise.slots):
        run = answer_at(slot, scene.after, scene.before)
        would = standing(scene, given, at)
        value = None if would is None else _value(would, slot, scene.before)
        found.append(Mark(slot, given[slot.key], run, value))
    return tuple(found)


def standing(scene: Scene, given: Given, upto: int) -> ForcedRun | None:
    """The run with the numbers of the first `upto` questions left standing.

    None if none of them differs from the run's, or if no run can be made with them.
    """
    outputs: list[Forced] = []
    for slot in scene.exercise.slots[:upto]:
        yours = given[slot.key]
        if slot.forces is None or type(yours) is not int:
            continue
        if not same(yours, answer_at(slot, scene.after, scene.before)):
            outputs.append(Forced(slot.forces, yours, _result(scene.after, slot)))
    if not outputs or scene.scenario is None:
        return None
    return forced(scene.scenario, outputs)


def _value(run: ForcedRun, slot: Slot, before: Trace) -> Value | None:
    if run.trace is None:
        return None
    try:
        return answer_at(slot, run.trace, before)
    except SlotError:
        return None


def _result(trace: Trace, slot: Slot) -> int:
    """Which tool result of the run, from 1, a question is about."""
    if slot.forces is Force.RESERVE:
        return 1
    results = [record.id for record in trace.records if record.kind is Kind.RESULT]
    for spot in spots_of(trace, slot.read):
        name = _record(trace, spot)
        if name in results:
            return results.index(name) + 1
    raise SlotError(f"{slot.read!r} is about no tool result, so {slot.forces} cannot be forced.")


def _record(trace: Trace, spot: Spot) -> str:
    """The record that a fact is about: the one it decides on, appends, or leads to."""
    if spot.record:
        return spot.record
    after = trace.events[spot.event.seq - 1 :]
    return next((event.data.id for event in after if event.type == "record.append"), "")


def _bodies(trace: Trace) -> Sequence[str]:
    return [event.data.fingerprint for event in trace.of("model.request")]
