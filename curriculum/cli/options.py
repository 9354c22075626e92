"""Options that every command has."""

import re
import shlex
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click


def looks(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--plain` and `--json`."""
    plain = click.option("--plain", is_flag=True, help="One fact a line, ASCII, no colour.")
    data = click.option("--json", "as_json", is_flag=True, help="The same facts as JSON.")
    return plain(data(command))


def golden_folder(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--golden PATH`. What an error says to run next gets the same folder.

    Without it, a command in a folder with goldens of nobody's project is refused.
    """

    @wraps(command)
    def run(*args: Any, folder: Path | None, **named: Any) -> Any:
        if folder is None:
            from .cases import refuse_strangers

            refuse_strangers(named.get("ids") or named.get("names") or ())
        try:
            return command(*args, folder=folder, **named)
        except Exception as error:
            said: Any = error
            if isinstance(getattr(error, "next", None), str):
                said.next = there(said.next, folder)
            raise

    return click.option(
        "--golden",
        "folder",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="PATH",
        help="The folder of golden traces, instead of the one that belongs to the cases.",
    )(run)


def there(command: str, folder: Path | None) -> str:
    """The command to run next, with the folder that this one was given."""
    if folder is None:
        return command
    return re.sub(
        r"\bgolden (verify|list|record|diff|review|accept|reject|prune|migrate)\b",
        lambda match: f"{match[0]} --golden {shlex.quote(str(folder))}",
        command,
    )


def print_json(value: Any) -> None:
    """Print `value` as JSON: ASCII, sorted keys, one newline at the end."""
    import json

    click.echo(json.dumps(value, indent=1, sort_keys=True))
