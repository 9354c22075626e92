"""`curriculum models`."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .options import looks, print_json

if TYPE_CHECKING:
    from curriculum.count.models import Capabilities


def models_file(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--models FILE`."""
    return click.option(
        "--models",
        "file",
        type=click.Path(),
        metavar="FILE",
        help="A TOML file with models of your own.",
    )(command)


def known_models(file: str | None) -> "Capabilities":
    """The models that come with the package, and those of a file.

    Without `file` it is the one that the project's pyproject.toml names, if it does.
    """
    from pathlib import Path

    from curriculum.count.models import shipped
    from curriculum.golden.project import find

    if file is not None:
        return shipped().with_file(file)
    project = find(Path.cwd())
    own = project.models if project else None
    return shipped().with_file(own) if own else shipped()


MOST = 10**15 - 1
"""The largest number of tokens: every reader of JSON reads it alike."""


@click.command()
@click.argument("id", required=False)
@models_file
@looks
def models(id: str | None, file: str | None, plain: bool, as_json: bool) -> None:
    """List the models that are known, or show all that is known of ID.

    Figures are dated and have a source. Models of your own come from FILE, or from the file that
    models = "FILE" under [tool.curriculum] in pyproject.toml names.
    """
    from curriculum.view.models import model_data, show_model, show_models
    from curriculum.view.screen import Screen

    known = known_models(file)
    if id is not None:
        model = known.for_model(id)
        if as_json:
            print_json(model_data(known, model))
            return
        screen = Screen(plain)
        show_model(screen, known, model)
        screen.line("next: ", ("code", f"curriculum budget {shlex.quote(model.id)}"))
        return
    if as_json:
        print_json([model_data(known, model) for model in known.models.values()])
        return
    screen = Screen(plain)
    show_models(screen, known)
    screen.line("next: ", ("code", "curriculum models gpt-4o"))
