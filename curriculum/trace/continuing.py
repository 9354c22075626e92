"""A recorder that goes on where another has left off: behind a whole trace, or in a branch of it.

What was written before stands at the beginning of the new trace, byte for byte; a trace is never
written over.
"""

from .branch_events import SessionBranch
from .events import VERSION
from .reader import Trace
from .recorder import Recorder, converter, spell
from .sessions import BRANCH


def go_on(recorder: Recorder, trace: Trace) -> None:
    """Let an empty recorder go on behind the last event of a trace that was read from a file."""
    end = recorder.write("".join(f"{line}\n" for line in trace.lines).encode("ascii"))
    recorder.entries += [(event.type, end) for event in trace.events]


def branch_off(recorder: Recorder, trace: Trace, data: SessionBranch) -> int:
    """Begin a branch of the session that `trace` shows, in an empty recorder; return its seq.

    All that the trace holds and the event of the branch are written at once or not at all.
    """
    shared = trace.events[: data.at]
    event = {"seq": data.at + 1, "type": BRANCH, "turn": shared[-1].turn, "cause": data.at}
    line = spell({**event, "data": converter.unstructure(data)})
    header, *lines = trace.lines
    lines = [header.replace(f'"1.{trace.minor}"', f'"{VERSION}"'), *lines, line]
    end = recorder.write("".join(f"{line}\n" for line in lines).encode("ascii"))
    recorder.entries += [*((one.type, end) for one in shared), (BRANCH, end)]
    return data.at + 1
