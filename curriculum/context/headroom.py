"""The headroom planner of seed 000: what files would take of the room that is left, and the list
of what to leave out, in order, when that is too much.

    available = capacity - committed
"""

from collections.abc import Callable, Mapping, Sequence

import attrs

from curriculum.count.counter import Estimate

from .band import BORDERS, band_of
from .roles import STEPS, Role


@attrs.frozen
class Room:
    """A window of `capacity` tokens of which `committed` are spoken for."""

    capacity: int
    committed: int

    @property
    def available(self) -> int:
        """Tokens that are left; below 0 where more is committed than there is."""
        return self.capacity - self.committed

    def most(self, band: str) -> int:
        """The most tokens that are in `band` or a better one: its border, rounded down."""
        return max(0, dict(BORDERS)[band] * self.available // 100)


@attrs.frozen
class Artifact:
    """A file that is to be shown. `why` is by what its type is known."""

    path: str
    type: str
    text: str
    why: str = ""


Weigh = Callable[[Artifact], Estimate]
"""How many tokens an artifact has, rounded up; a bound, if any, is of a part of a request."""


@attrs.frozen
class Moved:
    """A file that a step takes out, and the `tokens` it frees: below 0 for a summary put in."""

    path: str
    tokens: int
    why: str


@attrs.frozen
class Step:
    """One step of the compaction: `left` and `band` are after it and all steps before.

    `why` says what of its kind stays and why, or that there is nothing of its kind.
    """

    number: int
    files: tuple[Moved, ...]
    why: tuple[str, ...]
    left: int
    band: str

    @property
    def name(self) -> str:
        """What the step takes."""
        return STEPS[self.number - 1]

    @property
    def freed(self) -> int:
        """Tokens that the step frees."""
        return sum(file.tokens for file in self.files)


@attrs.frozen
class Plan:
    """Sizes of the artifacts in their order, their sum, its band, and from amber on the steps.

    `bound` is the sum of the bounds, None where the weights have none.
    """

    room: Room
    sizes: tuple[Estimate, ...]
    estimate: int
    bound: int | None
    band: str
    steps: tuple[Step, ...]

    @property
    def enough(self) -> int | None:
        """The first step after which the plan is yellow or green; None if none is, or needed."""
        better = ("green", "yellow")
        return next((step.number for step in self.steps if step.band in better), None)

    @property
    def left(self) -> int:
        """Tokens that stay after every step."""
        return self.steps[-1].left if self.steps else self.estimate

    @property
    def split(self) -> bool:
        """Whether the work must be split: it is red even after every step."""
        return bool(self.steps) and self.steps[-1].band == "red"


def plan(
    artifacts: Sequence[Artifact],
    roles: Mapping[str, Role],
    weigh: Weigh,
    room: Room,
    summaries: Mapping[str, Artifact] | None = None,
) -> Plan:
    """Plan `artifacts` in `room`; `roles` is by path, a missing one is no step.

    `summaries` are the summaries that are not among the artifacts. Raises `ValueError` for a path
    that is planned twice, and `KeyError` for a summary that is nowhere.
    """
    if len({artifact.path for artifact in artifacts}) < len(artifacts):
        raise ValueError("a path is planned twice")
    sizes = [weigh(artifact) for artifact in artifacts]
    tokens = {a.path: size.value for a, size in zip(artifacts, sizes, strict=True)}
    estimate = sum(size.value for size in sizes)
    bounds = [size.bound for size in sizes if size.bound is not None]
    band = band_of(estimate, room.available)
    steps: list[Step] = []
    if band in ("amber", "red"):
        extra = {path: weigh(summary).value for path, summary in (summaries or {}).items()}
        steps = _compact(tokens, roles, extra, estimate, room.available)
    bound = sum(bounds) if len(bounds) == len(sizes) else None
    return Plan(room, tuple(sizes), estimate, bound, band, tuple(steps))


def _compact(
    tokens: Mapping[str, int],
    roles: Mapping[str, Role],
    extra: Mapping[str, int],
    left: int,
    available: int,
) -> list[Step]:
    here = dict(tokens)
    steps: list[Step] = []
    for number in range(1, len(STEPS) + 1):
        of = {path: roles[path] for path in here if path in roles and roles[path].step == number}
        go = {path: role for path, role in of.items() if role.goes and not role.kept}
        moved: list[Moved] = []
        why = [f"{path}: {role.why}" for path, role in of.items() if path not in go]
        for summary in dict.fromkeys(role.summary for role in go.values()):
            files = [path for path, role in go.items() if role.summary == summary]
            cost = 0 if summary in here or not summary else {**tokens, **extra}[summary]
            gain = sum(here[path] for path in files) - cost
            if summary and gain <= 0:
                why.append(
                    f"{summary}: {cost} tokens, no less than {', '.join(files)}: {gain + cost}"
                )
                continue
            moved += [Moved(path, here.pop(path), go[path].why) for path in files]
            if cost:
                moved.append(Moved(summary, -cost, "the summary comes in"))
        left -= sum(file.tokens for file in moved)
        if not moved and not why:
            why.append("no file is one")
        steps.append(Step(number, tuple(moved), tuple(why), left, band_of(left, available)))
    return steps
