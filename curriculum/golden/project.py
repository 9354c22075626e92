"""Other people's projects: where their goldens are, and which cases they declare.

The root is the nearest folder with a pyproject.toml that has a table `[tool.curriculum]`:

    [tool.curriculum]
    golden = "golden"                  # the folder of goldens; this is the default
    cases = ["tests/golden_cases.py"]  # files with CASES, a list of Case
    models = "models.toml"             # models of your own, beside those that are known
"""

import importlib.util
import os
import re
import shlex
import sys
import tomllib
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import attrs

from curriculum.record.errors import CurriculumError

if TYPE_CHECKING:
    from .cases import Case  # pytest asks for a project's settings before anything has cases

TABLE = "[tool.curriculum]"
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|\Z)", re.I)
"""How a file name begins that Windows keeps for devices."""
_PART = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_. +=,@~()\[\]{}%-]*[A-Za-z0-9_+=,@~()\[\]{}%-])?\Z")


class ProjectError(CurriculumError):
    """A project whose settings or cases cannot be used."""

    code = "project"


@attrs.frozen
class Project:
    """A project's root, its folder of goldens, and the files that declare its cases."""

    root: Path
    golden: Path
    files: tuple[Path, ...] = ()
    declared: bool = True
    """Whether there are settings; without them its goldens are where tests put them."""
    models: Path | None = None
    """A file of models, for budgets."""

    def cases(self) -> "dict[str, Case]":
        """Every case, by id. Raises `ProjectError` for a file that cannot be loaded."""
        taken: dict[str, str] = {}
        return {case.id: case for file in self.files for case in cases_of(file, self.root, taken)}


def find(start: Path) -> Project | None:
    """The project around `start`; None if there is none. Raises `ProjectError`."""
    place = Path(os.path.abspath(start))
    for folder in (place, *place.parents):
        settings = folder / "pyproject.toml"
        try:
            text = settings.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if "curriculum" in text:  # most projects have no such table, and need not be parsed
            table = _table(settings, text)
            if table is not None:
                return _project(folder, settings, table)
    return None


def _table(settings: Path, text: str) -> dict[str, Any] | None:
    try:
        tool: Any = tomllib.loads(text).get("tool")
    except tomllib.TOMLDecodeError as error:
        raise ProjectError(f"{settings} is no TOML.", str(error), code="project-toml") from None
    table = cast(dict[str, Any], tool).get("curriculum") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise _setting(f"{settings}: tool.curriculum is no table.", TABLE)
    return cast("dict[str, Any] | None", table)


def _project(root: Path, settings: Path, table: dict[str, Any]) -> Project:
    known = ("golden", "cases", "models")
    for name in table:
        if name not in known:
            why = f"{settings}: {TABLE} has no setting {name!r}."
            raise _setting(why, f"known: {', '.join(known)}")
    golden, cases = table.get("golden", "golden"), table.get("cases", [])
    paths: list[Any] = [golden, *cases] if isinstance(cases, list) else [None]
    if not all(isinstance(path, str) for path in paths):
        raise _setting(
            f"{settings}: golden is a folder and cases a list of files.",
            'golden = "golden", cases = ["tests/golden_cases.py"]',
        )
    models = table.get("models")
    if models is not None and not (isinstance(models, str) and models):
        raise _setting(f"{settings}: models is a file of models.", 'models = "models.toml"')
    folder = Path(os.path.abspath(root / golden))
    if root.is_relative_to(folder):
        raise _setting(f"{settings}: golden is a folder of its own, not {golden!r}.")
    files = tuple(Path(os.path.abspath(root / path)) for path in cast(list[str], cases))
    for file in files:
        if not (file.is_relative_to(root) and file.suffix == ".py"):
            raise _setting(f"{settings}: cases are in .py files of the project, not in {file}.")
        if not file.is_file():
            raise _no_file(settings, file, root)
    own = Path(os.path.abspath(root / models)) if models else None
    return Project(root, folder, files, models=own)


