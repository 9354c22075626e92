"""A run of everything fails if a file of cases that the settings name was not collected."""

import pytest

from .conftest import ROOT_HERE, Own

SAID = (
    "NOT CHECKED golden_cases.py  [could-not-check]\n"
    "  evidence  its cases have not run: pytest has not collected this file\n"
    "  evidence  to run it always, add it to testpaths in [tool.pytest.ini_options]\n"
    "  next      python -m pytest golden_cases.py\n"
)


@pytest.fixture
def beside(held: Own) -> Own:
    """The cases are beside pyproject.toml, and the settings send pytest to another folder."""
    (held.root / "tests/golden_cases.py").replace(held.root / "golden_cases.py")
    held.write(
        "pyproject.toml",
        ROOT_HERE + 'testpaths = ["tests"]\n[tool.curriculum]\ncases = ["golden_cases.py"]\n',
    )
    return held


@pytest.mark.parametrize("more", [(), ("-n", "2")], ids=["one", "workers"])
def test_a_file_that_testpaths_leave_out_is_named(beside: Own, more: tuple[str, ...]) -> None:
    done = beside.pytest(*more)
    assert (done.code, "1 passed" in done.out) == (1, True)
    assert SAID in done.out


@pytest.mark.parametrize("more", [(), ("-n", "2")], ids=["one", "workers"])
def test_a_run_that_finds_it_is_well(beside: Own, more: tuple[str, ...]) -> None:
    """Named on the command line, or in the settings."""
    done = beside.pytest(".", *more)
    assert (done.code, "2 passed" in done.out) == (0, True)
    beside.change("pyproject.toml", '["tests"]', '["tests", "golden_cases.py"]')
    done = beside.pytest(*more)
    assert (done.code, "2 passed" in done.out) == (0, True)


@pytest.mark.parametrize(
    "args", [("tests",), ("tests/test_agent.py",), (".", "--ignore=golden_cases.py")], ids=" ".join
)
def test_whoever_asks_for_less_gets_less(beside: Own, args: tuple[str, ...]) -> None:
    done = beside.pytest(*args)
    assert (done.code, "NOT CHECKED" in done.out) == (0, False)


def test_a_folder_that_pytest_never_enters_is_no_wish_of_anybody(beside: Own) -> None:
    beside.write("build/golden_cases.py", (beside.root / "golden_cases.py").read_text("utf-8"))
    beside.change("pyproject.toml", '["golden_cases.py"]', '["build/golden_cases.py"]')
    done = beside.pytest(".")
    assert (done.code, "NOT CHECKED build/golden_cases.py" in done.out) == (1, True)
