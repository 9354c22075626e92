"""`golden`: verify and list. The commands that write are imported only when they run."""

from pathlib import Path
from typing import Any, ClassVar

import attrs
import click

from curriculum.golden import files
from curriculum.golden.cases import BY_TESTS
from curriculum.golden.files import GoldenError
from curriculum.golden.status import Status, exit_code
from curriculum.golden.verify import Verdict
from curriculum.golden.verify import verify as verify_cases
from curriculum.view.report import show_verdict
from curriculum.view.safe import many
from curriculum.view.screen import Screen

from .cases import desk
from .groups import LazyGroup
from .options import golden_folder, looks, print_json, there

DESK = {
    "record": ("golden_write:record", "Run cases and write their traces beside the goldens."),
    "diff": ("golden_look:diff", "Say how a golden differs from what waits, or two files."),
    "review": ("golden_look:review", "Look at each pending trace and decide on it."),
    "accept": ("golden_write:accept", "Make the pending traces the golden ones."),
    "reject": ("golden_write:reject", "Throw pending traces away."),
    "prune": ("golden_write:prune", "List what belongs to no case; delete it with --yes."),
    "migrate": ("golden_write:migrate", "Take traces of an older major to this one."),
    "guide": ("golden_guide:guide", "Print how to pin the traces of an agent of your own."),
}


class Desk(LazyGroup):
    """Checking needs nothing that writes or asks."""

    lazy: ClassVar = {name: (f"curriculum.cli.{at}", words) for name, (at, words) in DESK.items()}


@click.group(cls=Desk)
def golden() -> None:
    """Check traces against the checked-in ones, and record new ones."""


@golden.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@golden_folder
@looks
def verify(ids: tuple[str, ...], folder: Path | None, plain: bool, as_json: bool) -> int:
    """Run each case and compare its trace with the golden one. Reads only.

    Exit codes: 0 all hold, 1 divergence, 2 unknown id, 3 fixture missing, 4 pending or unclaimed
    file (full runs), 5 fixture unreadable or unlawful, 6 case failed, 7 could not check.
    """
    screen = Screen(plain)
    verdicts: list[Verdict] = []
    at = desk(folder)
    for found in verify_cases(at.cases, ids, at.folder):
        verdict = attrs.evolve(found, next=there(found.next, folder))
        verdicts.append(verdict)
        if not as_json:
            show_verdict(screen, verdict)
    code = exit_code([verdict.status for verdict in verdicts])
    others = 0 if ids else sum(_by_tests(*one) for one in files.present(at.folder))
    if not verdicts and not others:
        raise GoldenError(
            "Nothing was checked: there is no case, and no golden.",
            f"the cases of {at.root}",
            code="golden-nothing",
            next="golden guide",
        )
    if as_json:
        told = [_data(verdict) for verdict in verdicts]
        print_json({"desk": at.whose, "exit": code, "verdicts": told})
        return code
    files_only = (Status.PENDING, Status.UNCLAIMED)
    checked = [verdict for verdict in verdicts if verdict.status not in files_only]
    held = sum(verdict.status is Status.HOLDS for verdict in checked)
    left = len(verdicts) - len(checked)
    more = f", {left} file{'' if left == 1 else 's'} to decide on" if left else ""
    style = "good" if code == 0 else "bad"
    screen.line((style, f"{held} of {len(checked)} hold{more}"), f" (exit {code})")
    if others:
        lawful = f"and {many(others, 'golden')} that tests record, read but not run: "
        screen.line(lawful, ("code", "python -m pytest"))
    if at.note:
        screen.line(("quiet", at.note))
    return code


def _by_tests(id: str, waits: bool) -> bool:
    """A golden that a test claims is not checked here."""
    return id.startswith(BY_TESTS) and not waits


def _data(verdict: Verdict) -> dict[str, Any]:
    from curriculum.view.data import attribution_data, explanation_data

    data: dict[str, Any] = {
        "id": verdict.id,
        "status": verdict.status.code,
        "exit": verdict.status.exit,
        "evidence": list(verdict.evidence),
        "next": verdict.next,
    }
    if verdict.explanation is not None:
        data["explanation"] = explanation_data(verdict.explanation)
    if verdict.attribution is not None:
        data["attribution"] = attribution_data(verdict.attribution)
    return data


@golden.command("list")
@golden_folder
@looks
def list_(folder: Path | None, plain: bool, as_json: bool) -> None:
    """List the cases, how each stops, and whether it has a golden file."""
    at = desk(folder)
    rows = [
        {
            "id": case.id,
            "title": case.title,
            "stops": case.stops,
            "golden": files.fixture(at.folder, case.id).is_file(),
            "pending": files.pending(at.folder, case.id).is_file(),
            "desk": at.whose,
        }
        for case in at.cases.values()
    ]
    if as_json:
        print_json(rows)
        return
    screen = Screen(plain)
    for row in rows:
        state = "pending" if row["pending"] else "golden" if row["golden"] else "missing"
        style = "good" if state == "golden" else "bad"
        screen.line(
            (style, f"{state:<8} "), ("head", str(row["id"])), f"  {row['title']}",
            ("quiet", f"  (stops: {row['stops']})"), indent=9,
        )  # fmt: skip
    if at.note:
        screen.line(("quiet", at.note))
