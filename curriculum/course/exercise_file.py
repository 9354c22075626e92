"""TOML text -> an exercise. What is wrong is named by its line, with the nearest word."""

import re
import tomllib
from pathlib import Path
from typing import Any

from .exercise import (
    CODE,
    Answer,
    Exercise,
    Force,
    Happening,
    Kind,
    Model,
    Must,
    Slot,
    Tick,
    Wrong,
)
from .exercise_fields import ExerciseFileError, Fields

FORMAT = 1
TESTS = ("is", "at-most", "at-least")
MODELS = ("right", "thin", "wrong")
COMMON = ("format", "id", "kind", "title", "minutes", "needs", "hints")
RUN = ("case", "then", "change", "variants")
OWN: dict[Kind, tuple[str, ...]] = {
    Kind.PREDICT: (*RUN, "slots", "wrong"),
    Kind.NUMBER: (*RUN, "slots", "wrong"),
    Kind.ORDER: ("case", "harness", "ask", "events"),
    Kind.SPOT: ("case", "harness", "ask", "promise", "at", "shows"),
    Kind.CAUSE: ("case", "harness", "ask", "at", "shows"),
    Kind.MODIFY: ("case", "ask", "entry", "must", "wrong"),
    Kind.ASSERTION: ("case", "ask", "entry", "right", "wrong"),
    Kind.MAKE: ("case", "ask", "entry", "wrong"),
    Kind.EXPLAIN: ("case", "then", "change", "ask", "cites", "models", "facts"),
}
"""The fields of each kind beside the common ones."""
NEEDED: dict[Kind, tuple[str, ...]] = {
    Kind.PREDICT: ("case", "slots"),
    Kind.NUMBER: ("case", "slots"),
    Kind.ORDER: ("case", "ask", "events"),
    Kind.SPOT: ("case", "promise", "at", "shows"),
    Kind.CAUSE: ("case", "ask", "at", "shows"),
    Kind.MODIFY: ("must",),
    Kind.ASSERTION: ("right", "wrong"),
    Kind.MAKE: (),
    Kind.EXPLAIN: ("case", "ask", "cites", "models", "facts"),
}
_ID = re.compile(r"s[0-9]{2}-[a-z0-9]+(-[a-z0-9]+)*\Z")
_EVENT = re.compile(r"[a-z]+\.[a-z]+ [1-9][0-9]*\Z")


