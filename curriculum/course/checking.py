"""Checks a learner's answer. Code is run by a child process and judged here, by its traces.

The verdict says whose it is: what the learner's code does gives *not yet*, what keeps the check
from being made gives *could not check*.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import attrs

from curriculum.agent.staged import Staged
from curriculum.golden import files
from curriculum.golden.cases import run_case
from curriculum.record.errors import CurriculumError
from curriculum.trace.breach import Breach
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

from .child import Ran, run
from .child_endings import GARBLED, Limits, Trouble
from .exercise import CODE, Exercise, Kind, Must, Wrong
from .exercises import waits_for
from .misconceptions import harness_of
from .prediction import predictions
from .result import Finding, Result, Verdict
from .runs import SourceError, case_of, trace_of
from .slots import Value, value_of
from .workspace import Workspace

LAWS = {
    0: "well formed",
    **{1: "pure", 2: "ceiling", 3: "conserved", 4: "protected", 5: "paired", 6: "explained"},
    **{7: "sufficient", 8: "same everywhere", 9: "recoverable", 10: "trust", 11: "flat"},
    12: "progress",
}
"""The laws by number, as the README names them."""
PRINTED, LONGEST = 8, 120
"""Lines that a learner's code printed and that are shown, and characters of each."""
AFTER = {
    "check.no-file": "curriculum reset {id}",
    "child.slow": "curriculum check {id} --seconds 60",
    "child.no-process": "curriculum doctor",
    "child.no-answer": "curriculum doctor",
    "child.changed": "pip install --force-reinstall curriculum",
    "check.asks": "curriculum predict {id}",
}
"""The one next step after a finding. After other endings of a run it is to check again, once that
is mended; after all else a hint."""

ANYWHERE = ("child.changed", "child.garbled", "child.lingers", "child.flood", "child.no-process")
"""Endings of which it does not matter how far the run had come."""


class CannotCheckError(Exception):
    """What keeps an answer from being checked, as a finding."""

    def __init__(self, key: str, **params: int | str) -> None:
        self.finding = Finding(key, params)
        super().__init__(key)


@attrs.frozen
class Bench:
    """Where code is checked: the exercise, the learner's folder, the limits of a run."""

    exercise: Exercise
    workspace: Workspace
    limits: Limits = attrs.field(factory=Limits)

    @property
    def file(self) -> Path:
        """The learner's file."""
        return self.workspace.file(self.exercise)

    def run(self, kind: str, given: Mapping[str, bytes] | None = None, **job: Any) -> Ran:
        """Run a job on the learner's file; the lesson, its golden and the record are sealed."""
        sealed = [self.exercise.folder, self.workspace.progress_file, self.workspace.predictions]
        sealed += [files.fixture(files.root(), self.exercise.case)] * bool(self.exercise.case)
        whole = {"kind": kind, "file": self.file.name, "entry": self.exercise.entry, **job}
        return run(whole, self.file.parent, given=given, sealed=sealed, limits=self.limits)

    def solutions(self, name: str) -> ModuleType:
        """A module of the lesson's solutions. Raises `CannotCheckError` if it does not load."""
        try:
            return import_module(f"{self.exercise.solutions}.{name}")
        except Exception as error:
            raise course_fault(error) from error


def check(exercise: Exercise, workspace: Workspace, limits: Limits | None = None) -> Result:
    """What the learner's answer in the workspace is worth. Never raises for what it does."""
    bench = Bench(exercise, workspace, limits or Limits())
    try:
        return _checked(bench)
    except CannotCheckError as error:
        return result(bench, Verdict.COULD_NOT_CHECK, [error.finding])


def _checked(bench: Bench) -> Result:
    exercise = bench.exercise
    if waiting := waits_for(exercise):
        raise CannotCheckError("check.waits", needs=", ".join(waiting))
    if exercise.kind not in CODE:
        return _answered(bench)
    if not bench.file.is_file():
        raise CannotCheckError("check.no-file", file=bench.file.name)
    if exercise.kind is Kind.MAKE:
        from .checking_make import make

        return make(bench)
    return {Kind.MODIFY: _modify, Kind.ASSERTION: _assertion}[exercise.kind](bench)


