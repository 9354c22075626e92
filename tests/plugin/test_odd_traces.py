"""A test that gives no trace that could be a golden is told so, also while none is there."""

from .conftest import Own, failures

TESTS = """
from curriculum import ContextBudget, Recording, Choice
from curriculum.trace.events import SessionStop
from my_agent import run_agent

BUDGET = ContextBudget(max_input_chars=600)

def test_nothing(golden_trace):
    pass

def test_no_stop(golden_trace):
    run = Recording(golden_trace, "my-agent@1", budget=BUDGET, policy="keep-all@1")
    run.record("user", "Hello?")

def test_law(golden_trace):
    run = Recording(golden_trace, "my-agent@1", budget=BUDGET, policy="keep-all@1")
    run.record("user", "Hello?")
    golden_trace.emit("session.stop", SessionStop("completed", 7), cause=2)

def test_raises(golden_trace):
    run_agent(golden_trace, "Hello?")
    raise ValueError("broken")

def test_late(request):
    run_agent(request.getfixturevalue("golden_trace"), "Hello?")
"""


def test_each_is_told_what_is_wrong(bare: Own) -> None:
    bare.write("tests/test_odd.py", TESTS)
    for more in ((), ("--golden-record",)):
        done = bare.pytest("-rN", *more)
        assert done.code == 1
        nothing, no_stop, law, raises, late = failures(done).split("\n____")[1:]
        assert "\nThe test wrote no trace. [trace-empty]" in nothing
        assert (
            "did not write how its run stopped; it cannot be a golden. [trace-no-stop]" in no_stop
        )
        assert "  next: end it with recording.stop(), or use `with Recording(" in no_stop
        assert "breaks a law; it cannot be a golden. [golden-unlawful]\n  law 0" in law
        assert "turns: expected 0, got 7" in law
        assert "ValueError: broken" in raises
        assert "[golden-claims]" in late
        assert "Traceback" not in done.out
        assert "During handling" not in done.out
        assert not (bare.root / "golden").exists()


def test_a_golden_that_is_there_does_not_hide_what_is_wrong(held: Own) -> None:
    for name, said in (("no_stop", "[trace-no-stop]"), ("law", "the new run breaks law 0")):
        held.write("tests/test_agent.py", TESTS.replace(f"test_{name}", "test_answers"))
        done = held.pytest("-k", "test_answers")
        assert done.code == 1
        assert said in done.out
