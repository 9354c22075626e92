"""`curriculum`: the commands, each imported only when it runs."""

import sys

import click

from .groups import LazyGroup
from .options import looks

COMMANDS = {
    "start": ("curriculum.cli.start:start", "Take the tour, or make a folder to work in."),
    "next": ("curriculum.cli.next_step:what_next", "Say what to do now: one step."),
    "lessons": ("curriculum.cli.lessons:lessons", "List the lessons and their cases."),
    "read": ("curriculum.cli.read:read", "Read a lesson, up to its first exercises."),
    "run": ("curriculum.cli.run:run", "Run a lesson's case and show what the model saw."),
    "predict": ("curriculum.cli.predict:predict", "Predict a run, then see where you part."),
    "check": ("curriculum.cli.check:check", "Look at your code for an exercise."),
    "watch": ("curriculum.cli.watch:watch", "Look at your code again on every save."),
    "hint": ("curriculum.cli.hint:hint", "Show one hint more, of three."),
    "solution": ("curriculum.cli.solution:solution", "Show the course's answer beside yours."),
    "progress": ("curriculum.cli.progress:progress", "Show how far you are."),
    "reset": ("curriculum.cli.reset:reset", "Begin an exercise again; yours is kept."),
    "doctor": ("curriculum.cli.doctor:doctor", "Say whether everything is here that is needed."),
    "compare": ("curriculum.cli.compare:compare", "Run a case under two policies, side by side."),
    "models": ("curriculum.cli.models:models", "List what is known of each model's window."),
    "budget": ("curriculum.cli.budget:budget", "Say how much of a model's window is left."),
    "wire": ("curriculum.cli.wire:wire", "List the formats of requests, and check a request."),
    "policies": (
        "curriculum.cli.policies:policies",
        "List the policies, which choose what is sent.",
    ),
    "policy": ("curriculum.cli.policies:policy", "Show a policy in words, and check a file."),
    "trace": ("curriculum.cli.trace:trace", "Show, check, rebuild and compare traces."),
    "plan": ("curriculum.cli.plan:plan", "Say whether files fit, and what to leave out."),
    "measure": (
        "curriculum.cli.measure:measure",
        "Count a folder's texts, and see which estimates are too low.",
    ),
    "lesson": ("curriculum.cli.lesson:lesson", "For authors: check a lesson, begin a new one."),
    "golden": ("curriculum.cli.golden:golden", "Check traces against the checked-in ones."),
}


class Curriculum(LazyGroup):
    """Every command is imported only when it runs."""

    lazy = COMMANDS


@click.group(cls=Curriculum, invoke_without_command=True)
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
