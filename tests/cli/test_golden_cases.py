"""What a case does beside its trace: it raises, it leaves the program, or there is none at all."""

from pathlib import Path

import pytest

from .command import golden

LOOP = """from curriculum import Case, Choice, ContextBudget, Recording

def loop(trace, fail=False):
    with Recording(trace, "a@1", policy="all@1", budget=ContextBudget(max_input_chars=99)) as run:
        run.record("user", "Hello?")
        run.assemble(rest=Choice.admit("kept"))
        run.request()
        if fail:
            run.fail("model-down")
        else:
            run.response("Hello.")

"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[tool.curriculum]\ncases = ["cases.py"]\n')
    return tmp_path


def cases(own: Path, body: str, stops: str = "completed") -> None:
    """A file of two cases: `odd` does what `body` says, `whole` only runs the loop."""
    made = f"def odd(trace):\n{body}\n\nCASES = [\n"
    made += (
        f'    Case("odd", "odd", "{stops}", odd),\n    Case("whole", "", "completed", loop),\n]\n'
    )
    (own / "cases.py").write_text(LOOP + made)


AFTER = {
    "an assertion": "    loop(trace)\n    assert 1 == 2",
    "an error": "    loop(trace)\n    1 / 0",
    "an end of the program": "    loop(trace)\n    raise SystemExit(0)",
    "an assertion after a failure that is declared": "    loop(trace, True)\n    assert 1 == 2",
}


@pytest.mark.parametrize("what", AFTER)
def test_what_is_raised_after_the_stop_fails_the_case(what: str, own: Path) -> None:
    """The trace is whole and would hold; the case has failed all the same, and only this one."""
    cases(own, "    loop(trace)")
    golden("record", "--all", cwd=own)
    golden("accept", "odd", "whole", cwd=own)
    cases(own, AFTER[what], "error" if "declared" in what else "completed")
    done = golden("verify", "--plain", cwd=own)
    assert done.code == 6
    lines = done.out.splitlines()
    assert "FAILED    odd  [case-failed]" == lines[0]
    assert "holds     whole  7 events, 1 request rebuilt" in lines
    assert any("at cases.py, line " in line for line in lines)


def test_a_failure_that_is_declared_may_be_raised_too(own: Path) -> None:
    cases(own, "    loop(trace, True)\n    raise ConnectionError", "error")
    golden("record", "--all", cwd=own)
    assert 0 == golden("accept", "odd", "whole", cwd=own).code
    assert 0 == golden("verify", cwd=own).code


@pytest.mark.parametrize("settings", ["[tool.curriculum]\n", "[tool.curriculum]\ncases = []\n"])
def test_where_nothing_is_checked_nothing_holds(settings: str, own: Path) -> None:
    (own / "pyproject.toml").write_text(settings)
    done = golden("verify", cwd=own)
    assert (2, "") == (done.code, done.out)
    assert "Nothing was checked: there is no case, and no golden. [golden-nothing]" in done.err


def test_goldens_of_tests_are_read_and_checked_by_the_laws(own: Path) -> None:
    """Whether they hold, only pytest can say; that they are whole and lawful is said here."""
    cases(own, "    loop(trace)")
    golden("record", "--all", cwd=own)
    golden("accept", "odd", "whole", cwd=own)
    (own / "golden/pytest").mkdir()
    good = (own / "golden/whole.jsonl").read_text()
    told = "and 1 golden that tests record, read but not run: python -m pytest"
    for text, code, word in (
        (good, 0, told),
        ("garbage\n", 5, "UNREADABLE pytest/test_x  [fixture-unreadable]"),
        (good.replace('"turns":1', '"turns":2'), 5, "UNLAWFUL  pytest/test_x  [fixture-unlawful]"),
    ):
        (own / "golden/pytest/test_x.jsonl").write_text(text)
        done = golden("verify", "--plain", cwd=own)
        assert (code, True) == (done.code, word in done.out.splitlines()), done.out
