"""Checks a make exercise: many scenarios, and the first failing one made as small as it gets.

`solutions/EX_check.py` has `SCENARIOS`, smallest first; `ask(module, scenario)`, which the child
calls and whose answer is JSON; `judge(scenario, answer)`, which gives None or what is wrong; and
perhaps `smaller(scenario)`, which gives smaller ones, and `show(scenario)`, a line for people.
"""

from typing import Any

import attrs

from .checking import Bench, answers, course_fault, in_trouble, result
from .child import Ran
from .child_endings import GARBLED
from .result import Finding, Result, Verdict

ROUNDS, TRIES = 6, 24
"""How often a failing scenario is made smaller, and how many smaller ones are tried each time."""
LONGEST = 200
"""Characters of a scenario that are shown."""


@attrs.frozen
class Failure:
    """A scenario that fails: the way to it as `child_jobs.scenario` takes it, and the reason."""

    way: tuple[int, ...]
    scenario: Any
    says: str


def make(bench: Bench) -> Result:
    """Judge the learner's code on every scenario."""
    judge = bench.solutions(f"{bench.exercise.stem}_check")
    scenarios: list[Any] = list(judge.SCENARIOS)
    ran = _asked(bench, judge, [(n,) for n in range(len(scenarios))])
    if ran.trouble is not None:
        at = range(len(scenarios))[ran.at : ran.at + 1] if ran.at is not None else ()
        came = [_shown(judge, scenarios[n], n + 1, len(scenarios)) for n in at]
        return in_trouble(bench, ran.trouble, ran, *came)
    given = answers(ran, len(scenarios))
    if given is None:
        return in_trouble(bench, GARBLED, ran)
    said = [_judged(judge, *pair) for pair in zip(scenarios, given, strict=True)]
    right = said.count(None)
    counts = {"right": right, "of": len(said)}
    if right == len(said):
        return result(bench, Verdict.PASS, [Finding("make.all", {"of": right})], ran)
    number = next(n for n, one in enumerate(said) if one is not None)
    first = Failure((number,), scenarios[number], said[number] or "")
    smallest = _shrunk(bench, judge, first)
    findings = [Finding("make.some" if right else "make.none", counts)]
    findings.append(_shown(judge, smallest.scenario, number + 1, len(said), smallest is not first))
    findings.append(Finding("make.says", {"says": smallest.says}))
    return attrs.evolve(result(bench, Verdict.NOT_YET, findings, ran), score=(right, len(said)))


def _asked(bench: Bench, judge: Any, ways: list[tuple[int, ...]]) -> Ran:
    return bench.run("make", judge=judge.__name__, ways=ways)


def _judged(judge: Any, scenario: Any, answer: Any) -> str | None:
    """None, or what is wrong with an answer. Raises `CannotCheckError` if the judge fails."""
    try:
        said: str | None = judge.judge(scenario, answer)
    except Exception as error:
        raise course_fault(error) from error
    return said


def _shrunk(bench: Bench, judge: Any, failure: Failure) -> Failure:
    """The smallest failing scenario that is found from this one, greedily."""
    for _ in range(ROUNDS if hasattr(judge, "smaller") else 0):
        smaller: list[Any] = list(judge.smaller(failure.scenario))[:TRIES]
        ways = [(*failure.way, n) for n in range(len(smaller))]
        ran = _asked(bench, judge, ways) if ways else Ran()
        given = answers(ran, len(ways)) if ran.trouble is None else None
        if not given:  # nothing is smaller, or it fails otherwise there, which is another matter
            break
        rows = zip(ways, smaller, given, strict=True)
        said = ((way, one, _judged(judge, one, answer)) for way, one, answer in rows)
        failing = (Failure(way, one, says) for way, one, says in said if says is not None)
        found = next(failing, None)
        if found is None:
            break
        failure = found
    return failure


def _shown(judge: Any, scenario: Any, number: int, of: int, shrunk: bool = False) -> Finding:
    show = getattr(judge, "show", repr)
    text = str(show(scenario))
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    key = "make.smaller" if shrunk else "make.scenario"
    return Finding(key, {"number": number, "of": of, "scenario": text})