def read_exercise(path: Path, lesson: str) -> Exercise:
    """The exercise of a file. Raises `ExerciseFileError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ExerciseFileError(
            f"{path.name} cannot be read as UTF-8 text.", code="exercise-unreadable"
        ) from None
    return exercise_from(text, path, lesson)


def exercise_from(text: str, path: Path, lesson: str) -> Exercise:
    """The exercise that a text describes, as if it stood at `path`. Raises `ExerciseFileError`."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = str(error).partition("(at line ")[2].partition(",")[0] or "the last"
        raise ExerciseFileError(
            f"{path.name}, line {line}: that is no TOML.", code="exercise-toml"
        ) from None
    top = Fields(path.name, text, data)
    if top.number("format", 0) != FORMAT:
        top.refuse("format", f"format is {top.number('format', 0)}; this program reads {FORMAT}")
    kind = Kind(top.word("kind", Kind))
    top.known((*COMMON, *OWN[kind]))
    top.need("id", "title", "minutes", "hints", *NEEDED[kind])
    exercise = Exercise(
        id=_id(top, path),
        kind=kind,
        title=top.said("title"),
        minutes=top.number("minutes", least=1),
        lesson=lesson,
        file=path,
        hints=_hints(top),
        needs=top.texts("needs"),
        case=top.said("case"),
        then=top.said("then"),
        change=top.limits("change"),
        variants=top.variants("variants"),
        slots=tuple(_slot(row) for row in top.tables("slots")),
        wrong=_wrong(top, kind),
        right=top.texts("right"),
        must=tuple(_must(row) for row in top.tables("must")),
        entry=top.said("entry"),
        starter=_starter(top, path, kind),
        events=tuple(_happening(row) for row in top.tables("events")),
        harness=top.said("harness"),
        ask=top.said("ask"),
        promise=top.said("promise"),
        at=_event(top, "at"),
        shows=top.texts("shows"),
        cites=top.said("cites"),
        models=tuple(_model(row) for row in top.tables("models")),
        ticks=tuple(_tick(row) for row in top.tables("facts")),
    )
    _whole(top, exercise)
    return exercise


def _id(top: Fields, path: Path) -> str:
    id = top.said("id")
    if not _ID.match(id) or id.replace("-", "_") != path.stem:
        top.refuse("id", f"id is {id!r}, and the file {path.stem}.toml has another name")
    return id


def _hints(top: Fields) -> tuple[str, ...]:
    hints = top.texts("hints")
    if len(hints) != 3:
        why = f"there are {len(hints)} hints; three: which event, which rule, a case beside it"
        top.refuse("hints", why)
    return hints


def _event(top: Fields, key: str) -> str:
    value = top.said(key)
    if value and not _EVENT.match(value):
        top.refuse(key, f"{key} is {value!r}; an event is named as 'tool.truncate 1'")
    return value


def _slot(row: Fields) -> Slot:
    row.known(("key", "ask", "type", "read", "forces", "choices"))
    row.need("key", "ask", "read")
    forces, type = row.said("forces"), Answer(row.word("type", Answer, "number"))
    if forces:
        row.word("forces", Force)
    choices = row.texts("choices")
    if (type is Answer.CHOICE) != bool(choices):
        row.refuse("choices", "choices belong to the type 'choice', and only to it")
    return Slot(
        row.said("key"),
        row.said("ask"),
        type,
        row.said("read"),
        Force(forces) if forces else None,
        choices,
    )


def _wrong(top: Fields, kind: Kind) -> tuple[Wrong, ...]:
    """Tables; an exercise of assertions may name them only."""
    value = top.data.get("wrong", [])
    if isinstance(value, list) and all(isinstance(one, str) for one in value):  # pyright: ignore
        return tuple(Wrong(name) for name in top.texts("wrong"))
    found: list[Wrong] = []
    for row in top.tables("wrong"):
        row.known(("harness", "asks", "yes", "breaks"))
        row.need("harness", *(("asks", "yes") if kind in (Kind.PREDICT, Kind.NUMBER) else ()))
        said = (row.said(name) for name in ("harness", "asks", "yes", "breaks"))
        found.append(Wrong(*said))
    return tuple(found)


def _must(row: Fields) -> Must:
    row.known(("key", "read", "says", *TESTS))
    row.need("key", "read", "says")
    tests = [test for test in TESTS if test in row.data]
    if len(tests) != 1:
        row.refuse("", f"a [[must]] has one of {', '.join(TESTS)}")
    value = row.data[tests[0]]
    if not isinstance(value, (int, str)):
        row.refuse(tests[0], f"{tests[0]} is no number, text, true or false")
    return Must(row.said("key"), row.said("read"), tests[0], value, row.said("says"))


def _starter(top: Fields, path: Path, kind: Kind) -> Path | None:
    """The code beside the file. An exercise that is answered with code must have it."""
    starter = path.with_suffix(".py")
    if starter.is_file():
        return starter
    if kind in CODE:
        top.refuse("kind", f"{starter.name} is missing beside it", "exercise-starter")
    return None


def _happening(row: Fields) -> Happening:
    row.known(("key", "says", "at", "why"))
    row.need("key", "says")
    at, why = _event(row, "at"), row.said("why")
    if bool(at) == bool(why):
        row.refuse("", "an event has either `at` (it happens) or `why` (why it never does)")
    return Happening(row.said("key"), row.said("says"), at, why)


def _model(row: Fields) -> Model:
    row.known(("text", "is", "why"))
    row.need("text", "is", "why")
    return Model(row.said("text"), row.word("is", MODELS), row.said("why"))


def _tick(row: Fields) -> Tick:
    row.known(("ask", "is", "why"))
    row.need("ask", "why")
    return Tick(row.said("ask"), row.flag("is"), row.said("why"))


def _whole(top: Fields, exercise: Exercise) -> None:
    """What several fields must be together."""
    for name, rows in (("slots", exercise.slots), ("events", exercise.events)):
        keys = [row.key for row in rows]
        twice = [key for key in keys if keys.count(key) > 1]
        if twice:
            top.refuse(name, f"two {name} have the key {twice[0]!r}")
    if exercise.kind in (Kind.PREDICT, Kind.NUMBER):
        given = bool(exercise.change) + bool(exercise.then)
        # A number may also be asked of the run that was seen.
        if given > 1 or (not given and exercise.kind is Kind.PREDICT):
            top.refuse("", "either `change` or `then` says which run is predicted")
        if exercise.variants and exercise.change not in exercise.variants:
            top.refuse("variants", "`change`, the numbers of the text, is one of the variants")
    false = sum(not event.at for event in exercise.events)
    if exercise.kind is Kind.ORDER and (false != 2 or len(exercise.events) < 5):
        top.refuse("events", f"{false} events are false; two are, beside three or more that happen")
    if exercise.kind is Kind.EXPLAIN:
        kinds = sorted(model.is_ for model in exercise.models)
        if kinds != sorted(MODELS):
            top.refuse("models", f"the model answers are {', '.join(kinds)}; one each is needed")
        if len(exercise.ticks) != 3:
            top.refuse("facts", f"there are {len(exercise.ticks)} facts to tick; three are needed")
