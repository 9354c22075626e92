"""Who predicts, with which numbers, and where it is written down: a workspace, or this folder."""

from pathlib import Path

import attrs

from curriculum.course.exercise import Exercise
from curriculum.course.prediction import FOLDER, attempts, predictions
from curriculum.course.progress import update
from curriculum.course.recording import note
from curriculum.course.result import Result
from curriculum.course.scenes import Scene
from curriculum.course.variants import spelled, variant_of
from curriculum.course.workspace import Workspace, find


@attrs.frozen
class Learner:
    """Who predicts. With `room` everybody has the numbers of the text.

    Predictions are written into `folder`; progress only where there is a workspace.
    """

    folder: Path
    name: str = ""
    course: str = ""
    room: bool = False
    work: Workspace | None = None

    def scene(self, exercise: Exercise) -> Scene:
        """The exercise with the numbers that are this learner's next."""
        if self.room:
            return Scene(exercise, exercise.change)
        done = attempts(self.folder, exercise)
        return Scene(exercise, variant_of(exercise, self.course, self.name, done))

    def known(self, scene: Scene) -> bool:
        """Whether these numbers have been run in the folder before."""
        change = scene.exercise.then or spelled(scene.variant)
        old = predictions(self.folder, scene.exercise)
        return any(one.change == change and one.verdict for one in old)

    def show(self, path: Path) -> str:
        """A path as the learner types it here."""
        return self.work.show(path) if self.work is not None else path.as_posix()

    def note(self, exercise: Exercise, result: Result) -> None:
        """Note what came of it, once the prediction is closed. Raises `ProgressError`."""
        if self.work is not None:
            note(self.work, exercise, result.verdict)

    def hint(self, exercise: Exercise, taken: int) -> int:
        """Take one hint more, after `taken` in this sitting; how many it is now, 1 to 3."""
        if self.work is None:
            return min(3, taken + 1)
        now = min(3, max(taken, self.work.progress().of(exercise.id).hints) + 1)
        update(self.work.progress_file, lambda known: known.hinted(exercise.id, now))
        return now


def learner_of(name: str, course: str, room: bool) -> Learner:
    """The learner of the workspace around, else of the working folder."""
    work = find()
    if work is None:
        return Learner(Path(FOLDER), name, course, room)
    known = work.progress()
    return Learner(work.predictions, name or known.name, course or known.course, room, work)
