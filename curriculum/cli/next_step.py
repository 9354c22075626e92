"""`curriculum next`: the one next step."""

import click

from curriculum.course.standing import next_step
from curriculum.course.workspace import here
from curriculum.view.screen import Screen
from curriculum.view.workspace import show_next, step_data

from .options import looks, print_json


@click.command("next")
@looks
def what_next(plain: bool, as_json: bool) -> None:
    """Say what to do now: one step, as a command."""
    step = next_step(here().progress())
    if as_json:
        print_json({"next": step_data(step)})
        return
    show_next(Screen(plain), step)
