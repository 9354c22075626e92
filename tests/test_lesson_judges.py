"""Make exercises of s01, s02 and s04: the judge takes the reference and no near miss."""

import importlib
import json
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

LESSONS = {"s01_4": "s01_agent_loop", "s02_5": "s02_tool_calls", "s04_4": "s04_durable_record"}


def part(exercise: str, name: str) -> ModuleType:
    return importlib.import_module(
        f"curriculum.lessons.{LESSONS[exercise]}.solutions.{exercise}{name}"
    )


def complaints(exercise: str, module: Any) -> list[str]:
    """What the judge says of each scenario; answers come as JSON, as from a subprocess."""
    check = part(exercise, "_check")
    assert len(check.SCENARIOS) > 50
    answers = [json.loads(json.dumps(check.ask(module, one))) for one in check.SCENARIOS]
    said = [check.judge(one, got) for one, got in zip(check.SCENARIOS, answers, strict=True)]
    return [one for one in said if one is not None]


@pytest.mark.parametrize("exercise", LESSONS)
class TestEveryJudge:
    """It goes from small to big, and a smaller scenario is a scenario."""

    def test_it_takes_the_reference(self, exercise: str) -> None:
        assert [] == complaints(exercise, part(exercise, ""))

    def test_the_reference_is_right_on_every_smaller_scenario_too(self, exercise: str) -> None:
        check, reference = part(exercise, "_check"), part(exercise, "")
        count = 0
        for scenario in check.SCENARIOS[-20:]:
            for less in check.smaller(scenario):
                answer = json.loads(json.dumps(check.ask(reference, less)))
                assert None is check.judge(less, answer)
                count += 1
        assert count > 50


Steps = list[tuple[str, str]]


def _first(steps: Steps, times: int, key: Callable[[tuple[str, str]], Any]) -> int | None:
    seen = [key(step) for step in steps]
    for n in range(times, len(seen) + 1):
        if len(set(seen[n - times : n])) == 1:
            return n
    return None


def _anywhere(steps: Steps, times: int) -> int | None:
    for n in range(1, len(steps) + 1):
        if steps[:n].count(steps[n - 1]) == times:
            return n
    return None


NEVER_STUCK: dict[str, Callable[[Steps, int], int | None]] = {
    "looks at the action alone": lambda steps, times: _first(steps, times, lambda one: one[0]),
    "looks at what came back alone": lambda steps, times: _first(steps, times, lambda one: one[1]),
    "counts repeats anywhere": _anywhere,
    "counts from 0": lambda steps, times: (
        None if (at := _first(steps, times, lambda one: one)) is None else at - 1
    ),
    "always wants three": lambda steps, times: _first(steps, 3, lambda one: one),
    "is never stuck": lambda steps, times: None,
    "says no number": lambda steps, times: bool(_first(steps, times, lambda one: one)) or None,
}


@pytest.mark.parametrize("name", NEVER_STUCK)
def test_a_detector_that_is_nearly_right_is_refused(name: str) -> None:
    assert complaints("s01_4", SimpleNamespace(stuck_at=NEVER_STUCK[name]))


Messages = list[dict[str, Any]]


