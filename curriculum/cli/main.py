"""`curriculum`: the commands, each imported only when it runs."""

import sys
from importlib import import_module

import click

from .groups import NearGroup
from .options import looks

COMMANDS = {
    "lessons": ("curriculum.cli.lessons:lessons", "List the lessons and their cases."),
    "run": ("curriculum.cli.run:run", "Run a lesson's case and show what the model saw."),
    "trace": ("curriculum.cli.trace:trace", "Show, check, rebuild and compare traces."),
    "golden": ("curriculum.cli.golden:golden", "Check traces against the checked-in ones."),
}


class LazyGroup(NearGroup):
    """A group that knows its commands by name and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        return getattr(import_module(module), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, invoke_without_command=True)
@looks
@click.version_option(package_name="curriculum", message="%(prog)s %(version)s")
@click.pass_context
def curriculum(ctx: click.Context, plain: bool, as_json: bool) -> None:
    """What a coding agent's harness shows its model: run it, predict it, check it."""
    command = ctx.invoked_subcommand
    if command is None:
        from .greeting import greet

        greet(plain, as_json)
    elif plain or as_json:
        option = "--plain" if plain else "--json"
        ctx.fail(f"{option} stands after the command: curriculum {command} ... {option}")


def main() -> None:
    """Entry point of the command line."""
    from .ending import run_command

    sys.exit(run_command(curriculum, "curriculum"))
