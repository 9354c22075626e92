"""`--golden-record` writes a pending file for each trace that differs; goldens are never touched."""

from .conftest import Own

ANSWERS = "pytest/tests/test_agent/test_answers"


def test_what_has_no_golden_is_written_beside_its_place_and_still_fails(project: Own) -> None:
    done = project.pytest("--golden-record")
    assert done.code == 1
    assert "2 failed" in done.out
    assert sorted(project.files()) == [f"{ANSWERS}.pending.jsonl", "reads.pending.jsonl"]
    place = project.root / "golden" / "reads.pending.jsonl"
    assert f"  evidence  recorded {place}\n  next      golden review\n" in done.out
    again = project.pytest()
    assert again.code == 1
    assert "next      golden review reads\n" in again.out


def test_after_accepting_all_holds(held: Own) -> None:
    done = held.pytest()
    assert (done.code, sorted(held.files())) == (0, [f"{ANSWERS}.jsonl", "reads.jsonl"])
    assert "2 passed" in done.out


def test_only_what_differs_is_written_and_no_golden_is_touched(held: Own) -> None:
    before = held.files()
    held.change("tests/test_agent.py", "Hello?", "Hallo?")
    done = held.pytest("--golden-record")
    assert (done.code, "1 failed, 1 passed" in done.out) == (1, True)
    after = held.files()
    assert after.pop(f"{ANSWERS}.pending.jsonl").count(b"Hallo?") == 1
    assert after == before


def test_a_failing_test_records_nothing(project: Own) -> None:
    project.write("tests/test_agent.py", """
from my_agent import run_agent
import unittest
import pytest

def test_raises(golden_trace):
    run_agent(golden_trace, "Hello?")
    raise ValueError("broken")

@pytest.mark.xfail(strict=True)
def test_fails_as_expected(golden_trace):
    run_agent(golden_trace, "Hello?")
    assert False

def test_skips(golden_trace):
    run_agent(golden_trace, "Hello?")
    pytest.skip("later")

class TestUnit(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def trace(self, golden_trace):
        self.trace = golden_trace

    def test_fails(self):
        run_agent(self.trace, "Hello?")
        self.fail("broken")
""")  # fmt: skip
    done = project.pytest("--golden-record", "tests/test_agent.py")
    assert "2 failed, 1 skipped, 1 xfailed" in done.out
    assert not (project.root / "golden").exists()


def test_a_place_that_cannot_be_written_is_said_in_the_report(project: Own) -> None:
    project.write("golden", "a file is in the way")
    done = project.pytest("--golden-record", "tests/test_agent.py")
    assert done.code == 1
    assert "cannot be written" in done.out
    assert "[golden-write]" in done.out


def test_a_case_that_gives_two_traces_is_not_recorded(project: Own) -> None:
    """It would never hold; what differs is said, as `golden record` says it."""
    project.change("tests/golden_cases.py", "def reads(", "ASKED = []\n\n\ndef reads(")
    project.change("tests/golden_cases.py", '"Read it."', '"Read it." + "!" * len(ASKED)')
    project.change("tests/golden_cases.py", "    run_agent(", "    ASKED.append(1)\n    run_agent(")
    done = project.pytest("--golden-record", "tests/golden_cases.py")
    assert done.code == 1
    assert "[case-not-deterministic]" in done.out
    said = "event 4 record.append text: 'Read it.!!' in the first run, 'Read it.!!!' in the second"
    assert f"  evidence  {said}\n" in done.out  # the first run of all only looked whether it holds
    assert not list((project.root / "golden").rglob("*.jsonl"))
