"""The course's answer on a screen, as a difference to the learner's."""

from curriculum.course.solutions import Solution

from .screen import Screen

SIGNS = {"+": "good", "-": "gone", "@": "quiet"}
"""The style of a line of a difference by its sign, which stands there as well."""


def show_solution(screen: Screen, found: Solution) -> None:
    """Print the answer."""
    exercise = found.exercise
    screen.line(("head", exercise.id), f"  {exercise.title}", indent=4)
    for command in found.commands:
        screen.line("  the run has the answer: ", ("code", command), indent=4)
    for text in found.texts:
        screen.line(f"  {text}", indent=4)
    if found.same:
        screen.line(("good", "  yours is the course's, line for line"))
    for line in found.diff:
        screen.line((SIGNS.get(line[:1], ""), line), indent=2, keep=True)
    if found.diff:
        screen.line(("quiet", "  - yours, + the course's. Other ways can be as right: check says."))
    screen.line("next: ", ("code", "curriculum next"))
