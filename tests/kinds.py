"""Cases that differ in kind, and fields that do: for tests that take each golden apart.

Six pressures under one policy are one kind: the one in the middle stands for them there. So are
the cases of a lesson, whose first is taken: the harness's own cases have every kind of event. That
all of them hold is what `golden verify` and the tests of pressures and lessons say.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

PRESSED = "-900"
LESSON = re.compile(r"s\d\d-[^/]+(?P<variant>/.*)?")
VARIED = "s06-context-budget/"
"""The lesson whose further cases differ in kind: two of them are refused."""


def of_each_kind(ids: Iterable[str]) -> list[str]:
    """The ids without those of which another case is of the same kind."""
    return [id for id in ids if not _like_another(id)]


def _like_another(id: str) -> bool:
    lesson = LESSON.fullmatch(id)
    if lesson is not None:
        return lesson["variant"] is not None and not id.startswith(VARIED)
    return id.startswith("pressure/") and not id.endswith(PRESSED)


ALL = 260
"""Leaves of a trace that are all taken; of a longer one some of each kind are."""
Leaf = tuple[int, tuple[Any, ...]]
"""A value in a trace: its event's place in the list, and the way to it."""


def leaves_of(events: Sequence[Any], ends: bool = True) -> list[Leaf]:
    """Every value of the events; of a long trace the last of each kind, with `ends` the first too.

    Of one kind are the values that stand at the same field of events of one type, in whichever
    place of a list.
    """
    every = [(at, path) for at, event in enumerate(events) for path in leaves(event)]
    if len(every) <= ALL:
        return every
    last = {_kind(events, leaf): leaf for leaf in every}
    first = {_kind(events, leaf): leaf for leaf in reversed(every)} if ends else {}
    chosen = {*first.values(), *last.values()}
    return [leaf for leaf in every if leaf in chosen]


def _kind(events: Sequence[Any], leaf: Leaf) -> Any:
    at, path = leaf
    return events[at]["type"], tuple("*" if isinstance(part, int) else part for part in path)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value that is no object and no list."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*path, key))]
    return [path]
