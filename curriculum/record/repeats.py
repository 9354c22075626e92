"""Does an agent go round in circles? Pairs of what it did and what it saw, compared in a row.

One step is a turn with calls and what they gave. A tool that is asked again and again is no loop
as long as what it says changes.
"""

import json
from collections.abc import Sequence

import attrs

from .errors import CurriculumError
from .records import Call

NAME = "repeats@1"
RULES = {"same-result": 2, "same-error": 2, "alternation": 4}
"""Each rule, and the fewest steps that it can be about."""


@attrs.frozen
class Repeats:
    """How many steps in a row are a loop, by rule; 0 switches a rule off.

    `same_result`: the same calls gave the same results. `same_error`: calls of the same tools,
    whatever their arguments, all failed in the same words. `alternation`: two different steps
    took turns. Raises `CurriculumError` for a number that is too small to be a repetition.

    The defaults are near those of OpenHands (4, 3, 6; docs.openhands.dev/sdk/guides/
    agent-stuck-detector), which compares single calls where this compares turns.
    """

    same_result: int = 4
    same_error: int = 3
    alternation: int = 6

    def __attrs_post_init__(self) -> None:
        for (rule, least), most in zip(RULES.items(), self._limits, strict=True):
            if type(most) is not int or not (most == 0 or least <= most < 10**6):
                raise CurriculumError(
                    f"{rule} is {most!r}; it is a number of steps from {least}, or 0 for never.",
                    code="repeats-limit",
                    next="Repeats(same_result=4, same_error=3, alternation=6)",
                )

    @property
    def _limits(self) -> tuple[int, int, int]:
        return self.same_result, self.same_error, self.alternation

    @property
    def limits(self) -> dict[str, int]:
        """The number of steps by the name of each rule."""
        return dict(zip(RULES, self._limits, strict=True))

    @property
    def id(self) -> str:
        """The component that a trace names: its version, and all of its numbers."""
        return f"{NAME}:{';'.join(f'{name}={most}' for name, most in self.limits.items())}"


def repeats_of(id: str) -> Repeats:
    """The detector that an id names. Raises `CurriculumError` if it is not installed."""
    name, _, said = id.partition(":")
    parts = [part.partition("=") for part in said.split(";")]
    digits = all(n.isascii() and n.isdigit() and len(n) < 7 for _, _, n in parts)
    if name == NAME and [rule for rule, _, _ in parts] == list(RULES) and digits:
        found = Repeats(*(int(number) for _, _, number in parts))
        if found.id == id:
            return found
    raise CurriculumError(
        f"The trace was made with repeats {id}; here is {Repeats().id}.",
        code="component-not-installed",
        next="pip install --upgrade curriculum",
    )


@attrs.frozen
class Repeat:
    """A loop: the rule, and how many steps in a row it is true of."""

    rule: str
    steps: int


@attrs.define
class Step:
    """A turn's calls as name and arguments, and of each the failure's code and the text's hash."""

    calls: tuple[tuple[str, str], ...]
    seen: dict[int, tuple[str | None, str]]

    @property
    def whole(self) -> bool:
        """Whether every call has its result."""
        return len(self.seen) == len(self.calls)

    @property
    def error(self) -> tuple[tuple[str, ...], list[tuple[int, tuple[str | None, str]]]] | None:
        """The tools, and the words in which all of them failed; None if one did not."""
        if any(failed is None for failed, _ in self.seen.values()):
            return None
        return tuple(name for name, _ in self.calls), sorted(self.seen.items())


class Watching:
    """The steps since the user last said something, as they come."""

    def __init__(self, limits: Repeats) -> None:
        self._limits = limits.limits
        self._most = max(self._limits.values())
        self._steps: list[Step] = []

    def asked(self) -> None:
        """The user has said something: what comes now repeats nothing."""
        self._steps = []

    def said(self, calls: Sequence[Call]) -> None:
        """The model has spoken, and asked for these calls."""
        if not calls:
            self._steps = []
            return
        self._steps.append(Step(tuple((c.name, _spelled(c.arguments)) for c in calls), {}))
        del self._steps[: -self._most or None]

    def gave(self, call: int, failed: str | None, sha256: str) -> None:
        """A call of the last turn has its result: a failure's code, and the hash of the text."""
        if self._steps:
            self._steps[-1].seen[call] = failed, sha256

    def found(self) -> Repeat | None:
        """The first rule that is true now."""
        for rule, most in self._limits.items():
            last = self._steps[-most:] if most else []
            if most and len(last) == most and last[-1].whole and _true(rule, last):
                return Repeat(rule, most)
        return None


def _true(rule: str, steps: Sequence[Step]) -> bool:
    if rule == "same-result":
        return all(step == steps[0] for step in steps)
    if rule == "same-error":
        return steps[0].error is not None and all(one.error == steps[0].error for one in steps)
    pairs = zip(steps, steps[2:], strict=False)
    return steps[0] != steps[1] and all(a == b for a, b in pairs)


def _spelled(arguments: str) -> str:
    """Arguments in one spelling; as they are if they are no JSON."""
    try:
        return json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments
