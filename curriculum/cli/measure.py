"""`curriculum measure`: what the texts of a folder cost, and which estimates are too low."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from curriculum.record.errors import CurriculumError

from .options import looks, print_json

new_file = click.Path()


@click.command()
@click.argument("folder")
@click.option(
    "--family",
    "families",
    multiple=True,
    default=("o200k",),
    show_default=True,
    metavar="F",
    help="A tokenizer family; several times for several.",
)
@click.option("--csv", type=new_file, metavar="NEW", help="Write the tables to this new file.")
@click.option("--svg", type=new_file, metavar="NEW", help="Draw the shares to this new file.")
@click.option(
    "--calibrate", type=new_file, metavar="NEW", help="Write calibrated figures to this new file."
)
@click.option("--corpus", default="not described", help="What the files are, for --calibrate.")
@click.option("--date", default="not given", help="When it was done, for --calibrate.")
@looks
def measure(
    folder: str,
    families: tuple[str, ...],
    csv: str | None,
    svg: str | None,
    calibrate: str | None,
    corpus: str,
    date: str,
    plain: bool,
    as_json: bool,
) -> None:
    """Count the tokens of every text in FOLDER, and compare estimates with them.

    Texts are told apart by their content and by what artifact they are. It needs the exact extra:
    pip install "curriculum[exact]". No file is written over.
    """
    from curriculum.count import calibration
    from curriculum.count.measure import Halves, figures, measure
    from curriculum.view import measure as view
    from curriculum.view.measure_files import measured_csv, measured_svg
    from curriculum.view.progress import progress
    from curriculum.view.screen import Screen

    _free({"--csv": csv, "--svg": svg, "--calibrate": calibrate})
    samples: dict[str, dict[str, Halves]] | None = {} if calibrate else None
    with progress("measuring") as step:
        try:
            report = measure(folder, families, step, samples)
        except CurriculumError as error:
            if error.code == "family-not-exact":
                error.next = f"curriculum measure {shlex.quote(folder)} --family o200k"
            raise
    found = figures(samples or {})
    written: list[str] = []
    if csv:
        _write(csv, measured_csv(report), written)
    if svg:
        _write(svg, measured_svg(report), written)
    if calibrate:
        _write(calibrate, calibration.spelled(found, corpus, date), written)
    if as_json:
        print_json(view.measured_data(report, found, written))
        return
    screen = Screen(plain)
    view.show_measured(screen, report)
    view.show_figures(screen, found)
    for path in written:
        screen.line(("good", "written   "), path, indent=10)
    if not written:
        next = f"curriculum measure {shlex.quote(folder)} --svg measured.svg"
        screen.line("next: ", ("code", next), indent=6)


def _free(wanted: Mapping[str, str | None]) -> None:
    """Refuse before the work what could not be written after it."""
    named = [path for path in wanted.values() if path]
    if len({os.path.abspath(path) for path in named}) < len(named):
        raise click.UsageError("Each file to write needs a path of its own.")
    for path in named:
        if os.path.lexists(path):
            raise CurriculumError(
                f"{path} exists; no file is written over.",
                code="export-exists",
                next="choose another path",
            )
        if not Path(path).absolute().parent.is_dir():
            raise CurriculumError(
                f"{path} cannot be written: there is no such folder.",
                code="export-write",
                next=f"mkdir -p {shlex.quote(str(Path(path).parent))}",
            )


def _write(path: str, text: str, written: list[str]) -> None:
    """Write it whole or not at all; if that fails, say which files were written before."""
    from .export import write_new

    try:
        write_new(path, text.encode("utf-8"))
    except (CurriculumError, KeyboardInterrupt) as error:
        lines = [f"done, and whole: {done}" for done in written]
        if isinstance(error, CurriculumError):
            error.evidence = (*error.evidence, *lines)
        raise
    written.append(path)
