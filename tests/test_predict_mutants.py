"""A grader that is broken on purpose is found out: each mutant makes a check fail.

The checks are the rules that the other tests state; here they are asked of mutants.
"""

from collections.abc import Callable, Mapping

import attrs
import pytest

from curriculum.course import feedback, grading, misconceptions
from curriculum.course.feedback import first_said, later_said, result_of
from curriculum.course.grading import Grade, Mark
from curriculum.course.scenes import Scene
from curriculum.course.slots import Value

from .classroom import RIGHT, SAMPLE, scene_of

Given = Mapping[str, Value]


def _texts(given: Given) -> list[str]:
    made = grading.grade(scene_of(), given)
    return [
        finding.text
        for finding in result_of(made, [*first_said(made), *later_said(made)], {}).findings
    ]


def check_pass() -> None:
    assert grading.grade(scene_of(), RIGHT).passed


def check_not_yet() -> None:
    """Each answer counts: one that is off is found, whichever it is."""
    for key, off in (("log", 180), ("shown", 120), ("request", 240), ("bytes", True)):
        made = grading.grade(scene_of(), {**RIGHT, key: off})
        assert not made.passed, key
        assert key == made.marks[made.first or 0].slot.key


def check_pair() -> None:
    assert any("You: 120. Run: 31." in text for text in _texts(SAMPLE))


def check_score() -> None:
    assert 1 == grading.grade(scene_of(), SAMPLE).right
    follows: Given = {"log": 25, "shown": 25, "request": 294, "bytes": True}
    assert 3 == grading.grade(scene_of(), follows).right


def check_unlawful() -> None:
    given: Given = {"log": 120, "shown": 120, "request": 389, "bytes": True}
    assert 1 == grading.grade(scene_of(), given).right


def check_picture() -> None:
    made = grading.grade(scene_of(), SAMPLE)
    assert ["gate_1_only"] == [one.wrong.harness for one in made.suspects]


def check_slip() -> None:
    assert grading.grade(scene_of(), {**RIGHT, "shown": 30}).slip
    assert not grading.grade(scene_of(), {**RIGHT, "shown": 26}).slip


CHECKS = (
    check_pass,
    check_not_yet,
    check_pair,
    check_score,
    check_unlawful,
    check_picture,
    check_slip,
)


def failing() -> list[str]:
    """The checks that fail as things are."""
    found: list[str] = []
    for check in CHECKS:
        try:
            check()
        except AssertionError:
            found.append(check.__name__)
    return found


def _swapped(patch: pytest.MonkeyPatch) -> None:
    """Expected and got change places."""
    real = grading.marked

    def swapped(scene: Scene, given: Given) -> tuple[Mark, ...]:
        return tuple(attrs.evolve(m, yours=m.run, run=m.yours) for m in real(scene, given))

    patch.setattr(grading, "marked", swapped)


def _always_pass(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Mark, "right", property(lambda self: True))


def _never_pass(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Mark, "right", property(lambda self: False))


def _ignoring(place: int) -> Callable[[pytest.MonkeyPatch], None]:
    """One question is never looked at."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        real = grading.marked

        def ignoring(scene: Scene, given: Given) -> tuple[Mark, ...]:
            marks = list(real(scene, given))
            marks[place] = attrs.evolve(marks[place], yours=marks[place].run)
            return tuple(marks)

        patch.setattr(grading, "marked", ignoring)

    return mutate


def _no_follow_through(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(grading, "standing", lambda *_: None)


def _all_follow_through(patch: pytest.MonkeyPatch) -> None:
    """Whatever stands behind a wrong number is forgiven."""
    real = grading.marked

    def forgiving(scene: Scene, given: Given) -> tuple[Mark, ...]:
        marks = real(scene, given)
        wrong = next((n for n, mark in enumerate(marks) if not mark.right), len(marks))
        return tuple(
            attrs.evolve(mark, standing=mark.yours) if n > wrong else mark
            for n, mark in enumerate(marks)
        )

    patch.setattr(grading, "marked", forgiving)


def _own_number_forgives_itself(patch: pytest.MonkeyPatch) -> None:
    """A number is judged in the run in which it stands itself."""
    real = grading.standing
    patch.setattr(grading, "standing", lambda scene, given, upto: real(scene, given, upto + 1))


def _last_difference(patch: pytest.MonkeyPatch) -> None:
    """The last answer that is not right is explained instead of the first."""
    real = grading.grade

    def last(scene: Scene, given: Given) -> Grade:
        made = real(scene, given)
        wrong = [n for n, mark in enumerate(made.marks) if not mark.right]
        return attrs.evolve(made, first=wrong[-1]) if wrong else made

    patch.setattr(grading, "grade", last)


def _texts_swapped(patch: pytest.MonkeyPatch) -> None:
    """The text shows the run's number as the learner's."""
    real = feedback.Finding

    def swapped(key: str, params: Mapping[str, int | str] = {}) -> object:
        if {"yours", "run"} <= params.keys():
            params = {**params, "yours": params["run"], "run": params["yours"]}
        return real(key, params)

    patch.setattr(feedback, "Finding", swapped)


def _accuse_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        grading,
        "suspects",
        lambda scene, given, first: tuple(
            misconceptions.Suspect(wrong, 0, 0) for wrong in scene.exercise.wrong
        ),
    )


def _wide_slips(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(misconceptions, "SLIP", 5)


def _loose_equality(patch: pytest.MonkeyPatch) -> None:
    """Numbers that are near count as the same."""

    def near(one: Value | None, other: Value | None) -> bool:
        if type(one) is int and type(other) is int:
            return abs(one - other) <= 4
        return one == other

    patch.setattr(grading, "same", near)


MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "expected and got swapped": _swapped,
    "always pass": _always_pass,
    "never pass": _never_pass,
    "question 1 ignored": _ignoring(0),
    "question 2 ignored": _ignoring(1),
    "question 3 ignored": _ignoring(2),
    "question 4 ignored": _ignoring(3),
    "follow-through forgotten": _no_follow_through,
    "follow-through for everything": _all_follow_through,
    "a number forgives itself": _own_number_forgives_itself,
    "last difference instead of first": _last_difference,
    "texts swapped": _texts_swapped,
    "every picture suspected": _accuse_all,
    "slips of five": _wide_slips,
    "near is the same": _loose_equality,
}


def test_without_a_mutant_every_check_holds() -> None:
    assert [] == failing()


@pytest.mark.parametrize("name", MUTANTS)
def test_each_mutant_makes_a_check_fail(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[name](monkeypatch)
    assert [] != failing()
