"""The policies that this program knows, by the id that a trace names."""

from curriculum.context.policy import NEWEST_FIRST, Policy

KNOWN: dict[str, Policy] = {NEWEST_FIRST.id: NEWEST_FIRST}
"""Policies beside those that come with the package."""


def policy_named(id: str) -> Policy | None:
    """The policy with this id, content hash included; None if it is not known here."""
    if id in KNOWN:
        return KNOWN[id]
    from curriculum.context.policy_registry import every_policy

    return next((one.policy for one in every_policy() if one.policy.id == id), None)
