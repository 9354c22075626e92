"""The prediction as it is written down before the run: a small text file that may be copied.

It names the scenario by a hash, the change, the components and the answers, and ends with a hash
of all that. What came of it is added below when the run is over.
"""

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.record.whole_file import put
from curriculum.trace.reader import Trace

from .answers import CONFIDENCE, spelled
from .exercise import Exercise
from .result import Result
from .scenes import Scene
from .slots import Value
from .variants import spelled as spelled_variant

FOLDER = "predictions"
TEMPORARY = ".prediction-"
"""How the name of a temporary file begins."""
HEAD = "curriculum prediction 1"
HASH, AFTER = "hash", "after the run"
_NAME = re.compile(r"(?P<id>.+?)(?:\.(?P<attempt>[0-9]+))?(?:\.(?P<who>[ab]))?\Z")


class PredictionError(CurriculumError):
    """A prediction that cannot be written or read. Its code begins with `prediction-`."""

    code = "prediction-file"


@attrs.frozen
class Prediction:
    """A prediction that has been written. `seen` says that these numbers had been run before.

    `facts` are its lines by name; those of after the run are there once it is over.
    """

    path: Path
    facts: Mapping[str, str]

    @property
    def change(self) -> str:
        """The variant, as one line."""
        return self.facts.get("change", "")

    @property
    def verdict(self) -> str:
        """What came of it; empty before the run."""
        return self.facts.get("verdict", "")

    @property
    def seen(self) -> bool:
        """Whether these numbers had been run in this folder before it was written."""
        return self.facts.get("run before") == "yes"

    @property
    def holds(self) -> bool:
        """Whether what was written down before the run is still as it was written."""
        text = self.path.read_text(encoding="utf-8")
        above, _, rest = text.partition(f"{HASH}: ")
        return bool(rest) and rest.split("\n")[0] == _hash(above)


def write_prediction(
    folder: Path,
    scene: Scene,
    given: Mapping[str, Value],
    confidence: int,
    who: str = "",
) -> Prediction:
    """Write a prediction into `folder`, before the run. Raises `PredictionError`.

    `confidence` is 1 to 3, 0 if it was not said. `who` is `a` or `b` where two predict together.
    """
    exercise = scene.exercise
    change = exercise.then or spelled_variant(scene.variant)
    facts = {
        "change": change,
        **{f"answer {key}": spelled(value) for key, value in given.items()},
        "confidence": f"{confidence} {CONFIDENCE[confidence]}" if confidence else "not said",
    }
    return write_answers(folder, exercise, scene.before, facts, who)


def write_answers(
    folder: Path, exercise: Exercise, run: Trace, answers: Mapping[str, str], who: str = ""
) -> Prediction:
    """Write down answers of any kind about a run, before they are judged.

    Raises `PredictionError`.
    """
    known, change = predictions(folder, exercise), answers.get("change", "")
    # The second of a pair belongs to what the first has just written.
    attempt = max((_attempt(old.path) for old in known), default=0) + (who != "b")
    facts = {
        "exercise": exercise.id,
        "attempt": str(attempt),
        "case": exercise.case,
        "scenario": sha256("\n".join(run.lines).encode()).hexdigest(),
        "components": " ".join(f"{k}={v}" for k, v in sorted(run.start.components.items())),
        "run before": "yes" if any(o.change == change and o.verdict for o in known) else "no",
        **{key: " ".join(value.split()) for key, value in answers.items()},
    }
    above = "".join(f"{line}\n" for line in [HEAD, *_lines(facts)])
    name = exercise.id + (f".{attempt}" if attempt > 1 else "") + (f".{who}" if who else "")
    path = folder / f"{name}.txt"
    _write(path, f"{above}{HASH}: {_hash(above)}\n", new=True)
    return Prediction(path, {**facts, HASH: _hash(above)})


def close_prediction(prediction: Prediction, result: Result, more: Mapping[str, str]) -> Prediction:
    """Add what came of it: verdict, count, and further facts. Raises `PredictionError`."""
    right, of = result.score or (0, 0)
    facts = {"verdict": str(result.verdict), "right": f"{right} of {of}", **more}
    text = prediction.path.read_text(encoding="utf-8").partition(f"\n{AFTER}\n")[0].rstrip("\n")
    _write(prediction.path, "".join(f"{line}\n" for line in [text, "", AFTER, *_lines(facts)]))
    return attrs.evolve(prediction, facts={**prediction.facts, **facts})


def read_prediction(path: Path) -> Prediction:
    """The prediction of a file. Raises `PredictionError`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise PredictionError(f"{path} cannot be read: {why}.") from None
    if lines[:1] != [HEAD]:
        raise PredictionError(
            f"{path} is no prediction: line 1 is not {HEAD!r}.", next="move it out of the folder"
        )
    pairs = [line.partition(": ") for line in lines[1:]]
    return Prediction(path, {key: value for key, sep, value in pairs if sep})


def predictions(folder: Path, exercise: Exercise) -> list[Prediction]:
    """All predictions of an exercise in a folder, in order. A file that is none is passed over."""
    found: list[tuple[int, str, Prediction]] = []
    for path in sorted(folder.glob(f"{exercise.id}*.txt")):
        named = _NAME.match(path.stem)
        if named is None or named["id"] != exercise.id:
            continue
        try:
            read = read_prediction(path)
        except PredictionError:
            continue
        found.append((_attempt(path), named["who"] or "", read))
    return [read for _, _, read in sorted(found, key=lambda one: one[:2])]


def attempts(folder: Path, exercise: Exercise) -> int:
    """How many predictions of an exercise have been run; two that were made together are one."""
    return len({_attempt(old.path) for old in predictions(folder, exercise) if old.verdict})


def _attempt(path: Path) -> int:
    named = _NAME.match(path.stem)
    return int(named["attempt"] or 1) if named is not None else 1


def _lines(facts: Mapping[str, str]) -> list[str]:
    return [f"{key}: {value}" for key, value in facts.items()]


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _write(path: Path, text: str, new: bool = False) -> None:
    """Write a file in one step; with `new` never over another one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, text.encode(), TEMPORARY, new=new)
    except OSError as error:
        raise PredictionError(
            f"{path} cannot be written: {error.strerror}.",
            code="prediction-write",
            next="go to a folder of your own and run it there",
        ) from None
