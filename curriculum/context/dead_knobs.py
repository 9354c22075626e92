"""Settings of a policy that change nothing, each with a proof that stands on its own.

Only what is proven is named: for every log, or for every log under the limits that are given.
"""

from collections.abc import Mapping

import attrs

from .dead_ingest import dead_ingest
from .dead_rules import Found, dead_settings, never
from .dead_sizes import dead_sizes
from .dead_steps import dead_steps
from .policy import Policy
from .policy_problems import spelled
from .toml_lines import Place


@attrs.frozen
class DeadKnob:
    """A setting that does nothing: its place in the file, and why that is so."""

    place: Place
    proof: str

    @property
    def key(self) -> str:
        """The place as a sentence has it: `rule 2, rank`, `pool.prefer.cap`, `ladder 3`."""
        return spelled(self.place)


def dead_knobs(policy: Policy, limits: Mapping[str, int] | None = None) -> tuple[DeadKnob, ...]:
    """Every dead setting of a policy: rules first, then steps, then sizes.

    `limits` are those of a budget, by the names that `ContextBudget.limits` gives them; without
    them nothing is said that a budget decides.
    """
    pooling, limits = policy.pooling, limits or {}
    if pooling is None:
        return ()
    dead = never(policy, pooling)
    found: list[Found] = [
        (("rule", number), f"it never decides: {why}") for number, why in dead.items()
    ]
    found += dead_settings(pooling, dead)
    found += dead_steps(pooling, dead, limits)
    found += dead_sizes(pooling, dead, limits)
    found += dead_ingest(pooling, limits)
    return tuple(DeadKnob(place, proof) for place, proof in found)
