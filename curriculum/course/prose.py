"""A text and its sources: every number and every block in it is computed again and compared.

A number is followed by the name of the fact it states, and a comment says what the names mean:

    The model sees 31<!--shown--> characters.
    <!-- facts
    shown = head + tail + marker
    head  = s06-context-budget: request 2 r0005.head
    wide  = s06-context-budget max_input_chars=2000: request 2 size
    pairs = cited: 4 https://docs.openhands.dev/sdk/guides/agent-stuck-detector
    -->

What others found is `cited`, with its source. If that is a link, a paper or a place in a file, it
stands in the text as well, for the reader.
A fenced block stands under a comment that names its source; kinds.KINDS says which there are,
and `numbers: a b` names the facts of a block drawn by hand. Blocks of
commands (sh, powershell) need none: tests run them.
"""

import re
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError

from .kinds import KINDS, fact_at
from .sources import SourceError

FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<info>\w*)\n(?P<body>.*?)^(?P=ticks)[ ]*$", re.M | re.S)
SOURCE = re.compile(r"<!--\s*(\w+):\s*((?:(?!-->).)*?)\s*-->\s*\Z", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
FACTS = re.compile(r"<!-- facts\n(.*?)-->", re.S)
NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?!\w)")
MARK = re.compile(r"[^\s\d<]{0,6}<!--([\w ]+)-->")
COMMAND = re.compile(r"`(?:curriculum|golden|python3?|git|uv) [^`\n]*`")
ALLOWED = re.compile(r"\b\d+ (?:min|minutes|hours)\b|Python 3\.\d+")
PLACE = re.compile(
    r"`[\w.-]+/[\w./-]+(?:#\d+|:\d+(?:[-, ]+\d+)*)`|\]\(https?:[^)\s]*\)|arXiv \d{4}\.\d{5}\b"
)
"""A place in another project, a link, a paper: its numbers are an address, no fact of ours."""
ADDRESS = ("http", "arXiv", "`")
"""How the source of a number begins that can be looked up."""
COMMANDS = ("sh", "powershell")


@attrs.frozen
class Problem:
    """One place where a text and its source part. Lines count from 1."""

    line: int
    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}\n{_shown(self.expected, self.got)}"


@attrs.frozen
class Report:
    """What a check found; how many numbers and blocks it compared; the text as it must be."""

    problems: tuple[Problem, ...]
    numbers: int
    blocks: int
    mended: str

    @property
    def checked(self) -> int:
        """Everything that was compared with a source."""
        return self.numbers + self.blocks


def check(text: str, folder: Path) -> Report:
    """Compare `text` with its sources; `cut` finds its files in `folder`. Never raises for them."""
    return _Check(text, folder).report()


def render(text: str) -> str:
    """`text` for reading: without its comments, and without the lines that held nothing else."""
    bare = COMMENT.sub("\0", text)
    bare = re.sub(r"^[ \t]*\0[ \t]*\n", "", bare, flags=re.M)
    return re.sub(r"\n{3,}", "\n\n", bare.replace("\0", "")).rstrip() + "\n"


def commands(text: str, kind: str = "sh") -> tuple[str, ...]:
    """The lines of the blocks of commands, in order."""
    blocks = (fence["body"] for fence in FENCE.finditer(text) if fence["info"] == kind)
    return tuple(line for block in blocks for line in block.splitlines() if line.strip())


