"""Where a file of cases finds the project's modules, and what a path that is wrong leads to."""

from pathlib import Path

import pytest

from .command import golden

CASES = """from curriculum import Case
from {module} import play
CASES = [Case("mine", "it runs", "completed", play)]
"""


def _project(folder: Path, place: str, settings: str = "", module: str = "fixit") -> None:
    (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / place / "fixit.py").write_text("def play(trace): ...\n")
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "golden_cases.py").write_text(CASES.format(module=module))
    table = '[tool.curriculum]\ncases = ["tests/golden_cases.py"]\n'
    (folder / "pyproject.toml").write_text(table + settings)


@pytest.mark.parametrize(
    ("place", "settings"),
    [
        ("", ""),
        ("tests", ""),
        ("src", ""),
        ("lib/python", '[tool.pytest.ini_options]\npythonpath = ["other", "lib/python"]\n'),
        ("lib", '[tool.pytest.ini_options]\npythonpath = "other lib"\n'),
        ("lib", '[tool.pytest]\npythonpath = ["lib"]\n'),
    ],
    ids=["root", "its own folder", "src", "pytest's list", "pytest's words", "pytest 9"],
)
def test_a_module_is_found_there(place: str, settings: str, tmp_path: Path) -> None:
    _project(tmp_path, place, settings)
    done = golden("list", "--plain", cwd=tmp_path)
    assert 0 == done.code, done.err
    assert ["missing  mine  it runs  (stops: completed)"] == done.out.splitlines()


def test_a_module_that_is_not_found_says_where_it_was_looked_for(tmp_path: Path) -> None:
    settings = '[tool.pytest.ini_options]\npythonpath = ["lib"]\n'
    _project(tmp_path, "src", settings, module="fixti")
    done = golden("list", cwd=tmp_path)
    root = tmp_path.resolve()
    places = [root / "tests", root, root / "src", root / "lib"]
    assert 2 == done.code
    assert [
        f"error: {root / 'tests' / 'golden_cases.py'} cannot be loaded. [project-cases-broken]",
        "  ModuleNotFoundError: No module named 'fixti'",
        f"  looked in {', '.join(map(str, places))}",
        "  another folder: pythonpath in [tool.pytest.ini_options], or install the project",
    ] == done.err.splitlines()[:4]


def test_a_file_of_cases_that_is_not_there_leads_to_the_guide(tmp_path: Path) -> None:
    _project(tmp_path, "src")
    (tmp_path / "pyproject.toml").write_text('[tool.curriculum]\ncases = ["golden_case.py"]\n')
    root = tmp_path.resolve()
    assert [
        f"error: {root / 'pyproject.toml'}: there is no file {root / 'golden_case.py'}."
        " [project-cases-missing]",
        "  nearest: tests/golden_cases.py",
        f"  paths in [tool.curriculum] begin at {root}",
        "  next: golden guide   # section 2: a file with CASES, and how pyproject.toml names it",
    ] == golden("list", cwd=tmp_path).err.splitlines()


def test_the_advice_on_line_ends_is_that_of_the_guide(project: Path) -> None:
    path = project / "golden" / "three-turns.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    advice = "golden/**/*.jsonl text eol=lf"
    assert f"'{advice}' in .gitattributes" in golden("verify", "--plain", cwd=project).out
    assert f"`{advice}`" in golden("guide", "--plain").out
