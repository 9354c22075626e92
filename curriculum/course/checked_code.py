"""Exercises with code: the starter fails as it is meant to, the solution passes, chaff is chaff.

Starters and solutions are checked as a learner's file is: by the same check, in a subprocess.
"""

import hashlib
import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs

from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

from .authoring import Desk
from .checking import LAWS
from .checking import check as check_answer
from .exercise import Exercise, Kind, Wrong
from .misconceptions import harness_of, wrong_run
from .result import Finding, Result, Verdict
from .runs import case_of
from .workspace import Workspace

NAMED = (
    *("modify.must", "modify.law", "make.says"),
    *("assertion.accepts-wrong", "assertion.rejects-right"),
)
"""Findings that say by name what is not as it must be."""
UNWRITTEN = "NotImplementedError"
"""What a starter of a make exercise may raise instead: it says that it is still to be written."""
CONSTANTS: tuple[Any, ...] = (None, False, True, 0, 1, "", [], {})
"""What a function may give that looks at nothing."""


def check_code(desk: Desk, exercise: Exercise) -> None:
    """Check one exercise of kind modify, assertion or make."""
    if exercise.kind is Kind.ASSERTION:
        _chaff(desk, exercise)
    elif exercise.wrong:
        desk.refuse(
            "wrong-unread",
            exercise.id,
            f"A wrong harness of a {exercise.kind} exercise is never run.",
            ", ".join(wrong.harness for wrong in exercise.wrong),
            do="name it in a prediction, or in an exercise of assertions",
        )
    if exercise.kind is Kind.MAKE:
        _judge(desk, exercise)
    _starter(desk, exercise)
    _solution(desk, exercise)


def _starter(desk: Desk, exercise: Exercise) -> None:
    assert exercise.starter is not None
    where = f"exercises/{exercise.stem}.py"
    desk.looked("starters")
    made = _checked(exercise, exercise.starter)
    said = _said(made)
    desk.refuse_unless(
        made.verdict is not Verdict.PASS,
        "starter-passes",
        where,
        f"{exercise.id} is solved as it is handed out.",
        *said,
        do="take out of the starter what the learner is to find",
    )
    desk.refuse_unless(
        made.verdict is Verdict.PASS or any(_named(one, exercise) for one in made.findings),
        "starter-unnamed",
        where,
        "The starter fails, and nothing that the exercise asks for is named.",
        *said,
        do='let it run and miss one thing, or raise NotImplementedError("write '
        f'{exercise.entry or "NAME"}")',
    )


def _named(finding: Finding, exercise: Exercise) -> bool:
    if finding.key in NAMED:
        return True
    unwritten = finding.key == "child.raised" and finding.params["type"] == UNWRITTEN
    return unwritten and exercise.entry in str(finding.params["text"])


def _solution(desk: Desk, exercise: Exercise) -> None:
    path = exercise.folder / "solutions" / f"{exercise.stem}.py"
    desk.looked("solutions")
    if not path.is_file():
        desk.refuse(
            "solution-missing",
            f"solutions/{path.name}",
            f"{exercise.id} has no reference solution.",
            do=f"write {path}",
        )
        return
    made = _checked(exercise, path)
    desk.refuse_unless(
        made.verdict is Verdict.PASS,
        "solution-fails",
        f"solutions/{path.name}",
        f"The reference solution of {exercise.id} does not pass: {made.verdict}.",
        *_said(made),
        do="mend the solution, or what the exercise asks for",
    )


def _checked(exercise: Exercise, code: Path) -> Result:
    """What the check says of a file, as if it lay in a learner's folder."""
    with TemporaryDirectory(prefix="curriculum-", ignore_cleanup_errors=True) as place:
        work = Workspace(Path(place))
        file = work.file(exercise)
        file.parent.mkdir(parents=True)
        file.write_bytes(code.read_bytes())
        return check_answer(exercise, work)


def _said(made: Result) -> Sequence[str]:
    return [finding.text for finding in made.findings if finding.key != "check.untouched"][:5]


