"""Groups of commands: an unknown name is answered with the nearest one."""

import click


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
