"""`--budget LIMIT=N` changes a limit of a case; one that cannot work is refused with its sum."""

import json

import pytest

from .command import curriculum

CASE = "s06-context-budget"
SECOND = "eebe7f59c3b520f39603baa944cec511083b42455368b3b6c242b46f11148224"


@pytest.mark.parametrize("ceiling", [180, 120, 92, 60])
def test_a_tool_ceiling_over_the_room_changes_no_byte(ceiling: int) -> None:
    """The second request has room for 31 characters, whatever gate 1 kept above that."""
    done = curriculum("run", CASE, "--budget", f"max_tool_output_chars={ceiling}", "--json")
    assert json.loads(done.out)["requests"][1]["fingerprint"] == SECOND


def test_the_title_says_what_was_changed() -> None:
    """The case's own title has numbers that no longer hold."""
    args = ("--budget", "max_tool_output_chars=120,max_input_chars=2000", "--plain")
    out = curriculum("run", CASE, *args).out.splitlines()
    assert (
        out[0] == f"{CASE}: changed: max_input_chars 300 -> 2000, max_tool_output_chars 180 -> 120"
    )
    assert out[2] == (
        "  R r0005 large_result: tool 2000 -> [gate 1: 120, for good] -> log 120"
        " -> [gate 2: 2000, this request] -> request 2 shows 120"
    )
    assert out[-1] == f"next: curriculum run {CASE}"


REFUSED = [
    (
        "capacity=400,output_reserve=100,max_input_chars=350",
        "Input ceiling and output reserve do not fit in the capacity. [budget-over-capacity]\n"
        "  350 + 100 = 450 > 400, 50 chars over\n"
        "  next: lower the ceiling to 300 or less",
    ),
    (
        "max_tool_output_chars=5",
        "max_tool_output_chars=5 has no room for a marker and both ends."
        " [budget-tool-ceiling-too-small]",
    ),
    (
        "max_input_chars=0",
        "max_input_chars is 0; it must be a whole number, at least 1. [budget-range]",
    ),
    (
        "max_inptu=3",
        "No limit is called 'max_inptu'. [budget-unknown-limit]\n"
        "  known: max_input_chars, output_reserve, capacity, max_tool_output_chars, max_messages\n"
        "  nearest: max_input_chars\n"
        f"  next: curriculum run {CASE} --budget max_input_chars=400",
    ),
    (
        "max_input_chars=many",
        "'max_input_chars=many' is no LIMIT=N with a whole number N of at most 12 digits. [budget-value]",
    ),
    (
        "max_input_chars",
        "'max_input_chars' is no LIMIT=N with a whole number N of at most 12 digits.",
    ),
]


@pytest.mark.parametrize(("change", "said"), REFUSED, ids=[change for change, _ in REFUSED])
def test_a_budget_that_cannot_work_is_refused(change: str, said: str) -> None:
    done = curriculum("run", CASE, "--budget", change)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {said}")


def test_a_run_that_a_budget_stops_is_shown_like_any_other() -> None:
    """The refused request says what it needed at least, what there was, and how much is over."""
    done = curriculum("run", CASE, "--budget", "max_input_chars=268", "--plain")
    assert done.code == 0
    assert (
        "== Request 2: not sent\n"
        "  Not even the markers of the results the model waits for fit, so nothing is sent."
        " [result-does-not-fit]\n"
        "    20 A r0004  assistant\n"
        "    13 R r0005  result, as its marker alone\n"
        "  20 + 13 = 33 > room 24: 9 over\n"
        "  room 24 = ceiling 268 - 244 that must stay\n"
    ) in done.out
