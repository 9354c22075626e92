"""How far a learner is: one small text file, one line a thing, to be read, copied and compared.

    curriculum progress 1
    name Ada
    at s06-context-budget
    read s06-context-budget L1
    s06-1 pass tries=2 hints=1

Lines that begin with # are kept. Two files laid one behind the other are one file: of two lines
about the same exercise the better one counts.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.record.whole_file import put

from .exercises import in_order
from .result import Verdict

FORMAT = "curriculum progress"
VERSION = 1
NAME = "progress.txt"
LEVELS = ("L0", "L1", "L2", "L3", "L4")
TEMPORARY = ".progress-"
"""How the name of a temporary file begins."""
_ENTRY = re.compile(
    r"(s[0-9]{2}-[a-z0-9-]+) (pass|not-yet|open)((?: (?:tries|hints)=[0-9]+)*)( solution)?"
)
_ID = re.compile(r"s[0-9]{2}-[a-z0-9-]+\Z")


class ProgressError(CurriculumError):
    """A file of progress that cannot be read or written. Its code begins with `progress-`."""

    code = "progress"


@attrs.frozen
class Entry:
    """What became of one exercise: passed or not, tries, hints taken (0 to 3), solution seen."""

    passed: bool = False
    tries: int = 0
    hints: int = 0
    solution: bool = False

    def with_(self, other: "Entry") -> "Entry":
        """What both together say: what was once passed stays so."""
        return Entry(
            self.passed or other.passed,
            max(self.tries, other.tries),
            max(self.hints, other.hints),
            self.solution or other.solution,
        )

    def line(self, id: str) -> str:
        """The line of the file."""
        words = [id, "pass" if self.passed else "not-yet" if self.tries else "open"]
        words += [f"tries={self.tries}"] * bool(self.tries)
        words += [f"hints={self.hints}"] * bool(self.hints)
        return " ".join(words + ["solution"] * self.solution)


@attrs.frozen
class Progress:
    """All that the file says. `at` is the lesson to begin with, `read` a level by lesson."""

    name: str = ""
    course: str = ""
    at: str = ""
    read: Mapping[str, str] = attrs.field(factory=dict[str, str])
    entries: Mapping[str, Entry] = attrs.field(factory=dict[str, Entry])
    notes: tuple[str, ...] = ()

    def of(self, id: str) -> Entry:
        """What became of the exercise with this id."""
        return self.entries.get(id, Entry())

    def tried(self, id: str, verdict: Verdict) -> "Progress":
        """After a check: a try more, unless nothing could be checked. A pass is never lost."""
        if verdict is Verdict.COULD_NOT_CHECK:
            return self
        was = self.of(id)
        passed = was.passed or verdict is Verdict.PASS
        return self.with_entry(id, attrs.evolve(was, passed=passed, tries=was.tries + 1))

    def hinted(self, id: str, hints: int) -> "Progress":
        """After so many of the three hints have been taken."""
        return self.with_entry(id, self.of(id).with_(Entry(hints=hints)))

    def shown(self, id: str) -> "Progress":
        """After the solution has been looked at."""
        return self.with_entry(id, attrs.evolve(self.of(id), solution=True))

    def without(self, id: str) -> "Progress":
        """As if the exercise had never been tried."""
        rest = {one: entry for one, entry in self.entries.items() if one != id}
        return attrs.evolve(self, entries=rest)

    def has_read(self, lesson: str, level: str) -> "Progress":
        """After a lesson has been read up to a level."""
        most = max(level, self.read.get(lesson, ""))
        return attrs.evolve(self, read={**self.read, lesson: most})

    def meant_for(self, other: "Progress") -> "Progress":
        """With the name, course and first lesson of the other, where it has them."""
        return attrs.evolve(
            self,
            name=other.name or self.name,
            course=other.course or self.course,
            at=other.at or self.at,
        )

    def with_entry(self, id: str, entry: Entry) -> "Progress":
        """With another entry for an exercise."""
        return attrs.evolve(self, entries={**self.entries, id: entry})

    def text(self) -> str:
        """The file."""
        lines = [f"{FORMAT} {VERSION}", *self.notes]
        for word in ("name", "course", "at"):
            lines += [f"{word} {value}" for value in [getattr(self, word)] if value]
        lines += [f"read {lesson} {level}" for lesson, level in sorted(self.read.items())]
        ids = sorted(self.entries, key=in_order)
        return "\n".join([*lines, *(self.entries[id].line(id) for id in ids)]) + "\n"


def parse(text: str, name: str = NAME) -> Progress:
    """Read the text of a file. Raises `ProgressError` with the line that it cannot take."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith(f"{FORMAT} "):
        raise _bad(name, 1, f"it begins with '{FORMAT} {VERSION}'", "progress-format")
    if lines[0] != f"{FORMAT} {VERSION}":
        why = f"this program reads {FORMAT} {VERSION}"
        raise _bad(name, 1, why, "progress-version", "pip install --upgrade curriculum")
    found = Progress()
    for number, line in enumerate(lines[1:], 2):
        if line.strip() and line.strip() != f"{FORMAT} {VERSION}":
            found = _with_line(found, line.strip(), name, number)
    return found


def _with_line(found: Progress, line: str, name: str, number: int) -> Progress:
    word, _, value = line.partition(" ")
    if line.startswith("#"):
        new = () if line in found.notes else (line,)
        return attrs.evolve(found, notes=(*found.notes, *new))
    if word in ("name", "course", "at"):
        return attrs.evolve(found, **{word: value.strip()})
    if word == "read":
        lesson, _, level = value.partition(" ")
        if level in LEVELS and _ID.match(lesson):
            return found.has_read(lesson, level)
    elif match := _ENTRY.fullmatch(line):
        numbers = dict(part.split("=") for part in match[3].split())
        tries, hints = (int(numbers.get(word, 0)) for word in ("tries", "hints"))
        entry = Entry(match[2] == "pass", tries, min(3, hints), bool(match[4]))
        entries = {**found.entries, match[1]: found.of(match[1]).with_(entry)}
        return attrs.evolve(found, entries=entries)
    raise _bad(name, number, "a line is like 's06-1 pass tries=2 hints=1'", "progress-line")


def read(path: Path) -> Progress:
    """The progress in a file. Raises `ProgressError`."""
    try:
        return parse(path.read_text(encoding="utf-8-sig"), str(path))
    except UnicodeDecodeError:
        raise _bad(str(path), 1, "it is UTF-8 text", "progress-format") from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ProgressError(f"{path} cannot be read: {why}.", code="progress-read") from None


def write(path: Path, progress: Progress) -> None:
    """Write the file in one step. Raises `ProgressError`; then the file is as it was."""
    try:
        put(path, progress.text().encode(), TEMPORARY)
    except OSError as error:
        raise ProgressError(
            f"{path} cannot be written: {error.strerror or type(error).__name__}.",
            "nothing was changed, and the result above is not in it",
            code="progress-write",
            next="curriculum doctor",
        ) from None


def update(path: Path, change: Callable[[Progress], Progress]) -> Progress:
    """Read the file, change what it says, and write it if that is something new."""
    was = read(path)
    now = change(was)
    if now != was:
        write(path, now)
    return now


def _bad(name: str, line: int, why: str, code: str, next: str = "") -> ProgressError:
    return ProgressError(
        f"{name}, line {line} cannot be read as progress.",
        why,
        "nothing was changed",
        code=code,
        next=next or "mend that line, or take the file away and run `curriculum start` there",
    )
