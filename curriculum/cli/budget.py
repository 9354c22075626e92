"""`curriculum budget`."""

from typing import TYPE_CHECKING

import click

from .models import known_models, models_file
from .options import looks, print_json

if TYPE_CHECKING:
    from curriculum.count.models import Capabilities, Model


@click.command()
@click.argument("model")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path())
@click.option("--directive", type=click.Path(), metavar="FILE", help="The system prompt.")
@click.option("--tools", type=click.Path(), metavar="FILE", help="The tools, as JSON.")
@click.option("--output", type=int, metavar="N", help="Tokens of output that are asked for.")
@click.option("--window", type=int, metavar="N", help="The window of a model not known.")
@click.option("--family", metavar="F", help="The tokenizer family of a model not known.")
@click.option("--max-output", type=int, metavar="N", help="The most that it writes.")
@click.option("--counter", metavar="ID", help="The counter, instead of the best installed.")
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

    A FILE is a chat in JSON (a list of messages, or a request), or text: one user message.
    """
    from curriculum.count.chat_files import read_chat
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
    show_budget(Screen(plain), found, chat.taken)


def _model(
    known: "Capabilities", name: str, window: int | None, family: str | None, output: int | None
) -> "Model":
    """The model of that name, or the one that the options say."""
    if window is None and family is None and output is None:
        return known.for_model(name)
    if window is None or family is None:
        raise click.UsageError("A model that is not known needs both --window and --family.")
    return known.given(name, window, family, output)
