"""`curriculum policies`, `curriculum policy`: what may be left out of a request, as files."""

import shlex

import click

from .groups import NearGroup
from .options import looks, print_json

LIMITS = (
    *("max_input_chars", "max_input_tokens", "max_tool_output_chars"),
    *("output_reserve", "capacity", "max_messages"),
)
EXAMPLE = "curriculum policy check pools --budget max_input_chars=3000"


@click.command()
@looks
def policies(plain: bool, as_json: bool) -> None:
    """List the policies that come with the package."""
    from curriculum.context.policy_registry import every_policy
    from curriculum.view.policies import policy_data, show_policies
    from curriculum.view.screen import Screen

    known = every_policy()
    if as_json:
        print_json([policy_data(one) for one in known])
        return
    screen = Screen(plain)
    show_policies(screen, known)
    screen.line("next: ", ("code", f"curriculum policy show {known[0].policy.name}"))


@click.group(cls=NearGroup)
def policy() -> None:
    """Show a policy in words, and check a file of your own.

    A policy is a TOML file: it says what stays, what goes first, and in which order.
    """


_budget = click.option(
    "--budget",
    "changes",
    multiple=True,
    metavar="LIMIT=N",
    help="A limit to judge by, as max_input_chars=3000; several times or with commas.",
)


@policy.command()
@click.argument("id", metavar="ID|FILE")
@_budget
@looks
def show(id: str, changes: tuple[str, ...], plain: bool, as_json: bool) -> None:
    """Say what a policy does: its classes, pools, ladder and terms.

    ID is a name such as pools or pools@1, FILE a .toml file. With a ceiling in --budget, shares
    are told in its unit too.
    """
    from curriculum.context.policy_registry import policy_file_of
    from curriculum.view.policies import policy_data, show_policy
    from curriculum.view.screen import Screen

    limits = limits_of(changes)
    file = policy_file_of(id)
    if as_json:
        print_json(policy_data(file, limits))
        return
    screen = Screen(plain)
    show_policy(screen, file, limits)
    screen.line("next: ", ("code", f"curriculum policy check {shlex.quote(id)}"))


@policy.command()
@click.argument("id", metavar="ID|FILE")
@_budget
@looks
def check(id: str, changes: tuple[str, ...], plain: bool, as_json: bool) -> int:
    """Name every mistake in a policy, and every dead knob.

    A dead knob is a setting that does nothing, whatever the log holds: it comes with the proof.
    Under the limits of --budget there may be more. Exit code 1 if there is one, 2 if the file
    cannot be used.
    """
    from curriculum.context.dead_knobs import dead_knobs
    from curriculum.context.policy_registry import policy_file_of
    from curriculum.view.policies import check_data, show_check
    from curriculum.view.screen import Screen

    limits = limits_of(changes)
    file = policy_file_of(id)
    knobs = sorted(dead_knobs(file.policy, limits), key=lambda knob: file.line(knob.place))
    if as_json:
        print_json(check_data(file, id, knobs, limits))
        return int(bool(knobs))
    screen = Screen(plain)
    show_check(screen, id, file, knobs, limits)
    screen.line("next: ", ("code", f"curriculum policy show {shlex.quote(id)}"))
    return int(bool(knobs))


def limits_of(changes: tuple[str, ...]) -> dict[str, int]:
    """The limits that `--budget` names. Raises `BudgetError` for one that cannot be used."""
    from curriculum.context.budget import ContextBudget

    limits = dict(_limit(change.strip()) for change in ",".join(changes).split(",") if changes)
    if {"max_input_chars", "max_input_tokens"} & limits.keys():
        ContextBudget(**limits)
    elif limits:
        ContextBudget(max_input_chars=10**12, **limits)
    return limits


def _limit(change: str) -> tuple[str, int]:
    import difflib

    from curriculum.context.unworkable import BudgetError

    name, _, value = change.partition("=")
    if name not in LIMITS:
        near = difflib.get_close_matches(name[:60], LIMITS, 1, 0.0)
        raise BudgetError(
            f"No limit is called {name[:60]!a}.",
            f"known: {', '.join(LIMITS)}",
            *(f"nearest: {limit}" for limit in near),
            code="budget-unknown-limit",
            next=EXAMPLE,
        )
    if not (value.isascii() and value.isdecimal() and len(value) < 13):
        raise BudgetError(
            f"{change[:60]!a} is no LIMIT=N with a whole number N of at most 12 digits.",
            code="budget-value",
            next=EXAMPLE,
        )
    return name, int(value)
