"""Which policies are known by the id that a trace names: those of the package, and one's own."""

from .policy import NEWEST_FIRST, Policy

_own = {NEWEST_FIRST.id: NEWEST_FIRST}


def register(policy: Policy) -> Policy:
    """Let the law checker know a policy of one's own, by its id; return it.

    A run under a policy of pools and a policy file that is read do so by themselves.
    """
    return _own.setdefault(policy.id, policy)


def policy_with_id(id: str) -> Policy | None:
    """The policy that a trace names, content hash included; None if it is not known here."""
    if id in _own:
        return _own[id]
    from .policy_registry import every_policy, lesson_policies  # reads the package's policy files

    known = (*every_policy(), *lesson_policies())
    return next((one.policy for one in known if one.policy.id == id), None)
