"""One way to print, in two looks: rich for a terminal, plain for pipes, screen readers, tests.

Everything is built from lines of styled parts, so both looks always say the same. Parts are
text, never markup. Plain has one fact a line, ASCII marks, no colour, no wrapping.
"""

import os
import sys
from typing import TYPE_CHECKING, TextIO

from .safe import ascii_only, visible

if TYPE_CHECKING:
    from rich.console import Console

Part = str | tuple[str, str]
"""Text, or a style and text. Styles: see STYLES."""

# Okabe and Ito's palette: told apart by colour-blind people, and never alone: each has a letter.
STYLES = {
    "T": "#E69F00",
    "S": "#56B4E9",
    "U": "#009E73",
    "A": "#F0E442",
    "R": "#D55E00",
    "M": "#CC79A7",
    "free": "dim",
    "reserve": "#0072B2",
    "head": "bold",
    "good": "bold #009E73",
    "bad": "bold #D55E00",
    "number": "bold",
    "quiet": "dim",
    "marker": "reverse",
    "code": "bold",
}


class Screen:
    """Where a command prints. `width` is in columns; plain output is never wrapped."""

    def __init__(self, plain: bool, out: TextIO | None = None, width: int | None = None) -> None:
        self.out = out or sys.stdout
        self.plain = plain or not self._can_be_rich()
        self._console: Console | None = None
        self._width = width

    def _can_be_rich(self) -> bool:
        encoding = (getattr(self.out, "encoding", None) or "").lower().replace("-", "")
        forced = bool(os.environ.get("FORCE_COLOR"))
        return (self.out.isatty() or forced) and encoding.startswith("utf")

    @property
    def console(self) -> "Console":
        """The rich console, made when it is first used."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(
                file=self.out, highlight=False, markup=False, emoji=False, width=self._width
            )
        return self._console

    @property
    def width(self) -> int:
        """Columns that a line may take."""
        return 100 if self.plain else max(40, self.console.width)

    def mark(self, rich: str, plain: str) -> str:
        """A glyph in this look."""
        return plain if self.plain else rich

    def line(self, *parts: Part, indent: int = 0) -> None:
        """Print one line. In the rich look a long one is wrapped and continues at `indent`."""
        if self.plain:
            text = "".join(part if isinstance(part, str) else part[1] for part in parts)
            self.out.write(ascii_only(text).rstrip() + "\n")
            return
        from rich.padding import Padding
        from rich.text import Text

        text = Text()
        for part in parts:
            style, words = ("", part) if isinstance(part, str) else part
            text.append(visible(words), STYLES.get(style, style))
        if not indent or text.cell_len <= self.width:
            self.console.print(text, soft_wrap=False)
            return
        head, rest = text.divide([self._break(text, self.width)])
        self.console.print(head, soft_wrap=True)
        self.console.print(Padding(rest, (0, 0, 0, indent)))

    def _break(self, text: "object", width: int) -> int:
        from rich.cells import chop_cells

        plain = str(text)
        first = chop_cells(plain, width)[0]
        space = first.rfind(" ")
        return space + 1 if space > width // 2 else len(first)

    def head(self, text: str) -> None:
        """A heading."""
        if self.plain:
            self.out.write(f"\n== {ascii_only(text)}\n")
            return
        from rich.rule import Rule
        from rich.text import Text

        self.console.print()
        self.console.print(Rule(Text(visible(text), "bold"), align="left", style="dim"))

    def gap(self) -> None:
        """An empty line."""
        self.out.write("\n")