def _made(id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": "interrupted"}


def _only_calls(log: Messages) -> Messages:
    """One direction: results that answer nothing stay."""
    answered = {one["tool_call_id"] for one in log if one["role"] == "tool"}
    mended: Messages = []
    for one in log:
        mended.append(one)
        mended += [_made(c["id"]) for c in one.get("tool_calls", []) if c["id"] not in answered]
    return mended


def _only_results(log: Messages) -> Messages:
    """The other direction: calls without a result stay."""
    asked = {call["id"] for one in log for call in one.get("tool_calls", [])}
    return [one for one in log if one["role"] != "tool" or one["tool_call_id"] in asked]


def _at_the_end(log: Messages) -> Messages:
    reference = part("s02_5", "").mend(log)
    made = [one for one in reference if one not in log]
    return [one for one in reference if one in log] + made


def _drops_the_turn(log: Messages) -> Messages:
    """Mends by leaving out every turn that has a call."""
    return [one for one in log if one["role"] != "tool" and "tool_calls" not in one]


def _makes_all_anew(log: Messages) -> Messages:
    reference = part("s02_5", "").mend(log)
    return [_made(one["tool_call_id"]) if one["role"] == "tool" else one for one in reference]


def _says_nothing(log: Messages) -> Messages:
    reference = part("s02_5", "").mend(log)
    return [one if one in log else {**one, "content": "ok"} for one in reference]


def _in_place(log: Messages) -> Messages:
    log[:] = part("s02_5", "").mend(log)
    return log


def _as_it_is(log: Messages) -> Messages:
    return log


MENDS = [
    *(_only_calls, _only_results, _at_the_end, _drops_the_turn),
    *(_makes_all_anew, _says_nothing, _in_place, _as_it_is),
]


@pytest.mark.parametrize("mend", MENDS)
def test_a_repair_that_is_nearly_right_is_refused(mend: Callable[[Messages], Messages]) -> None:
    assert complaints("s02_5", SimpleNamespace(mend=mend))


def test_a_repair_in_one_direction_is_refused_by_the_provider() -> None:
    said = complaints("s02_5", SimpleNamespace(mend=_only_calls))
    assert "the provider refuses it at messages[0]: No call before it is" in said[0]


Made = dict[str, Any]
Log = list[dict[str, str]]


def _reference(log: Log, policy: Made) -> Made:
    return part("s04_4", "").project(log, policy)


def _skips(log: Log, policy: Made) -> Made:
    """Goes on to smaller, older records after one that did not fit."""
    made = _reference(log, policy)
    if made["request"] is None:
        return made
    room = policy["limit"] - sum(map(len, made["request"]))
    for row, one in zip(made["manifest"], log, strict=True):
        if row["decision"] == "omitted" and len(one["text"]) <= room:
            room -= len(one["text"])
            row.update(decision="admitted", reason="newest")
    sent = {row["id"] for row in made["manifest"] if row["decision"] == "admitted"}
    return {**made, "request": [one["text"] for one in log if one["id"] in sent]}


def _tight(log: Log, policy: Made) -> Made:
    return _reference(log, {**policy, "limit": policy["limit"] - 1})


def _backwards(log: Log, policy: Made) -> Made:
    made = _reference(log, policy)
    return {**made, "request": made["request"] and made["request"][::-1]}


def _takes_away(log: Log, policy: Made) -> Made:
    made = _reference(log, policy)
    out = {row["id"] for row in made["manifest"] if row["decision"] == "omitted"}
    log[:] = [one for one in log if one["id"] not in out]
    return made


def _remembers() -> Callable[[Log, Made], Made]:
    asked: list[int] = []

    def project(log: Log, policy: Made) -> Made:
        asked.append(1)
        return {**_reference(log, policy), "manifest": [{"id": str(len(asked))}]}

    return project


def _sends_what_cannot_fit(log: Log, policy: Made) -> Made:
    made = _reference(log, policy)
    return {**made, "request": made["request"] or []}


PROJECTS = [_skips, _tight, _backwards, _takes_away, _remembers(), _sends_what_cannot_fit]


@pytest.mark.parametrize("project", PROJECTS)
def test_a_projection_that_is_nearly_right_is_refused(project: Callable[[Log, Made], Made]) -> None:
    assert complaints("s04_4", SimpleNamespace(project=project))


@pytest.mark.parametrize("odd", [None, 5, "r0001", [], [None], [{"role": "tool"}], {"request": 1}])
def test_an_answer_of_another_shape_is_told_so(odd: Any) -> None:
    for exercise, name in (("s01_4", "stuck_at"), ("s02_5", "mend"), ("s04_4", "project")):
        said = complaints(exercise, SimpleNamespace(**{name: lambda *_: odd}))
        assert all(isinstance(one, str) and one for one in said)
        assert said


def test_a_projection_that_takes_from_the_log_is_told_so() -> None:
    said = complaints("s04_4", SimpleNamespace(project=_takes_away))
    assert "a request takes nothing from the log" in said[0]
