"""A file of cases, collected by pytest: one item a case, checked as `golden verify` does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from curriculum.golden.cases import Case, CaseFailed
from curriculum.golden.project import Project, ProjectError, cases_of
from curriculum.golden.status import Status
from curriculum.golden.steady import run_steadily
from curriculum.golden.verify import Verdict, check
from curriculum.view.safe import ascii_only, error_text

from .checking import RECORDABLE, recorded, told

if TYPE_CHECKING:
    from .plugin import GoldenRun


class NotHeld(Exception):
    """A case whose check did not end well; the text is the report."""


class CaseFile(pytest.File):
    """A file that declares cases."""

    def __init__(self, *, run: "GoldenRun", **more: Any) -> None:
        super().__init__(**more)  # pyright: ignore[reportUnknownMemberType]
        self.run = run

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each case."""
        run = self.run
        project = run.home(self.path.parent)
        run.case_files.add(str(self.path))
        try:
            cases = cases_of(self.path, project.root)
        except ProjectError as error:
            raise self.CollectError(error_text(error)) from error
        for case in cases:
            other = run.claim(project, case.id, f"{self.nodeid}::{case.id}")
            if other:
                why = (
                    f"{self.nodeid}: {case.id!r} is the golden of {other} already. [case-id-twice]"
                )
                raise self.CollectError(why)
            yield CaseItem.from_parent(self, name=case.id, case=case, project=project)  # pyright: ignore


class CaseItem(pytest.Item):
    """One case. It passes if its golden trace holds."""

    def __init__(self, *, case: Case, project: Project, **more: Any) -> None:
        super().__init__(**more)  # pyright: ignore[reportUnknownMemberType]
        self.case, self.project = case, project

    def runtest(self) -> None:
        """Run the case and compare its trace."""
        verdict = check(self.case, self.project.golden)
        if self.config.getoption("golden_record"):
            verdict = self._recorded(verdict)
        if verdict.status is not Status.HOLDS:
            raise NotHeld(told(verdict))

    def _recorded(self, verdict: Verdict) -> Verdict:
        if verdict.status not in RECORDABLE:
            return verdict
        try:
            return recorded(verdict, run_steadily(self.case), self.project.golden)
        except CaseFailed as error:
            why = (f"{error.headline} [{error.code}]", *error.evidence)
            return attrs.evolve(verdict, evidence=(*verdict.evidence, *why), next=error.next)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report alone: a traceback would say nothing of the trace."""
        if isinstance(excinfo.value, NotHeld):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where the case is declared, and its title."""
        return self.path, None, ascii_only(f"{self.case.id}: {self.case.title}")
