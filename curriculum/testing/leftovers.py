"""What a run of everything leaves over: traces nobody has decided on, goldens no test claims.

A run that leaves tests out cannot know who claims what, so it calls nothing unclaimed.
"""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from curriculum.golden import files
from curriculum.golden.cases import BY_TESTS
from curriculum.golden.status import Status
from curriculum.golden.verify import Verdict

if TYPE_CHECKING:
    from .plugin import GoldenRun

FILTERS = (
    *("keyword", "markexpr", "ignore_glob", "deselect"),
    *("lf", "stepwise", "stepwise_skip", "pyargs"),
)
"""Options of pytest that leave tests out or change where they are looked for."""


def finish(run: "GoldenRun", session: pytest.Session) -> None:
    """Note what is left over, and let the run fail for it; write down the claims if asked to."""
    gaps = [*run.gaps, *_filters(run.config, run.project.root)]
    wanted: str | None = run.config.getoption("golden_claims")
    if wanted is not None:
        told = {"claims": sorted(run.claims), "gaps": gaps}
        Path(wanted).write_text(json.dumps(told), encoding="ascii")
        return
    ended_well = session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    if gaps or not ended_well or run.config.getoption("golden_record"):
        return
    if run.config.getoption("collectonly"):
        return
    run.left = _left(run)
    if run.left and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _filters(config: pytest.Config, root: Path) -> list[str]:
    """Why the run was not asked for everything."""
    found = [f"--{name}" for name in FILTERS if config.getoption(name, None)]
    whole = (config.ArgsSource.TESTPATHS, config.ArgsSource.INVOCATION_DIR)
    inside = config.invocation_params.dir not in (config.rootpath, root)
    if config.args_source not in whole or inside:
        found.append("only some paths were asked for")
    return found


def _not_looked_at(run: "GoldenRun") -> tuple[str, ...]:
    """How the ids of tests begin that this run was told to ignore: nobody knows their claims."""
    begins: list[str] = []
    for ignored in run.config.getoption("ignore") or ():
        place = (run.config.invocation_params.dir / ignored).resolve()
        if place.is_relative_to(run.project.root):
            parts = place.relative_to(run.project.root).with_suffix("").parts
            begins.append(f"{BY_TESTS}{'/'.join(parts)}/")
    return tuple(begins)


def _claimed(id: str, run: "GoldenRun") -> bool:
    """Further traces of one test end in `.1` and so on."""
    return id in run.claims or re.sub(r"\.[0-9]+\Z", "", id) in run.claims


def _left(run: "GoldenRun") -> list[Verdict]:
    found: list[Verdict] = []
    folder, unknown = run.project.golden, _not_looked_at(run)
    for id, waits in files.present(folder) if folder.is_dir() else ():
        if waits:
            next = "golden review"
            found.append(Verdict(id, Status.PENDING, ("a recorded trace waits",), next))
        elif id.startswith(BY_TESTS) and not (_claimed(id, run) or id.startswith(unknown)):
            why = f"no test claims {files.fixture(folder, id)}"
            found.append(Verdict(id, Status.UNCLAIMED, (why,), "golden prune"))
    return found
