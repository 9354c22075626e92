"""Asking a person at a terminal: one line, or nothing where nobody sits there."""

import sys

from curriculum.view.screen import Part, Screen


def somebody_there() -> bool:
    """Whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def ask(screen: Screen, *parts: Part) -> str | None:
    """One line of input, without blanks around it; None at its end."""
    text = "".join(part if isinstance(part, str) else part[1] for part in parts)
    screen.out.write(f"{text} > ")
    screen.out.flush()
    line = sys.stdin.readline()
    if not line:
        screen.gap()
        return None
    return line.strip()
