"""The judge of s01-4: scripts of steps, smallest first, near repeats among them."""

from hashlib import sha256
from typing import Any

BY_HAND: tuple[dict[str, Any], ...] = (
    {"why": "no step at all", "times": 2, "steps": []},
    {"why": "once is no repeat", "times": 2, "steps": ["a1"]},
    {"why": "the same pair twice", "times": 2, "steps": ["a1", "a1"]},
    {"why": "the same action, another observation: it polls", "times": 2, "steps": ["a1", "a2"]},
    {"why": "another action, the same observation", "times": 2, "steps": ["a1", "b1"]},
    {"why": "something came in between", "times": 2, "steps": ["a1", "b1", "a1"]},
    {"why": "twice where three are asked for", "times": 3, "steps": ["a1", "a1", "a2", "a2"]},
    {"why": "a poll that ends", "times": 3, "steps": ["a1", "a1", "a2", "b1"]},
    {"why": "stuck late", "times": 3, "steps": ["a1", "a2", "b1", "b1", "b1", "b1"]},
)


def _seeded(seed: int) -> dict[str, Any]:
    """A script of two actions and two observations, so that near repeats are common."""
    digits = sha256(f"s01-4 {seed}".encode()).digest()
    steps = ["ab"[byte % 2] + "12"[byte // 2 % 2] for byte in digits[: 4 + seed % 9]]
    return {"why": f"script {seed}", "times": 2 + seed % 3, "steps": steps}


SCENARIOS = (*BY_HAND, *(_seeded(seed) for seed in range(60)))


def steps_of(scenario: dict[str, Any]) -> list[tuple[str, str]]:
    """The steps as pairs: `a1` is action a with observation 1."""
    return [(f"look at {step[0]}", f"saw {step[1]}") for step in scenario["steps"]]


def ask(module: Any, scenario: dict[str, Any]) -> Any:
    """What the learner's function says."""
    return module.stuck_at(steps_of(scenario), scenario["times"])


def judge(scenario: dict[str, Any], answer: Any) -> str | None:
    """None if the answer is right, else what is expected; found by looking at every window."""
    steps, times = steps_of(scenario), scenario["times"]
    ends = [n for n in range(times, len(steps) + 1) if len(set(steps[n - times : n])) == 1]
    must = ends[0] if ends else None
    if type(answer) is type(must) and answer == must:
        return None
    return f"expected {must}, got {answer!r}"


def smaller(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """The same script without one of its steps."""
    steps = scenario["steps"]
    less = [steps[:at] + steps[at + 1 :] for at in range(len(steps))]
    return [{**scenario, "steps": one} for one in less]


def show(scenario: dict[str, Any]) -> str:
    """The call, each step by its two letters, and what it is about."""
    steps = " ".join(scenario["steps"]) or "none"
    return f"{scenario['why']}: steps {steps}; times {scenario['times']}"
