"""A learner's folder: the starters by lesson, predictions, and one file of progress.

    my work/
      README.md
      progress.txt
      predictions/
      s06/s06_3.py ...

Nothing that stands in it is ever written over; what is reset is kept in `backup/`.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.record.whole_file import put

from . import progress
from .exercise import Exercise
from .exercises import all_exercises, waits_for
from .progress import Progress

README = Path(__file__).with_name("workspace_readme.md")
TEMPORARY = ".curriculum-"
"""How the name of a temporary file begins."""
NOTE = "# Written by `curriculum`: one line a thing. Copy it to go on elsewhere."


class WorkspaceError(CurriculumError):
    """A folder that is no workspace, or that cannot become one. Codes begin with `workspace-`."""

    code = "workspace"


@attrs.frozen
class Workspace:
    """A learner's folder."""

    folder: Path

    @property
    def progress_file(self) -> Path:
        """The file of progress."""
        return self.folder / progress.NAME

    @property
    def predictions(self) -> Path:
        """Where predictions are written down before a run."""
        return self.folder / "predictions"

    def file(self, exercise: Exercise) -> Path:
        """The learner's file for an exercise: s06/s06_3.py."""
        return self.folder / exercise.id.partition("-")[0] / f"{exercise.stem}.py"

    def progress(self) -> Progress:
        """What the file of progress says. Raises `ProgressError`."""
        return progress.read(self.progress_file)

    def show(self, path: Path) -> str:
        """A path inside as a learner types it here: relative to the working folder if it can."""
        try:
            return Path(os.path.relpath(path)).as_posix()
        except ValueError:  # another drive
            return str(path)


@attrs.frozen
class Made:
    """A workspace, the files that are new in it, and those that were there and stayed."""

    workspace: Workspace
    new: tuple[Path, ...]
    kept: tuple[Path, ...]


def find(start: Path | None = None) -> Workspace | None:
    """The workspace that `start` lies in, the working folder if it is not given."""
    here = Path(os.path.abspath(start or Path.cwd()))
    for folder in (here, *here.parents):
        try:
            with (folder / progress.NAME).open(encoding="utf-8-sig") as file:
                first = file.readline(80)
        except (OSError, UnicodeDecodeError):
            continue
        if first.startswith(f"{progress.FORMAT} "):
            return Workspace(folder)
    return None


def here() -> Workspace:
    """The workspace of the working folder. Raises `WorkspaceError` (`workspace-none`)."""
    found = find()
    if found is None:
        raise WorkspaceError(
            "There is no workspace here.",
            f"looked for {progress.NAME} in {Path.cwd()} and the folders around it",
            code="workspace-none",
            next="curriculum start my-course   # then: cd my-course",
        )
    return found


def create(folder: Path, start: Progress | None = None) -> Made:
    """Make a workspace of `folder`, or lay what is missing into one that is there.

    Raises `WorkspaceError` for a folder that holds other things, or that cannot be written.
    """
    folder = Path(os.path.abspath(folder))
    _check_place(folder)
    new: list[Path] = []
    kept: list[Path] = []
    start = start or Progress()
    start = attrs.evolve(start, notes=(NOTE,))
    work = Workspace(folder)
    wanted: list[tuple[Path, bytes]] = [(work.progress_file, start.text().encode())]
    wanted.append((folder / "README.md", README.read_bytes()))
    for exercise in all_exercises().values():
        if exercise.starter is not None and not waits_for(exercise):
            wanted.append((work.file(exercise), exercise.starter.read_bytes()))
    try:
        work.predictions.mkdir(parents=True, exist_ok=True)
        for path, data in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            (new if lay(path, data) else kept).append(path)
    except OSError as error:
        raise WorkspaceError(
            f"{error.filename or folder} cannot be written: "
            f"{error.strerror or type(error).__name__}.",
            *(f"done, and whole: {path}" for path in new),
            code="workspace-write",
            next="curriculum start ANOTHER-FOLDER   # or: curriculum doctor",
        ) from None
    return Made(work, tuple(new), tuple(kept))


