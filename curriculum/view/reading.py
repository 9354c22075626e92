"""A lesson's text on a screen. The text is data: nothing in it is control or markup of ours."""

import re
from collections.abc import Sequence

from curriculum.course.lessons import Lesson
from curriculum.course.prose import FENCE
from curriculum.course.reading import Level

from .safe import visible
from .screen import Screen

ASCII = str.maketrans(
    {"·": "_", "↵": "$", "→": "->", "≤": "<=", "≥": ">=", "×": "x", "–": "-", "—": "--", "…": "..."}
    | {"“": '"', "”": '"', "‘": "'", "’": "'", "−": "-", "█": "#", "░": ".", "│": "|", "─": "-"}
)
"""What stands for the signs of a lesson where only ASCII is shown."""

GUTTER = re.compile(r"\s*(?:\d+  r\d+  )?")
"""What stands before a line of a block: a line that goes on below goes on behind it."""


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
    """Prose as rich shows Markdown, blocks line by line; control characters are spelled out."""
    at = 0
    for fence in FENCE.finditer(text):
        _prose(screen, text[at : fence.start()])
        screen.gap()
        for line in fence["body"].splitlines():
            start = GUTTER.match(line)
            screen.line(f"  {line}", indent=2 + len(start[0] if start else ""), keep=True)
        screen.gap()
        at = fence.end()
    _prose(screen, text[at:])


def _prose(screen: Screen, text: str) -> None:
    if not text.strip():
        return
    from rich.markdown import Markdown

    bare = "\n".join(visible(line) for line in text.strip().split("\n"))
    screen.console.print(Markdown(bare, hyperlinks=False, code_theme="bw"))
