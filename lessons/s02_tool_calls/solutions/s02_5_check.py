"""The judge of s02-5: seeded logs, cut at every place from both sides, smallest first.

What a provider takes is asked of `curriculum.wire.provider_rules`, which knows nothing of mending.
"""

import json
from hashlib import sha256
from typing import Any

from curriculum.record.errors import CurriculumError
from curriculum.wire.provider_rules import objections

Message = dict[str, Any]


def _said(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def _asks(*ids: str) -> Message:
    calls = [
        {"id": id, "type": "function", "function": {"name": "read", "arguments": "{}"}}
        for id in ids
    ]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def _result(id: str) -> Message:
    return {"role": "tool", "tool_call_id": id, "content": f"what {id} gave"}


def _log(seed: int) -> list[Message]:
    """A log of a few turns; calls of different turns may have one id, as models reuse them."""
    digits = sha256(f"s02-5 {seed}".encode()).digest()
    log = [_said("user", "Begin.")]
    for turn, digit in enumerate(digits[: 2 + seed % 3]):
        ids = [f"c{n}" if digit % 2 else f"c{turn}{n}" for n in range(1 + digit // 2 % 3)]
        log.append(_asks(*ids))
        log += [_result(id) for id in (reversed(ids) if digit // 8 % 2 else ids)]
        if digit // 16 % 2:
            log += [_said("assistant", f"Answer {turn}."), _said("user", "Go on.")]
    return [*log, _said("assistant", "Done.")]


def _scenarios() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for seed in range(4):
        log = _log(seed)
        for first in range(len(log)):
            for last in range(first + 1, len(log) + 1):
                found.append(
                    {"why": f"log {seed}, {first + 1} to {last}"} | {"log": log[first:last]}
                )
    twice = [_said("user", "Begin."), _asks("c1"), _result("c1"), _result("c1")]
    late = [_asks("c1"), _said("user", "Wait."), _result("c1"), _said("assistant", "Done.")]
    swapped = [_said("user", "Begin."), _result("c1"), _asks("c1")]
    found += [
        {"why": "a call with two results", "log": twice},
        {"why": "a result that came too late", "log": late},
        {"why": "a result before its call", "log": swapped},
    ]
    distinct = {json.dumps(one["log"]): one for one in found}
    return sorted(distinct.values(), key=lambda one: len(one["log"]))


SCENARIOS = tuple(_scenarios())


def ask(module: Any, scenario: dict[str, Any]) -> Any:
    """What the learner's function makes of the log, and the log as it is afterwards."""
    given = json.loads(json.dumps(scenario["log"]))
    return {"mended": module.mend(given), "given": given}


def judge(scenario: dict[str, Any], answer: Any) -> str | None:
    """None if a provider takes it and nothing else was lost or moved."""
    log = scenario["log"]
    if answer["given"] != log:
        return "the list that was given is changed"
    mended = answer["mended"]
    if not isinstance(mended, list) or not all(isinstance(one, dict) for one in mended):
        return "mend gave no list of messages"
    try:
        found = objections("openai-chat", {"messages": mended}) if mended else []
    except CurriculumError as error:
        return f"the provider cannot read it: {error.headline}"
    if found:
        return f"the provider refuses it at {found[0].place}: {found[0].says}"
    others = [one for one in log if one["role"] != "tool"]
    if [one for one in mended if one.get("role") != "tool"] != others:
        return "a message that is no result was left out, changed or moved"
    return _results(scenario, mended)


def _results(scenario: dict[str, Any], mended: list[Message]) -> str | None:
    """Real results stay where they can; one that is made says so."""
    log = scenario["log"]
    real = [one for one in mended if one["role"] == "tool" and one in log]
    made = [one for one in mended if one["role"] == "tool" and one not in log]
    for one in made:
        if not str(one.get("content", "")).startswith("interrupted"):
            return "a result that was made does not begin with 'interrupted'"
    kept = sum(_answered(log, at) for at, one in enumerate(log) if one["role"] == "tool")
    if len(real) != kept:
        return f"{kept} results answer a call right before them, and {len(real)} are kept"
    return None


def _answered(log: list[Message], at: int) -> bool:
    """Whether the result at this place is the first that answers a call of the turn before it."""
    start = at
    while start and log[start - 1]["role"] == "tool":
        start -= 1
    calls = log[start - 1].get("tool_calls", []) if start else []
    id = log[at]["tool_call_id"]
    earlier = [one["tool_call_id"] for one in log[start:at]]
    return id in [call["id"] for call in calls] and id not in earlier


def smaller(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """The same log without one of its messages."""
    log = scenario["log"]
    less = [log[:at] + log[at + 1 :] for at in range(len(log)) if len(log) > 1]
    return [{**scenario, "log": one} for one in less]


def show(scenario: dict[str, Any]) -> str:
    """The log, message by message, as short as it can be told apart."""
    return f"mend of: {', '.join(map(_brief, scenario['log'])) or 'no message at all'}"


def _brief(message: Message) -> str:
    if message["role"] == "tool":
        return f"result of {message['tool_call_id']}"
    calls = [call["id"] for call in message.get("tool_calls", ())]
    return f"{message['role']} calls {' and '.join(calls)}" if calls else str(message["role"])
