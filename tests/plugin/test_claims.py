"""`--golden-claims FILE` says which goldens the tests claim, and whether they were all looked at."""

from .conftest import Own

ANSWERS = "pytest/tests/test_agent/test_answers"


def test_the_ids_of_all_tests_are_written_without_running_one(held: Own) -> None:
    held.write("tests/test_more.py", "def test_more(golden_trace):\n    assert False\n")
    told = held.claims("--collect-only", "-q")
    assert told == {"claims": [ANSWERS, "pytest/tests/test_more/test_more", "reads"], "gaps": []}


def test_a_run_that_leaves_something_out_says_so(held: Own) -> None:
    assert held.claims("--collect-only", "-k", "answers")["gaps"] != []
    assert held.claims("--collect-only", "tests")["gaps"] == ["only some paths were asked for"]
    assert held.claims("--collect-only", cwd="tests")["gaps"] == ["only some paths were asked for"]


def test_a_module_that_was_not_collected_is_a_gap_if_it_has_goldens(held: Own) -> None:
    held.write("tests/test_skipped.py", "import pytest\npytest.importorskip('no_such_module')\n")
    assert held.claims("--collect-only")["gaps"] == []
    held.write("golden/pytest/tests/test_skipped/test_x.jsonl", "x")
    assert held.claims("--collect-only")["gaps"] == ["tests/test_skipped/ was not collected"]


def test_prune_deletes_only_what_no_test_claims(held: Own) -> None:
    """The two together: what a test claims, and its further traces, stay."""
    from ..cli.command import golden

    stay = [f"{ANSWERS}.1.jsonl", f"{ANSWERS}.second.jsonl"]
    for name in (*stay, "pytest/tests/test_gone/test_old.jsonl"):
        held.write(f"golden/{name}", "x")
    done = golden("prune", "--yes", cwd=held.root)
    assert done.code == 0, done.err
    assert sorted(held.files()) == sorted([f"{ANSWERS}.jsonl", *stay, "reads.jsonl"])


def test_a_place_that_cannot_be_written_is_a_usage_error(held: Own) -> None:
    done = held.pytest("--collect-only", "--golden-claims", "no/such/folder.json")
    assert done.code == 4
    assert "no/such/folder.json cannot be written: No such file or directory" in done.out + done.err
    assert "Traceback" not in done.out + done.err
