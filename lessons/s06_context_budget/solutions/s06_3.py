"""Every request that was sent has every instruction, and has it whole."""

from curriculum import Trace


def holds(trace: Trace) -> bool:
    """A request that is refused is not sent, so nothing is left out of it in silence."""
    if not any(record.kind == "instruction" for record in trace.records):
        return False
    for number, _ in enumerate(trace.of("model.request"), 1):
        rows = [row for row in trace.manifest(number) if row.record.kind == "instruction"]
        if any(row.decision != "admitted" for row in rows):
            return False
    return True