def _setting(why: str, *evidence: str) -> ProjectError:
    return ProjectError(why, *evidence, code="project-setting")


def _no_file(settings: Path, file: Path, root: Path) -> ProjectError:
    import difflib

    there = [*root.glob("*.py"), *root.glob("*/*.py")]
    names = sorted(path.relative_to(root).as_posix() for path in there)
    near = difflib.get_close_matches(file.name, names, 1, 0.4)
    return ProjectError(
        f"{settings}: there is no file {file}.",
        *(f"nearest: {name}" for name in near),
        f"paths in {TABLE} begin at {root}",
        code="project-cases-missing",
        next="golden guide   # section 2: a file with CASES, and how pyproject.toml names it",
    )


def cases_of(file: Path, root: Path, taken: dict[str, str] | None = None) -> "tuple[Case, ...]":
    """The cases that a file declares. Raises `ProjectError` if it does not load or they are odd.

    While it is loaded and after, imports find what is in its own folder, the root, `src` in it,
    and the folders that pytest is told to look in. `taken` holds the ids of other files, and takes
    those of this one.
    """
    from .cases import Case

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
    taken = {} if taken is None else taken
    for case in cases:
        _check(case, taken, file)
    return tuple(cases)


def _load(file: Path, root: Path) -> ModuleType:
    looked_in = [str(place) for place in dict.fromkeys((file.parent, root, *_sources(root)))]
    for place in reversed(looked_in):
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
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise ProjectError(
            f"{file} cannot be loaded.",
            *_told(error, looked_in),
            *_where(error, root),
            code="project-cases-broken",
        ) from error
    return module


def _sources(root: Path) -> list[Path]:
    """Where the project's own modules are besides its root: `src`, and what pytest is told."""
    places = [root / "src"] if (root / "src").is_dir() else []
    try:
        text = (root / "pyproject.toml").read_text(encoding="utf-8")
        tool = tomllib.loads(text).get("tool", {}).get("pytest", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError):
        return places  # whoever needs the settings says what is wrong with them
    told: Any = {**tool, **tool.get("ini_options", {})}.get("pythonpath", ())
    names: list[Any] = shlex.split(told) if isinstance(told, str) else list(told)
    return places + [Path(os.path.abspath(root / name)) for name in names if isinstance(name, str)]


def _told(error: BaseException, looked_in: list[str]) -> list[str]:
    """What the error says; where a module was looked for, and how to name another folder."""
    if isinstance(error, CurriculumError):
        return [f"{error.headline} [{error.code}]", *error.evidence]
    said = [f"{type(error).__name__}: {error}"]
    if isinstance(error, ImportError):
        said += [f"looked in {', '.join(looked_in)}"]
        said += ["another folder: pythonpath in [tool.pytest.ini_options], or install the project"]
    return said


def _where(error: BaseException, root: Path) -> list[str]:
    """The lines of the project through which the error came."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).is_relative_to(root)]
    return [f"{frame.filename}, line {frame.lineno}: {frame.line}" for frame in inside[-4:]]


def _check(case: "Case", taken: dict[str, str], file: Path) -> None:
    """An id is a path that every file system can hold, and no two are one file on any of them."""
    from .cases import BY_TESTS

    parts = case.id.split("/")
    fits = all(_PART.match(part) and not RESERVED.match(part) for part in parts)
    if not fits or case.id.startswith(BY_TESTS) or case.id.endswith(".pending"):
        raise ProjectError(
            f"{file}: {case.id!r} is no id for a case.",
            "words joined by /, of letters, digits and - _ . as they can stand in a file name",
            f"{BY_TESTS} is for traces that tests record",
            code="case-id",
        )
    other = taken.get(case.id.casefold())
    if other is not None:
        raise ProjectError(
            f"{file}: two cases are called {case.id!r}.",
            *([f"the other one: {other!r}, the same file on some systems"] * (other != case.id)),
            code="case-id-twice",
        )
    taken[case.id.casefold()] = case.id
