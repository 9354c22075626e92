"""What is said about a graded prediction: first what is right, then the first difference.

Texts are keys of the catalogue; nothing here prints.
"""

from collections.abc import Iterable, Mapping, Sequence

from curriculum.record.errors import CurriculumError
from curriculum.replay.forced import ForcedRun

from .answers import spelled
from .exercise import Exercise, Force, Slot
from .grading import Grade, Mark, grade
from .misconceptions import Suspect
from .result import Finding, Result, Verdict
from .scenes import Scene, same
from .slots import Value
from .variants import variants_of
from .why import why


def first_said(grade: Grade) -> list[Finding]:
    """What is right as far as the first difference, and that difference with its rule."""
    found: list[Finding] = []
    for number, mark in enumerate(grade.marks, 1):
        if mark.right and (grade.first is None or number - 1 < grade.first):
            found.append(_right(number, mark))
    if grade.first is None:
        return found
    mark, number = grade.marks[grade.first], grade.first + 1
    later = [str(n + 1) for n in grade.again]
    params: dict[str, int | str] = {
        "n": number,
        "yours": spelled(mark.yours),
        "run": spelled(mark.run),
    }
    if later:
        found.append(Finding("predict.first-and", {**params, "later": listed(later)}))
    else:
        found.append(Finding("predict.first", params))
    if grade.why is not None:
        parts = (("where", grade.why.where), ("rule", grade.why.rule), ("sum", grade.why.sum))
        found += [Finding(f"predict.{name}", {"text": said}) for name, said in parts if said]
    found += _yours(grade, mark)
    if grade.slip:
        off = abs(int(mark.yours) - int(mark.run))
        found.append(Finding("predict.slip", {"off": off}))
    return found


def later_said(grade: Grade) -> list[Finding]:
    """What is right behind the first difference: by itself, or with an earlier number standing."""
    first = grade.first if grade.first is not None else len(grade.marks)
    marks = enumerate(grade.marks, 1)
    return [_right(n, mark) for n, mark in marks if n > first + 1 and mark.right]


def asked(suspects: Sequence[Suspect]) -> list[Finding]:
    """The questions whether a wrong harness was the learner's picture; several are numbered."""
    said = [one.wrong.asks.replace("{value}", spelled(one.value)) for one in suspects]
    if len(said) < 2:
        return [Finding("predict.asks", {"text": text}) for text in said]
    return [Finding("predict.asks-of-some", {"n": n, "text": t}) for n, t in enumerate(said, 1)]


def question_again(number: int, slot: Slot) -> Finding:
    """A question that is asked again under the rule; `number` is from 0."""
    ask = slot.ask[:1].lower() + slot.ask[1:]
    return Finding("predict.question-again", {"n": number + 1, "ask": ask})


def left_to_ask(scene: Scene, number: int) -> Finding:
    """A question that is still open under the rule."""
    slot = scene.exercise.slots[number]
    return Finding("predict.left-to-ask", {"n": number + 1, "ask": slot.ask})


def again_said(scene: Scene, grade: Grade, number: int, yours: Value) -> Finding:
    """What is said about a question that was asked again under the rule; `number` is from 0."""
    mark = grade.marks[number]
    params: dict[str, int | str] = {"n": number + 1, "yours": spelled(yours)}
    if same(yours, mark.run):
        return Finding("predict.again-right", params)
    because = why(scene.after, mark.slot.read, scene.before).sum
    return Finding(
        "predict.again-not" if because else "predict.again-not-bare",
        {**params, "run": spelled(mark.run), **({"sum": because} if because else {})},
    )


def result_of(
    grade: Grade,
    said: Iterable[Finding],
    again: Mapping[int, Value],
    next: str = "",
) -> Result:
    """The result: what was said, what the model can see of it, and how much was right when.

    `again` has the answers that were given under the rule, by the place of their question.
    """
    findings = list(said)
    if grade.invisible and len(again) == len(grade.again):
        findings.append(Finding("predict.invisible"))
    right, of = grade.right, len(grade.marks)
    if grade.passed:
        findings.append(Finding("predict.all-right", {"of": of}))
        return Result(grade.exercise.id, Verdict.PASS, tuple(findings), (right, of), next)
    after = [str(n + 1) for n, yours in sorted(again.items()) if same(yours, grade.marks[n].run)]
    params: dict[str, int | str] = {"right": right, "of": of}
    if after:
        findings.append(Finding("predict.score-after", {**params, "after": listed(after)}))
    else:
        findings.append(Finding("predict.score", params))
    return Result(grade.exercise.id, Verdict.NOT_YET, tuple(findings), (right, of), next)


def graded(scene: Scene, given: Mapping[str, Value]) -> Grade | Result:
    """The grade of answers; where the run cannot be made, the result that says so."""
    try:
        return grade(scene, given)
    except CurriculumError as error:
        return could_not(scene.exercise, f"{error.headline} [{error.code}]")


def could_not(exercise: Exercise, why: str) -> Result:
    """The result where the run could not be made."""
    said = (Finding("predict.could-not", {"why": why}),)
    return Result(exercise.id, Verdict.COULD_NOT_CHECK, said)


def listed(words: Iterable[str]) -> str:
    """`3`, `3 and 4`, `2, 3 and 4`."""
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def next_after(exercise: Exercise, passed: bool) -> str:
    """The one next step after a prediction."""
    if passed:
        return "curriculum next"
    new = "   # new numbers" if len(variants_of(exercise)) > 1 else ""
    return f"curriculum predict {exercise.id}{new}"


def _right(number: int, mark: Mark) -> Finding:
    params: dict[str, int | str] = {"n": number, "value": spelled(mark.yours)}
    if not mark.agrees:
        return Finding("predict.carried", {**params, "run": spelled(mark.run)})
    if mark.slot.forces is Force.GATE_1:
        return Finding("predict.right-gate-1", params)
    if mark.slot.forces is Force.GATE_2:
        return Finding("predict.right-gate-2", params)
    return Finding("predict.right", params)


def _yours(grade: Grade, mark: Mark) -> list[Finding]:
    """What would follow from the learner's number at the first difference."""
    run: ForcedRun | None = grade.yours
    if run is None:
        return []
    if run.unlawful is not None:
        return [Finding(f"predict.yours-{run.unlawful.code}", run.unlawful.params)]
    if run.trace is None or type(mark.yours) is not int or type(mark.run) is not int:
        return []
    start = run.trace.start
    if mark.slot.forces is Force.GATE_1 and mark.yours < mark.run:
        params: dict[str, int | str] = {"value": mark.yours, "run": mark.run}
        return [Finding("predict.yours-under-gate-1", {**params, "left": mark.run - mark.yours})]
    if mark.slot.forces is Force.GATE_2 and mark.yours < mark.run:
        number = int(mark.slot.read.split()[1])
        size = run.trace.assemblies[number - 1].data.size or 0
        limit = start.budget[start.ceiling]
        numbers = {"rest": size - mark.yours, "value": mark.yours, "sum": size}
        return [Finding("predict.yours-under-gate-2", {**numbers, "left": limit - size})]
    return []
