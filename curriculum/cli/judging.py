"""Exercises answered with an order, an event, or words: asked, written down, judged."""

from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TypeVar

import attrs

from curriculum.course.answers import AnswerError, AnswersFile, number_of, read_answers, yes_of
from curriculum.course.events_of import run_of_exercise
from curriculum.course.exercise import Exercise, Kind
from curriculum.course.explaining import Explained, cite, explained, value_typed, words_of
from curriculum.course.ordering import grade_order, order_of
from curriculum.course.prediction import Prediction, close_prediction, write_answers
from curriculum.course.result import Result, Verdict
from curriculum.course.spotting import event_of, grade_cause, grade_spot
from curriculum.trace.reader import Trace
from curriculum.view.judging import show_head, show_lines, show_models, show_some_events
from curriculum.view.result import show_finding, show_result
from curriculum.view.screen import Screen

from .conversation import Conversation
from .learner import Learner
from .options import print_json

T = TypeVar("T")


class Source:
    """Where answers come from: a person, or a file with one line for each."""

    def __init__(self, screen: Screen, file: AnswersFile | None) -> None:
        self.talk, self.file = Conversation(screen), file

    def get(self, key: str, prompt: str, read: Callable[[str], T]) -> T:
        """The answer under a key, or to a prompt. Raises `AnswerError` for one in a file."""
        if self.file is None:
            return self.talk.ask(f"{prompt} > ", read)
        typed = self.file.get(key)
        if typed is None:
            raise AnswerError(
                f"{self.file.name} has no answer {key}.",
                prompt,
                code="answers-missing",
                next=f"add a line {key} = ...",
            )
        try:
            return read(typed)
        except AnswerError as error:
            error.headline = f"{self.file.name}, line {self.file.lines[key]}: {error.headline}"
            raise


@attrs.frozen
class Sitting:
    """One exercise, the run it is about, and who answers."""

    screen: Screen
    exercise: Exercise
    trace: Trace
    source: Source
    learner: Learner

    def write(self, **answers: str) -> Prediction:
        """Write answers down before they are judged, and say where."""
        facts = {f"answer {key}": value for key, value in answers.items()}
        written = write_answers(self.learner.folder, self.exercise, self.trace, facts)
        self.screen.line(f"Written down: {self.learner.show(written.path)}", indent=2)
        return written


def judge(
    screen: Screen,
    exercise: Exercise,
    learner: Learner,
    files: tuple[Path, ...],
    as_json: bool,
) -> Result:
    """Ask, write down, judge, print."""
    file = read_answers(files[0], _keys(exercise)) if files else None
    if as_json:
        screen = Screen(True, StringIO())
    source = Source(screen, file)
    sitting = Sitting(screen, exercise, run_of_exercise(exercise), source, learner)
    show_head(screen, exercise)
    result, written = JUDGES[exercise.kind](sitting)
    result = attrs.evolve(result, next=_next(exercise, result))
    close_prediction(written, result, {})
    learner.note(exercise, result)
    show_result(screen, result)
    if as_json:
        print_json({**result.data(), "prediction": str(written.path)})
    return result


def _next(exercise: Exercise, result: Result) -> str:
    return "curriculum next" if result.verdict is Verdict.PASS else f"curriculum hint {exercise.id}"


def _order(sitting: Sitting) -> tuple[Result, Prediction]:
    exercise = sitting.exercise
    show_lines(sitting.screen, exercise)
    prompt = "The names of what happens, in order"
    given = sitting.source.get("order", prompt, partial(order_of, exercise))
    written = sitting.write(order=" ".join(given))
    return grade_order(exercise, sitting.trace, given), written


def _event(sitting: Sitting) -> tuple[Result, Prediction]:
    exercise, trace = sitting.exercise, sitting.trace
    show_some_events(sitting.screen, exercise, trace)
    given = sitting.source.get(
        "event", "The number of the event", partial(event_of, exercise, trace)
    )
    written = sitting.write(event=str(given))
    grade = grade_spot if exercise.kind is Kind.SPOT else grade_cause
    return grade(exercise, trace, given), written


def _explain(sitting: Sitting) -> tuple[Result, Prediction]:
    exercise, source, screen = sitting.exercise, sitting.source, sitting.screen
    screen.line(f"The run: curriculum run {exercise.case} --plain", indent=2)
    given = Explained(
        source.get("text", "In your own words", words_of),
        source.get("event", "The number of an event that shows it", number_of),
        source.get("value", "What stands there", value_typed),
    )
    written = sitting.write(text=given.words, event=str(given.seq), value=given.value)
    cited = cite(exercise, sitting.trace, given)
    if not cited[0]:
        return explained(exercise, cited, ()), written
    for finding in cited[1]:
        show_finding(screen, finding)
    show_models(screen, exercise)
    ticks = [
        source.get(f"fact {n}", f"Fact {n}: {tick.ask}  y/n", yes_of)
        for n, tick in enumerate(exercise.ticks, 1)
    ]
    return explained(exercise, (True, ()), ticks), written


def _keys(exercise: Exercise) -> list[str]:
    match exercise.kind:
        case Kind.ORDER:
            return ["order"]
        case Kind.EXPLAIN:
            facts = [f"fact {n}" for n in range(1, len(exercise.ticks) + 1)]
            return ["text", "event", "value", *facts]
        case _:
            return ["event"]


JUDGES: dict[Kind, Callable[[Sitting], tuple[Result, Prediction]]] = {
    Kind.ORDER: _order,
    Kind.SPOT: _event,
    Kind.CAUSE: _event,
    Kind.EXPLAIN: _explain,
}
