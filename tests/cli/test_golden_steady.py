"""A case that gives another trace each time is refused when it is recorded, with its first fact."""

from pathlib import Path

import pytest

from .command import golden

USUAL = [
    "  usual reasons: a clock, random or counted ids, the order of a set,",
    "  or state that is kept between cases, such as a script that is used up",
    "  next: golden guide   # section 2: what a case replaces by a script",
]


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def clock(project: Path) -> Path:
    """The instruction says how many runs there were before: it stands for a clock."""
    agent = project / "agent.py"
    _replace(agent, "Ask = ", "from itertools import count\n\nRUNS = count(7)\nAsk = ")
    _replace(agent, '"You are a tiny agent."', 'f"It is {next(RUNS)} o\'clock."')
    return project


def test_record_names_the_first_fact_that_differs_and_writes_nothing(clock: Path) -> None:
    done = golden("record", "three-turns", cwd=clock)
    assert (6, "") == (done.code, done.out)
    assert [
        "error: three-turns does not give the same trace twice, so there is nothing to record."
        " [case-not-deterministic]",
        """  event 3 record.append text: "It is 7 o'clock." in the first run, """
        """"It is 8 o'clock." in the second""",
        *USUAL,
    ] == done.err.splitlines()
    assert not list(clock.rglob("*.pending.jsonl"))


def test_of_long_texts_the_place_where_they_part_is_shown(clock: Path) -> None:
    _replace(clock / "agent.py", "It is {next", "It is a fine day in a long text, {next")
    _replace(clock / "agent.py", "o'clock.", "o'clock, and that is all that there is to say.")
    done = golden("record", "three-turns", cwd=clock)
    assert (
        "  event 3 record.append text: from character 13 on "
        """"day in a long text, 7 o'clock, and that " in the first run, """
        """"day in a long text, 8 o'clock, and that " in the second"""
    ) == done.err.splitlines()[1]


USED_UP = """from agent import run
from curriculum import Case
SCRIPT = iter([{"content": "The build is red."}])
def play(trace):
    run("What is wrong?", lambda body: next(SCRIPT), trace)
CASES = [Case("three-turns", "one turn, in truth", "completed", play)]
"""


def test_state_that_the_first_run_has_used_up(project: Path) -> None:
    """A script made once, when the file is loaded, is empty in the second run."""
    (project / "golden_cases.py").write_text(USED_UP)
    done = golden("record", "three-turns", cwd=project)
    assert 6 == done.code
    assert [
        "  the second run failed, the first did not",
        "  three-turns raised StopIteration: ",
        "  at golden_cases.py, line 5, in <lambda>",
        "  after request 1",
        *USUAL,
    ] == done.err.splitlines()[1:]


def test_verify_runs_once_and_sees_the_divergence(clock: Path) -> None:
    done = golden("verify", "--plain", "three-turns", cwd=clock)
    assert 1 == done.code
    assert "DIVERGED  three-turns" in done.out


def test_a_stale_recording_is_refused_with_the_first_fact_that_differs(project: Path) -> None:
    golden("record", "three-turns", cwd=project)
    _replace(project / "agent.py", "You are a tiny agent.", "You are a small agent.")
    done = golden("accept", "three-turns", cwd=project)
    assert (2, "") == (done.code, done.out)
    assert [
        "error: The pending trace of three-turns is not what the case gives now. [golden-stale]",
        "  something has changed since it was recorded",
        "  event 3 record.append text: 'You are a tiny agent.' in the pending trace, "
        "'You are a small agent.' in what it gives now",
    ] == done.err.splitlines()[:3]
