"""What `curriculum` alone says: what this is, what there is, what to do next."""

from curriculum.course.lessons import lessons
from curriculum.view.screen import Screen

from .options import print_json

ABOUT = (
    "An agent does not send the conversation. Each turn its harness builds a request:",
    "it decides what is sent whole, what is cut and what is left out.",
    "Here you run that harness with a scripted model, and see every decision and why.",
)


def greet(plain: bool = False, as_json: bool = False) -> None:
    """Print the greeting."""
    known = lessons()
    next = "curriculum start"
    if as_json:
        found = [{"id": lesson.id, "title": lesson.title} for lesson in known]
        print_json({"about": " ".join(ABOUT), "lessons": found, "next": next})
        return
    screen = Screen(plain)
    screen.line(("head", "curriculum"), ": what a coding agent's harness shows its model")
    screen.gap()
    for line in ABOUT:
        screen.line(line)
    screen.gap()
    for lesson in known:
        screen.line(("code", f"  {lesson.id}"), f"  {lesson.title}", indent=4)
    screen.gap()
    screen.line("next: ", ("code", next))
