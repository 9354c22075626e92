"""Does it still hold? Bytes first; where they differ, what changed and how far it reaches."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import TraceError

from . import files
from .cases import Case, CaseFailed, run_case
from .status import Status

if TYPE_CHECKING:
    from curriculum.replay.attribution import Attribution
    from curriculum.trace.explain import Explanation


@attrs.frozen
class Verdict:
    """How one case ended. `evidence` are lines with numbers; `next` is one command to run.

    A divergence carries its explanation, and who caused which facts.
    """

    id: str
    status: Status
    evidence: tuple[str, ...] = ()
    next: str = ""
    events: int = 0
    requests: int = 0
    explanation: "Explanation | None" = None
    attribution: "Attribution | None" = None


def verify(
    cases: Mapping[str, Case], ids: Sequence[str], folder: Path | None = None
) -> Iterator[Verdict]:
    """Check the cases named by `ids`, or all; a full run also reports files that nobody claims.

    Reads only. Cases come in order of id; a verdict is given as soon as it is known.
    """
    place = folder or files.root()
    for id in ids or sorted(cases):
        yield check(cases[id], place) if id in cases else _unknown(id, cases)
    if ids:
        return  # a filtered run has not asked for the other files, so it cannot call them unclaimed
    for id, waits in files.present(place):
        if waits:
            yield Verdict(id, Status.PENDING, ("a recorded trace waits",), f"golden accept {id}")
        elif id not in cases:
            path = files.fixture(place, id)
            yield Verdict(id, Status.UNCLAIMED, (f"no case claims {path}",), "golden list")


def _unknown(id: str, cases: Mapping[str, Case]) -> Verdict:
    import difflib

    near = difflib.get_close_matches(id, list(cases), 1, 0.0)
    evidence = (f"no case is called {id!r}", *(f"nearest: {name}" for name in near))
    return Verdict(id, Status.UNKNOWN, evidence, "golden list")


def check(case: Case, folder: Path) -> Verdict:
    """Run one case and compare it with its fixture."""
    path = files.fixture(folder, case.id)
    try:
        got_text = run_case(case)
    except CaseFailed as error:
        status = Status.UNCHECKED if error.code == "component-not-installed" else Status.FAILED
        return Verdict(case.id, status, (error.headline, *error.evidence), error.next)
    if not path.is_file():
        return Verdict(case.id, Status.MISSING, (f"no file at {path}",), f"golden record {case.id}")
    try:
        expected = Trace.read(path)
        same = path.read_bytes() == got_text.encode()
    except TraceError as error:
        evidence = (f"{error.headline} [{error.code}]", *error.evidence)
        return Verdict(case.id, Status.UNREADABLE, evidence, f"golden record {case.id}")
    broken = _broken(expected)
    if broken and (same or not _broken(Trace.parse(got_text, case.id))):
        return Verdict(case.id, Status.UNLAWFUL, broken, f"curriculum trace validate {path}")
    sent = sum(1 for _ in expected.of("model.request"))
    if same:
        return Verdict(case.id, Status.HOLDS, (), "", len(expected.events), sent)
    return _explained(case, expected, Trace.parse(got_text, case.id))


def _broken(trace: Trace) -> tuple[str, ...]:
    """The first breaches of a trace, as lines.

    None for a trace of other components: it is explained by them, not held to rules of others.
    """
    try:
        return tuple(str(breach) for breach in islice(breaches(trace), 4))
    except CurriculumError:
        return ()


def _explained(case: Case, expected: Trace, got: Trace) -> Verdict:
    # Only a divergence needs these, and most runs have none.
    from curriculum.replay.attribution import attribute
    from curriculum.trace.explain import explain

    explanation = explain(expected, got)
    attribution = attribute(case.scenario, expected, got, explanation)
    evidence = _broken(got)
    again = f"golden record {case.id} && golden accept {case.id}"
    return Verdict(
        case.id,
        Status.DIVERGED,
        tuple(f"the new run breaks {line}" for line in evidence),
        f"{again}   # if the change is meant",
        len(got.events),
        explanation.requests,
        explanation,
        attribution,
    )
