"""Which picture of the harness would give a learner's answer: wrong harnesses, really run."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any, cast

import attrs

from curriculum.agent.scenario import Scenario
from curriculum.agent.staged import Staged
from curriculum.golden.cases import Case, run_case
from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace

from .exercise import Answer, Exercise, Wrong
from .runs import case_of
from .scenes import Scene, answers_if_any, same
from .slots import Value

Harness = Callable[[Staged], Staged]
SLIP = 4
"""An answer that is off by at most this many is called a slip in counting."""


@attrs.frozen
class Suspect:
    """A wrong harness that gives the learner's answer at the first difference.

    `value` is that answer, `agrees` how many of all answers it gives.
    """

    wrong: Wrong
    value: Value
    agrees: int


def harness_of(exercise: Exercise, name: str) -> Harness:
    """A wrong harness by name. Raises `CurriculumError` (`wrong-harness`)."""
    module = f"{exercise.solutions}.wrong"
    try:
        found: Any = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError:
        found = None
    if not callable(found):
        raise CurriculumError(
            f"{exercise.id}: {module} has no function called {name}.", code="wrong-harness"
        )
    return cast(Harness, found)


def suspects(scene: Scene, given: Mapping[str, Value], first: int) -> tuple[Suspect, ...]:
    """The wrong harnesses that give what was given at question `first`, likeliest first.

    A number speaks for itself; a yes, a no or a word could be anybody's, so there all answers
    before it must be the harness's too.
    """
    slots = scene.exercise.slots
    found: list[Suspect] = []
    for wrong in scene.exercise.wrong:
        its = answers_under(scene, wrong)
        agrees = [same(its.get(slot.key), given[slot.key]) for slot in slots]
        alone = slots[first].type is Answer.NUMBER
        if agrees[first] and (alone or all(agrees[:first])):
            found.append(Suspect(wrong, given[slots[first].key], sum(agrees)))
    return tuple(sorted(found, key=lambda suspect: -suspect.agrees))


def answers_under(scene: Scene, wrong: Wrong) -> dict[str, Value]:
    """What a wrong harness answers to each question; questions that its run leaves open are not
    there. It has its own picture of the first run too.
    """
    harness = harness_of(scene.exercise, wrong.harness)
    try:
        before = wrong_run(harness, case_of(scene.exercise.case))
        after = wrong_run(harness, scene.case, scene.scenario)
    except CurriculumError:
        return {}
    return answers_if_any(scene.exercise, after, before)


def wrong_run(harness: Harness, case: Case, scenario: Scenario | None = None) -> Trace:
    """The trace of a case, or of another `scenario` of it, under a wrong harness.

    It may stop as it likes. Raises `CurriculumError` where the harness cannot be run at all.
    """
    known = scenario or case.staged
    if known is None:
        raise CurriculumError(f"{case.id} is a loop of one's own.", code="case-own-loop")
    try:
        staged = harness(Staged(known.runner, known.prompts))
    except Exception as error:
        why = f"{case.id}: the wrong harness raised {type(error).__name__}: {error}"
        raise CurriculumError(why, code="wrong-harness-raised") from error
    return Trace.parse(run_case(case, staged), f"{case.id} under a wrong harness")


def is_slip(one: Value, other: Value) -> bool:
    """Whether two numbers are so near that somebody has miscounted."""
    numbers = type(one) is int and type(other) is int
    return numbers and 0 < abs(int(one) - int(other)) <= SLIP
