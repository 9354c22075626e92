"""The course's own answers: for code as a difference to the learner's, else the run itself."""

import difflib
from collections.abc import Iterator
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError

from .exercise import CODE, Exercise, Kind
from .workspace import Workspace


@attrs.frozen
class Solution:
    """An answer: commands that show it, texts, or a unified diff from `own` to `ours`.

    `same` says that the learner's code is the course's, blanks at line ends aside.
    """

    exercise: Exercise
    commands: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    diff: tuple[str, ...] = ()
    same: bool = False


def solution_of(exercise: Exercise, workspace: Workspace | None) -> Solution:
    """The answer to an exercise. Raises `CurriculumError` (`solution-missing`).

    Where there is no file of the learner's, the difference is to the starter.
    """
    if exercise.kind in CODE:
        return _code(exercise, workspace)
    if exercise.kind is Kind.EXPLAIN:
        rows = sorted(
            exercise.models, key=lambda model: ("right", "thin", "wrong").index(model.is_)
        )
        return Solution(exercise, texts=tuple(f"{m.is_}: {m.text} ({m.why})" for m in rows))
    return Solution(exercise, commands=tuple(_runs(exercise)))


def _runs(exercise: Exercise) -> Iterator[str]:
    """The runs that hold the answer: with the numbers of the text, not the learner's own."""
    yield f"curriculum run {exercise.case}"
    if exercise.then:
        yield f"curriculum run {exercise.then}"
    if exercise.change:
        limits = ",".join(f"{name}={value}" for name, value in sorted(exercise.change.items()))
        yield f"curriculum run {exercise.case} --budget {limits}"


def _code(exercise: Exercise, workspace: Workspace | None) -> Solution:
    path = exercise.folder / "solutions" / f"{exercise.stem}.py"
    ours = _text(path)
    if ours is None:
        raise CurriculumError(
            f"The course has no solution of {exercise.id}.",
            code="solution-missing",
            next=f"curriculum hint {exercise.id}",
        )
    own = _text(workspace.file(exercise)) if workspace is not None else None
    name = "yours" if own is not None else "starter"
    if own is None and exercise.starter is not None:
        own = _text(exercise.starter)
    left, right = ([line.rstrip() for line in text.splitlines()] for text in (own or "", ours))
    file = f"{exercise.stem}.py"
    diff = difflib.unified_diff(left, right, f"{name}/{file}", f"course/{file}", lineterm="")
    return Solution(exercise, diff=tuple(diff), same=left == right)


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
