"""Is every instruction in every request that is sent?"""

from curriculum import Trace


def holds(trace: Trace) -> bool:
    """Whether no instruction is ever silently left out."""
    return any(record.kind == "instruction" for record in trace.records)
