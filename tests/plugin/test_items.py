"""One item a case, with an id that can be read and asked for."""

from .conftest import CASES, Own


def test_one_item_a_case_and_a_test(project: Own) -> None:
    done = project.pytest("--collect-only", "-q")
    assert done.out.splitlines()[:2] == [
        "tests/golden_cases.py::reads",
        "tests/test_agent.py::test_answers",
    ]


def test_a_case_in_a_folder_is_asked_for_by_its_id(held: Own) -> None:
    """An id may hold a slash; one case can be run alone."""
    held.change("tests/golden_cases.py", 'Case("reads"', 'Case("files/reads"')
    (held.root / "golden" / "files").mkdir()
    (held.root / "golden/reads.jsonl").replace(held.root / "golden/files/reads.jsonl")
    done = held.pytest("-v", "tests/golden_cases.py::files/reads")
    assert done.code == 0
    assert "tests/golden_cases.py::files/reads PASSED" in done.out
    assert "1 passed" in done.out


def test_a_file_may_hold_cases_and_tests(held: Own) -> None:
    held.write("tests/test_both.py", f"{CASES}\n\ndef test_more():\n    pass\n")
    held.settings('[tool.curriculum]\ncases = ["tests/test_both.py"]\n')
    done = held.pytest("-v")
    assert "tests/test_both.py::reads PASSED" in done.out
    assert "tests/test_both.py::test_more PASSED" in done.out


def test_the_headline_of_a_failure_is_the_case_and_its_title(project: Own) -> None:
    out = project.pytest().out
    assert "_ reads: the agent reads one file _" in out
