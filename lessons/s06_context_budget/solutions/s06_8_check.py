"""The judge of s06-8: limits at their edges, and seeded ones; lengths are found by trying."""

from hashlib import sha256
from typing import Any

LIMITS = {"capacity": 100, "reserve": 20, "ceiling": 80, "tool_ceiling": 50, "smallest": 10}
BY_HAND: tuple[tuple[str, int, list[int], dict[str, int]], ...] = (
    ("a small result passes both gates", 5, [40], {}),
    ("nothing comes back", 0, [40], {}),
    ("gate 1 cuts, gate 2 has room", 200, [30], {}),
    ("both cut: the smaller room wins", 200, [40, 20], {}),
    ("exactly the room", 20, [40, 20], {}),
    ("one more than the room", 21, [40, 20], {}),
    ("a short result fits although its room is smaller than a cut needs", 4, [40, 35], {}),
    ("the room of exactly a cut", 200, [70], {}),
    ("one less than a cut needs", 200, [71], {}),
    ("no room at all", 200, [80], {}),
    ("what must stay is one over", 5, [81], {}),
    ("the sum is the capacity", 5, [40], {"reserve": 20}),
    ("the sum is one over the capacity", 5, [40], {"reserve": 21}),
    ("over the capacity and over the ceiling", 5, [81], {"reserve": 21}),
    ("no reserve leaves the ceiling as it is", 200, [40, 20], {"reserve": 0}),
)


def _seeded(seed: int) -> dict[str, Any]:
    """Limits and sizes near each other, so that every ending is common."""
    a = sha256(f"s06-8 {seed}".encode()).digest()
    limits = {
        "capacity": 90 + a[0] % 30,
        "reserve": a[1] % 40,
        "ceiling": 60 + a[2] % 30,
        "tool_ceiling": 12 + a[3] % 60,
        "smallest": 10 + a[4] % 4,
    }
    stays = [a[5] % 30, a[6] % 30, a[7] % 30][: 1 + a[8] % 3]
    return {"why": f"case {seed}", "returned": a[9] % 90, "stays": stays, "limits": limits}


SCENARIOS = (
    *(
        {"why": why, "returned": returned, "stays": stays, "limits": {**LIMITS, **more}}
        for why, returned, stays, more in BY_HAND
    ),
    *map(_seeded, range(80)),
)


def ask(module: Any, scenario: dict[str, Any]) -> Any:
    """What the learner's function gives; it gets copies."""
    limits = dict(scenario["limits"])
    return module.gates(scenario["returned"], list(scenario["stays"]), limits)


def _must(scenario: dict[str, Any]) -> list[int | str]:
    """The answer, its lengths found by trying every one."""
    limits, stays, returned = scenario["limits"], scenario["stays"], scenario["returned"]
    if limits["reserve"] > limits["capacity"] - limits["ceiling"]:
        return [0, 0, "does-not-start"]
    fits = [n for n in range(returned + 1) if sum(stays) + n <= limits["ceiling"]]
    if sum(stays) > limits["ceiling"]:
        return [0, 0, "protected-does-not-fit"]
    log = max(n for n in range(returned + 1) if n <= limits["tool_ceiling"])
    shown = max(n for n in fits if n <= log)
    if shown == log or shown >= limits["smallest"]:
        return [log, shown, "completed"]
    return [log, 0, "result-does-not-fit"]


def judge(scenario: dict[str, Any], answer: Any) -> str | None:
    """None if the answer is right, else both."""
    must = _must(scenario)
    if isinstance(answer, list) and [type(one) for one in answer] == [int, int, str]:
        return None if answer == must else f"expected {must}, got {answer}"
    return f"gates gives a list of two numbers and a word, such as {must}; got {answer!r}"


def smaller(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """The same with less that must stay, or with a smaller result."""
    stays, returned = scenario["stays"], scenario["returned"]
    found = [{**scenario, "stays": stays[:n] + stays[n + 1 :]} for n in range(len(stays))]
    less = [n for n in (0, returned // 2, returned - 1) if 0 <= n < returned]
    return found + [{**scenario, "returned": n} for n in less]


def show(scenario: dict[str, Any]) -> str:
    """The call as a learner would write it."""
    limits = ", ".join(f"{name} {value}" for name, value in scenario["limits"].items())
    call = f"gates({scenario['returned']}, {scenario['stays']}, ...)"
    return f"{scenario['why']}: {call} with {limits}"
