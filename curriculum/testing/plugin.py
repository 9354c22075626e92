"""The pytest plugin: one item for each case of a project, and the fixture `golden_trace`.

pytest loads this module in every run, so it imports nothing but pytest; the rest comes when a
project has cases or a test asks for the fixture.
"""

import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from curriculum.golden.project import Project
    from curriculum.golden.verify import Verdict
    from curriculum.trace.recorder import Recorder

RECORDED = pytest.StashKey["Recorder"]()
REFUSED = pytest.StashKey[str]()
"""Why a test has no golden of its own."""
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
        from curriculum.view.safe import error_text

        try:
            refuse_in_ci()
        except GoldenError as error:
            raise pytest.UsageError(error_text(error)) from None
    config.pluginmanager.register(GoldenRun(config), NAME)


@pytest.fixture
def golden_trace(request: pytest.FixtureRequest) -> "Recorder":
    """A recorder; when the test has passed, what it wrote is compared with its golden trace.

    Give it to `Recording(golden_trace, ...)` or `AgentRunner(trace=golden_trace, ...)`. A test, or
    a fixture of its own, asks for it by name: goldens are claimed before any test runs.
    """
    from curriculum.trace.recorder import Recorder

    if "golden_trace" not in request.node.fixturenames:
        why = "Ask for golden_trace as an argument: getfixturevalue(...) claims its golden too late"
        pytest.fail(f"{why}. [golden-claims]", pytrace=False)
    refuse_claim(request.node)
    recorder = request.node.stash[RECORDED] = Recorder()
    return recorder


def refuse_claim(item: pytest.Item) -> None:
    """Fail the test that has no golden of its own; a worker could not stop the run for it."""
    __tracebackhide__ = True
    if REFUSED in item.stash:
        pytest.fail(f"{item.stash[REFUSED]} [golden-claims]", pytrace=False)


