"""What a learner is told about code, word for word: each scene is checked as a learner would.

`python -m tests.code_feedback.said` writes the file anew; what changed is read in the diff.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from curriculum.course.checking import check
from curriculum.course.child_endings import Limits
from curriculum.course.exercises import exercise_of
from curriculum.course.result import Finding, Result
from curriculum.course.workspace import Workspace, create

from .. import small_lesson

FILE = Path(__file__).with_name("said.txt")
GIVES = "def keep(text, limit): return text[:limit]\n"
STARTER, SOLUTION = small_lesson.STARTERS, small_lesson.SOLUTIONS
SCENES: dict[str, tuple[str, str]] = {
    "endless": ("s90-4", "while True:\n    pass\n"),
    "endless-later": ("s90-4", "def keep(text, limit):\n    while len(text) > 3: pass\n"),
    "exit": ("s90-4", "import sys\nsys.exit(3)\n"),
    "left": ("s90-4", "import os\nos._exit(5)\n"),
    "flood": ("s90-4", "while True:\n    print('x' * 1000)\n"),
    "syntax": ("s90-4", "def keep(text, limit):\nreturn 1 +\n"),
    "not-text": ("s90-4", "x = '\0'\n"),
    "import": ("s90-4", "import no_such_module_anywhere\n"),
    "import-own": ("s90-4", "import curriculum.agent.runer\n"),
    "input": ("s90-4", "name = input()\n"),
    "raised": ("s90-4", "def keep(text, limit):\n    return text[:limt]\n"),
    "call": ("s90-4", "def keep(text):\n    return text\n"),
    "no-name": ("s90-4", "def other():\n    pass\n"),
    "no-json": ("s90-4", "def keep(text, limit):\n    return {text}\n"),
    "garbled": ("s90-4", "import os\nopen('../out/result.json', 'w').write('{')\nos._exit(0)\n"),
    "printed": ("s90-4", f"for n in range(10): print('line', n)\n{GIVES}"),
    "make-starter": ("s90-4", STARTER["s90_4"]),
    "make-none": ("s90-4", "def keep(text, limit):\n    return None\n"),
    "make-right": ("s90-4", SOLUTION["s90_4"]),
    "modify-starter": ("s90-2", STARTER["s90_2"]),
    "modify-right": ("s90-2", SOLUTION["s90_2"]),
    "no-runner": ("s90-2", "def runner(trace):\n    return 7\n"),
    "no-prompts": ("s90-2", f"{small_lesson.RUNNER}PROMPTS = ()\n"),
    "other-recorder": (
        "s90-2",
        "from curriculum.trace.recorder import Recorder\n"
        + STARTER["s90_2"].replace("trace=trace", "trace=Recorder()"),
    ),
    "law": (
        "s90-2",
        SOLUTION["s90_2"] + "from curriculum.trace.recorder import Recorder\ntext = Recorder.text\n"
        "Recorder.text = lambda self: text(self).replace('\"kept\":53', '\"kept\":52')\n",
    ),
    "assertion-starter": ("s90-3", STARTER["s90_3"]),
    "assertion-half": ("s90-3", "def holds(t):\n    return any(t.of('tool.result'))\n"),
    "assertion-strict": ("s90-3", "def holds(trace):\n    return len(trace.records) > 99\n"),
    "assertion-right": ("s90-3", SOLUTION["s90_3"]),
    "no-bool": ("s90-3", "def holds(trace):\n    return 1\n"),
    "on-wrong": ("s90-3", "def holds(t):\n    return 1 / len(list(t.of('tool.truncate'))) > 0\n"),
    "asks": ("s90-1", ""),
}
"""Each scene: the exercise, and what the learner's file holds."""
ELSEWHERE: dict[str, Mapping[str, int | str]] = {
    "child.slow": {"seconds": 10},
    "child.crash": {"how": "SIGSEGV"},
    "child.no-answer": {"code": 1},
    "child.lingers": {},
    "child.memory": {"megabytes": 1024},
    "child.course": {"file": "s06_3_check.py", "line": 9, "type": "KeyError", "text": "'x'"},
    "child.changed": {"file": "lesson.toml"},
    "child.no-process": {"why": "Function not implemented"},
    "check.waits": {"needs": "s07"},
    "check.no-file": {"file": "s06_3.py"},
    "check.on-record": {"tries": 2},
    "check.course": {"type": "KeyError", "text": "'x'"},
    "make.scenario": {"number": 1, "of": 9, "scenario": "('abc', 2)"},
}
"""Texts of what cannot be brought about on every system, or that other tests bring about."""


def result_of(work: Workspace, name: str) -> Result:
    """Check the scene of this name in a workspace of the small lesson."""
    id, code = SCENES[name]
    exercise = exercise_of(id)
    if code:
        work.file(exercise).write_text(code, encoding="utf-8")
    return check(exercise, work, Limits(seconds=3))


def spelled(name: str, result: Result) -> str:
    """What is said in a scene, one sentence a line, each under its key."""
    lines = [f"{finding.key}  {finding.text}" for finding in result.findings]
    return "\n".join([f"== {name}", *lines, f"{result.verdict}, next: {result.next}"]) + "\n"


def elsewhere() -> str:
    """What is said where no scene is."""
    lines = [f"{key}  {Finding(key, params).text}" for key, params in ELSEWHERE.items()]
    return "\n".join(["== elsewhere", *lines]) + "\n"


def sections() -> dict[str, str]:
    """The file by scene."""
    parts = re.split(r"^(?=== )", FILE.read_text(encoding="utf-8"), flags=re.M)
    return {part.splitlines()[0][3:]: part for part in parts if part}


def _all(work: Workspace) -> Iterator[str]:
    for name in SCENES:
        yield spelled(name, result_of(work, name))
    yield elsewhere()


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as place,
        small_lesson.only(small_lesson.lay_out(Path(place) / "lessons")),
    ):
        work = create(Path(place) / "work").workspace
        FILE.write_text("".join(_all(work)), encoding="utf-8", newline="\n")
