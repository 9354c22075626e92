"""`curriculum next`: the one next step."""

import click

from curriculum.course.exercise import CODE
from curriculum.course.standing import next_step
from curriculum.course.workspace import here
from curriculum.view.screen import Screen
from curriculum.view.workspace import show_next, show_to_do, step_data

from .options import looks, print_json


@click.command("next")
@looks
def what_next(plain: bool, as_json: bool) -> None:
    """Say what to do now: one step, as a command."""
    work = here()
    step = next_step(work.progress())
    if as_json:
        print_json({"next": step_data(step)})
        return
    screen = Screen(plain)
    if step is not None and step.exercise is not None and step.exercise.kind in CODE:
        show_to_do(screen, step.exercise, work.show(work.file(step.exercise)))
    show_next(screen, step)