def _answered(bench: Bench) -> Result:
    """An exercise that is answered at `curriculum predict`: what is on record."""
    exercise, work = bench.exercise, bench.workspace
    written = [one for one in predictions(work.predictions, exercise) if one.verdict]
    tries = max(len(written), work.progress().of(exercise.id).tries)
    passed = work.progress().of(exercise.id).passed
    if passed or any(one.verdict == Verdict.PASS and one.holds for one in written):
        return result(bench, Verdict.PASS, [Finding("check.on-record", {"tries": tries})])
    return result(bench, Verdict.NOT_YET, [Finding("check.asks")])


def result(
    bench: Bench, verdict: Verdict, found: Sequence[Finding], ran: Ran | None = None
) -> Result:
    """The record of a check, with what the code printed and the one next step."""
    exercise, findings = bench.exercise, list(found)
    if verdict is Verdict.NOT_YET and untouched(bench):
        findings.append(Finding("check.untouched", {"file": bench.file.name}))
    lines = ran.printed.splitlines() if ran is not None else []
    findings += [Finding("child.printed", {"line": _start(line)}) for line in lines[:PRINTED]]
    if len(lines) > PRINTED:
        findings.append(Finding("child.printed-more", {"count": len(lines) - PRINTED}))
    next = "curriculum next" if verdict is Verdict.PASS else f"curriculum hint {exercise.id}"
    for finding in found:
        again = f"curriculum check {exercise.id}" if finding.key.startswith("child.") else next
        next = AFTER.get(finding.key, again).format(id=exercise.id)
    return Result(exercise.id, verdict, tuple(findings), next=next)


