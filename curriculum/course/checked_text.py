"""The text of a lesson: five levels, an early question, plain words, and numbers with sources."""

import re
from pathlib import Path

from . import prose
from .authoring import Desk
from .lessons import Lesson
from .plain_words import jargon
from .progress import LEVELS
from .reading import FIRST

FILE = "lesson.md"
WORDS = 250
"""Words before the first question at most."""
FEWEST = 20
"""Words of a level at least."""
_HEAD = re.compile(r"^## (L\d)\b(.*)$", re.M)
_MINUTES = re.compile(r"\(\d+ min\)\s*\Z")


def check_text(desk: Desk, lesson: Lesson, runs: bool) -> None:
    """Check lesson.md; what is in it of runs only if there are `runs`."""
    path = lesson.folder / FILE
    if not path.is_file():
        desk.refuse("text-missing", FILE, f"{lesson.id} has no {FILE}.", do=f"write {path}")
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    _levels(desk, lesson, prose.render(text))
    _first_question(desk, prose.render(text))
    if runs:
        _sources(desk, lesson, text, path)


def _sources(desk: Desk, lesson: Lesson, text: str, path: Path) -> None:
    with desk.trouble("text-source", FILE):
        report = prose.check(text, lesson.folder)
        desk.looked("numbers of the text", report.numbers)
        desk.looked("blocks of the text", report.blocks)
        for problem in report.problems:
            evidence = str(problem).splitlines()[1:]
            desk.refuse(
                "text-source",
                f"{FILE}, line {problem.line}",
                problem.what,
                *(line.strip() for line in evidence),
                do=f"python -m curriculum.course.prose --mend {path}   # or name its source",
            )
        desk.refuse_unless(
            report.numbers > 0 and report.blocks > 0,
            "text-nothing",
            FILE,
            "Hardly anything in the text comes from a run.",
            f"{report.numbers} numbers and {report.blocks} blocks have a source",
            do="cut what is shown from the demo and its runs; see curriculum/course/prose.py",
        )


def _levels(desk: Desk, lesson: Lesson, text: str) -> None:
    heads = list(_HEAD.finditer(text))
    names = [head[1] for head in heads]
    desk.refuse_unless(
        names == list(LEVELS),
        "text-levels",
        FILE,
        f"The levels are {', '.join(names) or 'none'}; they are {', '.join(LEVELS)}, in order.",
        do="give each a heading such as '## L2 (10 min)'",
    )
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        desk.looked("levels")
        body = text[head.end() : end]
        words = len(body.split())
        desk.refuse_unless(
            words >= FEWEST,
            "text-empty",
            FILE,
            f"{head[1]} has {words} words.",
            f"a level has {FEWEST} at least",
            do="write it",
        )
        desk.refuse_unless(
            _MINUTES.search(head[2]) is not None,
            "text-minutes",
            FILE,
            f"The heading of {head[1]} does not say how long it takes.",
            f"it is '{head[0].strip()}'",
            do="end it with minutes, such as (8 min)",
        )
        if head[1] not in FIRST:
            continue
        odd = sorted({word.casefold() for word in jargon(body)})
        desk.refuse_unless(
            not odd,
            "text-jargon",
            FILE,
            f"{head[1]} uses words that are for later: {', '.join(odd)}.",
            "until L2: record, request, ceiling, gate, marker, decision, policy",
            do="say it plainly, or move it to L2",
        )


def _first_question(desk: Desk, text: str) -> None:
    before, answer, _ = text.partition("<details>")
    desk.looked("first questions")
    last = before.rstrip().rsplit("\n\n", 1)[-1]
    desk.refuse_unless(
        bool(answer) and "?" in last,
        "text-no-question",
        FILE,
        "No question stands right before the first answer to unfold.",
        f"what stands there: {last.strip()[:80]!r}" if answer else "there is no <details>",
        do="ask one, and fold its answer away in <details>",
    )
    words = len(before.split())
    desk.refuse_unless(
        words <= WORDS,
        "text-long",
        FILE,
        f"{words} words stand before the first question; {WORDS} may.",
        f"{words} - {WORDS} = {words - WORDS} too many",
        do="ask earlier: first the picture, then the rule, then the arithmetic, then the question",
    )
