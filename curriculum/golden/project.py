"""Other people's projects: where their goldens are, and which cases they declare.

The root is the nearest folder with a pyproject.toml that has a table `[tool.curriculum]`:

    [tool.curriculum]
    golden = "golden"                  # the folder of goldens; this is the default
    cases = ["tests/golden_cases.py"]  # files with CASES, a list of Case
"""

import importlib.util
import re
import sys
import tomllib
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import attrs

from curriculum.record.errors import CurriculumError

from .cases import BY_TESTS, Case

TABLE = "[tool.curriculum]"
_PART = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_. +=,@~()\[\]{}%-]*[A-Za-z0-9_+=,@~()\[\]{}%-])?\Z")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|\Z)", re.I)


class ProjectError(CurriculumError):
    """A project whose settings or cases cannot be used."""

    code = "project"


@attrs.frozen
class Project:
    """A project's root, its folder of goldens, and the files that declare its cases."""

    root: Path
    golden: Path
    files: tuple[Path, ...] = ()

    def cases(self) -> dict[str, Case]:
        """Every case, by id. Raises `ProjectError` for a file that cannot be loaded."""
        found: dict[str, Case] = {}
        for file in self.files:
            for case in cases_of(file, self.root):
                _check(case, found, file)
                found[case.id] = case
        return found


def find(start: Path) -> Project | None:
    """The project around `start`; None if there is none. Raises `ProjectError`."""
    for folder in (start.resolve(), *start.resolve().parents):
        settings = folder / "pyproject.toml"
        try:
            text = settings.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if TABLE in text:  # looked for as text first: most projects have no such table
            table = _table(settings, text)
            if table is not None:
                return _project(folder, settings, table)
    return None


def _table(settings: Path, text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text).get("tool", {}).get("curriculum")
    except tomllib.TOMLDecodeError as error:
        raise ProjectError(f"{settings} is no TOML.", str(error), code="project-toml") from None


def _project(root: Path, settings: Path, table: dict[str, Any]) -> Project:
    known = ("golden", "cases")
    for name in table:
        if name not in known:
            raise ProjectError(
                f"{settings}: {TABLE} has no setting {name!r}.",
                f"known: {', '.join(known)}",
                code="project-setting",
            )
    golden, cases = table.get("golden", "golden"), table.get("cases", [])
    paths: list[Any] = [golden, *cases] if isinstance(cases, list) else [None]
    if not all(isinstance(path, str) for path in paths):
        raise ProjectError(
            f"{settings}: golden is a folder and cases a list of files.",
            'golden = "golden", cases = ["tests/golden_cases.py"]',
            code="project-setting",
        )
    files = tuple(root / path for path in cast(list[str], cases))
    for file in files:
        if not file.is_file():
            raise ProjectError(
                f"{settings}: there is no file {file}.", code="project-cases-missing"
            )
    return Project(root, root / golden, files)


def cases_of(file: Path, root: Path) -> tuple[Case, ...]:
    """The cases that a file declares. Raises `ProjectError` if it does not load.

    While it is loaded and after, its own folder and the root are found by imports.
    """
    module = _load(file, root)
    declared: Any = getattr(module, "CASES", None)
    odd = "it has no CASES" if declared is None else ""
    cases = list(cast(Iterable[Any], declared)) if isinstance(declared, Iterable) else []
    wrong = [case for case in cases if not isinstance(case, Case)]
    if wrong:
        odd = f"CASES holds a {type(wrong[0]).__name__}"
    elif declared is not None and not cases:
        odd = "CASES is empty, or no list"
    if odd:
        raise ProjectError(
            f"{file} declares no cases: {odd}.",
            'CASES = [Case("my-agent/reads", "reads one file", "completed", my_function)]',
            code="project-cases",
        )
    return tuple(cases)


def _load(file: Path, root: Path) -> ModuleType:
    for place in (str(root), str(file.parent)):
        if place not in sys.path:
            sys.path.insert(0, place)
    name = "_cases_" + re.sub(r"\W", "_", file.relative_to(root).with_suffix("").as_posix())
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
        where = f"line {frames[-1].lineno}: " if frames else ""
        raise ProjectError(
            f"{file} cannot be loaded.",
            f"{where}{type(error).__name__}: {error}",
            code="project-cases-broken",
            next=f"python {file}",
        ) from error
    return module


def _check(case: Case, known: Iterable[str], file: Path) -> None:
    """An id is a path that every file system can hold, and no two are one file on any of them."""
    parts = case.id.split("/")
    fits = all(_PART.match(part) and not _RESERVED.match(part) for part in parts)
    if not fits or case.id.startswith(BY_TESTS) or case.id.endswith(".pending"):
        raise ProjectError(
            f"{file}: {case.id!r} is no id for a case.",
            "words joined by /, of letters, digits and - _ . as they can stand in a file name",
            f"{BY_TESTS} is for traces that tests record",
            code="case-id",
        )
    for other in known:
        if other.casefold() == case.id.casefold():
            raise ProjectError(
                f"{file}: two cases are called {case.id!r}.",
                *(
                    [f"the other one: {other!r}, the same file on some systems"]
                    if other != case.id
                    else []
                ),
                code="case-id-twice",
            )
