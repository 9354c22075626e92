"""Two people predict one run: two commits, the question at which they part, talk, then the run."""

from functools import partial
from io import StringIO
from pathlib import Path

from curriculum.course.answers import answer_of, confidence_of, read_answers, spelled
from curriculum.course.exercise import Exercise
from curriculum.course.feedback import asked, first_said, graded, later_said, result_of
from curriculum.course.prediction import Prediction, close_prediction, write_prediction
from curriculum.course.result import Finding, Result, Verdict
from curriculum.course.scenes import Scene, same
from curriculum.course.slots import Value
from curriculum.view.prediction import question, show_task, show_title
from curriculum.view.result import show_finding, show_result
from curriculum.view.screen import Screen

from .conversation import Conversation
from .from_file import answers_in, keys
from .learner import Learner
from .options import print_json
from .predicting import SURE

WHO = ("a", "b")
Given = dict[str, Value]


def pair_up(
    screen: Screen,
    exercise: Exercise,
    learner: Learner,
    files: tuple[Path, ...],
    as_json: bool = False,
) -> Result:
    """Both predictions, the question at which they part, the run; the result of the lesser one."""
    if as_json:
        screen = Screen(True, StringIO())
    scene, talk = learner.scene(exercise), Conversation(screen)
    show_title(screen, exercise, len(exercise.slots))
    show_task(screen, scene, learner.known(scene))
    given: list[Given] = []
    written: list[Prediction] = []
    for at, who in enumerate(WHO):
        if files:
            answers, sure = answers_in(exercise, read_answers(files[at], keys(exercise)))
        else:
            answers, sure = _asked(talk, scene, who)
        given.append(answers)
        written.append(write_prediction(learner.folder, scene, answers, sure, who))
    parts = parting(exercise, given[0], given[1])
    for finding in parts:
        show_finding(screen, finding)
    if not files:
        talk.typed("ENTER runs > ")
    results = [
        _run(screen, scene, who, answers, one)
        for who, answers, one in zip(WHO, given, written, strict=True)
    ]
    if as_json:
        said = [{"key": one.key, "params": dict(one.params), "text": one.text} for one in parts]
        pair = {who: one.data() for who, one in zip(WHO, results, strict=True)}
        print_json({"exercise": exercise.id, "parting": said, **pair})
    lesser = next((one for one in results if one.verdict is not Verdict.PASS), results[0])
    learner.note(exercise, lesser)
    return lesser


def _asked(talk: Conversation, scene: Scene, who: str) -> tuple[Given, int]:
    """One person's answers; then they are taken out of sight."""
    talk.typed(f"{who}: ENTER when the other one looks away > ")
    given = {
        slot.key: talk.ask(question(scene, number), partial(answer_of, slot))
        for number, slot in enumerate(scene.exercise.slots)
    }
    sure = talk.ask(f"{SURE:<58} > ", confidence_of)
    talk.clear()
    return given, sure


def parting(exercise: Exercise, one: Given, other: Given) -> list[Finding]:
    """The first question to which two people have different answers, and what to talk about."""
    for number, slot in enumerate(exercise.slots, 1):
        if not same(one[slot.key], other[slot.key]):
            values = {"a": spelled(one[slot.key]), "b": spelled(other[slot.key])}
            return [
                Finding("pair.parts", {"n": number, "ask": slot.ask, **values}),
                Finding("pair.talk"),
            ]
    return [Finding("pair.agree"), Finding("pair.talk-agree")]


def _run(screen: Screen, scene: Scene, who: str, given: Given, written: Prediction) -> Result:
    screen.head(who)
    made = graded(scene, given)
    if isinstance(made, Result):
        result = made
    else:
        result = result_of(made, [*first_said(made), *asked(made.suspects), *later_said(made)], {})
    show_result(screen, result)
    close_prediction(written, result, {})
    return result
