"""Settings and case files that cannot be used are one clear error each, and no traceback."""

import pytest

from .conftest import CASES, Own


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[tool.curriculum]\ngolden = \n", "Invalid value (at line 2, column 10)"),
        ("[tool.curriculum]\ncase = []\n", "has no setting 'case'. [project-setting]"),
        ("[tool.curriculum]\ncases = 'x.py'\n", "cases a list of files. [project-setting]"),
        ("[tool]\ncurriculum = 1\n", "tool.curriculum is no table. [project-setting]"),
        ("[tool.curriculum]\ngolden = '.'\n", "golden is a folder of its own, not '.'."),
        ("[tool.curriculum]\ngolden = '..'\n", "golden is a folder of its own, not '..'."),
        ("[tool.curriculum]\ncases = ['x.py']\n", "there is no file "),
        ("[tool.curriculum]\ncases = ['../x.py']\n", "cases are in .py files of the project"),
        ("[tool.curriculum]\ncases = ['x.txt']\n", "cases are in .py files of the project"),
    ],
)
def test_bad_settings_are_a_usage_error(bare: Own, settings: str, said: str) -> None:
    bare.write("pytest.ini", "[pytest]\n")  # pytest itself does not read the other file then
    bare.write("pyproject.toml", settings)
    bare.write("tests/test_x.py", "def test_x():\n    pass\n")
    done = bare.pytest()
    assert done.code == 4
    assert done.err.startswith(f"ERROR: {bare.root / 'pyproject.toml'}")
    assert said in done.err
    assert "Traceback" not in done.out + done.err


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("def\n", "SyntaxError: invalid syntax"),
        ("", "declares no cases: it has no CASES. [project-cases]"),
        ("CASES = []\n", "declares no cases: CASES is empty, or no list. [project-cases]"),
        ("CASES = [1]\n", "declares no cases: CASES holds a int. [project-cases]"),
        (CASES.replace('"reads"', '"../reads"'), "'../reads' is no id for a case. [case-id]"),
        (CASES.replace('"reads"', '"pytest/x"'), "'pytest/x' is no id for a case. [case-id]"),
        (CASES + "CASES *= 2\n", "two cases are called 'reads'. [case-id-twice]"),
        (
            CASES + 'CASES.append(Case("Reads", "again", "completed", reads))\n',
            "two cases are called 'Reads'. [case-id-twice]\n"
            "  the other one: 'reads', the same file on some systems\n",
        ),
    ],
)
def test_a_bad_case_file_is_an_error_of_its_collection(project: Own, cases: str, said: str) -> None:
    """As a module of tests that cannot be imported is; other files can still be asked for."""
    project.write("tests/golden_cases.py", cases)
    done = project.pytest()
    assert done.code == 2
    assert done.out.count("ERROR collecting") == 1
    assert said in done.out
    assert "Traceback" not in done.out + done.err


def test_the_line_of_the_project_that_failed_is_named(project: Own) -> None:
    project.write("my_agent.py", "import os\n\nos.no_such_name\n")
    out = project.pytest().out
    assert f"  {project.root / 'my_agent.py'}, line 3: os.no_such_name\n" in out


def test_two_files_with_one_id(project: Own) -> None:
    project.write("tests/more_cases.py", CASES)
    project.settings('[tool.curriculum]\ncases = ["tests/golden_cases.py", "tests/more_cases.py"]')
    done = project.pytest()
    assert done.code == 2
    assert (
        "tests/more_cases.py: 'reads' is the golden of tests/golden_cases.py::reads already. "
        "[case-id-twice]"
    ) in done.out


@pytest.mark.parametrize(
    "settings",
    [
        "[ tool . curriculum ]\n",
        '[tool]\ncurriculum = {golden = "golden"}\n',
        "[tool.'curriculum']\n",
    ],
)
def test_the_table_may_be_spelled_as_toml_allows(bare: Own, settings: str) -> None:
    bare.write("pytest.ini", "[pytest]\n")
    bare.write(
        "pyproject.toml", settings + 'cases = ["tests/golden_cases.py"]\n' * ("{" not in settings)
    )
    bare.write("tests/golden_cases.py", CASES)
    bare.write("golden/pytest/tests/test_gone/test_x.jsonl", "x")
    bare.write("tests/test_x.py", "def test_x():\n    pass\n")
    done = bare.pytest()
    assert done.code == 1
    assert "UNCLAIMED" in done.out or "MISSING   reads" in done.out
