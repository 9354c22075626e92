"""What `curriculum` alone says: what this is, what there is, what to do next."""

from curriculum.course.lessons import lessons
from curriculum.view.screen import Screen


def greet() -> None:
    """Print the greeting."""
    screen = Screen(plain=False)
    screen.line(("head", "curriculum"), ": what a coding agent's harness shows its model")
    screen.gap()
    screen.line("An agent does not send the conversation. Each turn its harness builds a request:")
    screen.line("it decides what is sent whole, what is cut and what is left out.")
    screen.line("Here you run that harness with a scripted model, and see every decision and why.")
    screen.gap()
    for lesson in lessons():
        screen.line(("code", f"  {lesson.id}"), f"  {lesson.title}", indent=4)
    screen.gap()
    first = lessons()[0].id if lessons() else "s06-context-budget"
    screen.line("next: ", ("code", f"curriculum run {first}"))
