"""The policies that this program knows, by the id that a trace names."""

from curriculum.context.policy import NEWEST_FIRST, Policy

KNOWN: dict[str, Policy] = {NEWEST_FIRST.id: NEWEST_FIRST}


def policy_named(id: str) -> Policy | None:
    """The policy with this id, content hash included; None if it is not known here."""
    return KNOWN.get(id)
