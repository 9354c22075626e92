"""The runs of a lesson: its demo, its cases, and the goldens that pin them."""

import ast
import importlib
from pathlib import Path

from curriculum.golden import files
from curriculum.golden.status import Status
from curriculum.golden.verify import check as verified

from .authoring import Desk
from .lessons import Lesson

FILE = "demo.py"
LINES = 45
"""Lines of a demo at most: it is read on one page."""
NO_IMPORTS = (
    *("time", "datetime", "random", "secrets", "uuid", "socket", "ssl", "urllib", "http"),
    *("requests", "httpx", "asyncio", "subprocess"),
)
"""Modules for the clock, chance, the network and other programs."""


def check_runs(desk: Desk, lesson: Lesson) -> bool:
    """Check the demo and the goldens; whether there are runs that the rest can be read from."""
    if not _demo(desk, lesson):
        return False
    root = files.root()
    _goldens(desk, lesson, root)
    return all(files.fixture(root, id).is_file() for id in lesson.stops)


def _goldens(desk: Desk, lesson: Lesson, root: Path) -> None:
    claimed = set(lesson.stops)
    with desk.trouble("lesson-golden", FILE):
        for case in lesson.cases():
            desk.looked("goldens")
            verdict = verified(case, root)
            desk.refuse_unless(
                verdict.status is Status.HOLDS,
                "lesson-golden",
                case.id,
                f"The golden of {case.id} does not hold [{verdict.status.code}].",
                *verdict.evidence[:4],
                do=verdict.next or f"golden verify {case.id}",
            )
    for id, waits in files.present(root):
        if id == lesson.id or id.startswith(f"{lesson.id}/"):
            desk.looked("files of goldens")
            desk.refuse_unless(
                id in claimed and not waits,
                "golden-pending" if waits else "golden-unclaimed",
                id,
                f"A recorded trace of {id} waits." if waits else f"No case is called {id}.",
                do=f"golden review {id}" if waits else "golden prune",
            )


def _demo(desk: Desk, lesson: Lesson) -> bool:
    path = lesson.folder / FILE
    if not path.is_file():
        desk.refuse("demo-missing", FILE, f"{lesson.id} has no {FILE}.", do=f"write {path}")
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = len(text.splitlines())
    desk.looked("demos")
    desk.refuse_unless(
        lines <= LINES,
        "demo-long",
        FILE,
        f"The demo has {lines} lines; a page has {LINES}.",
        do="leave out what the lesson does not show",
    )
    known = len(desk.refusals)
    with desk.trouble("demo-raised", FILE, "mend what the line does"):
        for name in _imported(text):
            desk.refuse_unless(
                name not in NO_IMPORTS,
                "demo-imports",
                FILE,
                f"The demo imports {name}; a run is the same everywhere and always.",
                do="put what it needs into the script of the model or into a tool",
            )
        scenarios = importlib.import_module(f"curriculum.lessons.{lesson.folder.name}.demo")
        odd = sorted(set(scenarios.SCENARIOS) ^ set(lesson.stops))
        desk.looked("lists of cases")
        desk.refuse_unless(
            not odd,
            "lesson-cases",
            FILE,
            "demo.py and lesson.toml name different cases.",
            *(
                f"{id}: only in {'demo.py' if id in scenarios.SCENARIOS else 'lesson.toml'}"
                for id in odd
            ),
            do="give each of SCENARIOS one [[cases]] with its title and its stop",
        )
    codes = {refusal.code for refusal in desk.refusals[known:]}
    return not codes - {"demo-imports"}


def _imported(text: str) -> list[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return sorted(names)
