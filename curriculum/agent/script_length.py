"""A script that is too short or too long for its run."""

from collections.abc import Sequence

from .run_errors import ScriptExhausted, ScriptNotFinished
from .scripted import Turn


def exhausted(turns: Sequence[Turn], index: int) -> ScriptExhausted:
    """Request `index` (from 0) has no turn."""
    given = len(turns)
    why = f"Request {index + 1} has no turn: the script has {given}."
    last = f"the last turn ended with {turns[-1].finish!r}" if given else "no turns"
    return ScriptExhausted(why, last, index=index, expected=given, got=index + 1)


def not_finished(played: int, given: int) -> ScriptNotFinished:
    """The run completed before all of its turns were played."""
    why = f"The run completed after {played} of {given} turns."
    sums = f"{given} - {played} = {given - played} turns were never asked for"
    return ScriptNotFinished(why, sums, index=played, expected=given, got=played)
