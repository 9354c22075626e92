"""A name alone says nothing: it must be the name of one fixed rule."""

import re

from curriculum import Trace


def holds(trace: Trace) -> bool:
    """A version is a number behind the name; more may follow, such as a hash of the rule."""
    named = re.compile(r"[^@]+@[0-9]+(#[0-9a-f]+)?")
    return all(named.fullmatch(made.data.policy) for made in trace.assemblies)
