"""`curriculum compare`: one case under two policies, decisions side by side."""

import click

from curriculum.agent.under_policy import under_policy
from curriculum.context.policy import Policy
from curriculum.context.policy_registry import policy_of
from curriculum.golden.cases import Case, run_case
from curriculum.record.errors import CurriculumError
from curriculum.replay.policies import compare as compared
from curriculum.trace.reader import Trace
from curriculum.view.compare import comparison_data, show_comparison
from curriculum.view.screen import Screen

from .options import looks, print_json
from .run import find, limits_of


@click.command()
@click.argument("case", metavar="CASE")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="ID|FILE",
    help="A policy by its id, or a TOML file; give it twice.",
)
@click.option(
    "--budget",
    "changes",
    multiple=True,
    metavar="LIMIT=N",
    help="Change a limit for both, as max_input_chars=400; several times or with commas.",
)
@click.option("--all", "every", is_flag=True, help="Show records that are alike under both, too.")
@looks
def compare(
    case: str,
    policies: tuple[str, ...],
    changes: tuple[str, ...],
    every: bool,
    plain: bool,
    as_json: bool,
) -> None:
    """Run CASE under two policies and show where what the model sees first parts."""
    if len(policies) != 2:
        raise CurriculumError(
            f"To compare takes two policies, and {len(policies)} are named.",
            code="compare-two",
            next=f"curriculum compare {case} --policy newest-first --policy pools",
        )
    found = find(case)
    limits = limits_of(found, changes)
    left, right = (_run(found, policy_of(name), limits) for name in policies)
    made = compared(case, left, right)
    if as_json:
        print_json(comparison_data(made))
        return
    screen = Screen(plain)
    show_comparison(screen, made, every)
    screen.line("next: ", ("code", f"curriculum run {case} --policy {policies[1]}"), indent=6)


def _run(case: Case, policy: Policy, limits: dict[str, int]) -> Trace:
    """The case's trace under a policy. Raises `CurriculumError` for a loop of one's own."""
    return Trace.parse(run_case(case, under_policy(case.under(limits), policy)), policy.id)
