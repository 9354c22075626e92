"""`curriculum plan`: whether files fit, and what to leave out if they do not."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from curriculum.context.headroom import Artifact, Room, Weigh
from curriculum.context.headroom import plan as planned
from curriculum.context.roles import Said, notes, roles_of
from curriculum.context.weighing import Weights, names_of, weights_of
from curriculum.count.counter import Estimate
from curriculum.count.families import family_of
from curriculum.record.errors import CurriculumError
from curriculum.view.plan_data import Report, plan_data
from curriculum.view.screen import Screen

from .models import MOST, known_models, models_file
from .options import looks, print_json
from .plan_files import Paths, pair, read_all

LONG = 2_000_000
"""Characters to count from which a terminal shows how far it is."""


def _files(option: str, name: str, text: str) -> Callable[[Any], Any]:
    return click.option(option, name, multiple=True, metavar="FILE", help=text)


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--model", metavar="M", help="The model: its window, and its tokenizer family.")
@click.option("--window", type=click.IntRange(1, MOST), metavar="N", help="The window, in tokens.")
@click.option(
    "--committed",
    type=click.IntRange(0, MOST),
    required=True,
    metavar="N",
    help="Tokens that are spoken for: prompt, tools, history, the reserve for output.",
)
@click.option("--family", default="", metavar="F", help="The tokenizer family of an exact count.")
@click.option(
    "--weights",
    multiple=True,
    metavar="W",
    help="seed, p95, exact, a counter's id or all; several times to see them side by side. seed,"
    " the default, is a rule of thumb.",
)
@_files("--history", "history", "Session history older than 2 turns (step 1).")
@_files("--stack-index", "stack_index", "An index of stack documentation (step 2).")
@_files("--skill", "skill", "A skill reference, not active unless --active names it (step 3).")
@click.option("--active", multiple=True, metavar="SKILL", help="A skill active for the lane.")
@_files(
    "--module-doc", "module_doc", "A module's doc, outside unless --affected names it (step 4)."
)
@click.option("--affected", multiple=True, metavar="MODULE", help="A module that is changed.")
@click.option(
    "--canonical",
    multiple=True,
    metavar="FILE:SUMMARY",
    help="A verbose doc, and the summary that may stand for it (step 5).",
)
@_files("--spec", "spec", "The active spec; without it every spec counts as active.")
@_files("--keep", "keep", "Never leave this file out.")
@models_file
@looks
def plan(
    files: tuple[str, ...],
    model: str | None,
    window: int | None,
    committed: int,
    family: str,
    weights: tuple[str, ...],
    canonical: tuple[str, ...],
    active: tuple[str, ...],
    affected: tuple[str, ...],
    file: str | None,
    plain: bool,
    as_json: bool,
    **lists: tuple[str, ...],
) -> None:
    """Say whether FILEs fit in what a window has left, and what to leave out.

    A file's place in the compaction is known by an option or by its path. A file named twice
    counts once; one that only an option names counts too. What a wire puts around a file is not
    counted: commit it.
    """
    capacity, family, most = _window(model, window, family, file)
    weighed, missing = _weights(weights or ("seed",), family)
    names = Paths()
    named = [names.name(path) for path in files]
    said = _said(names, lists, canonical, active, affected)
    paths = list(dict.fromkeys([*named, *said.options()]))
    if not paths:
        raise click.UsageError("A plan needs files.")
    summaries = [summary for _, summary in said.canonical]
    texts = read_all(list(dict.fromkeys([*paths, *summaries])))
    every = [_artifact(path, text) for path, text in texts.items()]
    artifacts = every[: len(paths)]
    types = {one.path: (one.type, one.why) for one in artifacts}
    roles = roles_of(types, said)
    extra = {one.path: one for one in every[len(paths) :]}
    room = Room(capacity, committed)
    with _watched(every, weighed) as watched:
        plans = [planned(artifacts, roles, watched(one.weigh), room, extra) for one in weighed]
    made = tuple(zip(weighed, plans, strict=True))
    noted = [*notes(types, said), *missing]
    if most < room.available:
        said_of = f"{model} takes at most {most} tokens of input"
        less = f"less than the {room.available} available"
        noted.append(f"{said_of}, {less}; commit what is reserved for output too")
    report = Report(room, model, tuple(artifacts), roles, made, tuple(noted))
    if as_json:
        print_json(plan_data(report))
        return
    from curriculum.view.plan import show_plan

    screen = Screen(plain)
    show_plan(screen, report)
    if all(one.bound is None for one in plans):
        more = "" if family else " --family o200k"
        screen.line("next: ", ("code", f"curriculum plan ... --weights all{more}"), indent=6)


def _weights(asked: tuple[str, ...], family: str) -> tuple[list[Weights], list[str]]:
    """The weights by their names, and what is said of one that `all` would have, if installed."""
    found: list[Weights] = []
    missing: list[str] = []
    for name in names_of(asked, family):
        try:
            found.append(weights_of(name, family))
        except CurriculumError as error:
            if error.code != "extra-missing" or "exact" in asked or "all" not in asked:
                raise
            found.append(weights_of(f"calibrated@1:{family}", family))
            missing.append(f"{family} is not counted exactly; that needs {error.next}")
    return found, missing


def _window(
    model: str | None, window: int | None, family: str, file: str | None
) -> tuple[int, str, int]:
    """The window and the family, given or those of the model, and the most input the model takes.

    Raises `CurriculumError` for a model or a family that is not known.
    """
    if family:
        family_of(family)
    if model is None:
        if window is None:
            raise click.UsageError("A plan needs a window: --model M or --window N.")
        return window, family, window
    found = known_models(file).for_model(model)
    capacity = found.window if window is None else window
    return capacity, family or found.family, found.max_input or capacity


def _said(
    names: Paths,
    lists: dict[str, tuple[str, ...]],
    canonical: tuple[str, ...],
    active: tuple[str, ...],
    affected: tuple[str, ...],
) -> Said:
    """What the options say, each file by its one name."""
    by_name = {key: tuple(map(names.name, files)) for key, files in lists.items()}
    pairs = [pair(text) for text in canonical]
    both = tuple((names.name(file), names.name(summary)) for file, summary in pairs)
    return Said(**by_name, canonical=both, active=active, affected=affected)


def _artifact(path: str, text: str) -> Artifact:
    from curriculum.count.artifact_types import recognise

    known = recognise(path, text)
    return Artifact(path, known.type, text, known.why)


@contextmanager
def _watched(
    artifacts: Sequence[Artifact], weights: Sequence[Weights]
) -> Generator[Callable[[Weigh], Weigh]]:
    """What makes weights show how far they are, if it takes long and a person looks."""
    total = len(weights) * sum(len(one.text) for one in artifacts)
    if total < LONG:
        yield lambda weigh: weigh
        return
    from curriculum.view.progress import progress

    done = 0
    with progress("Counting") as step:

        def watched(weigh: Weigh) -> Weigh:
            def count(artifact: Artifact) -> Estimate:
                nonlocal done
                done += len(artifact.text)
                found = weigh(artifact)
                if step is not None:
                    step(done, total)
                return found

            return count

        yield watched
