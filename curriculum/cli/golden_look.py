"""`golden diff` and `golden review`: what changed, for the person who decides."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

import click

from curriculum.golden import files
from curriculum.golden.cases import BY_TESTS, Case
from curriculum.golden.compare import (
    Comparison,
    Side,
    compare,
    first_to_look_at,
    golden_and_new,
    golden_and_pending,
    two_files,
)
from curriculum.golden.files import GoldenError
from curriculum.golden.record import check_lawful, unknown
from curriculum.golden.review import KEYS, Look, look_at, to_review
from curriculum.golden.review import review as go_through
from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace
from curriculum.trace.versions import Versions
from curriculum.view.review import (
    look_data,
    show_change,
    show_error,
    show_look,
    show_requests,
    show_summary,
    summary_data,
)
from curriculum.view.safe import many
from curriculum.view.screen import Screen, fact
from curriculum.view.versions import show_versions, versions_data

from .cases import desk
from .options import golden_folder, looks, print_json, there


@click.command()
@click.argument("names", nargs=-1, metavar="ID | FILE FILE", required=True)
@click.option("--requests", is_flag=True, help="Show each request that changed, by record.")
@golden_folder
@looks
def diff(
    names: tuple[str, ...], requests: bool, folder: Path | None, plain: bool, as_json: bool
) -> int:
    """Explain how a golden differs from its pending trace.

    If none waits: from what the case gives now. With two files: how the second differs from the
    first. A pending trace without a golden is summed up. Exit code 1 if they differ.
    """
    at = desk(folder)
    known = at.cases
    if len(names) == 1 and (names[0] in known or names[0].startswith(BY_TESTS)):
        new = first_to_look_at(names[0], at.folder)
        if new is not None:
            return _new(names[0], new, folder, requests, Screen(plain), as_json)
    match names:
        case (old, new):
            expected, got = two_files(old, new)
        case (id,) if id in known:
            expected, got = golden_and_new(known[id], at.folder)
        case (id,) if id.startswith(BY_TESTS):
            expected, got = golden_and_pending(id, at.folder)
        case (id,):
            raise unknown(id, known)
        case _:
            raise click.UsageError("Give one ID, or two files.")
    found = compare(known, expected, got)
    if as_json:
        print_json({"expected": expected.name, "got": got.name, **_data(found)})
        return int(not found.same)
    screen = Screen(plain)
    _show(screen, expected, got, found)
    if requests and found.explanation is not None:
        changed = found.explanation.changed
        versions = Versions(found.expected, found.got)
        show_versions(screen, versions, changed, ("expected", "got"))
    return int(not found.same)


def _new(
    id: str, new: Side, folder: Path | None, requests: bool, screen: Screen, as_json: bool
) -> int:
    """A pending trace that has no golden yet: what it holds, and how to go on."""
    trace = Trace.parse_bytes(new.data, new.name)
    check_lawful(id, trace)
    if as_json:
        print_json({"differs": True, "new": True, "got": new.name, "summary": summary_data(trace)})
        return 1
    screen.line(("bad", "NEW       "), f"{new.name}: there is no golden yet", indent=10)
    show_summary(screen, trace)
    if requests:
        show_requests(screen, trace)
        screen.gap()
    fact(screen, "next", f"curriculum trace show {new.name}")
    fact(screen, "then", there(f"golden accept {id}", folder))
    return 1


def _show(screen: Screen, expected: Side, got: Side, found: Comparison) -> None:
    between = f"{expected.name} -> {got.name}"
    if found.same:
        count = many(len(found.got.events), "event")
        screen.line(("good", "same      "), f"{between}: {count}, byte for byte", indent=10)
        return
    from curriculum.view.explanation import show_explanation

    screen.line(("bad", "DIFFERENT "), between, indent=10)
    assert found.explanation is not None
    if not found.explanation.causes and not found.explanation.facts:
        screen.line("  no fact differs, only how the file spells them")
        return
    show_explanation(screen, found.explanation, found.attribution)


def _data(found: Comparison) -> dict[str, Any]:
    from curriculum.view.data import attribution_data, explanation_data

    data: dict[str, Any] = {"differs": not found.same}
    if found.explanation is not None:
        data.update(explanation_data(found.explanation))
        versions = Versions(found.expected, found.got)
        data["request_changes"] = versions_data(versions, found.explanation.changed)
    if found.attribution is not None:
        data["attribution"] = attribution_data(found.attribution)
    return data


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@golden_folder
@looks
def review(ids: tuple[str, ...], folder: Path | None, plain: bool, as_json: bool) -> int:
    """Look at each pending trace, and accept, reject or skip it.

    The explanation comes first; then one key and Enter decide. ? lists the keys. --json lists
    what waits and asks nothing. Exit code 4 if something still waits.
    """
    if not as_json:
        files.refuse_in_ci()
    at = desk(folder)
    known, place = at.cases, at.folder
    todo = to_review(known, ids, place)
    if as_json:
        seen = [look_at(known, id, place) for id in todo]
        rows = [look_data(look) for look in seen if look is not None]
        print_json({"exit": 4 if rows else 0, "waiting": rows})
        return 4 if rows else 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise _needs_terminal(todo, folder)
    screen = Screen(plain)
    if not todo:
        screen.line(("good", "nothing waits"))
        return 0
    outcome = go_through(known, ids, Terminal(screen, known), place)
    counts = f"{len(outcome.accepted)} accepted, {len(outcome.rejected)} rejected"
    screen.line(f"{counts}, {len(outcome.left)} still waiting")
    return 4 if outcome.left else 0


def _needs_terminal(todo: list[str], folder: Path | None) -> GoldenError:
    verbs = ("diff", "accept", "reject")
    commands = [there(f"golden {verb} {id}", folder) for id in todo for verb in verbs]
    return GoldenError(
        "golden review asks questions, so it needs a terminal.",
        *(commands or ["nothing waits"]),
        code="golden-review-needs-terminal",
        next="golden review --json",
    )


class Terminal:
    """A desk at a terminal: shows on the screen, asks for one line."""

    def __init__(
        self, screen: Screen, known: Mapping[str, Case], given: TextIO | None = None
    ) -> None:
        self.screen, self.known, self.given = screen, known, given or sys.stdin

    def show(self, look: Look, number: int, total: int) -> None:
        """Show the explanation, or the summary of a new trace."""
        show_look(
            self.screen, look, number, total, look.id in self.known or look.id.startswith(BY_TESTS)
        )

    def request(self, look: Look) -> None:
        """Show the first request that changed, or the requests of a new trace."""
        show_change(self.screen, look)

    def say(self, text: str, error: CurriculumError | None = None) -> None:
        """Say one line, or why something was refused."""
        if error is not None:
            show_error(self.screen, error)
        else:
            self.screen.line(f"  {text}")

    def ask(self, id: str) -> str | None:
        """One line of input; None at its end."""
        self.screen.out.write(f"  accept this? [{'/'.join(KEYS)}] ")
        self.screen.out.flush()
        line = self.given.readline()
        if not line:
            self.screen.gap()
        return line or None
