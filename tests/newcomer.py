"""A newcomer at the keyboard: from an empty folder through every lesson, by the commands alone.

    python -m tests.newcomer

writes the transcripts of `tests/transcripts/` anew. Commands run in one process, so that a walk
takes a minute; code of a learner runs in processes of its own, as always.
"""

import io
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import attrs

from curriculum.cli.ending import run_command
from curriculum.cli.main import curriculum
from curriculum.cli.predicting import Learner
from curriculum.course.answers import spelled
from curriculum.course.events_of import event_at, run_of_exercise
from curriculum.course.exercise import CODE, Exercise, Kind
from curriculum.course.exercises import all_exercises, exercise_of, in_order, waits_for
from curriculum.course.misconceptions import answers_under
from curriculum.course.progress import read
from curriculum.course.spotting import grade_cause, grade_spot, to_choose_from
from curriculum.trace.facts import View

FOLDER = Path(__file__).with_name("transcripts")
PLACE = "my course"
"""The learner's folder: with a blank in its name."""
SHOWN = 14, 6
"""Lines of a lesson's text that a transcript shows, of the beginning and of the end."""
SAID = re.compile(r"^next: (curriculum [^\n#]+?)(?:  |\n|\Z)", re.M)
Answers = Mapping[str, str]


@attrs.frozen
class Ran:
    """How a command ended, and what it printed."""

    command: str
    code: int
    text: str


class Newcomer:
    """Somebody who types what `next` says, answers as others did before, and then as it is right.

    What is seen is noted down: `start` before the first lesson, then by lesson.
    """

    def __init__(self, home: Path) -> None:
        self.home, self.here = home, home
        self.at = "start"
        self.notes: dict[str, list[str]] = {}
        self.steps: list[Ran] = []

    def run(self, *words: str, brief: bool = False) -> Ran:
        """Type a command, and note down what comes of it; of a long text its two ends."""
        out = io.StringIO()
        args = ["curriculum", *words]
        before = Path.cwd()
        os.chdir(self.here)
        try:
            with redirect_stdout(out), redirect_stderr(out), patch.object(sys, "argv", args):
                code = run_command(curriculum, "curriculum")
        finally:
            os.chdir(before)
        text = self._without_place(out.getvalue())
        shown = text.splitlines()
        if brief and len(shown) > sum(SHOWN):
            first, last = SHOWN
            left = len(shown) - first - last
            shown = [*shown[:first], f"[... {left} lines of the lesson]", *shown[-last:]]
        typed = " ".join(
            f'"{word}"' if " " in word else word for word in words if word != "--plain"
        )
        self.note(f"$ curriculum {typed}", *shown, *([f"(exit {code})"] if code else []), "")
        self.steps.append(Ran(typed, code, text))
        return self.steps[-1]

    def note(self, *lines: str) -> None:
        self.notes.setdefault(self.at, []).extend(lines)

    def _without_place(self, text: str) -> str:
        """The text with `~` for the folder that this happens to be in, and `/` in its paths."""
        place = str(self.home)
        lines = (
            line.replace(place, "~").replace("\\", "/") if place in line else line
            for line in text.splitlines()
        )
        return "\n".join(lines)

    def walk(self) -> None:
        """From the tour to the end."""
        self.run("start", "--plain")
        self.run("next", "--plain")
        self.run("start", PLACE, "--at", "s01", "--plain")
        self.here = self.home / PLACE
        for _ in range(200):
            told = SAID.search(self.run("next", "--plain").text)
            assert told is not None, self.steps[-1].text
            _, word, *rest = told[1].split()
            if word == "lessons":
                break
            self.at = rest[0].partition("-")[0]
            if word == "read":
                self.run(word, *rest, "--plain", brief=True)
            else:
                self.do(exercise_of(rest[0]))
        for id, exercise in all_exercises().items():
            # Placed by the make exercise, an exercise is there to be done as well.
            if not self.passed(id) and not waits_for(exercise):
                self.at = id.partition("-")[0]
                self.do(exercise)
        self.at = "end"
        self.run("progress", "--plain")

    def passed(self, id: str) -> bool:
        """Whether the file of progress says so."""
        return read(self.here / "progress.txt").of(id).passed

    def do(self, exercise: Exercise) -> None:
        """One exercise: every wrong answer that is known, hints, the right answer, the solution."""
        wrong = self.code_wrong if exercise.kind in CODE else self.answers_wrong
        for number, _ in enumerate(wrong(exercise)):
            if number == 0:
                self.run("hint", exercise.id, "--plain")
        if exercise.kind in CODE:
            file = self.here / exercise.id.partition("-")[0] / f"{exercise.stem}.py"
            solution = exercise.folder / "solutions" / f"{exercise.stem}.py"
            file.write_bytes(solution.read_bytes())
            self.note(f"[the solution of {exercise.id} is saved as {file.name}]", "")
            self.run("check", exercise.id, "--plain")
        else:
            self.answer(exercise, right_answers(exercise, self.learner))
        self.run("solution", exercise.id, "--plain")

    def code_wrong(self, exercise: Exercise) -> Iterator[Ran]:
        """The starter as it came; then with a line that Python cannot read."""
        yield self.run("check", exercise.id, "--plain")
        file = self.here / exercise.id.partition("-")[0] / f"{exercise.stem}.py"
        text = file.read_text(encoding="utf-8")
        file.write_text(f"{text}\ndef half(:\n", encoding="utf-8")
        self.note(f"[half a line is typed at the end of {file.name}]", "")
        yield self.run("check", exercise.id, "--plain")

    def answers_wrong(self, exercise: Exercise) -> Iterator[Ran]:
        """What each wrong harness answers, or each kind of mistake that has words of its own."""
        for number in range(20):
            known = wrong_answers(exercise, self.learner)
            if number >= len(known):
                return
            yield self.answer(exercise, known[number])

    @property
    def learner(self) -> Learner:
        """Whose numbers these are: a newcomer without a name, in their own folder."""
        return Learner(self.here / "predictions")

    def answer(self, exercise: Exercise, answers: Answers) -> Ran:
        """Write a file of answers, and give it."""
        lines = [f"{key} = {value}" for key, value in answers.items()]
        text = "\n".join(lines) + "\n"
        (self.here / "answers.txt").write_text(text, encoding="utf-8")
        self.note("[answers.txt]", *(f"  {line}" for line in lines), "")
        return self.run("predict", exercise.id, "--answers", "answers.txt", "--plain")