def lay(path: Path, data: bytes) -> bool:
    """Write a new file; whether it was new. What is there stays. Raises `OSError`."""
    if os.path.lexists(path):
        return False
    try:
        put(path, data, TEMPORARY, new=True)
    except FileExistsError:
        return False
    return True


def _check_place(folder: Path) -> None:
    """Raise `WorkspaceError` unless the folder is new, empty, or a workspace already."""
    around = find(folder)
    if around is not None and around.folder != folder:
        raise WorkspaceError(
            f"{folder} lies in the workspace {around.folder}.",
            code="workspace-inside",
            next=f'curriculum start "{around.folder}"   # lays what is new into it',
        )
    if around is None and folder.exists():
        if not folder.is_dir():
            raise WorkspaceError(
                f"{folder} is a file.",
                code="workspace-file",
                next="curriculum start ANOTHER-NAME",
            )
        others = sorted(path.name for path in folder.iterdir() if path.name[:1] != ".")
        if others:
            raise WorkspaceError(
                f"{folder} holds other things already, such as {others[0]}.",
                code="workspace-not-empty",
                next=f'curriculum start "{folder / "my-course"}"',
            )


def reset(workspace: Workspace, chosen: Sequence[Exercise]) -> tuple[Path, tuple[Exercise, ...]]:
    """Put the starters back, and forget what became of the exercises.

    What was there is moved to a new folder in `backup/`, with a copy of the progress; it is given
    back, with the exercises of which there was something. Raises `WorkspaceError`.
    """
    known = workspace.progress()
    backup = _new_backup(workspace)
    moving = {exercise.id: _own(workspace, exercise) for exercise in chosen}
    done = [
        exercise
        for exercise in chosen
        if moving[exercise.id] or exercise.id in known.entries or _missing(workspace, exercise)
    ]
    if not done:
        return backup, ()
    try:
        backup.mkdir(parents=True)
        shutil.copyfile(workspace.progress_file, backup / progress.NAME)
        for exercise in done:
            for path in moving[exercise.id]:
                _move(path, backup / path.relative_to(workspace.folder))
            if exercise.starter is not None:
                file = workspace.file(exercise)
                file.parent.mkdir(parents=True, exist_ok=True)
                lay(file, exercise.starter.read_bytes())
    except OSError as error:
        raise WorkspaceError(
            f"{error.filename} cannot be moved: {error.strerror or type(error).__name__}.",
            f"what was moved before is in {backup}",
            code="workspace-write",
            next="curriculum doctor",
        ) from None

    def forget(one: Progress) -> Progress:
        for exercise in done:
            one = one.without(exercise.id)
        return one

    progress.update(workspace.progress_file, forget)
    return backup, tuple(done)


def _own(workspace: Workspace, exercise: Exercise) -> list[Path]:
    """The learner's files for an exercise that are not as the course gives them."""
    file = workspace.file(exercise)
    found = sorted(workspace.predictions.glob(f"{exercise.id}.txt"))
    found += sorted(workspace.predictions.glob(f"{exercise.id}.*.txt"))
    if exercise.starter is not None and file.is_file():
        found += [file] if file.read_bytes() != exercise.starter.read_bytes() else []
    return list(dict.fromkeys(found))


def _missing(workspace: Workspace, exercise: Exercise) -> bool:
    return exercise.starter is not None and not workspace.file(exercise).exists()


def _move(path: Path, goal: Path) -> None:
    goal.parent.mkdir(parents=True, exist_ok=True)
    path.replace(goal)


def _new_backup(workspace: Workspace) -> Path:
    number = 1
    while (workspace.folder / "backup" / str(number)).exists():
        number += 1
    return workspace.folder / "backup" / str(number)
