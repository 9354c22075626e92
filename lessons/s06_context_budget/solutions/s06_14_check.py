"""Judges a check before sending: limits and requests at their edges, and seeded ones."""

from collections.abc import Iterator
from hashlib import sha256
from types import ModuleType
from typing import Any

Scenario = dict[str, Any]
BY_HAND: tuple[tuple[list[str], int, int, int], ...] = (
    ([], 1, 1, 0),
    ([""], 2, 2, 0),
    ([""], 1, 1, 0),
    (["abc"], 5, 5, 0),
    (["abc"], 4, 4, 0),
    (["abc"], 10, 5, 5),
    (["abc"], 10, 5, 6),
    (["abc"], 10, 6, 5),
    (["abc"], 10, 4, 6),
    (["abc"], 10, 4, 7),
    (["a", "b", "c"], 9, 9, 0),
    (["a", "b", "c"], 20, 8, 12),
    (["\u20ac\u20ac\u20ac"], 5, 5, 0),
    (["one\ntwo"], 9, 9, 0),
    (["abcdef"], 100, 7, 10),
    (["x" * 240], 400, 300, 100),
    (["x" * 240], 400, 350, 100),
    (["x" * 298], 400, 300, 100),
    (["x" * 299], 400, 300, 100),
    (["x" * 350], 400, 300, 50),
    (["x" * 450], 400, 350, 100),
)
"""Texts, capacity, ceiling, reserve: the smallest first, then those of the lesson."""


def _seeded(seed: int) -> Scenario:
    """Numbers near each other, so that each answer is common."""
    a = sha256(f"s06-14 {seed}".encode()).digest()
    texts = ["y" * (a[n] % 25) for n in range(1 + a[8] % 5)]
    size = sum(len(text) for text in texts) + 2 * len(texts)
    ceiling = max(1, size + a[9] % 5 - 2)
    reserve = a[10] % 30
    return made(texts, ceiling + reserve + a[11] % 4 - 1, ceiling, reserve)


def made(texts: list[str], capacity: int, ceiling: int, reserve: int) -> Scenario:
    return {"texts": texts, "capacity": capacity, "ceiling": ceiling, "reserve": reserve}


def _all() -> Iterator[Scenario]:
    seen: set[str] = set()
    for scenario in (*(made(*row) for row in BY_HAND), *map(_seeded, range(80))):
        if str(scenario) not in seen:
            seen.add(str(scenario))
            yield scenario


SCENARIOS: tuple[Scenario, ...] = tuple(_all())
"""What is worked out by hand, then what is seeded."""


def ask(module: ModuleType, scenario: Scenario) -> Any:
    """What the learner's function gives; it gets a copy of the texts."""
    limits = (scenario[name] for name in ("capacity", "ceiling", "reserve"))
    return module.refusal(list(scenario["texts"]), *limits)


def judge(scenario: Scenario, answer: Any) -> str | None:
    """What is wrong with an answer; None if it is right."""
    capacity, ceiling, reserve = (scenario[k] for k in ("capacity", "ceiling", "reserve"))
    if capacity - reserve < ceiling:
        wanted, why = f"{ceiling} + {reserve} > {capacity}", "ceiling and reserve do not fit"
    elif (size := len("".join(f"={text}\n" for text in scenario["texts"]))) > ceiling:
        wanted, why = f"{size} > {ceiling}", f"the request is {size} long as it is sent"
    else:
        wanted, why = None, f"{size} <= {ceiling}, and {ceiling} + {reserve} <= {capacity}"
    if answer == wanted and type(answer) is type(wanted):
        return None
    return f"{why}: expected {wanted!r}, got {answer!a}"


def smaller(scenario: Scenario) -> Iterator[Scenario]:
    """The same with fewer or shorter texts."""
    texts = scenario["texts"]
    for at, text in enumerate(texts):
        yield {**scenario, "texts": texts[:at] + texts[at + 1 :]}
        if text:
            yield {**scenario, "texts": [*texts[:at], text[: len(text) // 2], *texts[at + 1 :]]}


def show(scenario: Scenario) -> str:
    """The call as a learner would write it, in ASCII."""
    return "refusal({texts!a}, {capacity}, {ceiling}, {reserve})".format(**scenario)
