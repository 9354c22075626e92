"""A lesson's text on a screen. The text is data: nothing in it is control or markup of ours."""

from collections.abc import Sequence

from curriculum.course.lessons import Lesson
from curriculum.course.reading import Level

from .safe import visible
from .screen import Screen

ASCII = str.maketrans(
    {"·": "_", "↵": "$", "→": "->", "≤": "<=", "≥": ">=", "×": "x", "–": "-", "—": "--", "…": "..."}
    | {"“": '"', "”": '"', "‘": "'", "’": "'", "−": "-", "█": "#", "░": ".", "│": "|", "─": "-"}
)
"""What stands for the signs of a lesson where only ASCII is shown."""


def show_reading(screen: Screen, lesson: Lesson, shown: Sequence[Level]) -> None:
    """Print the levels, one after the other."""
    screen.line(("head", lesson.id), f"  {lesson.title}", indent=4)
    for level in shown:
        if screen.plain:
            screen.head(f"{level.name} {level.title}".translate(ASCII))
            for line in level.text.splitlines():
                screen.line(line.translate(ASCII))
        else:
            screen.head(f"{level.name} · {level.title}")
            screen.gap()
            _rich(screen, level.text)


def _rich(screen: Screen, text: str) -> None:
    """Markdown as rich shows it, of a text in which every control character is spelled out."""
    from rich.markdown import Markdown

    bare = "\n".join(visible(line) for line in text.split("\n"))
    screen.console.print(Markdown(bare, hyperlinks=False, code_theme="bw"))
