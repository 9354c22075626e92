"""Does it still hold? Bytes first; where they differ, what changed and how far it reaches."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from curriculum.agent.scenario import Scenario
from curriculum.record.errors import CurriculumError
from curriculum.trace.errors import TraceError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace

from . import files
from .cases import BY_TESTS, MISSING, Case, CaseFailed, run_case, to_record
from .edited import SPELLED, lawless, signs, spelled_otherwise
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
            yield undecided(id, place, id in cases or id.startswith(BY_TESTS))
        elif id.startswith(BY_TESTS):
            yield from _of_test(id, place)
        elif id not in cases:
            path = files.fixture(place, id)
            yield Verdict(id, Status.UNCLAIMED, (f"no case claims {path}",), "golden list")


def _of_test(id: str, folder: Path) -> Iterator[Verdict]:
    """What is wrong with the golden of a test by itself; whether it holds, only pytest can say."""
    path = files.fixture(folder, id)
    record = to_record(id)
    try:
        trace = Trace.read(path)
        broken = tuple(map(str, islice(breaches(trace), 4)))
    except CurriculumError as error:
        evidence = (f"{error.headline} [{error.code}]", *error.evidence)
        missing = error.code in MISSING
        status = Status.UNCHECKED if missing else Status.UNREADABLE
        yield Verdict(id, status, evidence, error.next if missing else record)
        return
    if broken or trace.stop is None:
        evidence = broken or ("the trace has no session.stop",)
        yield Verdict(id, Status.UNLAWFUL, evidence, record)


def undecided(id: str, folder: Path, claimed: bool) -> Verdict:
    """The verdict on a pending file. Raises `GoldenError` if it cannot be read."""
    evidence, waits = "a recorded trace waits", files.read(files.pending(folder, id))
    if waits is not None and waits == files.read(files.fixture(folder, id)):
        evidence = "a recorded trace waits that is the golden already"
    elif claimed:
        return Verdict(id, Status.PENDING, (evidence,), f"golden review {id}")
    else:
        who = "test" if id.startswith(BY_TESTS) else "case"
        evidence = f"a recorded trace waits, and no {who} claims it"
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
    failed: CaseFailed | None = None
    try:
        text = run_case(case)
    except CaseFailed as error:
        failed, text = error, error.trace
    if failed is not None and not (text and files.fixture(folder, case.id).is_file()):
        missing = failed.code == "component-not-installed"
        status = Status.UNCHECKED if missing else Status.FAILED
        return Verdict(case.id, status, (failed.headline, *failed.evidence), failed.next)
    verdict = compared(case.id, text, folder, case.staged, stopped_well=failed is None)
    if failed is not None and verdict.status is not Status.UNREADABLE:
        evidence = (failed.headline, *failed.evidence)
        return attrs.evolve(verdict, status=Status.FAILED, evidence=evidence, next="")
    return verdict


def compared(
    id: str,
    text: str,
    folder: Path,
    scenario: Scenario | None = None,
    *,
    record: str = "",
    stopped_well: bool = True,
) -> Verdict:
    """Compare the trace `text` with the golden of this id: bytes first, then what changed.

    With a `scenario` that can be run again, several changes are told apart. `record` is the
    command that records the trace anew. A run that did not stop well shows what is wrong with it,
    whatever is wrong with the golden.
    """
    path, record = files.fixture(folder, id), record or to_record(id)
    try:
        data = files.read(path)  # once: another process may accept a new one meanwhile
        if data is None:
            why = f"no file at {path}"
            return Verdict(id, Status.MISSING, (why,), _waiting(id, text, folder, record))
        expected = Trace.parse_bytes(data, str(path))
    except (TraceError, files.GoldenError) as error:
        evidence = (f"{error.headline} [{error.code}]", *error.evidence)
        older = error.code == "trace-version"  # it is rewritten, or needs a newer program
        return Verdict(id, Status.UNREADABLE, evidence, error.next if older else record)
    if data == text.encode():
        return _same(id, path, expected)
    got = Trace.parse(text, id)
    if spelled_otherwise(expected, got):
        return Verdict(id, Status.UNLAWFUL, SPELLED, _waiting(id, text, folder, record))
    if stopped_well and (edits := signs(expected, got, lawless(expected))):
        again = (
            f"put the file back as it was committed, or record it anew; validate names all: {path}"
        )
        return Verdict(id, Status.UNLAWFUL, (*edits, again), record)
    verdict = _explained(id, expected, got, scenario)
    return attrs.evolve(verdict, next=_waiting(id, text, folder, record))


def _same(id: str, path: Path, trace: Trace) -> Verdict:
    """The bytes are equal; what is left to ask is whether they are lawful."""
    if broken := list(islice(breaches(trace), 4)):
        next = f"curriculum trace validate {shlex.quote(str(path))}"
        return Verdict(id, Status.UNLAWFUL, tuple(map(str, broken)), next)
    sent = sum(1 for _ in trace.of("model.request"))
    return Verdict(id, Status.HOLDS, (), "", len(trace.written), sent)


def _waiting(id: str, text: str, folder: Path, record: str) -> str:
    """What to run next: look at the trace if it is recorded already, else record it."""
    recorded = files.read(files.pending(folder, id)) == text.encode()
    return f"golden review {id}" if recorded else record


def _explained(id: str, expected: Trace, got: Trace, scenario: Scenario | None) -> Verdict:
    # Only a divergence needs these, and most runs have none.
    from curriculum.replay.attribution import attribute
    from curriculum.trace.explain import explain

    explanation = explain(expected, got)
    attribution = attribute(scenario, expected, got, explanation) if scenario else None
    evidence = [f"the new run breaks {breach}" for breach in lawless(got)[:4]]
    evidence += [f"the golden breaks {breach}" for breach in lawless(expected)[:4]]
    return Verdict(
        id,
        Status.DIVERGED,
        tuple(evidence),
        "",
        len(got.events),
        explanation.requests,
        explanation,
        attribution,
    )
