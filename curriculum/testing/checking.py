"""A trace under pytest: compared as `golden verify` does, with the same report."""

import shlex
from io import StringIO
from itertools import islice
from pathlib import Path

import attrs
import pytest

from curriculum.golden.cases import WITH
from curriculum.golden.project import Project
from curriculum.golden.status import Status
from curriculum.golden.verify import Verdict, compared
from curriculum.record.errors import CurriculumError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.view.safe import error_text

from .naming import golden_id

RECORDABLE = (Status.MISSING, Status.DIVERGED, Status.UNREADABLE, Status.UNLAWFUL)
"""Ends of a check after which the new trace may be recorded."""


def told(verdict: Verdict) -> str:
    """The report of `golden verify --plain` on one check."""
    from curriculum.view.report import show_verdict
    from curriculum.view.screen import Screen

    out = StringIO()
    show_verdict(Screen(True, out), verdict)
    return out.getvalue()


def refuse_unfinished(text: str) -> None:
    """Fail the test if it wrote nothing, or not how its run stopped."""
    __tracebackhide__ = True
    if not text:
        pytest.fail("The test wrote no trace. [trace-empty]", pytrace=False)
    if '"type":"session.stop"' not in text.rstrip().rpartition("\n")[2]:
        why = "The test did not write how its run stopped; it cannot be a golden."
        error = CurriculumError(why, code="trace-no-stop", next=WITH)
        pytest.fail(error_text(error), pytrace=False)


def refuse_unlawful(text: str) -> None:
    """Fail the test if what it wrote cannot be a golden: it breaks a law, or is no trace."""
    __tracebackhide__ = True
    try:
        broken = [str(breach) for breach in islice(breaches(Trace.parse(text, "the trace")), 4)]
        if broken:
            why = "What the test wrote breaks a law; it cannot be a golden."
            raise CurriculumError(why, *broken, code="golden-unlawful")
    except CurriculumError as error:
        raise pytest.fail.Exception(error_text(error), pytrace=False) from None


def check_test(item: pytest.Item, text: str, project: Project) -> None:
    """Compare what a test wrote to `golden_trace`; fail the test if it is not its golden."""
    __tracebackhide__ = True
    refuse_unfinished(text)
    id = golden_id(item, project)
    command = f"python -m pytest --golden-record {shlex.quote(_as_typed(item))}"
    try:
        verdict = compared(id, text, project.golden, record=command)
    except CurriculumError as error:
        raise pytest.fail.Exception(error_text(error), pytrace=False) from None
    if verdict.status in (Status.MISSING, Status.UNREADABLE):
        refuse_unlawful(text)  # where there is a golden to compare with, the report says so
    if item.config.getoption("golden_record"):
        verdict = recorded(verdict, text, project.golden)
    if verdict.status is not Status.HOLDS:
        pytest.fail(told(verdict), pytrace=False)


def _as_typed(item: pytest.Item) -> str:
    """The test as it is named from the folder that pytest was started in."""
    here, file = item.config.invocation_params.dir, Path(item.path)
    place = file.relative_to(here).as_posix() if file.is_relative_to(here) else str(file)
    return "::".join([place, *str(item.nodeid).split("::")[1:]])


def recorded(verdict: Verdict, text: str, folder: Path) -> Verdict:
    """Write a trace that does not hold as a pending file, and say so; one that holds is left."""
    if verdict.status not in RECORDABLE:
        return verdict
    from curriculum.golden.record import keep

    try:
        path = keep(verdict.id, text, folder)
    except CurriculumError as error:
        more = (f"{error.headline} [{error.code}]", *error.evidence)
        return attrs.evolve(verdict, evidence=(*verdict.evidence, *more), next=error.next)
    said = f"recorded {path}"
    return attrs.evolve(verdict, evidence=(*verdict.evidence, said), next="golden review")
