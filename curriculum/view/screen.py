"""One way to print, in two looks: rich for a terminal, plain for pipes, screen readers, tests.

Everything is built from lines of styled parts, so both looks say the same. Parts are text, never
markup. Plain has one fact a line, ASCII only, no colour, no wrapping.
"""

import os
import sys
from typing import TYPE_CHECKING, TextIO

from .safe import HIDDEN, ascii_only, ends, spelled

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Part = str | tuple[str, str]
"""Text, or a style and text. Styles: see STYLES."""

# Okabe and Ito's palette: told apart by colour-blind people, and never alone: each has a letter.
STYLES = {
    "T": "#E69F00",
    "S": "#56B4E9",
    "U": "#009E73",
    "A": "#CC79A7",
    "R": "#D55E00",
    "M": "#F0E442",
    "-": "dim",
    "free": "dim",
    "reserve": "#0072B2",
    "head": "bold",
    "good": "bold #009E73",
    "bad": "bold #D55E00",
    "gone": "#D55E00",
    "new": "#56B4E9",
    "number": "bold",
    "quiet": "dim",
    "marker": "reverse",
    "spelled": "reverse",
    "code": "bold",
}
LONGEST_RICH, LONGEST_PLAIN = 420, 4000
"""Characters of one part that are shown whole; a longer one is shown by its two ends."""


class Screen:
    """Where a command prints. `width` is in columns; plain output is never wrapped."""

    def __init__(self, plain: bool, out: TextIO | None = None, width: int | None = None) -> None:
        self.out = out or sys.stdout
        self.plain = plain or not self._can_be_rich()
        self.longest = LONGEST_PLAIN if self.plain else LONGEST_RICH
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
        return 100 if self.plain else max(24, self.console.width)

    def mark(self, rich: str, plain: str) -> str:
        """A glyph in this look."""
        return plain if self.plain else rich

    def line(self, *parts: Part, indent: int = 0, keep: bool = False, sums: bool = False) -> None:
        """Print one line. In the rich look a long one is wrapped and continues at `indent`.

        `keep` keeps the blanks at which it was wrapped, for text that is shown as it was sent;
        `sums` keeps a term together with its number.
        """
        pieces = [piece for part in parts for piece in self._shown(part)]
        if self.plain:
            self.out.write(ascii_only("".join(text for _, text in pieces)).rstrip() + "\n")
            return
        from rich.text import Text

        text = Text()
        for style, words in pieces:
            _append(text, style, words)
        self._wrapped(text, indent, keep, sums)

    def _shown(self, part: Part) -> list[tuple[str, str]]:
        style, words = ("", part) if isinstance(part, str) else part
        head, note, tail = ends(words, self.longest)
        return [(style, head), ("marker", note), (style, tail)] if note else [(style, head)]

    def _wrapped(self, text: "Text", indent: int, keep: bool, sums: bool) -> None:
        from rich.text import Text

        from .wrap import breaks

        indent = min(indent, self.width // 2)
        offsets = list(breaks(text.plain, self.width, indent, sums))
        for number, line in enumerate(text.divide(offsets)):
            if not keep:
                line.rstrip()
            shown = Text(" " * indent).append_text(line) if number else line
            self.console.print(shown, no_wrap=True, overflow="ignore", crop=False)

    def head(self, text: str) -> None:
        """A heading."""
        self.gap()
        if self.plain:
            self.out.write(f"== {ascii_only(text)}\n")
            return
        rest = self.width - len(text) - 1
        self.line(("head", text), ("quiet", " " + "─" * rest if rest > 3 else ""))

    def gap(self) -> None:
        """An empty line."""
        self.out.write("\n")


def _append(text: "Text", style: str, words: str) -> None:
    """Add `words`; spelled-out characters look otherwise than the same letters as text."""
    style = STYLES.get(style, style)
    at = 0
    for match in HIDDEN.finditer(words):
        text.append(words[at : match.start()], style)
        text.append(spelled(match[0]), STYLES["spelled"])
        at = match.end()
    text.append(words[at:], style)


PAD = 12
"""Columns before the text of a labelled fact."""


def fact(screen: Screen, label: str, text: str) -> None:
    """Print one labelled fact."""
    screen.line(("quiet", f"  {label:<{PAD - 2}}"), text, indent=PAD)
