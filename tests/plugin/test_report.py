"""A failure is the report of `golden verify --plain`: never a traceback, never a wall of JSON."""

from io import StringIO

from curriculum.golden.verify import compared
from curriculum.view.report import show_verdict
from curriculum.view.screen import Screen

from .conftest import Own, failures


def verified(own: Own, id: str, text: str, record: str = "") -> str:
    """What `golden verify --plain` says of this golden and a run that wrote `text`."""
    out = StringIO()
    show_verdict(Screen(True, out), compared(id, text, own.root / "golden", record=record))
    return out.getvalue()


def diverge(own: Own, id: str) -> tuple[str, str]:
    """Change the agent; return the failure under pytest, and the report of the same two traces."""
    golden = own.root / "golden" / f"{id}.jsonl"
    before = golden.read_text("ascii")
    own.change("my_agent.py", "limit=600", "limit=500")
    shown = failures(own.pytest("-k", "reads or answers"))
    own.pytest("--golden-record")
    after = golden.with_name(f"{golden.stem}.pending.jsonl")
    text = after.read_text("ascii")
    after.unlink()
    assert text != before
    record = "" if id == "reads" else f"python -m pytest --golden-record {NODE}"
    return shown, verified(own, id, text, record)


NODE = "tests/test_agent.py::test_answers"


def test_a_case_that_diverges_is_reported_as_golden_verify_reports_it(held: Own) -> None:
    shown, report = diverge(held, "reads")
    assert "  changed   the budget, max_input_chars: 600 -> 500\n" in report
    assert "  next      golden record reads\n" in report
    assert report in shown


def test_so_is_a_test_with_the_command_that_records_it(held: Own) -> None:
    shown, report = diverge(held, "pytest/tests/test_agent/test_answers")
    assert "  changed   the budget, max_input_chars: 600 -> 500\n" in report
    assert f"  next      python -m pytest --golden-record {NODE}\n" in report
    assert report in shown


def test_the_command_starts_from_where_pytest_was_started(held: Own) -> None:
    held.change("my_agent.py", "limit=600", "limit=500")
    done = held.pytest("test_agent.py", cwd="tests")
    assert "next      python -m pytest --golden-record test_agent.py::test_answers\n" in done.out
    assert held.pytest("--golden-record", "test_agent.py::test_answers", cwd="tests").code == 1
    assert "pytest/tests/test_agent/test_answers.pending.jsonl" in held.files()


def test_a_missing_golden_is_named_with_the_command_that_records_it(project: Own) -> None:
    place = project.root / "golden/pytest/tests/test_agent/test_answers.jsonl"
    done = project.pytest()
    assert done.code == 1
    assert (
        "MISSING   pytest/tests/test_agent/test_answers  [fixture-missing]\n"
        f"  evidence  no file at {place}\n"
        f"  next      python -m pytest --golden-record {NODE}\n"
    ) in done.out
    assert "MISSING   reads  [fixture-missing]\n" in done.out
    assert not (project.root / "golden").exists()


def test_a_big_trace_does_not_make_a_long_failure(bare: Own) -> None:
    """A hundred turns of which every one differs: a screenful, and no line of JSON."""
    many = "*['read'] * 100, 'Done.', limit=100_000"
    bare.write(
        "tests/test_big.py",
        "from my_agent import run_agent\n\n\n"
        f"def test_big(golden_trace):\n    run_agent(golden_trace, 'Hello?', {many})\n",
    )
    bare.record()
    assert bare.pytest().code == 0
    bare.change("my_agent.py", 'run.tool_result(number, "row " * 50)', 'run.tool_result(number, "col " * 50)')  # fmt: skip
    done = bare.pytest()
    assert done.code == 1
    shown = failures(done)
    assert "DIVERGED  pytest/tests/test_big/test_big  [diverged]" in shown
    assert len(shown.splitlines()) <= 30
    assert max(map(len, shown.splitlines())) <= 250
    assert '{"' not in shown
    assert "\n            and 92 more inputs\n" in shown
    assert "  requests  100 of 101 change: request 2-101\n" in shown
