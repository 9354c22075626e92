"""`curriculum trace repair` and `repeats`: a log that was cut off, a run that goes in circles."""

import shlex
from pathlib import Path

import click

from curriculum.view.safe import many
from curriculum.view.screen import Screen

from .options import looks, print_json


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "-o", "--output", required=True, type=click.Path(), help="Write the trace to this new file."
)
@looks
def repair(file: str, output: str, plain: bool, as_json: bool) -> None:
    """Bring FILE, cut off anywhere, to a lawful end in a new file.

    Each call has one result afterwards. Every change is named, and FILE stays as it is.
    """
    from curriculum.replay.repair import repair as repaired_of
    from curriculum.trace.errors import TraceError

    from .run import write_new

    try:
        data = Path(file).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is no file name"
        raise TraceError(f"{file} cannot be read: {why}.", code="trace-missing") from None
    made = repaired_of(data, file)
    write_new(output, made.text)
    if as_json:
        changes = [{"what": one.what, "at": one.at, "says": one.says} for one in made.repairs]
        print_json({"written": output, "repairs": changes, "left": list(made.left)})
        return
    screen = Screen(plain)
    for one in made.repairs:
        screen.line(("bad", f"{one.what:<24}"), f"{one.at:>5}  {one.says}", indent=31)
    for said in made.left:
        screen.line(("quiet", "left as it is"), f"  {said}", indent=15)
    count = many(len(made.repairs), "change") if made.repairs else "nothing to repair"
    screen.line(("good", "written   "), f"{output}: {count}", indent=10)
    screen.line("next: ", ("code", f"curriculum trace validate {shlex.quote(output)}"), indent=6)


@click.command()
@click.argument("file", type=click.Path())
@click.option("--same-result", metavar="N", type=int, help="Same calls, same results; 0: never.")
@click.option("--same-error", metavar="N", type=int, help="Same tools, same failures; 0: never.")
@click.option("--alternation", metavar="N", type=int, help="Two steps in turn; 0: never.")
@looks
def repeats(
    file: str,
    same_result: int | None,
    same_error: int | None,
    alternation: int | None,
    plain: bool,
    as_json: bool,
) -> int:
    """Say where the run in FILE goes round in circles. Exit code 1 if it does."""
    from curriculum.record.repeats import Repeats
    from curriculum.trace.repeat_laws import repeats as repeats_of

    from .trace import read_trace, reading

    given = {"same_result": same_result, "same_error": same_error, "alternation": alternation}
    limits = Repeats(**{name: most for name, most in given.items() if most is not None})
    read = read_trace(file)
    with reading(read):
        found = repeats_of(read, limits)
    if as_json:
        loops = [{"after": seq, "rule": one.rule, "steps": one.steps} for seq, one in found]
        print_json({"limits": limits.limits, "repeats": loops})
        return int(bool(found))
    screen = Screen(plain)
    for seq, one in found:
        says = f"{one.steps} steps in a row, the last with event {seq}"
        screen.line(("bad", f"{one.rule:<12}"), says, indent=12)
    limit = ", ".join(f"{name} {most}" for name, most in limits.limits.items())
    style, word = ("bad", "REPEATS   ") if found else ("good", "none      ")
    screen.line((style, word), f"{file}, by {limit}", indent=10)
    return int(bool(found))
