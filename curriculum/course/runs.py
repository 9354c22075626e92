"""The runs that texts and exercises speak of: a case's golden, or the case run anew."""

from collections.abc import Mapping
from functools import cache

from curriculum.golden import files
from curriculum.golden.cases import Case, run_case
from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace

from .lessons import all_cases


class SourceError(CurriculumError):
    """A source that a text names and that gives nothing."""

    code = "prose-source"


@cache
def trace_of(run: str) -> Trace:
    """The golden trace of a case, or its run with limits changed: `CASE [LIMIT=N ...]`."""
    id, *changes = run.split()
    case = case_of(id)
    if not changes:
        return Trace.read(files.fixture(files.root(), id))
    limits = {name: int(value) for name, _, value in (c.partition("=") for c in changes)}
    return Trace.parse(run_case(case, case.under(limits)), run)


def case_of(id: str) -> Case:
    """The case with this id. Raises `SourceError`."""
    cases = all_cases()
    if id not in cases:
        raise SourceError(f"No case is called {id!r}.")
    return cases[id]


def run_of(case: str, limits: Mapping[str, int]) -> str:
    """How `trace_of` names the run of a case with limits changed."""
    return " ".join([case, *(f"{name}={value}" for name, value in sorted(limits.items()))])
