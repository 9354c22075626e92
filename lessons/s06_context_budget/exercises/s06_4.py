"""Does a trace say which rule made each request?"""

from curriculum import Trace


def holds(trace: Trace) -> bool:
    """Whether each assembly names its policy, and which version of it."""
    return all(made.data.policy for made in trace.assemblies)