def right_answers(exercise: Exercise, learner: Learner) -> Answers:
    """The lines of a file in which everything is right."""
    if exercise.slots:
        answers = learner.scene(exercise).answers()
        return {key: spelled(value) for key, value in answers.items()} | {"confidence": "3"}
    trace = run_of_exercise(exercise)
    if exercise.kind is Kind.ORDER:
        seqs = {event.key: event_at(trace, event.at).seq for event in exercise.events if event.at}
        return {"order": " ".join(sorted(seqs, key=lambda key: seqs[key]))}
    if exercise.kind is Kind.EXPLAIN:
        seq, value = _citable(exercise)
        text = next(model.text for model in exercise.models if model.is_ == "right")
        facts = {f"fact {n}": "y" if t.is_ else "n" for n, t in enumerate(exercise.ticks, 1)}
        return {"text": text.replace("#", ""), "event": str(seq), "value": value, **facts}
    event = event_at(trace, exercise.at)
    return {"event": str(event.seq if exercise.kind is Kind.SPOT else event.cause)}


def wrong_answers(exercise: Exercise, learner: Learner) -> Sequence[Answers]:
    """Files with a mistake each, every one of them known to the course."""
    right = right_answers(exercise, learner)
    if exercise.slots:
        scene = learner.scene(exercise)
        its = (answers_under(scene, wrong) for wrong in exercise.wrong)
        return [{**right, **{key: spelled(v) for key, v in one.items()}} for one in its]
    if exercise.kind is Kind.ORDER:
        keys = right["order"].split()
        false = next(event.key for event in exercise.events if not event.at)
        orders = [[*keys, false], keys[1:], [keys[1], keys[0], *keys[2:]], keys[::-1]]
        return [{"order": " ".join(order)} for order in orders]
    if exercise.kind is Kind.EXPLAIN:
        ticks = {key: "y" if value == "n" else "n" for key, value in right.items() if "fact" in key}
        return [{**right, "event": "999"}, {**right, "value": "987654"}, {**right, **ticks}][:2]
    trace = run_of_exercise(exercise)
    grade = grade_spot if exercise.kind is Kind.SPOT else grade_cause
    found: dict[str, Answers] = {}
    for event in to_choose_from(exercise, trace):
        key = grade(exercise, trace, event.seq).findings[0].key
        found.setdefault(key, {"event": str(event.seq)})
    return [answer for answer in found.values() if answer != right]


def _citable(exercise: Exercise) -> tuple[int, str]:
    """The first event that can be cited, and a number that stands in it."""
    trace = run_of_exercise(exercise)
    types = exercise.cites.split()
    event = next(event for event in trace.events if event.type in types)
    facts = View(trace).facts(event)
    return event.seq, next(str(fact) for fact in facts.values() if type(fact) is int)


def walked() -> tuple[Newcomer, dict[str, str]]:
    """A newcomer who has walked, and the transcripts by name."""
    with TemporaryDirectory() as name:
        newcomer = Newcomer(Path(os.path.realpath(name)))
        newcomer.walk()
    names = [*sorted(newcomer.notes, key=in_order)]
    texts = {name: "\n".join(newcomer.notes[name]).rstrip() + "\n" for name in names}
    return newcomer, texts


def main() -> None:
    """Write the transcripts anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, text in walked()[1].items():
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
