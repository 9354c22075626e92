"""`curriculum budget`."""

from typing import TYPE_CHECKING

import click

from .models import MOST, known_models, models_file
from .options import looks, print_json

if TYPE_CHECKING:
    from curriculum.count.models import Capabilities, Model


TOKENS = click.IntRange(1, MOST)


@click.command()
@click.argument("model")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path())
@click.option("--directive", type=click.Path(), metavar="FILE", help="The system prompt.")
@click.option("--tools", type=click.Path(), metavar="FILE", help="The tools, as JSON.")
@click.option("--output", type=TOKENS, metavar="N", help="Tokens of output that are asked for.")
@click.option("--window", type=TOKENS, metavar="N", help="Another window, or that of a new model.")
@click.option("--family", metavar="F", help="Another tokenizer family, or that of a new model.")
@click.option("--max-output", type=TOKENS, metavar="N", help="The most that the model writes.")
@click.option(
    "--counter",
    metavar="ID",
    help="The counter instead of the best installed, as bytes@1:o200k; the families are listed"
    " by `curriculum models`.",
)
@models_file
@looks
def budget(
    model: str,
    files: tuple[str, ...],
    directive: str | None,
    tools: str | None,
    output: int | None,
    window: int | None,
    family: str | None,
    max_output: int | None,
    counter: str | None,
    file: str | None,
    plain: bool,
    as_json: bool,
) -> None:
    """Say how much of MODEL's window a request of the FILEs leaves.

    A FILE is a chat in JSON (a list of messages, or a request), or text: one user message. A MODEL
    that is not known needs --window and --family.
    """
    from curriculum.count.chat_files import read_chat
    from curriculum.count.families import family_of
    from curriculum.count.token_budget import BudgetCalculator
    from curriculum.view.budget import budget_data, show_budget
    from curriculum.view.screen import Screen

    known = known_models(file)
    chosen = _model(known, model, window, family, max_output)
    chat = read_chat(files, directive, tools)
    found = BudgetCalculator(None, known, counter=counter or "").calculate_sync(
        chosen,
        chat.messages,
        chat.directive,
        chat.tools,
        tool_choice=chat.tool_choice,
        output=chat.output if output is None else output,
    )
    if as_json:
        print_json(budget_data(found, chat.taken))
        return
    screen = Screen(plain)
    show_budget(screen, found, chat.taken)
    if counter is None and found.estimate_kind != "exact" and family_of(chosen.family).exact:
        todo = 'pip install "curriculum[exact]"'
        screen.line("next: ", ("code", todo), f"   # counts {chosen.family} exactly")


def _model(
    known: "Capabilities", name: str, window: int | None, family: str | None, output: int | None
) -> "Model":
    """The model of that name, in what the options do not say otherwise, or the one they say."""
    import attrs

    from curriculum.count.families import family_of
    from curriculum.record.errors import CurriculumError

    said = {"window": window, "family": family, "max_output": output}
    try:
        model = known.for_model(name)
    except CurriculumError:
        if window is not None and family is not None:
            return known.given(name, window, family, output)
        if window is not None or family is not None or output is not None:
            raise click.UsageError(
                "A model that is not known needs both --window and --family."
            ) from None
        raise
    if family is not None:
        family_of(family)
    return attrs.evolve(model, **{name: value for name, value in said.items() if value is not None})
