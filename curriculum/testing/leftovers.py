"""What a run of everything leaves over: cases not run, traces undecided, goldens unclaimed.

A run that was asked for less than everything calls nothing unclaimed. A filter in the settings is
no such wish: it leaves tests out when it is known already what they claim.
"""

import json
import os
import re
import shlex
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from curriculum.golden import files
from curriculum.golden.cases import BY_TESTS
from curriculum.golden.claims import Claims
from curriculum.golden.project import Project, ProjectError
from curriculum.golden.status import Status
from curriculum.golden.verify import Verdict, undecided
from curriculum.trace.events import FORMAT

from .naming import place

if TYPE_CHECKING:
    from .plugin import GoldenRun

FILTERS = {
    "keyword": r"-\w*k",
    "markexpr": r"-\w*m",
    "deselect": "--deselect",
    "stepwise": "--(sw|stepwise)",
    "stepwise_skip": "--(sw|stepwise)-skip",
}
"""Options of pytest that leave tests out once they are collected, and how they are typed."""

UPDATES = ("update_snapshots", "update_new_snapshots_only")
"""Options by which syrupy writes."""


def finish(run: "GoldenRun", session: pytest.Session) -> None:
    """Note what is left over, and let the run fail for it; write down the claims if asked to."""
    gaps = [*run.gaps, *_asked_for_less(run.config)]
    wanted: str | None = run.config.getoption("golden_claims")
    if wanted is not None:
        _write_claims(Path(wanted), run, gaps)
    ended_well = session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    ran = not (run.config.getoption("golden_record") or run.config.getoption("collectonly"))
    if not ended_well or not ran:
        return
    writes = any(run.config.getoption(name, None) for name in UPDATES)
    for project in run.projects:
        if not gaps and _whole(run.config, project):
            run.left += [*_not_collected(run, project), *_left(run, project)]
        elif not writes:
            run.left += _undecided(run, project)
    if run.left and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _asked_for_less(config: pytest.Config) -> Iterator[str]:
    """The filters that somebody typed; and, wherever it stands, the one that skips whole files."""
    if config.getoption("lf", None):
        yield "--lf leaves files out"
    typed = [str(arg) for arg in config.invocation_params.args]
    for name, spelled in FILTERS.items():
        if config.getoption(name, None) and any(re.match(spelled, arg) for arg in typed):
            yield f"--{name} leaves tests out"


def _write_claims(file: Path, run: "GoldenRun", gaps: list[str]) -> None:
    """What the tests of the project around the working folder claim, and why it may be less."""
    project = run.home(run.config.invocation_params.dir)
    if not _whole(run.config, project):
        gaps.append("only some paths were asked for")
    ids = [id for id, _ in _present(project)]
    for begin in _unseen(run, project):
        if any(id.startswith(begin) for id in ids):
            gaps.append(f"{begin.removeprefix(BY_TESTS)} was not collected")
    told = {"claims": sorted(run.claims.get(str(project.root), ())), "gaps": gaps}
    try:
        file.write_text(json.dumps(told), encoding="ascii", newline="\n")
    except OSError as error:
        why = error.strerror or type(error).__name__
        pytest.exit(
            f"--golden-claims: {file} cannot be written: {why}", pytest.ExitCode.USAGE_ERROR
        )


def _whole(config: pytest.Config, project: Project) -> bool:
    """Whether the run was asked for all of the project: for it, a folder around it, or nothing."""
    if config.args_source is config.ArgsSource.TESTPATHS:
        return config.rootpath == project.root
    asked = [os.path.abspath(config.invocation_params.dir / arg) for arg in config.args]
    return any(project.root.is_relative_to(path) for path in asked)


def _not_collected(run: "GoldenRun", project: Project) -> list[Verdict]:
    """The files of cases that settings name and pytest has not found: no case of theirs has run.

    What an option or a conftest.py leaves out by name was not asked for.
    """
    found: list[Verdict] = []
    for file in project.files:
        if str(file) in run.case_files or _left_out(run, file):
            continue
        here = run.config.invocation_params.dir
        typed = file.relative_to(here).as_posix() if file.is_relative_to(here) else str(file)
        why = "its cases have not run: pytest has not collected this file"
        more = "to run it always, add it to testpaths in [tool.pytest.ini_options]"
        next = f"python -m pytest {shlex.quote(typed)}"
        id = file.relative_to(project.root).as_posix()
        found.append(Verdict(id, Status.UNCHECKED, (why, more), next))
    return found


