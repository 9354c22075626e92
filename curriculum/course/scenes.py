"""What a prediction is about: the run that was seen, and the one that is run after it."""

from functools import cached_property

import attrs

from curriculum.agent.scenario import Scenario
from curriculum.golden.cases import Case
from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace

from .exercise import Exercise, Slot
from .runs import case_of, run_of, trace_of
from .slots import SlotError, Value, answer_at
from .variants import Variant


@attrs.frozen(slots=False)
class Scene:
    """An exercise with the numbers of one variant. The second run is run when it is asked for."""

    exercise: Exercise
    variant: Variant

    @property
    def before(self) -> Trace:
        """The run that the learner has seen."""
        return trace_of(self.exercise.case)

    @cached_property
    def after(self) -> Trace:
        """The run that is predicted. Raises `CurriculumError` if it cannot be run."""
        if self.exercise.then:
            return trace_of(self.exercise.then)
        return trace_of(run_of(self.exercise.case, self.variant))

    @property
    def case(self) -> Case:
        """The case that is run after the change."""
        return case_of(self.exercise.then or self.exercise.case)

    @property
    def scenario(self) -> Scenario | None:
        """What it runs; None for a loop of one's own."""
        if not self.variant or self.case.staged is None:
            return self.case.staged
        return self.case.under(self.variant)

    def was(self, slot: Slot) -> Value | None:
        """What the first run answers; None if nothing, or if the question compares two runs."""
        if slot.read.startswith(("same ", "changed ")):
            return None
        try:
            return answer_at(slot, self.before)
        except SlotError:
            return None

    def answers(self) -> dict[str, Value]:
        """What the second run answers to each question. Raises `CurriculumError`."""
        return answers_of(self.exercise, self.after, self.before)


def answers_of(exercise: Exercise, after: Trace, before: Trace) -> dict[str, Value]:
    """What a run answers to each question of an exercise. Raises `SlotError`."""
    return {slot.key: answer_at(slot, after, before) for slot in exercise.slots}


def answers_if_any(exercise: Exercise, after: Trace, before: Trace) -> dict[str, Value]:
    """The same, without the questions to which the run has no answer."""
    found: dict[str, Value] = {}
    for slot in exercise.slots:
        try:
            found[slot.key] = answer_at(slot, after, before)
        except CurriculumError:
            continue
    return found


def same(one: Value | None, other: Value | None) -> bool:
    """Whether two answers are the same; yes is not the number 1."""
    return type(one) is type(other) and one == other
