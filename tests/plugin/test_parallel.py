"""Under pytest-xdist nothing is lost and nothing invented: one trace, one file."""

from .conftest import Own

MANY = """
import pytest
from my_agent import run_agent

@pytest.mark.parametrize("number", range(200))
def test_many(golden_trace, number):
    run_agent(golden_trace, f"Question {number}?", "read", f"Answer {number}.")
"""


def test_two_hundred_tests_that_record_at_once(bare: Own) -> None:
    """A cold run by four workers: one whole pending file for each; then all of them hold."""
    bare.write("tests/test_many.py", MANY)
    done = bare.pytest("-n", "4", "-q", "-rN", "--tb=no", "--golden-record")
    assert (done.code, "200 failed" in done.out) == (1, True)
    files = bare.files()
    assert sorted(files) == sorted(
        f"pytest/tests/test_many/test_many[{n}].pending.jsonl" for n in range(200)
    )
    for number in range(200):
        trace = files[f"pytest/tests/test_many/test_many[{number}].pending.jsonl"]
        assert trace.startswith(b'{"format":"curriculum-trace"')
        assert f'"text":"Question {number}?"'.encode() in trace
        assert f'"text":"Answer {number}."'.encode() in trace
        assert trace.count(b"\n") == 18  # the header, and 17 events
        assert trace.endswith(b'"type":"session.stop"}\n')
    bare.accept()
    again = bare.pytest("-n", "4", "-q")
    assert (again.code, "200 passed" in again.out) == (0, True)
    assert len(bare.files()) == 200


def test_a_full_parallel_run_knows_what_no_test_claims(held: Own) -> None:
    """The workers tell who claims what; the report is given once."""
    held.change("tests/test_agent.py", "test_answers", "test_renamed")
    held.record()
    done = held.pytest("-n", "2")
    assert (done.code, "2 passed" in done.out) == (1, True)
    assert done.out.count("UNCLAIMED pytest/tests/test_agent/test_answers  [unclaimed]") == 1


def test_a_worker_that_dies_makes_no_golden_unclaimed(held: Own) -> None:
    held.write("golden/pytest/old/test_x.jsonl", "x")
    held.write("tests/test_dies.py", "import os\n\ndef test_dies():\n    os._exit(3)\n")
    done = held.pytest("-n", "2")
    assert done.code == 1
    assert "crashed" in done.out
    assert "UNCLAIMED" not in done.out


def test_recording_is_refused_under_ci_before_a_worker_starts(held: Own) -> None:
    held.change("tests/test_agent.py", "Hello?", "Hallo?")
    before = held.files()
    done = held.pytest("-n", "2", "--golden-record", CI="1")
    assert (done.code, "[golden-ci]" in done.err) == (4, True)
    assert held.files() == before
