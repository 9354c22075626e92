"""`curriculum reset`: begin an exercise again. What was there is kept."""

import click

from curriculum.course.exercises import all_exercises, exercise_of
from curriculum.course.standing import command_of
from curriculum.course.workspace import here
from curriculum.course.workspace import reset as reset_in
from curriculum.view.screen import Screen, fact

from .options import looks, print_json


@click.command()
@click.argument("ids", nargs=-1, metavar="[EX]...")
@click.option("--all", "everything", is_flag=True, help="Every exercise.")
@looks
def reset(ids: tuple[str, ...], everything: bool, plain: bool, as_json: bool) -> None:
    """Put the starter of the exercise EX back, and forget how it went.

    Your file, your predictions and a copy of your progress are moved to a new folder in backup/.
    """
    if everything == bool(ids):
        raise click.UsageError("Give the exercise to begin again, or --all for every one.")
    work = here()
    wanted = list(all_exercises().values()) if everything else [exercise_of(id) for id in ids]
    backup, done = reset_in(work, wanted)
    names = [exercise.id for exercise in done]
    if as_json:
        print_json({"reset": names, "backup": str(backup)})
        return
    screen = Screen(plain)
    if not names:
        screen.line(("good", "nothing to reset: "), "all of it is as it came", indent=18)
    else:
        screen.line(("good", "reset: "), ", ".join(names), indent=7)
        fact(screen, "kept", f"what was there is in {work.show(backup)}")
    next = command_of(done[0]) if len(done) == 1 else "curriculum next"
    screen.line("next: ", ("code", next))
