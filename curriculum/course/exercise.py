"""One exercise, as its TOML file says it. Nothing here runs anything."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import attrs


class Kind(StrEnum):
    """What a learner is asked to do. A closed list."""

    PREDICT = "predict"
    NUMBER = "number"
    ORDER = "order"
    SPOT = "spot"
    CAUSE = "cause"
    MODIFY = "modify"
    ASSERTION = "assertion"
    MAKE = "make"
    EXPLAIN = "explain"


class Answer(StrEnum):
    """What an answer to one question can be."""

    NUMBER = "number"
    YES_NO = "yes-no"
    STOP = "stop"
    CHOICE = "choice"


class Force(StrEnum):
    """The stage output that a learner's number stands for when the run is made to agree with it."""

    GATE_1 = "gate-1"
    GATE_2 = "gate-2"
    RESERVE = "reserve"


CODE = (Kind.MODIFY, Kind.ASSERTION, Kind.MAKE)
"""Kinds that a learner answers with code: they have a starter, which is run in a subprocess."""


@attrs.frozen
class Slot:
    """One question of a prediction: one causal step.

    `read` says where the run has the answer. `forces` is the stage output that a number stands
    for, so that later answers can be judged as if it held. `choices` are the words to choose from.
    """

    key: str
    ask: str
    type: Answer
    read: str
    forces: Force | None = None
    choices: tuple[str, ...] = ()


@attrs.frozen
class Wrong:
    """A misconception made executable: a function of `solutions/wrong.py`, from Staged to Staged.

    `asks` may have a place for `{value}`; `yes` is what a learner says who had that picture. In an
    exercise of assertions, `breaks` names the one law or property that the harness breaks.
    """

    harness: str
    asks: str = ""
    yes: str = ""
    breaks: str = ""


@attrs.frozen
class Must:
    """A property that the run of a modified harness must have: a locator, a test, a value."""

    key: str
    read: str
    test: str
    value: int | str | bool
    says: str


@attrs.frozen
class Happening:
    """One line of an order exercise. `at` is an event as `tool.truncate 1`; empty if it is false.

    `why` says why a false one never happens.
    """

    key: str
    says: str
    at: str = ""
    why: str = ""


@attrs.frozen
class Model:
    """A model answer of an explain exercise: `right`, `thin` or `wrong`, and why it is."""

    text: str
    is_: str
    why: str


@attrs.frozen
class Tick:
    """A yes/no fact that a learner ticks; `is_` is whether it holds, `why` the reason."""

    ask: str
    is_: bool
    why: str


@attrs.frozen(kw_only=True)
class Exercise:
    """One exercise. `minutes` is how long it takes; `needs` are lessons beyond its own lesson's.

    `variants` are limits by name, one mapping for each variant; `change` is the variant of the
    text. With `then`, the run that is predicted is another case. `at` is the event that a spot
    exercise asks for, and of which a cause exercise asks the cause; `shows` the types of events
    that are shown. `file` is the TOML, `starter` the code beside it, if there is any.
    """

    id: str
    kind: Kind
    title: str
    minutes: int
    lesson: str
    file: Path
    hints: tuple[str, ...]
    needs: tuple[str, ...] = ()
    case: str = ""
    then: str = ""
    change: Mapping[str, int] = attrs.field(factory=dict[str, int])
    variants: tuple[Mapping[str, int], ...] = ()
    slots: tuple[Slot, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    right: tuple[str, ...] = ()
    must: tuple[Must, ...] = ()
    entry: str = ""
    starter: Path | None = None
    events: tuple[Happening, ...] = ()
    harness: str = ""
    ask: str = ""
    promise: str = ""
    at: str = ""
    shows: tuple[str, ...] = ()
    cites: str = ""
    models: tuple[Model, ...] = ()
    ticks: tuple[Tick, ...] = ()

    @property
    def stem(self) -> str:
        """The name of its files without an ending: s06-1 has s06_1.toml."""
        return self.id.replace("-", "_")

    @property
    def folder(self) -> Path:
        """The lesson's folder."""
        return self.file.parent.parent

    @property
    def solutions(self) -> str:
        """The package of the lesson's reference solutions and wrong harnesses."""
        return f"curriculum.lessons.{self.folder.name}.solutions"