class GoldenRun:
    """What one run of pytest knows of goldens: who claims which, and what it did not look at."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.claims: dict[str, dict[str, str]] = {}
        """By root of a project: the id of each golden that is claimed, and the node id by whom."""
        self.gaps: list[str] = []
        """Why this run cannot know every test; empty if it can."""
        self.unseen: set[str] = set()
        """Paths that were not collected: nobody knows what is claimed below them."""
        self.case_files: set[str] = set()
        """The files of cases that were collected."""
        self.asserted: dict[str, set[str]] = {}
        """By root of a project: the ids of the traces that were really compared, by syrupy."""
        self.outcomes: dict[str, set[str]] = {}
        """By node id of who claims a golden: how its call ended, and what else did not pass."""
        self.left: list[Verdict] = []
        """Files that nobody has decided on, or that no test claims."""
        self._projects: dict[Path, Project | None] = {}
        self._taken: dict[tuple[str, str], str] = {}
        self._nodes: set[str] = set()

    def project(self, folder: Path) -> "Project | None":
        """The project around a folder, or None. Raises `pytest.UsageError` for bad settings.

        A file's project is the same wherever pytest was started, and whatever its rootdir is.
        """
        if folder not in self._projects:
            found, above = None, folder.parent
            if _has_settings(folder):
                from curriculum.golden.project import ProjectError, find
                from curriculum.view.safe import error_text

                try:
                    found = find(folder)
                except ProjectError as error:
                    raise pytest.UsageError(error_text(error)) from None
            elif above != folder:
                found = self.project(above)
            self._projects[folder] = found
        return self._projects[folder]

    def home(self, folder: Path) -> "Project":
        """The project around a folder; without settings, goldens are beside its pyproject.toml.

        That may be below pytest's root, which somebody else's settings above can have moved.
        """
        from curriculum.golden.project import Project

        root = self.config.rootpath
        inside = [place for place in (folder, *folder.parents) if place.is_relative_to(root)]
        nearest = [place for place in inside if (place / "pyproject.toml").is_file()]
        place = nearest[0] if nearest else root
        return self.project(folder) or Project(place, place / "golden", declared=False)

    def claim(self, project: "Project", id: str, node: str) -> str:
        """Note who claims a golden; return who has claimed it before, or nothing.

        Ids that differ only in case are one file on some systems.
        """
        root = str(project.root)
        other = self._taken.setdefault((root, id.casefold()), node)
        if other != node:
            return other
        self.claims.setdefault(root, {})[id] = node
        self._nodes.add(node)
        return ""

    def compare(self, project: "Project", id: str, node: str) -> str:
        """Note that a trace is compared now; return who has claimed its id before, or nothing."""
        root = str(project.root)
        other = self._taken.setdefault((root, id.casefold()), node)
        self.asserted.setdefault(root, set()).add(id)
        return other if other != node else ""

    def pytest_sessionstart(self) -> None:
        """Refuse bad settings before anything is collected."""
        for start in (self.config.rootpath, self.config.invocation_params.dir):
            self.project(start)

    @pytest.hookimpl(wrapper=True)
    def pytest_ignore_collect(self, collection_path: Path) -> Generator[None, Any, Any]:
        """Note what an option or a conftest.py leaves out: it may hold tests that claim goldens."""
        ignored = yield
        if ignored:
            self.unseen.add(str(collection_path))
        return ignored

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Collect a file that declares cases."""
        try:
            project = self.project(file_path.parent)
        except pytest.UsageError as error:  # the settings of a project inside another one
            raise parent.CollectError(str(error)) from error
        if project is None or file_path not in project.files:
            return None
        from .items import CaseFile

        return CaseFile.from_parent(parent, path=file_path, run=self)  # pyright: ignore

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """A module that was skipped, or failed, may hold tests that claim goldens."""
        report = yield
        if report.outcome != "passed":
            self.unseen.add(str(getattr(collector, "path", self.config.rootpath)))
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, items: list[pytest.Item]
    ) -> Generator[None, object, object]:
        """Note which golden each test claims, before any test is left out.

        A test of syrupy's may have one if our extension is in use; that it is claimed without
        need does no harm.
        """
        fixtures = {"golden_trace"}
        if "curriculum.testing.snapshots" in sys.modules:
            fixtures.add("snapshot")
        for item in items:
            if fixtures.intersection(getattr(item, "fixturenames", ())):
                from .naming import claim

                try:
                    claim(item, self)
                except ValueError as error:
                    item.stash[REFUSED] = str(error)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """After the test itself has passed, and as a part of it, compare its trace."""
        result = yield
        recorder = item.stash.get(RECORDED, None)
        failed = getattr(item, "_excinfo", None)  # unittest keeps its failures there
        if recorder is not None and not failed:
            from .checking import check_test

            del item.stash[RECORDED]  # pytest keeps every item until the end
            check_test(item, recorder.text(), self.home(item.path.parent))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended that claims a golden."""
        if report.nodeid in self._nodes and (report.when == "call" or not report.passed):
            self.outcomes.setdefault(report.nodeid, set()).add(report.outcome)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over what a worker of a parallel run knows."""
        told: Any = getattr(node, "workeroutput", {}).get(NAME)
        if told is None or error:
            self.gaps.append("a worker went down")
            return
        for root, claims in told["claims"].items():
            self.claims.setdefault(root, {}).update(claims)
        self.gaps += told["gaps"]
        self.unseen |= set(told["unseen"])
        self.case_files |= set(told["case_files"])
        for root, ids in told["asserted"].items():
            self.asserted.setdefault(root, set()).update(ids)
        for node, outcomes in told["outcomes"].items():
            self.outcomes.setdefault(node, set()).update(outcomes)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Pass on what a worker knows; after a run of everything, look for what is left over.

        Some releases of syrupy write at the end: it is looked for after that.
        """
        output: Any = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[NAME] = self._told()
        result = yield
        if output is None and self._concerned:
            from .leftovers import finish

            finish(self, session)
        return result

    def _told(self) -> dict[str, object]:
        """What the process that started this worker must know, of plain values."""
        return {
            "claims": self.claims,
            "gaps": self.gaps,
            "unseen": sorted(self.unseen),
            "case_files": sorted(self.case_files),
            "asserted": {root: sorted(ids) for root, ids in self.asserted.items()},
            "outcomes": {node: sorted(all) for node, all in self.outcomes.items()},
        }

    @property
    def _concerned(self) -> bool:
        """Whether anything in this run has to do with goldens."""
        asked = self.config.getoption("golden_claims") is not None
        known = asked or bool(self.claims) or any(self._projects.values())
        return known or (self.config.rootpath / "golden").is_dir()

    @property
    def projects(self) -> "list[Project]":
        """The projects that pytest was started in, or whose tests it has collected."""
        found = [project for project in self._projects.values() if project is not None]
        others = [Path(root) for root in self.claims] or ([] if found else [self.config.rootpath])
        return list(dict.fromkeys([*found, *map(self.home, others)]))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name what is left over, as `golden verify` does."""
        if self.left:
            from .checking import told

            terminalreporter.section("golden traces")
            for verdict in self.left:
                terminalreporter.write(told(verdict))


def _has_settings(folder: Path) -> bool:
    """Whether settings in the folder may be ours: asked without loading anything of ours."""
    try:
        text = (folder / "pyproject.toml").read_bytes()
    except OSError:
        return False
    if b"curriculum" not in text:
        return False
    import tomllib

    try:
        return "curriculum" in tomllib.loads(text.decode())["tool"]
    except KeyError:
        return False
    except (ValueError, TypeError):
        return True  # whoever reads them says what is wrong