def _left_out(run: "GoldenRun", file: Path) -> bool:
    """Whether it was left out by a wish; pytest's list of folders it never enters is none."""
    never: list[str] = run.config.getini("norecursedirs")
    left_out = [place for place in (file, *file.parents) if str(place) in run.unseen]
    return any(not any(fnmatch(place.name, one) for one in never) for place in left_out)


def _unseen(run: "GoldenRun", project: Project) -> tuple[str, ...]:
    """How the ids of tests begin that this run did not look at: nobody knows their claims."""
    inside = [Path(path) for path in run.unseen if Path(path).is_relative_to(project.root)]
    return tuple(sorted(f"{place(path, project)}/" for path in inside))


def _present(project: Project) -> list[tuple[str, bool]]:
    """The golden files; without settings, only what is a trace of ours for sure."""
    if not project.golden.is_dir() or project.golden == files.root():  # the course's own
        return []
    found = list(files.present(project.golden))
    return found if project.declared else [one for one in found if _is_trace(project, *one)]


def _is_trace(project: Project, id: str, waits: bool) -> bool:
    path = (files.pending if waits else files.fixture)(project.golden, id)
    with path.open("rb") as file:
        return FORMAT.encode() in file.read(100)


def _undecided(run: "GoldenRun", project: Project) -> list[Verdict]:
    """The pending files beside goldens that this run has compared, however little it was."""
    root = str(project.root)
    claims = run.claims.get(root, {})
    compared = {id for id, node in claims.items() if run.outcomes.get(node, set()) - {"skipped"}}
    waiting = sorted(
        id
        for id in compared | run.asserted.get(root, set())
        if files.pending(project.golden, id).is_file()
    )
    return [_waits(id, project, claimed=True) for id in waiting]


def _waits(id: str, project: Project, claimed: bool) -> Verdict:
    try:
        return undecided(id, project.golden, claimed)
    except files.GoldenError as error:
        why = f"{error.headline} [{error.code}]"
        return Verdict(id, Status.PENDING, (why, *error.evidence), error.next)


def _left(run: "GoldenRun", project: Project) -> list[Verdict]:
    found: list[Verdict] = []
    claims = Claims(frozenset(run.claims.get(str(project.root), ())))
    stale = frozenset(_stale(run, project, claims))
    unseen, cases = _unseen(run, project), _cases(project)
    for id, waits in _present(project):
        if waits:
            of_test = id.startswith(BY_TESTS) and (id in claims or id.startswith(unseen))
            of_case = not id.startswith(BY_TESTS) and (cases is None or id in cases)
            found.append(_waits(id, project, of_test or of_case))
        elif id in stale:
            path = files.fixture(project.golden, id)
            why = f"no snapshot claims {path}: {claims.of(id)} passed without it"
            found.append(Verdict(id, Status.UNCLAIMED, (why,), f"git rm {shlex.quote(str(path))}"))
        elif id.startswith(BY_TESTS) and not (id in claims or id.startswith(unseen)):
            why = f"no test claims {files.fixture(project.golden, id)}"
            found.append(Verdict(id, Status.UNCLAIMED, (why,), "golden prune"))
        elif not id.startswith(BY_TESTS) and cases is not None and id not in cases:
            found.append(_of_no_case(id, project))
    return found


def _stale(run: "GoldenRun", project: Project, claims: Claims) -> Iterator[str]:
    """Further traces that their test has not asked for, though it has run to its end and passed."""
    root = str(project.root)
    asserted = run.asserted.get(root, ())
    for id, waits in _present(project):
        test = claims.of(id)
        if waits or test in (None, id) or id in asserted:
            continue
        if run.outcomes.get(run.claims[root][test]) == {"passed"}:
            yield id


def _cases(project: Project) -> Collection[str] | None:
    """The ids of the project's cases; None if they cannot be loaded, which is told elsewhere."""
    try:
        return project.cases()
    except ProjectError:
        return None


def _of_no_case(id: str, project: Project) -> Verdict:
    path = files.fixture(project.golden, id)
    if project.files:
        return Verdict(id, Status.UNCLAIMED, (f"no case claims {path}",), "golden prune")
    why = f"no case claims {path}", f"no [tool.curriculum] of {project.root} names files of cases"
    return Verdict(id, Status.UNCLAIMED, why, "golden guide")
