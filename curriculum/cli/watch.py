"""`curriculum watch`: check again on every save, and wait for a key. It never goes on by itself."""

from collections.abc import Callable, Iterator
from importlib import import_module, util
from pathlib import Path
from typing import Any

import attrs
import click

from curriculum.course.checking import check
from curriculum.course.child_endings import SECONDS, Limits
from curriculum.course.exercise import CODE, Exercise
from curriculum.course.exercises import exercise_of
from curriculum.course.progress import update
from curriculum.course.result import Result, Verdict
from curriculum.course.solutions import solution_of
from curriculum.course.standing import command_of, next_step
from curriculum.course.workspace import Workspace, here
from curriculum.record.errors import CurriculumError
from curriculum.view.result import show_result
from curriculum.view.screen import Screen
from curriculum.view.solution import show_solution

from .check import chosen, noted, seconds
from .keys import END, Keys, at_terminal, keys

PAUSE = 0.2
"""Seconds between two looks at keys and files."""
SETTLED = 100
"""Milliseconds that a file must rest before it counts as saved."""
Saves = Iterator[bool]
"""Whether the file was saved since the last look; each look takes up to PAUSE seconds."""


@click.command()
@click.argument("id", required=False, metavar="[EX]")
@click.option("--manual", is_flag=True, help="Check when r is pressed, not on every save.")
@click.option("--plain", is_flag=True, help="One fact a line, ASCII, no colour.")
@seconds
def watch(id: str | None, manual: bool, plain: bool, seconds: int) -> None:
    """Look at your code for the exercise EX again on every save.

    Without EX: the first one that is not done. It waits for a key after each look, and stays at
    the exercise until you press n. Saves are noticed with the extra watch; without it, and with
    --manual, r looks again.
    """
    work = here()
    exercise = chosen(id, work)
    if not at_terminal():
        raise CurriculumError(
            "curriculum watch waits for keys, so it needs a terminal.",
            code="watch-needs-terminal",
            next=f"curriculum check {exercise.id}",
        )
    screen = Screen(plain)
    with keys() as typed:
        Watch(screen, work, typed, manual, seconds).run(exercise)


@attrs.define
class Watch:
    """One sitting at the terminal."""

    screen: Screen
    work: Workspace
    keys: Keys
    manual: bool = False
    seconds: int = SECONDS

    def run(self, exercise: Exercise) -> None:
        """Look at one exercise after another, each for as long as the person stays."""
        following: Exercise | None = exercise
        while following is not None:
            following = self._stay(following)

    def _stay(self, exercise: Exercise) -> Exercise | None:
        """Look at one exercise until the person leaves; the exercise to go to, or None."""
        if exercise.kind not in CODE:
            self.screen.line(f"{exercise.id} is answered, not coded, so there is no file to watch.")
            self.screen.line("next: ", ("code", command_of(exercise)))
            return None
        file = self.work.file(exercise)
        self._can_notice()
        saves, looked = self._saves(file), True
        seen = self._look(exercise, file)
        while True:
            saved = next(saves) or (looked and not self.manual)  # it may have been saved meanwhile
            looked = False
            key = self.keys.next(PAUSE if self.manual else 0)
            if (saved and _bytes(file) != seen) or key == "r":
                seen, looked = self._look(exercise, file), True
            elif key in ("q", END):
                self.screen.line("next: ", ("code", f"curriculum check {exercise.id}"))
                return None
            elif key == "h":
                self._hint(exercise)
            elif key == "s":
                self._solution(exercise)
            elif key == "n":
                following = self._following(exercise)
                if following is not None:
                    return following

    def _look(self, exercise: Exercise, file: Path) -> bytes | None:
        """Check, show, and say which keys there are; what the file held when that began.

        What is typed meanwhile is dropped.
        """
        seen = _bytes(file)
        self.screen.head(f"{exercise.id}: {self.work.show(file)}")
        self.screen.line(("quiet", "checking ..."))
        try:
            result = check(exercise, self.work, Limits(seconds=self.seconds))
            show_result(self.screen, result)
            noted(exercise, self.work, result)
        except CurriculumError as error:
            result = None
            self._refused(error)
        self.keys.drop()
        self._menu(result)
        return seen

    def _menu(self, result: Result | None) -> None:
        passed = result is not None and result.verdict is Verdict.PASS
        saving = "r looks again" if self.manual else "save or r looks again"
        goes = "n goes on   " if passed else ""
        self.screen.gap()
        self.screen.line(("quiet", f"{goes}{saving}   h hint   s solution   q quit"))

    def _refused(self, error: CurriculumError) -> None:
        self.screen.line(("bad", f"{error.headline} [{error.code}]"))
        for line in error.evidence:
            self.screen.line(f"  {line}", indent=2)

    def _hint(self, exercise: Exercise) -> None:
        taken = min(3, self.work.progress().of(exercise.id).hints + 1)
        update(self.work.progress_file, lambda known: known.hinted(exercise.id, taken))
        for number, text in enumerate(exercise.hints[:taken], 1):
            self.screen.line(f"  {number} of 3 ", text, indent=9)

    def _solution(self, exercise: Exercise) -> None:
        if not self.work.progress().of(exercise.id).passed:
            show = f"curriculum solution {exercise.id} --show"
            self.screen.line("  Not passed yet. To see it all the same: ", ("code", show))
            return
        update(self.work.progress_file, lambda known: known.shown(exercise.id))
        show_solution(self.screen, solution_of(exercise, self.work))

    def _following(self, exercise: Exercise) -> Exercise | None:
        """The exercise that comes next, if this one is passed."""
        if not self.work.progress().of(exercise.id).passed:
            self.screen.line("  Not passed yet, so it stays here. q leaves.")
            return None
        step = next_step(self.work.progress())
        if step is None or step.exercise is None:
            said = step.command if step is not None else "curriculum progress"
            self.screen.line("next: ", ("code", said), "   q leaves")
            return None
        return exercise_of(step.exercise.id)

    def _can_notice(self) -> None:
        """Fall back to the manual mode where the extra is not installed."""
        if not self.manual and util.find_spec("watchfiles") is None:
            self.manual = True
            self.screen.line("Saves are not noticed here: r looks again. To have them noticed:")
            self.screen.line("  ", ("code", 'pip install "curriculum[watch]"'))

    def _saves(self, file: Path) -> Saves:
        """The looks at the file; in manual mode each says that nothing was saved."""
        try:
            yield from _nothing() if self.manual else _noticed(file)
        except Exception as error:  # a disk that cannot be watched, and the like
            self.manual = True
            why = f"{type(error).__name__}: {error}"
            self.screen.line(f"Saves cannot be noticed here ({why}), so r looks again.")
            yield from _nothing()


def _nothing() -> Saves:
    while True:
        yield False


def _noticed(file: Path) -> Saves:
    """Whether something changed in the file's folder, and that is this file."""
    watchfiles: Any = import_module("watchfiles")
    begun: Callable[..., Iterator[set[tuple[Any, str]]]] = watchfiles.watch
    pause = int(PAUSE * 1000)
    looks = begun(
        *(file.parent,),
        **{"debounce": SETTLED, "step": 50, "rust_timeout": pause, "yield_on_timeout": True},
        **{"recursive": False, "raise_interrupt": True},
    )
    for changes in looks:
        yield any(Path(name).name == file.name for _, name in changes)


def _bytes(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None
