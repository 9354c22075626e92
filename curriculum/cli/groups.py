"""Groups of commands: an unknown name is answered with the nearest one."""

from importlib import import_module
from typing import ClassVar

import click

SHORT = 66
"""Characters of a line of help that says what a command does."""


class UnknownCommand(click.UsageError):
    """No command has this name; `evidence` says which is nearest."""

    evidence: tuple[str, ...] = ()


class NearGroup(click.Group):
    """A group that suggests. The command to run next is the group's own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order they were added: the one a newcomer needs comes first."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name for one that is unknown."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], known, 1, 0.0)
            error = UnknownCommand(f"No command is called {args[0]!r}.", ctx)
            error.evidence = tuple(f"nearest: {ctx.command_path} {name}" for name in near)
            raise error
        return super().resolve_command(ctx, args)


class LazyGroup(NearGroup):
    """A group that knows some commands by name only, and imports one to run it.

    `lazy` says for each where it is, as MODULE:NAME, and what it does.
    """

    lazy: ClassVar[dict[str, tuple[str, str]]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order a newcomer needs them."""
        return [*self.commands, *self.lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.lazy[cmd_name][0].partition(":")
        return getattr(import_module(module), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        here = [(name, one.get_short_help_str(SHORT)) for name, one in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*here, *((name, text) for name, (_, text) in self.lazy.items())])
