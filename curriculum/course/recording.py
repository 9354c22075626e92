"""What became of an answer, noted in the file of progress once the run is over."""

from .exercise import CODE, Exercise
from .prediction import predictions
from .progress import Entry, Progress, update
from .result import Verdict
from .workspace import Workspace


def note(workspace: Workspace, exercise: Exercise, verdict: Verdict) -> None:
    """Note a verdict. Raises `ProgressError`.

    Of predictions that are written down all count that are closed: several may have been made
    since the last note.
    """
    written = 0
    passed = verdict is Verdict.PASS
    if exercise.kind not in CODE:
        closed = [one for one in predictions(workspace.predictions, exercise) if one.verdict]
        written = len(closed)
        passed |= any(one.verdict == Verdict.PASS and one.holds for one in closed)

    def change(known: Progress) -> Progress:
        before = known.of(exercise.id)
        if not written:
            return known.tried(exercise.id, verdict)
        now = before.with_(Entry(passed=passed, tries=written))
        return known.with_entry(exercise.id, now)

    update(workspace.progress_file, change)
