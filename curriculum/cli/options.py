"""Options that every command has."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def looks(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--plain` and `--json`."""
    plain = click.option("--plain", is_flag=True, help="One fact a line, ASCII, no colour.")
    data = click.option("--json", "as_json", is_flag=True, help="The same facts as JSON.")
    return plain(data(command))


def golden_folder(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--golden PATH`."""
    return click.option(
        "--golden",
        "folder",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="PATH",
        help="The folder of golden traces, instead of the one that belongs to the cases.",
    )(command)


def print_json(value: Any) -> None:
    """Print `value` as JSON: ASCII, sorted keys, one newline at the end."""
    import json

    click.echo(json.dumps(value, indent=1, sort_keys=True))
