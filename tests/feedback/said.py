"""Every text of feedback, said where a learner would hear it. One golden file for each scene.

`python -m tests.feedback.said` writes the files anew; what changed is read in the diff.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from curriculum.cli.pairing import parting
from curriculum.course.events_of import run_of_exercise
from curriculum.course.exercises import exercise_of
from curriculum.course.explaining import Explained, cite, explained
from curriculum.course.feedback import (
    again_said,
    asked,
    could_not,
    first_said,
    later_said,
    left_to_ask,
    question_again,
    result_of,
)
from curriculum.course.grading import grade
from curriculum.course.ordering import grade_order
from curriculum.course.result import Finding
from curriculum.course.runs import trace_of
from curriculum.course.scenes import Scene
from curriculum.course.seen import changed, seen
from curriculum.course.slots import Value
from curriculum.course.spotting import grade_cause, grade_spot
from curriculum.course.why import why

from ..classroom import RIGHT, SAMPLE, scene_of, written

FOLDER = Path(__file__).parent
Said = Callable[[], Iterator[Finding]]


def _of(scene: Scene, given: dict[str, Value], again: dict[int, Value]) -> Iterator[Finding]:
    made = grade(scene, given)
    said = [*first_said(made), *asked(made.suspects), *later_said(made)]
    said += [again_said(scene, made, number, value) for number, value in again.items()]
    yield from result_of(made, said, again).findings


def _s06(again: dict[int, Value] | None = None, **answers: Value) -> Said:
    return lambda: _of(scene_of(), {**RIGHT, **answers}, again or {})


def _reserve() -> Iterator[Finding]:
    exercise = written(
        'kind = "predict"\ncase = "s06-context-budget/with-reserve"\n'
        "change = { output_reserve = 50 }\n"
        '[[slots]]\nkey = "r"\nask = "?"\nread = "session.start 1 budget.output_reserve"\n'
        'forces = "reserve"\n'
        '[[slots]]\nkey = "n"\nask = "How many results?"\nread = "count tool.result"\n'
    )
    yield from _of(Scene(exercise, exercise.change), {"r": 150, "n": 2}, {1: 3})


def _rules() -> Iterator[Finding]:
    """Each locator with its place, rule and sum; then one that has no sum."""
    before, after = trace_of("s06-context-budget"), trace_of("s06-context-budget/with-reserve")
    for locator in (
        *("stop", "turns", "count tool.result", "has tool.truncate 1", "record.append 2 text"),
        *("model.request 2 messages", "model.response 1 calls", "model.response 2 text"),
        *("model.response 1 half_call", "changed request 1", "same request 2"),
        *("request 2 r0004.size", "request 2 room", "request 1 r0001.decision"),
        "session.start 1 budget.capacity - session.start 1 budget.output_reserve",
    ):
        said = why(after, locator, before)
        yield Finding("predict.where", {"text": f"{locator}: {said.where} (event {said.seq})"})
        yield from (Finding("predict.rule", {"text": said.rule}) for _ in range(bool(said.rule)))
        yield from (Finding("predict.sum", {"text": said.sum}) for _ in range(bool(said.sum)))
    low = trace_of("s06-context-budget max_tool_output_chars=30")
    said = why(low, "changed request 2", before)
    yield Finding("predict.rule", {"text": said.rule})
    yield Finding("predict.sum", {"text": said.sum})
    exercise = written(
        'kind = "number"\ncase = "s06-context-budget"\n'
        '[[slots]]\nkey = "a"\nask = "?"\nread = "stop"\ntype = "stop"\n'
        '[[slots]]\nkey = "b"\nask = "?"\nread = "record.append 2 text"\n'
    )
    scene = Scene(exercise, {})
    yield again_said(scene, grade(scene, {"a": "error", "b": 1}), 1, 2)


def _pictures() -> Iterator[Finding]:
    wrong = scene_of().exercise.wrong[0]
    yield Finding("predict.picture", {"text": wrong.yes})
    yield Finding("predict.counted")
    yield Finding("predict.other", {"run": 31})
    slot = scene_of().exercise.slots[2]
    yield question_again(2, slot)
    yield left_to_ask(scene_of(), 2)
    yield from could_not(scene_of().exercise, "the budget refuses").findings


def _seen() -> Iterator[Finding]:
    yield from seen(trace_of("s06-context-budget"))
    yield from seen(trace_of("s06-context-budget max_input_chars=2000"))
    yield from seen(trace_of("s06-context-budget/result-does-not-fit"))
    yield from seen(trace_of("s06-context-budget/system-does-not-fit"))
    yield from seen(trace_of("harness/output-limit"))
    yield from seen(trace_of("harness/parallel-results"))
    scene = scene_of()
    change = changed(scene.before, dict(scene.variant))
    yield Finding("seen.change", {"change": change})
    yield Finding("seen.then", {"title": scene.case.title})
    yield Finding("seen.fresh")
    yield Finding("seen.known")


def _pair() -> Iterator[Finding]:
    exercise = scene_of().exercise
    yield from parting(exercise, dict(RIGHT), dict(SAMPLE))
    yield from parting(exercise, dict(RIGHT), dict(RIGHT))


def _order() -> Iterator[Finding]:
    exercise = exercise_of("s06-10")
    trace = run_of_exercise(exercise)
    for given in (
        "call returns gate-1 log gate-2 sent",
        "call returns log gate-1 gate-2 sent",
        "sent call returns gate-1 log gate-2",
        "call returns gate-1 log sent",
        "call returns gate-1 log rewrite gate-2 sent",
    ):
        yield from grade_order(exercise, trace, given.split()).findings


def _spot() -> Iterator[Finding]:
    exercise = exercise_of("s06-11")
    trace = run_of_exercise(exercise)
    for given in (13, 14, 10):
        yield from grade_spot(exercise, trace, given).findings
    lawless = written(
        'kind = "spot"\ncase = "s06-context-budget"\npromise = "p"\nat = "tool.truncate 1"\n'
        'shows = ["*"]\n'
    )
    yield from grade_spot(lawless, trace, 1).findings
    yield from grade_spot(lawless, _broken(), 11).findings
    beside = written(
        'kind = "spot"\ncase = "s06-context-budget"\npromise = "p"\nat = "record.append 1"\n'
        'shows = ["*"]\n'
    )
    yield from grade_spot(beside, trace, 3).findings


def _broken():  # type: ignore[no-untyped-def]
    """A trace that breaks a law: gate 1 says that it kept one character more."""
    from curriculum.trace.reader import Trace

    lines = trace_of("s06-context-budget").lines
    lines[11] = lines[11].replace('"kept":172', '"kept":173')
    return Trace.parse("".join(f"{line}\n" for line in lines), "broken")


def _cause() -> Iterator[Finding]:
    exercise = exercise_of("s06-12")
    trace = run_of_exercise(exercise)
    for given in (12, 13, 14, 11):
        yield from grade_cause(exercise, trace, given).findings
    beside = written(
        'kind = "cause"\ncase = "s06-context-budget"\nask = "?"\nat = "record.append 3"\n'
        'shows = ["*"]\n'
    )
    yield from grade_cause(beside, trace, 2).findings


def _explain() -> Iterator[Finding]:
    exercise = exercise_of("s06-5")
    trace = run_of_exercise(exercise)
    words = "characters can be counted by eye"
    for seq, value in ((99, "300"), (11, "180"), (13, "301")):
        yield from cite(exercise, trace, Explained(words, seq, value))[1]
    cited = cite(exercise, trace, Explained(words, 13, "300"))
    yield from explained(exercise, cited, (True, True, False)).findings


SCENES: dict[str, Said] = {
    "right": _s06(),
    "sample": lambda: _of(scene_of(), dict(SAMPLE), {2: 300, 3: False}),
    "sample-again": lambda: _of(scene_of(), dict(SAMPLE), {2: 299, 3: True}),
    "log-over-the-ceiling": _s06(log=180),
    "log-over-the-output": _s06(log=3000),
    "log-too-short": _s06(log=25, shown=25, request=294, bytes=True),
    "shown-over-the-log": _s06(shown=150),
    "shown-too-short": _s06(shown=25, request=294, bytes=True),
    "marks": _s06(shown=36, request=305),
    "slip": _s06(shown=30),
    "request": _s06(request=240, bytes=True),
    "bytes": _s06(bytes=True),
    "spare": lambda: _of(scene_of("s06-9"), {"sum": 350, "shown": 81, "bytes": True}, {}),
    "two-pictures": lambda: _of(scene_of("s06-9"), {"sum": 400, "shown": 131, "bytes": True}, {}),
    "number": lambda: _of(scene_of("s06-6"), {"log": 180, "ceiling": 180}, {}),
    "reserve": _reserve,
    "rules": _rules,
    "pictures": _pictures,
    "seen": _seen,
    "pair": _pair,
    "order": _order,
    "spot": _spot,
    "cause": _cause,
    "explain": _explain,
}


def spelled(name: str) -> str:
    """The golden file of a scene: one finding a line, its key and its text."""
    return "".join(f"{finding.key}  {finding.text}\n" for finding in SCENES[name]())


if __name__ == "__main__":
    for scene in SCENES:
        (FOLDER / f"{scene}.txt").write_text(spelled(scene), encoding="utf-8", newline="\n")
