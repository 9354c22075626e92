"""Questions to a person at a terminal. An answer that cannot be read is asked for again."""

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from curriculum.course.answers import AnswerError
from curriculum.view.safe import ascii_only
from curriculum.view.screen import Screen

T = TypeVar("T")


def has_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty()


class Conversation:
    """Asks on the screen. Raises `click.Abort` when the person ends it with Ctrl-D or Ctrl-C."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def typed(self, prompt: str) -> str:
        """What is typed at a prompt, without blanks around it."""
        self.screen.out.flush()
        try:
            return input(ascii_only(prompt)).strip()
        except UnicodeDecodeError:  # what was typed is no text, so it answers nothing
            return "?"
        except (EOFError, KeyboardInterrupt):
            self.screen.gap()
            raise click.Abort from None

    def ask(self, prompt: str, read: Callable[[str], T]) -> T:
        """The answer to a question, read by `read`; asked again while that raises `AnswerError`."""
        while True:
            try:
                return read(self.typed(prompt))
            except AnswerError as error:
                hints = [*error.evidence, *([error.next] if error.next else [])]
                self.screen.line(f"  {error.headline} {'; '.join(hints)}".rstrip(), indent=2)

    def choose(self, prompt: str, letters: str, default: str = "") -> str:
        """One letter of `letters`; ENTER is the default."""

        def read(text: str) -> str:
            letter = text[:1].casefold() or default
            if (letter and letter in letters) or letter == default:
                return letter
            raise AnswerError(f"{text[:20]!r} is none of {', '.join(letters)}.")

        return self.ask(prompt, read)

    def clear(self) -> None:
        """Take what was typed out of sight; without a screen that can, leave room."""
        if self.screen.plain:
            self.screen.out.write("\n" * 40)
        else:
            self.screen.console.clear()
