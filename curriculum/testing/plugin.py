"""The pytest plugin: one item for each case of a project, and the fixture `golden_trace`.

pytest loads this module in every run, so it imports nothing but pytest; the rest comes when a
project has cases or a test asks for the fixture.
"""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from curriculum.golden.project import Project
    from curriculum.golden.verify import Verdict
    from curriculum.trace.recorder import Recorder

RECORDED = pytest.StashKey["Recorder"]()
NAME = "curriculum-golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--golden-record`, and the option by which `golden prune` asks for claims."""
    group = parser.getgroup("golden", "golden traces (curriculum)")
    group.addoption(
        "--golden-record",
        action="store_true",
        help="write each trace that differs from its golden, or has none, as a pending file "
        "beside it; the test still fails until the file is accepted (golden review)",
    )
    group.addoption(
        "--golden-claims",
        metavar="FILE",
        help="write the ids of the goldens that the collected tests claim to FILE, as JSON",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker; refuse to record under CI before anything is opened."""
    config.addinivalue_line(
        "markers", "golden(name): the name of the test's golden trace, instead of the test's own"
    )
    if config.getoption("golden_record"):
        from curriculum.golden.files import GoldenError, refuse_in_ci

        try:
            refuse_in_ci()
        except GoldenError as error:
            raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(GoldenRun(config), NAME)


@pytest.fixture
def golden_trace(request: pytest.FixtureRequest) -> "Recorder":
    """A recorder; when the test has passed, what it wrote is compared with its golden trace.

    Give it to `Recording(golden_trace, ...)` or `AgentRunner(trace=golden_trace, ...)`.
    """
    from curriculum.trace.recorder import Recorder

    recorder = request.node.stash[RECORDED] = Recorder()
    return recorder


class GoldenRun:
    """What one run of pytest knows of goldens: who claims which, and whether it knows them all."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.claims: dict[str, str] = {}
        """The id of each golden that a collected test claims, and the test's node id."""
        self.gaps: list[str] = []
        """Why this run cannot know every test of the project; empty if it can."""
        self.left: list[Verdict] = []
        """Files that nobody has decided on, or that no test claims."""
        self._project: Project | None = None
        self._settings: bool | None = None

    @property
    def project(self) -> "Project":
        """The project around pytest's root, or around the folder it was started in.

        Without settings the goldens are in `golden` beside pytest's root.
        """
        if self._project is None:
            from curriculum.golden.project import Project, ProjectError, find

            root = self.config.rootpath
            try:
                found = next(filter(None, map(find, self._starts)), None)
            except ProjectError as error:
                raise pytest.UsageError(str(error)) from None
            self._project = found or Project(root, root / "golden")
        return self._project

    @property
    def _starts(self) -> tuple[Path, Path]:
        return self.config.rootpath, self.config.invocation_params.dir

    @property
    def has_settings(self) -> bool:
        """Whether a pyproject.toml around the root speaks of curriculum: cheap, and asked once."""
        if self._settings is None:
            folders = [place for start in self._starts for place in (start, *start.parents)]
            self._settings = any(_speaks_of_us(folder) for folder in dict.fromkeys(folders))
        return self._settings

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Collect a file that declares cases."""
        if not (self.has_settings and file_path in self.project.files):
            return None
        from .items import CaseFile

        return CaseFile.from_parent(parent, path=file_path)  # pyright: ignore[reportUnknownMemberType]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note which golden each test claims, before any test is left out.

        A test of syrupy's may have one as well; that it is claimed without need does no harm.
        """
        for item in items:
            if {"golden_trace", "snapshot"}.intersection(getattr(item, "fixturenames", ())):
                from .naming import claim

                claim(item, self.claims, self.project)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that was not collected may hold tests that claim goldens."""
        if report.outcome != "passed":
            self.gaps.append(f"{report.nodeid or 'the run'} was not collected")

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """A run that leaves tests out is no run of everything."""
        self.gaps += [f"{len(items)} tests were left out"] if items else []

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
        """After the test itself has passed, and as a part of it, compare its trace."""
        result = yield
        if RECORDED in pyfuncitem.stash:
            from .checking import check_test

            check_test(pyfuncitem, pyfuncitem.stash[RECORDED].text(), self.project)
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over what a worker of a parallel run knows."""
        told: Any = getattr(node, "workeroutput", {}).get(NAME)
        if told is None or error:
            self.gaps.append("a worker went down")
        else:
            self.claims |= told["claims"]
            self.gaps += told["gaps"]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Pass on what a worker knows; after a run of everything, look for what is left over."""
        output: Any = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[NAME] = {"claims": self.claims, "gaps": self.gaps}
        elif self.claims or self.has_settings or self.config.getoption("golden_claims"):
            from .leftovers import finish

            finish(self, session)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name what is left over, as `golden verify` does."""
        if self.left:
            from .checking import told

            terminalreporter.section("golden traces")
            for verdict in self.left:
                terminalreporter.write(told(verdict))


def _speaks_of_us(folder: Path) -> bool:
    try:
        return b"[tool.curriculum]" in (folder / "pyproject.toml").read_bytes()
    except OSError:
        return False
