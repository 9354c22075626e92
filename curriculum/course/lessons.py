"""The lessons that are installed, and the cases they declare."""

import importlib
from functools import cache
from pathlib import Path

import attrs

import curriculum.lessons
from curriculum.golden.cases import Case
from curriculum.record.errors import CurriculumError
from curriculum.trace.events import Stop


@attrs.frozen
class Room:
    """One part of a session in a room: a level (`L0`) or an exercise's id, and its minutes."""

    what: str
    minutes: int


@attrs.frozen
class Lesson:
    """A lesson's metadata, as its lesson.toml says it. `minutes` is one session's length.

    `room` is the plan of a session, part by part.
    """

    id: str
    title: str
    mechanism: str
    invariant: str
    misconception: str
    minutes: int
    needs: tuple[str, ...]
    adds: str
    core: bool
    folder: Path
    stops: dict[str, tuple[str, Stop]]
    room: tuple[Room, ...] = ()

    def cases(self) -> tuple[Case, ...]:
        """The lesson's cases. Raises `CurriculumError` if demo.py and lesson.toml disagree."""
        demo = importlib.import_module(f"curriculum.lessons.{self.folder.name}.demo")
        scenarios = demo.SCENARIOS
        if set(scenarios) != set(self.stops):
            odd = ", ".join(sorted(set(scenarios) ^ set(self.stops)))
            raise CurriculumError(
                f"{self.id}: demo.py and lesson.toml name different cases.",
                odd,
                code="lesson-cases",
            )
        return tuple(
            Case(id, title, stop, scenarios[id]) for id, (title, stop) in self.stops.items()
        )


def folders() -> tuple[Path, ...]:
    """The folders that are named as a lesson's is, whatever is in them."""
    roots = [Path(root) for root in curriculum.lessons.__path__]
    return tuple(
        path for root in roots for path in sorted(root.glob("s[0-9][0-9]_*")) if path.is_dir()
    )


def installed() -> bool:
    """Whether the lessons are those that came with the package: they are only read."""
    own = Path(curriculum.lessons.__file__ or "").parent
    return any(Path(root) == own for root in curriculum.lessons.__path__)


@cache
def lessons() -> tuple[Lesson, ...]:
    """Every lesson, by id. A folder without a lesson.toml is no lesson.

    Raises `CurriculumError` for a file that cannot be used.
    """
    from .lesson_file import read_lesson

    found = [read_lesson(folder) for folder in folders() if (folder / "lesson.toml").is_file()]
    return tuple(sorted(found, key=lambda lesson: lesson.id))


def all_cases() -> dict[str, Case]:
    """Every case that has a golden: the lessons' and the harness's own."""
    from .admission_cases import CASES as ADMISSION
    from .harness_cases import CASES
    from .log_cases import CASES as LOGS
    from .pressure_cases import CASES as PRESSURE
    from .wire_cases import CASES as WIRES

    cases = [case for lesson in lessons() for case in lesson.cases()]
    return {case.id: case for case in [*cases, *CASES, *WIRES, *ADMISSION, *LOGS, *PRESSURE]}
