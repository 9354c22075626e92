"""`curriculum progress`: how far one is."""

import click

from curriculum.course.lessons import lessons
from curriculum.course.standing import next_step
from curriculum.course.workspace import here
from curriculum.view.screen import Screen
from curriculum.view.workspace import show_standing, standing_data

from .options import looks, print_json


@click.command()
@looks
def progress(plain: bool, as_json: bool) -> None:
    """Show how far you are, exercise by exercise.

    Whoever passes the make exercise of a lesson has placed out of its predict, number and modify
    exercises. All of it stands in one text file, progress.txt, which you may copy.
    """
    work = here()
    known = work.progress()
    step = next_step(known)
    if as_json:
        print_json({"file": str(work.progress_file), **standing_data(known, lessons(), step)})
        return
    show_standing(Screen(plain), work, known, lessons(), step)
