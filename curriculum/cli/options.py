"""Options that every command has."""

from collections.abc import Callable
from typing import Any

import click


def looks(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--plain` and `--json`."""
    plain = click.option("--plain", is_flag=True, help="One fact a line, ASCII, no colour.")
    data = click.option("--json", "as_json", is_flag=True, help="The same facts as JSON.")
    return plain(data(command))


def print_json(value: Any) -> None:
    """Print `value` as JSON: ASCII, sorted keys, one newline at the end."""
    import json

    click.echo(json.dumps(value, indent=1, sort_keys=True))