def _judge(desk: Desk, exercise: Exercise) -> None:
    """The judge takes any answer without raising, and no constant one on every scenario."""
    where = f"solutions/{exercise.stem}_check.py"
    with desk.trouble("judge-raised", where, "a judge says what is wrong, whatever it is given"):
        judge: Any = importlib.import_module(f"{exercise.solutions}.{exercise.stem}_check")
        scenarios: list[Any] = list(judge.SCENARIOS)
        desk.refuse_unless(
            len({_spelled(one) for one in scenarios}) == len(scenarios) > 1,
            "judge-scenarios",
            where,
            f"{len(scenarios)} scenarios, {len({_spelled(one) for one in scenarios})} of them "
            "different.",
            do="give more than one, the smallest first, and none of them twice",
        )
        desk.looked("scenarios", len(scenarios))
        for constant in CONSTANTS:
            desk.looked("constant answers")
            desk.refuse_unless(
                any(_says(judge, one, constant) is not None for one in scenarios),
                "judge-constant",
                where,
                f"A function that always gives {constant!r} passes.",
                do="add a scenario with another answer",
            )


@attrs.frozen
class _Constant:
    """A module of which each function gives the same, whatever it is asked."""

    gives: Any

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: self.gives  # pyright: ignore


def _says(judge: Any, scenario: Any, constant: Any) -> str | None:
    """What the judge says of a module that looks at nothing, asked as a learner's is."""
    answer = judge.ask(_Constant(constant), scenario)
    said: str | None = judge.judge(scenario, json.loads(json.dumps(answer)))
    return said


def _spelled(scenario: Any) -> str:
    try:
        return json.dumps(scenario, sort_keys=True)
    except (TypeError, ValueError):
        return repr(scenario)


def _chaff(desk: Desk, exercise: Exercise) -> None:
    """Each wrong harness breaks exactly one thing, which is named; right ones break nothing."""
    case = case_of(exercise.case)
    bodies: dict[str, str] = {}
    for name in (*exercise.right, *(wrong.harness for wrong in exercise.wrong)):
        with desk.trouble("wrong-harness-raised", f"{exercise.id}, {name}", "mend wrong.py"):
            trace = wrong_run(harness_of(exercise, name), case)
            bodies[name] = _body(trace)
            wrong = next((one for one in exercise.wrong if one.harness == name), None)
            desk.looked("right harnesses" if wrong is None else "chaff")
            _breaks(desk, exercise, name, trace, wrong)
    names = [wrong.breaks for wrong in exercise.wrong]
    desk.refuse_unless(
        len(set(names)) == len(names),
        "chaff-same",
        exercise.id,
        "Two wrong harnesses break the same thing.",
        ", ".join(names),
        do="let each break one thing of its own",
    )
    rights = [bodies[name] for name in exercise.right if name in bodies]
    desk.refuse_unless(
        len(set(rights)) == len(rights) > 1,
        "right-alike",
        exercise.id,
        f"{len(rights)} right harnesses leave {len(set(rights))} different runs.",
        do="give two or more that differ in cut, order or wording",
    )
    for name in (wrong.harness for wrong in exercise.wrong):
        desk.refuse_unless(
            bodies.get(name) not in rights,
            "wrong-no-difference",
            f"{exercise.id}, {name}",
            "The wrong harness leaves the same run as a right one.",
            do="let it break what it is named after",
        )


def _breaks(desk: Desk, exercise: Exercise, name: str, trace: Trace, wrong: Wrong | None) -> None:
    laws = sorted({breach.law for breach in breaches(trace)})
    broken = [LAWS.get(law, str(law)) for law in laws]
    said = f"laws: {', '.join(broken) or 'none'}"
    if wrong is None:
        desk.refuse_unless(
            not broken,
            "right-unlawful",
            f"{exercise.id}, {name}",
            "A right harness breaks a law.",
            said,
            do="mend it in solutions/wrong.py",
        )
        return
    named = [wrong.breaks] if wrong.breaks in LAWS.values() else []
    desk.refuse_unless(
        bool(wrong.breaks) and broken == named,
        "chaff-breaks",
        f"{exercise.id}, {name}",
        f"It is named after {wrong.breaks or 'nothing'!r}, and that is not all it breaks."
        if wrong.breaks
        else "It does not say what it breaks.",
        said,
        do="one law by its name, or one property in words while all laws hold",
    )


def _body(trace: Trace) -> str:
    lines = "\n".join(str(event.data) for event in trace.events[1:])
    return hashlib.sha256(lines.encode()).hexdigest()
