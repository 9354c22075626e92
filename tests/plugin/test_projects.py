"""A test's project is the one around its file, wherever pytest was started."""

import os
import sys

import pytest

from ..cli.command import ROOT
from .conftest import TESTS, Own

GOLDENS = ["pytest/tests/test_agent/test_answers.jsonl", "reads.jsonl"]


def test_a_project_inside_the_root_of_pytest(held: Own) -> None:
    """From above, from inside and from its tests: the same goldens hold."""
    held.write("pyproject.toml", '[tool.curriculum]\ncases = ["tests/golden_cases.py"]\n')
    held.write("../pytest.ini", "[pytest]\n")
    for cwd in ("..", ".", "tests"):
        done = held.pytest(cwd=cwd)
        assert (done.code, "2 passed" in done.out) == (0, True)
    held.write("golden/pytest/tests/test_gone/test_old.jsonl", "x")
    for cwd in ("..", "."):
        assert "UNCLAIMED pytest/tests/test_gone/test_old  [unclaimed]" in held.pytest(cwd=cwd).out
    assert sorted(held.files())[::2] == GOLDENS


def test_a_rootdir_that_is_elsewhere(held: Own) -> None:
    (held.root.parent / "other").mkdir()
    done = held.pytest("--rootdir", "../other", "tests")
    assert (done.code, "2 passed" in done.out) == (0, True)


def test_two_projects_in_one_run(held: Own) -> None:
    """Each has goldens of its own, and tests of one name do not meet."""
    held.write("inner/pyproject.toml", "[tool.curriculum]\n")
    text = (held.root / "tests/test_agent.py").read_text()
    held.write("inner/tests/conftest.py", "")
    held.write("inner/tests/test_inner.py", text)
    done = held.pytest("--golden-record")
    assert "1 failed, 2 passed" in done.out
    assert sorted(held.files()) == GOLDENS
    waits = held.root / "inner/golden/pytest/tests/test_inner/test_answers.pending.jsonl"
    assert waits.is_file()


def test_bad_settings_of_an_inner_project_are_told_without_a_traceback(held: Own) -> None:
    held.write("inner/pyproject.toml", "[tool.curriculum]\nodd = 1\n")
    held.write("inner/test_inner.py", "def test_inner():\n    pass\n")
    done = held.pytest()
    assert done.code == 2
    assert "has no setting 'odd'. [project-setting]" in done.out
    assert "Traceback" not in done.out


def test_without_settings_goldens_are_beside_the_root_of_pytest(bare: Own) -> None:
    from .conftest import ROOT_HERE, TESTS

    bare.write("pyproject.toml", ROOT_HERE)
    bare.write("tests/test_agent.py", TESTS)
    bare.record()
    assert list(bare.files()) == GOLDENS[:1]
    assert bare.pytest().code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_project_reached_through_a_link(held: Own) -> None:
    """Some systems reach even their temporary folder through one."""
    link = held.root.parent / "link"
    link.symlink_to(held.root, target_is_directory=True)
    done = held.pytest(str(link), cwd="..")
    assert (done.code, "2 passed" in done.out) == (0, True)


def test_without_settings_goldens_stay_in_the_project(bare: Own) -> None:
    """Somebody's pytest settings further up must not lead out of it."""
    bare.write("../pyproject.toml", "[tool.pytest.ini_options]\n")
    bare.write("pyproject.toml", '[project]\nname = "mine"\n')
    bare.write("tests/test_agent.py", TESTS)
    done = bare.pytest("--golden-record", PYTHONPATH=f"{ROOT}{os.pathsep}{bare.root}")
    assert done.code == 1
    waits = bare.root / "golden/pytest/tests/test_agent/test_answers.pending.jsonl"
    assert waits.is_file()
    assert not (bare.root.parent / "golden").exists()
