"""`curriculum trace` reads a trace file: show, validate, request, diff."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from ..traces import last_session
from .command import GOLDEN, curriculum

S06 = str(GOLDEN / "s06-context-budget.jsonl")
SPLIT = str(GOLDEN / "s06-context-budget" / "with-reserve.jsonl")
SECOND = "eebe7f59c3b520f39603baa944cec511083b42455368b3b6c242b46f11148224"


def test_show_says_what_run_says() -> None:
    """Everything a person sees is computed from the trace, so both say the same."""
    ran = curriculum("run", "s06-context-budget", "--plain").out.splitlines()
    shown = curriculum("trace", "show", S06, "--plain").out.splitlines()
    assert shown[0] == f"s06-context-budget: 17 events of {S06}"
    assert shown[1:] == ran[1:-1]  # the last line of a run is what to do next


def test_validate_counts_what_it_checked() -> None:
    done = curriculum("trace", "validate", S06)
    assert (done.code, done.out) == (
        0,
        f"lawful    {S06}: 17 events, 2 requests rebuilt, 0 breaches\n",
    )


def test_validate_names_the_law_that_an_edited_fact_breaks(s06: Path) -> None:
    s06.write_text(s06.read_text().replace('"size":300', '"size":301'))
    done = curriculum("trace", "validate", str(s06))
    assert done.code == 5
    assert "BROKEN    law 3, event 13 size: expected 300, got 301" in done.out
    data = json.loads(curriculum("trace", "validate", str(s06), "--json").out)
    assert {breach["law"] for breach in data["breaches"]} == {2, 3}


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.jsonl")), ids=lambda path: path.stem)
def test_the_raw_bytes_of_each_request_hash_to_what_was_recorded(path: Path) -> None:
    """Law 7: every request of every golden is rebuilt from its trace, byte for byte."""
    events = [json.loads(line) for line in last_session(path.read_text())[1:]]
    sent = [event["data"] for event in events if event["type"] == "model.request"]
    for number, request in enumerate(sent[:3], 1):
        done = curriculum("trace", "request", str(path), str(number), "--raw")
        assert (done.code, done.err) == (0, "")
        assert len(done.raw) == request["bytes"]
        assert hashlib.sha256(done.raw).hexdigest() == request["fingerprint"]


def test_a_request_is_shown_with_the_hash_of_its_bytes() -> None:
    done = curriculum("trace", "request", S06, "2", "--plain")
    assert done.code == 0
    assert "    36 R r0005  =c1 row 0001. ro[-1977-] row 0200._$\n" in done.out
    assert done.out.endswith(f"\n300 bytes rebuilt, as recorded: sha256 {SECOND}\n")


def test_a_band_is_explained_where_there_is_one(s06: Path) -> None:
    """Requests of format 1.0 have none, and then nothing is said of bands."""
    said = (
        "\n  a band says how much of capacity - reserve is taken:"
        " green to 40 %, yellow to 65 %, amber to 85 %, red above\n"
    )
    commands = (("trace", "show", str(s06)), ("trace", "request", str(s06), "2"))
    for command in commands:
        assert said in curriculum(*command, "--plain").out
    s06.write_text(re.sub('"band":"[a-z]+",', "", s06.read_text()).replace('"1.3"', '"1.0"', 1))
    for command in commands:
        done = curriculum(*command, "--plain")
        assert (0, True) == (done.code, "== Request 2: 300 of 300 characters\n" in done.out)
        assert " band " not in done.out


@pytest.mark.parametrize("number", ["0", "3", "-1"])
def test_a_request_that_was_not_sent_is_refused(number: str) -> None:
    done = curriculum("trace", "request", S06, "--", number)
    assert (done.code, done.out) == (2, "")
    said = f"{S06} has 2 requests; there is no request {number}. [trace-no-request]"
    assert said in done.err


def test_a_trace_does_not_differ_from_itself() -> None:
    done = curriculum("trace", "diff", S06, S06)
    assert (done.code, done.out) == (0, "same      17 events, no fact differs\n")


def test_a_difference_is_explained_and_ends_with_code_1() -> None:
    """What changed, the first fact that shows it, its sum on both sides, and how far it goes."""
    done = curriculum("trace", "diff", S06, str(GOLDEN / "harness" / "turn-limit.jsonl"))
    assert done.code == 1
    assert done.out.startswith(f"DIFFERENT {S06} -> ")
    data = json.loads(curriculum("trace", "diff", S06, SPLIT, "--json").out)
    assert data["differs"] is True
    assert data["requests"] == 2
    assert data["requests_changed"] == []
