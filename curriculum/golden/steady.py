"""A case is only worth recording if it gives the same trace each time it runs."""

from curriculum.trace.reader import Trace

from .cases import Case, CaseFailed, run_case
from .parting import first_difference

USUAL = (
    "usual reasons: a clock, random or counted ids, the order of a set,",
    "or state that is kept between cases, such as a script that is used up",
)


def run_steadily(case: Case, first: str = "") -> str:
    """The trace text of two runs that are the same, each with a recorder of its own.

    `first` is what it gave already, if it has run. Raises `CaseFailed`, with the code
    `case-not-deterministic` if the two are not the same.
    """
    first = first or run_case(case)
    try:
        second = run_case(case)
    except CaseFailed as error:
        told = ("the second run failed, the first did not", error.headline, *error.evidence)
        raise _unsteady(case, *told) from error
    if first != second:
        differs = first_difference(Trace.parse(first, case.id), Trace.parse(second, case.id))
        raise _unsteady(case, differs or "the order or the causes of events")
    return first


def _unsteady(case: Case, *evidence: str) -> CaseFailed:
    return CaseFailed(
        f"{case.id} does not give the same trace twice, so there is nothing to record.",
        *evidence,
        *USUAL,
        code="case-not-deterministic",
        next="golden guide   # section 2: what a case replaces by a script",
    )
