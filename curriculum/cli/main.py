"""`curriculum`: the commands, each imported only when it runs."""

import sys
from importlib import import_module

import click

COMMANDS = {
    "lessons": ("curriculum.cli.lessons:lessons", "List the lessons and their cases."),
    "run": ("curriculum.cli.run:run", "Run a lesson's case and show what the model saw."),
    "trace": ("curriculum.cli.trace:trace", "Show, check, rebuild and compare traces."),
    "golden": ("curriculum.cli.golden:golden", "Check traces against the checked-in ones."),
}


class LazyGroup(click.Group):
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name for one that is unknown."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], list(COMMANDS), 1, 0.0)[0]
            ctx.fail(f"No command is called {args[0]!r}. Nearest: curriculum {near}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, invoke_without_command=True)
@click.pass_context
def curriculum(ctx: click.Context) -> None:
    """What a coding agent's harness shows its model: run it, predict it, check it."""
    if ctx.invoked_subcommand is None:
        from .greeting import greet

        greet()


def main() -> None:
    """Entry point of the command line."""
    from .ending import run_command

    sys.exit(run_command(curriculum, "curriculum"))
