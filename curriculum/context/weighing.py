"""By which weights a plan is made: seed 000's, calibrated ones, an exact count, or a counter."""

import attrs

from curriculum.count.counter import Estimate
from curriculum.count.families import family_of
from curriculum.count.registry import counter_of
from curriculum.record.errors import CurriculumError

from .headroom import Artifact, Weigh

LINES = ("seed", "p95")
"""Versions of the weights by line: seed 000's figures, and those that 95 % of files are under."""


CLAUDE = ("claude-3", "claude-4.7")
"""Families that a count of o200k says too little of: their p95 is that of claude-4.7."""


@attrs.frozen
class Weights:
    """`name` is what the caller calls them, `id` the counter's; `family` is whose tokens they are,
    empty for the seed's, which are of no family.

    `bound_name` is by what right the sizes are bounds, None if they are none.
    """

    name: str
    id: str
    family: str
    kind: str
    bound_name: str | None
    weigh: Weigh


def weights_of(name: str, family: str = "") -> Weights:
    """`seed`, `p95`, `exact` for `family`, or the counter with this id.

    Raises `CurriculumError` for a name or a family that is not known, for an exact count of no
    family, and for a counter that counts no tokens.
    """
    if name in LINES:
        return _by_line(name, family)
    if name == "exact":
        return _exact(name, _family(family))
    if "@" in name:
        return _counter(name, name)
    raise CurriculumError(
        f"No weights are called {name!a}.",
        f"known: {', '.join((*LINES, 'exact', 'all'))}, and every counter by its id, as bytes@1",
        code="plan-weights",
        next="curriculum plan --help",
    )


def names_of(asked: tuple[str, ...], family: str) -> list[str]:
    """The weights asked for, each once; `all` is seed, p95 and the best count of `family`."""
    every = [*LINES, "exact"]
    if "all" in asked and not family_of(_family(family)).exact:
        every[-1] = f"calibrated@1:{family}"
    named = [one for name in asked for one in (every if name == "all" else [name])]
    return list(dict.fromkeys(named))


def _family(family: str) -> str:
    if family:
        return family
    raise CurriculumError(
        "An exact count needs a tokenizer family.",
        "each family counts otherwise",
        code="plan-no-family",
        next="add --family o200k, or --model M",
    )


def _by_line(version: str, family: str) -> Weights:
    """Of two families the p95 is measured; for the others it is that of the nearer one."""
    from curriculum.count.heuristics import LineWeights

    of = "claude-4.7" if family in CLAUDE else "o200k"

    def weigh(artifact: Artifact) -> Estimate:
        return LineWeights(version, artifact.type, of).estimate(artifact.text)

    known = LineWeights(version, "unknown", of)
    id = f"line-weights@{version}"
    return Weights(version, id, known.family, known.estimate("").kind, None, weigh)


def _exact(name: str, family: str) -> Weights:
    try:
        return _counter(name, f"exact@1:{family}")
    except CurriculumError as error:
        if error.code == "family-not-exact":
            error.next = f"curriculum plan ... --weights calibrated@1:{family}"
        raise


def _counter(name: str, id: str) -> Weights:
    counter = counter_of(id)
    if counter.unit != "tokens":
        raise CurriculumError(
            f"{id} counts {counter.unit}, and a window is in tokens.",
            code="plan-unit",
            next="add --weights seed",
        )

    def weigh(artifact: Artifact) -> Estimate:
        # A file is a part of a request: only bounds of parts add up to one of the whole.
        bound = counter.size(artifact.text)
        return attrs.evolve(counter.estimate(artifact.text), bound=bound)

    of = id.partition(":")[2]
    return Weights(name, id, of, counter.estimate("").kind, counter.bound_name, weigh)
