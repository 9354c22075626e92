"""Does it still hold? Bytes first; where they differ, what changed and how far it reaches."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.trace.laws import Breach, breaches
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
            yield _waits(id, place, id in cases)
        elif id not in cases:
            path = files.fixture(place, id)
            yield Verdict(id, Status.UNCLAIMED, (f"no case claims {path}",), "golden list")


def _waits(id: str, folder: Path, claimed: bool) -> Verdict:
    evidence, waits = "a recorded trace waits", files.read(files.pending(folder, id))
    if waits is not None and waits == files.read(files.fixture(folder, id)):
        evidence = "a recorded trace waits that is the golden already"
    elif claimed:
        return Verdict(id, Status.PENDING, (evidence,), f"golden accept {id}")
    else:
        evidence = "a recorded trace waits, and no case claims it"
    return Verdict(id, Status.PENDING, (evidence,), f"golden reject {id}")


def _unknown(id: str, cases: Mapping[str, Case]) -> Verdict:
    import difflib

    near = difflib.get_close_matches(id, list(cases), 1, 0.0)
    evidence = (f"no case is called {id!r}", *(f"nearest: {name}" for name in near))
    return Verdict(id, Status.UNKNOWN, evidence, "golden list")


def check(case: Case, folder: Path) -> Verdict:
    """Run one case and compare it with its fixture. Whatever goes wrong is this case's verdict."""
    try:
        return _checked(case, folder)
    except CurriculumError as error:
        evidence = (f"{error.headline} [{error.code}]", *error.evidence)
        return Verdict(case.id, Status.UNCHECKED, evidence, error.next)
    except Exception as error:
        import traceback

        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}, line {where.lineno}, in {where.name}"
        return Verdict(case.id, Status.OWN_BUG, (f"{type(error).__name__}: {error}", place))


def _checked(case: Case, folder: Path) -> Verdict:
    path = files.fixture(folder, case.id)
    failed: CaseFailed | None = None
    try:
        got_text = run_case(case)
    except CaseFailed as error:
        failed, got_text = error, error.trace
    if failed is not None and not (got_text and path.is_file()):
        missing = failed.code == "component-not-installed"
        status = Status.UNCHECKED if missing else Status.FAILED
        return Verdict(case.id, status, (failed.headline, *failed.evidence), failed.next)
    if not path.is_file():
        return Verdict(case.id, Status.MISSING, (f"no file at {path}",), f"golden record {case.id}")
    try:
        expected = Trace.read(path)
    except TraceError as error:
        evidence = (f"{error.headline} [{error.code}]", *error.evidence)
        return Verdict(case.id, Status.UNREADABLE, evidence, f"golden record {case.id}")
    broken = _breaches(expected)
    if failed is None and path.read_bytes() == got_text.encode():
        if broken:
            return _unlawful(case, path, broken)
        sent = sum(1 for _ in expected.of("model.request"))
        return Verdict(case.id, Status.HOLDS, (), "", len(expected.events), sent)
    got = Trace.parse(got_text, case.id)
    if broken and failed is None and not _other_code(got, broken):
        return _unlawful(case, path, broken)
    verdict = _explained(case, expected, got)
    waits = files.pending(folder, case.id)
    if waits.is_file() and waits.read_bytes() == got_text.encode():
        verdict = attrs.evolve(verdict, next=f"golden accept {case.id}")
    if failed is not None:
        evidence = (failed.headline, *failed.evidence)
        return attrs.evolve(verdict, status=Status.FAILED, evidence=evidence, next="")
    return verdict


def _unlawful(case: Case, path: Path, broken: Sequence[Breach]) -> Verdict:
    lines = tuple(str(breach) for breach in broken[:4])
    return Verdict(case.id, Status.UNLAWFUL, lines, f"curriculum trace validate {path}")


def _breaches(trace: Trace) -> list[Breach]:
    """The breaches of a trace; none for one of other components, which these rules do not bind."""
    try:
        return list(islice(breaches(trace), 200))
    except CurriculumError:
        return []


def _other_code(got: Trace, broken: Sequence[Breach]) -> bool:
    """Whether the golden is unlawful only because this code sends or counts otherwise.

    Other code gives a request other bytes and with them another size; a hand that edits a golden
    edits one of the two. If the new run is unlawful as well, the code is to blame anyway.
    """
    if _breaches(got):
        return True
    by_field = {
        name: {b.seq for b in broken if b.field == name} for name in ("fingerprint", "size")
    }
    edited = by_field["fingerprint"] ^ by_field["size"]
    return bool(by_field["fingerprint"]) and not edited


def _explained(case: Case, expected: Trace, got: Trace) -> Verdict:
    # Only a divergence needs these, and most runs have none.
    from curriculum.replay.attribution import attribute
    from curriculum.trace.explain import explain

    explanation = explain(expected, got)
    attribution = attribute(case.scenario, expected, got, explanation)
    evidence = [f"the new run breaks {breach}" for breach in _breaches(got)[:4]]
    evidence += [f"the golden breaks {breach}" for breach in _breaches(expected)[:4]]
    return Verdict(
        case.id,
        Status.DIVERGED,
        tuple(evidence),
        f"golden record {case.id}",
        len(got.events),
        explanation.requests,
        explanation,
        attribution,
    )
