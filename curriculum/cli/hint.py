"""`curriculum hint`: one hint more, of three."""

import click

from curriculum.course.exercise import Kind
from curriculum.course.exercises import exercise_of
from curriculum.course.progress import update
from curriculum.course.standing import command_of
from curriculum.course.workspace import find
from curriculum.view.screen import Screen

from .options import looks, print_json

STEPS = ("where to look", "which rule", "a case beside it")
"""What each of the three hints is about."""


@click.command()
@click.argument("id", metavar="EX")
@click.option("--step", type=click.IntRange(1, 3), metavar="N", help="Up to this one, 1 to 3.")
@looks
def hint(id: str, step: int | None, plain: bool, as_json: bool) -> None:
    """Show one hint more for the exercise EX, and those before it.

    First where to look, then which rule applies, then a worked case beside it. Taking one is
    written down in your progress, and costs nothing.
    """
    exercise = exercise_of(id)
    work = find()
    taken = work.progress().of(exercise.id).hints if work is not None else 0
    now = step or min(3, taken + 1)
    if work is not None:
        update(work.progress_file, lambda known: known.hinted(exercise.id, now))
    more = f"curriculum hint {exercise.id}" + (f" --step {now + 1}" if work is None else "")
    next = command_of(exercise)
    if as_json:
        print_json({"exercise": exercise.id, "hints": exercise.hints[:now], "of": 3, "next": next})
        return
    screen = Screen(plain)
    screen.line(("head", exercise.id), f"  {exercise.title}", indent=4)
    for number, text in enumerate(exercise.hints[:now], 1):
        screen.line(f"  {number} of 3 ", ("quiet", f"{STEPS[number - 1]}: "), text, indent=9)
    if exercise.kind is Kind.MODIFY:
        seen = f"curriculum check {exercise.id} --trace run.jsonl"
        screen.line(("quiet", f"  to have your run in a file: {seen}"))
    if now < 3:
        screen.line(("quiet", f"  one more: {more}"))
    screen.line("next: ", ("code", next))
