"""`golden record`, `accept`, `reject`, `prune`, `migrate`: the commands that write."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curriculum.golden import files
from curriculum.golden.cases import BY_TESTS
from curriculum.golden.files import GoldenError
from curriculum.view.safe import many
from curriculum.view.screen import Screen

from .cases import desk
from .options import golden_folder, looks, print_json, there

some_ids = click.argument("ids", nargs=-1, metavar="ID...", required=True)
sure = click.option("--yes", is_flag=True, help="Do it; without this it is only listed.")


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="Every case that does not hold.")
@golden_folder
@looks
def record(
    ids: tuple[str, ...], everything: bool, folder: Path | None, plain: bool, as_json: bool
) -> None:
    """Run the cases and write their traces beside the goldens.

    The golden ones stay as they are until the new ones are accepted. Each case runs twice: one
    that gives another trace the second time is refused.
    """
    from curriculum.golden.record import record, record_all

    if everything == bool(ids):
        raise click.UsageError("Give the IDs of cases, or --all for every one that does not hold.")
    files.refuse_in_ci()
    at = desk(folder)
    if everything:
        found, left = record_all(at.cases, at.folder)
        ids, paths = tuple(found), [files.pending(at.folder, id) for id in found]
    else:
        left, paths = None, record(at.cases, ids, at.folder)
    look = [f"golden review {' '.join(ids)}"]
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        look = [f"golden diff {id}" for id in dict.fromkeys(ids)]
    nexts = [there(command, folder) for command in (look if paths else ["golden verify"])]
    _written("recorded", paths, nexts, Screen(plain), as_json, left)


@click.command()
@some_ids
@golden_folder
@looks
def accept(ids: tuple[str, ...], folder: Path | None, plain: bool, as_json: bool) -> None:
    """Make the pending traces the golden ones."""
    from curriculum.golden.decide import accept

    files.refuse_in_ci()
    at = desk(folder)
    paths = accept(at.cases, ids, at.folder)
    own = [id for id in ids if not id.startswith(BY_TESTS)]
    next = f"golden verify {' '.join(own)}" if own else "python -m pytest"
    _written("accepted", paths, [there(next, folder)], Screen(plain), as_json)


@click.command()
@some_ids
@golden_folder
@looks
def reject(ids: tuple[str, ...], folder: Path | None, plain: bool, as_json: bool) -> None:
    """Throw the pending traces away. The golden ones stay as they are."""
    from curriculum.golden.decide import reject

    files.refuse_in_ci()
    at = desk(folder)
    paths = reject(at.cases, ids, at.folder)
    _written("rejected", paths, [there("golden verify", folder)], Screen(plain), as_json)


@click.command()
@sure
@golden_folder
@looks
def prune(yes: bool, folder: Path | None, plain: bool, as_json: bool) -> None:
    """List what belongs to no case; delete it with --yes.

    That is: golden and pending traces that no case claims, and temporary files of processes that
    were killed.
    """
    from curriculum.golden import prune as pruning
    from curriculum.golden.claims import by_tests

    files.refuse_in_ci()
    try:
        at = desk(folder)
    except Exception as error:
        raise GoldenError(
            "The cases cannot all be loaded, so no file can be called unclaimed.",
            f"{type(error).__name__}: {error}",
            code="golden-cases",
            next="golden list",
        ) from error
    found = pruning.strays(at.cases, at.folder, partial(by_tests, at.root))
    gone = pruning.prune(found) if yes else []
    if as_json:
        rows = [{"path": str(stray.path), "why": stray.why} for stray in found]
        print_json({"found": rows, "deleted": [str(path) for path in gone]})
        return
    screen = Screen(plain)
    for stray in found:
        word = ("bad", "deleted   ") if yes else "stray     "
        screen.line(word, f"{stray.path}  ", ("quiet", stray.why), indent=10)
    if not found:
        screen.line(("good", "clean     "), "every file belongs to a case")
    elif not yes:
        screen.line("next: ", ("code", there("golden prune --yes", folder)))


@click.command()
@click.argument("names", nargs=-1, metavar="[ID|FILE]...")
@sure
@golden_folder
@looks
def migrate(
    names: tuple[str, ...], yes: bool, folder: Path | None, plain: bool, as_json: bool
) -> None:
    """Take traces of an older major of the format to this one.

    Lists what would be written again; writes it with --yes, after the new text has passed the
    reader and the laws.
    """
    from curriculum.golden import migrate as migrating
    from curriculum.trace.events import VERSION

    files.refuse_in_ci()
    alone = bool(names) and all(Path(name).is_file() for name in names)  # files of nobody's desk
    place = desk(folder).folder
    paths = migrating.chosen(names, place if alone else files.writable_root(place))
    planned = migrating.moves(paths, migrating.STEPS)
    done = migrating.migrate(planned) if yes else []
    if as_json:
        rows = [{"path": str(move.path), "from": move.version, "to": VERSION} for move in planned]
        print_json({"migrate": rows, "written": [str(path) for path in done]})
        return
    screen = Screen(plain)
    for move in planned:
        word = "migrated  " if yes else "older     "
        screen.line(word, f"{move.path}: {move.version} -> {VERSION}")
    left = len(paths) - len(planned)
    if not planned:
        major = VERSION.split(".")[0]
        screen.line(("good", "nothing to do "), f"{many(left, 'file')} of major {major}")
    elif not yes:
        again = " ".join(("golden migrate --yes", *names))
        screen.line("next: ", ("code", there(again, folder)))


def _written(
    word: str,
    paths: Sequence[Path],
    nexts: Sequence[str],
    screen: Screen,
    as_json: bool,
    left: int | None = None,
) -> None:
    if as_json:
        data: dict[str, Any] = {"left": left} if left is not None else {}
        done = "written" if word != "rejected" else "removed"
        print_json({**data, done: [str(path) for path in paths]})
        return
    for path in paths:
        screen.line(f"{word}  ", str(path))
    if left is not None:
        screen.line("left      ", f"{many(left, 'case')} as they are: their goldens hold")
    for next in nexts:
        screen.line("next: ", ("code", next))
