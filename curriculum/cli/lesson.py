"""`curriculum lesson`: for authors. Check a lesson; begin a new one."""

from pathlib import Path

import click

from curriculum.view.screen import Screen, fact

from .groups import NearGroup
from .options import looks, print_json

REFUSED = 1
"""The exit code where something is refused, or nothing was checked."""


@click.group(cls=NearGroup)
def lesson() -> None:
    """For authors: check that lessons are fit for learners, and begin a new one."""


@lesson.command()
@click.argument("id", required=False, metavar="[ID]")
@looks
def check(id: str | None, plain: bool, as_json: bool) -> int:
    """Check the lesson ID, such as s06, or all: is it fit for learners?

    Starters fail as they are meant to, solutions pass, no answer passes that was given without a
    look, each wrong harness is told from the others, numbers in the text have a source, and so
    on. What was checked is counted. Exit code: 0 all hold, 1 something is refused.
    """
    from curriculum.course.authoring import Report
    from curriculum.course.lesson_check import check_lesson
    from curriculum.view.lesson_check import show_report, show_sum

    screen = Screen(plain)
    reports: list[Report] = []
    for folder in _folders(id):
        reports.append(check_lesson(folder))
        if not as_json:
            show_report(screen, reports[-1])
            screen.out.flush()
    total = sum(report.total for report in reports)
    if as_json:
        print_json({"lessons": [report.data() for report in reports], "total": total})
    else:
        show_sum(screen, reports)
    return REFUSED if any(report.refusals for report in reports) or not total else 0


def _folders(id: str | None) -> list[Path]:
    """The folders that are meant. Raises `CurriculumError`: unknown, or only installed."""
    import difflib

    from curriculum.course.lessons import folders, installed
    from curriculum.record.errors import CurriculumError

    if installed():
        raise CurriculumError(
            "The lessons here are installed; they are checked in a checkout, with their sources.",
            code="lesson-installed",
            next="curriculum doctor",
        )
    known = {folder.name.replace("_", "-"): folder for folder in folders()}
    if id is None:
        return list(known.values())
    found = [folder for name, folder in known.items() if id in (name, name.partition("-")[0])]
    if found:
        return found
    near = difflib.get_close_matches(id, list(known), 1, 0.0)
    raise CurriculumError(
        f"No lesson is called {id!r}.",
        *(f"nearest: {name}" for name in near),
        code="unknown-lesson",
        next="curriculum lesson new sNN-NAME",
    )


@lesson.command()
@click.argument("id")
@click.option("--title", default="", metavar="TEXT", help="What the lesson is called.")
@looks
def new(id: str, title: str, plain: bool, as_json: bool) -> None:
    """Begin the lesson ID, such as s07-artifact-handles: a folder with all that a lesson needs.

    It runs as it is; what is still to be written says TODO, and `curriculum lesson check ID`
    says what is missing. Nothing that exists is written over.
    """
    from curriculum.course.skeleton import begin

    made = begin(id, title)
    next = f"curriculum lesson check {id}"
    if as_json:
        print_json(
            {"folder": str(made.folder), "files": list(made.files), "to_do": made.to_do}
            | {"next": next}
        )
        return
    screen = Screen(plain)
    screen.line(("good", "made: "), str(made.folder), indent=6)
    for name in made.files:
        screen.line(f"  {name}", indent=4)
    fact(screen, "to do", f"{made.to_do} lines say TODO")
    fact(screen, "then", f"golden record {id} && golden review {id}")
    screen.line("next: ", ("code", next), indent=6)
