"""The first six minutes: run a lesson, look at a request, predict a number, see the difference."""

from collections.abc import Mapping

import attrs

from curriculum.trace.reader import Trace

from .exercise import Exercise
from .exercises import exercise_of
from .grading import Grade, grade
from .messages import messages, places, text
from .scenes import Scene
from .slots import Value, value_of
from .why import Why, why

EXERCISE, QUESTION = "s06-1", "shown"
"""The exercise that the tour takes its one question from, and the key of that question."""
REQUEST = 2
"""The request that the tour looks at."""


@attrs.frozen
class Part:
    """One part of the tour: what it is called, what is said first, the command that does it."""

    title: str
    says: str
    command: str


@attrs.frozen
class Tour:
    """The tour: one exercise with one question, in the numbers of the text."""

    exercise: Exercise
    scene: Scene

    @property
    def before(self) -> Trace:
        """The run that is looked at."""
        return self.scene.before

    @property
    def was(self) -> Value | None:
        """The answer to the question before the change."""
        return self.scene.was(self.exercise.slots[0])

    @property
    def question(self) -> str:
        """The one question."""
        return text("tour.question", {"number": REQUEST})

    @property
    def reason(self) -> Why:
        """Why the run answers as it does."""
        return why(self.scene.after, self.exercise.slots[0].read, self.before)

    @property
    def change(self) -> tuple[str, int, int]:
        """The limit that changes, what it was, and what it is then."""
        ((name, value),) = self.scene.variant.items()
        return name, self.before.start.budget[name], value

    def grade(self, answer: Value) -> Grade:
        """The answer beside the run."""
        return grade(self.scene, {self.exercise.slots[0].key: answer})

    def parts(self) -> tuple[Part, ...]:
        """The parts in order."""
        name, was, now = self.change
        case = self.exercise.case
        returned = value_of(self.before, "tool.result 1 size")
        said = {"limit": name, "was": was, "now": now, "number": REQUEST, "returned": returned}
        again = f"curriculum run {case} --budget {name}={now}"
        rows = (
            ("run", f"curriculum run {case}"),
            ("look", f"curriculum read {case.partition('-')[0]} L1"),
            ("predict", f"curriculum predict {self.exercise.id}"),
            ("difference", again),
            ("work", "curriculum start my-course"),
        )
        return tuple(Part(text(f"tour.{key}-title"), _said(key, said), run) for key, run in rows)


def _said(key: str, known: Mapping[str, int | str]) -> str:
    """What is said first in a part, of what is known."""
    wanted = places(messages()[f"tour.{key}"])
    return text(f"tour.{key}", {name: known[name] for name in wanted})


def tour() -> Tour:
    """The tour. Raises `CurriculumError` if its lesson is not installed."""
    whole = exercise_of(EXERCISE)
    slots = tuple(slot for slot in whole.slots if slot.key == QUESTION)
    one = attrs.evolve(whole, slots=slots)
    return Tour(one, Scene(one, one.change))
