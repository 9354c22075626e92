"""`curriculum doctor`: whether everything is here that the course needs."""

import click

from curriculum.course.doctor import Health, examine
from curriculum.view.screen import Screen

from .options import looks, print_json

STYLES = {Health.OK: "good", Health.NOTE: "quiet", Health.FAULT: "bad"}
WORDS = {Health.OK: "ok", Health.NOTE: "note", Health.FAULT: "FAULT"}


@click.command()
@looks
def doctor(plain: bool, as_json: bool) -> int:
    """Look at Python, terminal, encoding, write access and extras.

    Each line says what is found; a note does without, a fault needs you. Exit code 1 if there is
    a fault.
    """
    signs = list(examine())
    faults = [sign for sign in signs if sign.health is Health.FAULT]
    if as_json:
        rows = [
            {"what": s.what, "found": s.found, "health": str(s.health), "next": s.next}
            for s in signs
        ]
        print_json({"signs": rows, "faults": len(faults)})
        return int(bool(faults))
    screen = Screen(plain)
    for sign in signs:
        style = STYLES[sign.health]
        screen.line((style, f"{WORDS[sign.health]:<6}"), f"{sign.what:<18}{sign.found}", indent=24)
        if sign.next and sign.health is not Health.OK:
            screen.line(" " * 24, ("quiet", sign.next), indent=24)
    if faults:
        screen.line("next: ", ("code", faults[0].next or "mend what is marked FAULT"))
        return 1
    none_here = any(sign.what == "workspace" and sign.health is Health.NOTE for sign in signs)
    screen.line("next: ", ("code", "curriculum start" if none_here else "curriculum next"))
    return 0