class _Check:
    """One pass over one text."""

    def __init__(self, text: str, folder: Path) -> None:
        self.text, self.folder = text, folder
        self.problems: list[Problem] = []
        self.edits: list[tuple[int, int, str]] = []
        found = FACTS.search(text)
        lines = found[1].splitlines() if found else []
        pairs = [line.partition("=") for line in lines if line.strip()]
        self.facts = {name.strip(): value.strip() for name, _, value in pairs}
        self.at = found.start() if found else 0
        self.used: set[str] = set()

    def report(self) -> Report:
        blocks = sum([self._block(fence) for fence in FENCE.finditer(self.text)])
        numbers = self._numbers()
        for name in self.facts.keys() - self.used:
            self._problem(self.at, f"nothing uses the fact {name!r}", "a use of it", "none")
        mended = self.text
        for start, end, new in sorted(self.edits, reverse=True):
            mended = mended[:start] + new + mended[end:]
        problems = sorted(self.problems, key=lambda problem: problem.line)
        return Report(tuple(problems), numbers, blocks, mended)

    def _problem(self, at: int, what: str, expected: str, got: str) -> None:
        line = self.text.count("\n", 0, at) + 1
        self.problems.append(Problem(line, what, expected, got))

    def _compare(self, span: tuple[int, int], what: str, expected: Callable[[], str]) -> bool:
        got = self.text[span[0] : span[1]]
        try:
            wanted = expected()
        except CurriculumError as error:
            self._problem(span[0], what, error.headline, got)
            return False
        except (ValueError, LookupError, TypeError, RecursionError):
            self._problem(span[0], what, "a source as its kind asks for it", got)
            return False
        if got != wanted:
            self._problem(span[0], what, wanted, got)
            self.edits.append((*span, wanted))
        return True

    def _block(self, fence: re.Match[str]) -> bool:
        """Compare one fenced block; whether there was something to compare it with."""
        if fence["info"] in COMMANDS:
            return False
        source = SOURCE.search(self.text, 0, fence.start())
        if source is None or source[1] not in (*KINDS, "numbers"):
            known = ", ".join([*KINDS, "numbers"])
            self._problem(fence.start(), "a block without a source", f"one of {known}", "none")
            return False
        kind, argument = source[1], source[2]
        if kind == "numbers":
            return self._compare(
                fence.span("body"), f"numbers: {argument}", lambda: self._drawn(fence, argument)
            )
        return self._compare(
            fence.span("body"), f"{kind}: {argument}", lambda: KINDS[kind](argument, self.folder)
        )

    def _drawn(self, fence: re.Match[str], names: str) -> str:
        """A block drawn by hand, its numbers of two digits or more replaced in order."""
        body = fence["body"]
        found = [n for n in NUMBER.finditer(body) if len(n[0]) > 1]
        values = [self.fact(name) for name in names.split()]
        if len(found) != len(values):
            raise SourceError(f"{len(values)} numbers of two digits or more, not {len(found)}.")
        for number, value in reversed(list(zip(found, values, strict=True))):
            body = body[: number.start()] + spelled(value, number[0]) + body[number.end() :]
        return body

    def _numbers(self) -> int:
        prose = FENCE.sub(_blank, FACTS.sub(_blank, self.text))
        prose = PLACE.sub(_blank, ALLOWED.sub(_blank, COMMAND.sub(_blank, prose)))
        inside = [span for comment in COMMENT.finditer(prose) for span in [comment.span()]]
        checked = 0
        for number in NUMBER.finditer(prose):
            if any(start < number.start() < end for start, end in inside):
                continue
            mark = MARK.match(prose, number.end())
            if mark is not None:
                name = mark[1].strip()
                checked += self._compare(number.span(), name, self._spelling(name, number[0]))
            elif len(number[0]) > 1:
                what = "a number without a source"
                self._problem(number.start(), what, f"{number[0]}<!--NAME OF A FACT-->", number[0])
        return checked

    def _spelling(self, name: str, like: str) -> Callable[[], str]:
        return lambda: spelled(self.fact(name), like)

    def fact(self, name: str) -> int:
        """The value of a fact by its name. Raises `SourceError`."""
        self.used.add(name)
        value = self.facts.get(name, "")
        if ":" in value:
            run, _, where = value.partition(":")
            if run.strip() == "cited":
                self._find(where.strip().partition(" ")[2])
            return fact_at(run.strip(), where.strip())
        if not value or re.fullmatch(r"[\w ]+(?: [+-] [\w ]+)*", value) is None:
            raise SourceError(f"No fact is called {name!r}.")
        terms = re.findall(r"([+-]?) ?(\w+)", value)
        return sum(-self.fact(term) if sign == "-" else self.fact(term) for sign, term in terms)

    def _find(self, source: str) -> None:
        """Raise `SourceError` for a source with an address that the reader is not told."""
        if source.startswith(ADDRESS) and source not in FACTS.sub("", self.text):
            raise SourceError(f"The text does not say where to read it: {source}")


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def spelled(value: int, like: str) -> str:
    """The number as the text spells such a number: a comma after thousands if it has one."""
    return f"{value:,}" if "," in like or len(like) < 4 else str(value)


def _shown(expected: str, got: str) -> str:
    if "\n" not in expected + got:
        return f"  expected {expected}\n  got      {got}"
    if "\n" not in expected:
        return f"  {expected}"
    return f"--- must be\n{expected}--- is\n{got}---"


def main(paths: list[str]) -> int:
    """Print what is wrong with each text; `--mend` writes what its sources give instead."""
    bad = 0
    for path in map(Path, [path for path in paths if path != "--mend"]):
        report = check(path.read_text(encoding="utf-8"), path.parent)
        if "--mend" in paths:
            path.write_text(report.mended, encoding="utf-8", newline="\n")
        for problem in report.problems:
            print(f"{path}, {problem}")
        bad += len(report.problems) + (report.checked == 0)
        print(f"{path}: {report.numbers} numbers and {report.blocks} blocks compared")
    return 1 if bad else 0


if __name__ == "__main__":
    terminal = sys.stdout
    if isinstance(terminal, TextIOWrapper):
        terminal.reconfigure(errors="backslashreplace")  # a text it cannot spell is escaped
    sys.exit(main(sys.argv[1:]))
