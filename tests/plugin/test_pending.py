"""A run does not pass while a recorded trace waits beside a golden that it has compared."""

import pytest

from .conftest import Own
from .test_syrupy import TESTS as SNAPSHOTS

ANSWERS = "pytest/tests/test_agent/test_answers"


@pytest.fixture
def waits(held: Own) -> Own:
    """One trace waits beside the golden of the test, one beside that of the case."""
    held.write("tests/test_more.py", "def test_more():\n    pass\n")
    for id in (ANSWERS, "reads"):
        held.write(f"golden/{id}.pending.jsonl", "new")
    return held


def said(id: str, evidence: str = "a recorded trace waits", next: str = "review") -> str:
    return f"PENDING   {id}  [pending]\n  evidence  {evidence}\n  next      golden {next} {id}\n"


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("tests",), [ANSWERS, "reads"]),
        (("tests", "-n", "2"), [ANSWERS, "reads"]),
        (("tests/test_agent.py",), [ANSWERS]),
        (("-k", "answers"), [ANSWERS]),
        (("-k", "reads"), ["reads"]),
        (("tests/golden_cases.py::reads",), ["reads"]),
        (("tests/test_more.py",), []),
        (("-k", "more"), []),
    ],
    ids=str,
)
def test_a_run_names_what_waits_beside_its_own(
    waits: Own, args: tuple[str, ...], named: list[str]
) -> None:
    done = waits.pytest(*args, CI="1")
    assert [id for id in (ANSWERS, "reads") if said(id) in done.out] == named
    assert (done.code, done.out.count("PENDING ")) == (int(bool(named)), len(named))
    assert " failed" not in done.out  # the tests themselves are well


def test_a_test_that_was_skipped_has_compared_nothing(waits: Own) -> None:
    waits.write("tests/test_agent.py", "import pytest\n\ndef test_answers(golden_trace):\n    pytest.skip()\n")  # fmt: skip
    assert waits.pytest("tests/test_agent.py").code == 0


def test_a_run_that_records_is_about_to_make_them(waits: Own) -> None:
    assert "PENDING " not in waits.pytest("--golden-record", "tests/test_agent.py").out


def test_further_traces_of_syrupy(bare: Own) -> None:
    bare.write("tests/test_snap.py", SNAPSHOTS + "    assert trace_of('Two?') == snapshot\n")
    bare.record("--snapshot-update")
    bare.change("tests/test_snap.py", "Two?", "Zwei?")
    assert bare.pytest("--snapshot-update", "tests/test_snap.py").code == 0
    assert said("pytest/tests/test_snap/test_snap.1") in bare.pytest("tests/test_snap.py").out


@pytest.mark.parametrize("args", [(), ("tests",)], ids=["all", "some"])
def test_what_waits_and_is_the_golden_already_is_thrown_away(
    held: Own, args: tuple[str, ...]
) -> None:
    """In the words of `golden verify`."""
    golden = (held.root / f"golden/{ANSWERS}.jsonl").read_text("utf-8")
    held.write(f"golden/{ANSWERS}.pending.jsonl", golden)
    done = held.pytest(*args)
    assert done.code == 1
    assert said(ANSWERS, "a recorded trace waits that is the golden already", "reject") in done.out


def test_so_is_what_nobody_claims(held: Own) -> None:
    for id, who in (("gone", "case"), ("pytest/tests/test_gone/test_x", "test")):
        held.write(f"golden/{id}.pending.jsonl", "new")
        words = f"a recorded trace waits, and no {who} claims it"
        assert said(id, words, "reject") in held.pytest().out
    assert held.pytest("tests").code == 0


def test_what_waits_and_cannot_be_read_is_named(held: Own) -> None:
    (held.root / f"golden/{ANSWERS}.pending.jsonl").mkdir()
    done = held.pytest()
    assert (done.code, f"PENDING   {ANSWERS}  [pending]\n" in done.out) == (1, True)
    assert f"{ANSWERS}.pending.jsonl cannot be read: " in done.out
    assert "[golden-read]" in done.out
    assert "INTERNALERROR" not in done.out + done.err