def _start(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def untouched(bench: Bench) -> bool:
    """Whether the learner's file is the starter as it came."""
    starter = bench.exercise.starter
    if starter is None or not bench.file.is_file():
        return False
    return starter.read_text("utf-8").split() == bench.file.read_text("utf-8", "replace").split()


def answers(ran: Ran, count: int) -> list[Any] | None:
    """The answers of a run; None if they are not as many as were asked for."""
    given: Any = ran.answer
    if not isinstance(given, list) or len(cast(list[Any], given)) != count:
        return None
    return cast(list[Any], given)


def in_trouble(bench: Bench, trouble: Trouble, ran: Ran, *where: Finding) -> Result:
    """The record of a run that gave no answer; `where` says how far it came, if that matters."""
    found = [] if trouble.finding.key in ANYWHERE else list(where)
    return result(bench, trouble.verdict, [*found, trouble.finding], ran)


def course_fault(error: Exception) -> CannotCheckError:
    """The course's own code failed: nothing is said about the learner's."""
    said = error.headline if isinstance(error, CurriculumError) else str(error)
    return CannotCheckError("check.course", type=type(error).__name__, text=said)


def _modify(bench: Bench) -> Result:
    ran = bench.run("modify", entry=bench.exercise.entry or "runner")
    if ran.trouble is not None:
        return in_trouble(bench, ran.trouble, ran)
    data = ran.written.get("trace.jsonl")
    if data is None:
        return in_trouble(bench, GARBLED, ran)
    try:
        trace = Trace.parse_bytes(data, bench.file.name)
        broken = next(breaches(trace), None)
    except CurriculumError as error:
        raise course_fault(error) from error
    if broken is not None:
        told = result(bench, Verdict.NOT_YET, [_law(broken)], ran)
        return attrs.evolve(told, trace=data.decode())
    rows = [(must, _read(bench, trace, must)) for must in bench.exercise.must]
    held = [must for must, got in rows if got is not None and holds(must, got)]
    findings = [Finding("modify.holds", {"says": must.says}) for must in held]
    for must, got in rows:
        if must not in held:
            said = {"says": must.says, "expected": _expected(must), "got": _shown(got)}
            findings.append(Finding("modify.must", said))
    passed = len(held) == len(rows)
    findings += [Finding("modify.lawful", {"events": len(trace.events)})] * passed
    told = result(bench, Verdict.PASS if passed else Verdict.NOT_YET, findings, ran)
    return attrs.evolve(told, trace=data.decode())


def _law(broken: Breach) -> Finding:
    where = f"event {broken.seq} {broken.field}".rstrip()
    return Finding(
        "modify.law",
        {
            "law": LAWS.get(broken.law, str(broken.law)),
            "where": where,
            "expected": _shown(broken.expected),
            "got": _shown(broken.got),
            "why": broken.why,
        },
    )


def _read(bench: Bench, trace: Trace, must: Must) -> Value | None:
    """What the learner's run has at the place that a row asks about; None if it has nothing."""
    case = bench.exercise.case
    try:
        return value_of(trace, must.read, trace_of(case) if case else None)
    except SourceError:
        return None


def holds(must: Must, got: Value) -> bool:
    """Whether a value is as a row asks for it."""
    if must.test == "is":
        return got == must.value and type(got) is type(must.value)
    if not (isinstance(got, int) and isinstance(must.value, int)):
        return False
    return got <= must.value if must.test == "at-most" else got >= must.value


def _expected(must: Must) -> str:
    test = "" if must.test == "is" else f"{must.test.replace('-', ' ')} "
    return f"{test}{_shown(must.value)}"


def _shown(value: Value | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing there" if value is None else str(value)


def _assertion(bench: Bench) -> Result:
    """Ask the learner's function of runs of right harnesses, then of the wrong ones."""
    exercise = bench.exercise
    module = bench.solutions("wrong")
    names = [*exercise.right, *(wrong.harness for wrong in exercise.wrong)]
    made = {f"run-{n}.jsonl": _trace_by(bench, name) for n, name in enumerate(names)}
    entry = exercise.entry or "holds"
    ran = bench.run("assertion", made, entry=entry, traces=list(made))
    if ran.trouble is not None:
        return in_trouble(bench, ran.trouble, ran, *_came_to(ran.at, len(exercise.right)))
    said = answers(ran, len(names))
    if said is None:
        return in_trouble(bench, GARBLED, ran)
    rights, wrongs = said[: len(exercise.right)], said[len(exercise.right) :]
    counts = {"of": len(rights), "accepted": sum(rights)}
    findings = [Finding("assertion.right", counts)] if any(rights) else []
    counts = {"of": len(wrongs), "rejected": wrongs.count(False)}
    findings += [Finding("assertion.wrong", counts)] if wrongs.count(False) else []
    for name, accepted in zip(exercise.right, rights, strict=True):
        if not accepted:
            about = _about(getattr(module, name))
            findings.append(Finding("assertion.rejects-right", {"harness": about}))
            break  # one next step: the others are counted above
    for wrong, accepted in zip(exercise.wrong, wrongs, strict=True):
        if accepted:
            findings.append(Finding("assertion.accepts-wrong", _told(module, wrong)))
            break
    passed = all(rights) and not any(wrongs)
    return result(bench, Verdict.PASS if passed else Verdict.NOT_YET, findings, ran)


def _came_to(at: int | None, rights: int) -> list[Finding]:
    """Of which run the learner's function was asked last."""
    if at is None:
        return []
    return [
        Finding("assertion.on-right" if at < rights else "assertion.on-wrong", {"number": at + 1})
    ]


def _trace_by(bench: Bench, name: str) -> bytes:
    """The trace that a harness of the course leaves of the exercise's case."""
    try:
        case = case_of(bench.exercise.case)
        if case.staged is None:
            raise CannotCheckError("check.course", type=case.id, text="a loop of one's own")
        made = harness_of(bench.exercise, name)(Staged(case.staged.runner, case.staged.prompts))
        return run_case(case, made).encode("ascii")
    except CannotCheckError:
        raise
    except Exception as error:
        raise course_fault(error) from error


def _told(module: ModuleType, wrong: Wrong) -> dict[str, int | str]:
    about = _about(getattr(module, wrong.harness))
    return {"harness": about, "breaks": wrong.breaks or about}


def _about(harness: Any) -> str:
    """The first line of what a harness says about itself; its name if it says nothing."""
    said = (harness.__doc__ or "").strip()
    return said.splitlines()[0].rstrip(".") if said else str(harness.__name__)
