"""A scenario under another policy, with all that the policy needs to do its work."""

from typing import Any

from curriculum.context.policy import Policy

from .staged import Staged
from .summaries import KeptLines


def under_policy(staged: Staged, policy: Policy) -> Staged:
    """The scenario under `policy`; if that wants summaries, they keep the lines that must stay."""
    changes: dict[str, Any] = {"policy": policy, "summariser": None}
    if policy.pooling is not None and policy.pooling.compact is not None:
        changes["summariser"] = KeptLines(policy.pooling.compact.preserve)
    return staged.under(**changes)
