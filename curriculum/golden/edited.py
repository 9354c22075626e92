"""Was the golden edited by hand, or does other code give something else? Read from the two traces.

Facts of a trace follow from each other, so an edit of one leaves others that contradict it. What
nothing in a trace holds, such as its limit of turns, can only be told as an input that changed.
"""

from collections.abc import Sequence
from itertools import islice

from curriculum.record.errors import CurriculumError
from curriculum.trace.laws import Breach, breaches
from curriculum.trace.reader import Trace

SPELLED = (
    "no fact differs, only how the file spells them: edited by hand, or written by another program",
)
SAME_BYTES = (
    "the code sends the bytes that the golden names, and the golden's records do not give them: "
    "edited by hand"
)


def lawless(trace: Trace) -> list[Breach]:
    """The breaches of a trace; none for one of other components, which these rules do not bind."""
    try:
        return list(islice(breaches(trace), 200))
    except CurriculumError:
        return []


def spelled_otherwise(expected: Trace, got: Trace) -> bool:
    """Whether two traces whose bytes differ hold the same events."""
    return expected.written == got.written


def signs(expected: Trace, got: Trace, broken: Sequence[Breach]) -> list[str]:
    """What shows that a hand edited the golden, which breaks these laws; empty if code may have."""
    if not broken or lawless(got):  # a new run that is unlawful as well is to blame anyway
        return []
    lines = [str(breach) for breach in broken[:4]]
    if _sent_today(expected, got, broken):
        from .parting import first_difference

        differs = first_difference(expected, got, ("the golden", "the new run"))
        return [SAME_BYTES, *([differs] if differs else []), *lines]
    return [] if _other_code(broken) else lines


def _sent_today(expected: Trace, got: Trace, broken: Sequence[Breach]) -> bool:
    """Whether the new run sends a request that the golden names but whose bytes it cannot give."""
    wrong = {breach.seq for breach in broken if breach.field == "fingerprint"}
    pairs = zip(expected.assemblies, got.assemblies, strict=False)
    return any(
        ours.seq in wrong and ours.data.fingerprint == theirs.data.fingerprint
        for ours, theirs in pairs
    )


def _other_code(broken: Sequence[Breach]) -> bool:
    """Whether the golden is unlawful only because this code sends or counts otherwise.

    Other code gives a request other bytes and with them another size; a hand that edits a golden
    edits one of the two.
    """
    by_field = {
        name: {b.seq for b in broken if b.field == name} for name in ("fingerprint", "size")
    }
    edited = by_field["fingerprint"] ^ by_field["size"]
    return bool(by_field["fingerprint"]) and not edited
