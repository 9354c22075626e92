"""`curriculum trace show --at`, `repair` and `repeats`: the log of a recorded run."""

import json
from pathlib import Path

import pytest

from .command import GOLDEN, curriculum

S06 = str(GOLDEN / "s06-context-budget.jsonl")
CALLS = str(GOLDEN / "harness" / "interrupted.jsonl")
BRANCH = str(GOLDEN / "harness" / "branch.jsonl")
LOOP = str(GOLDEN / "harness" / "repeated.jsonl")
POLLING = str(GOLDEN / "harness" / "polling.jsonl")


class TestAt:
    """A run as it stood after one event, and what comes next."""

    def test_calls_that_are_open(self) -> None:
        done = curriculum("trace", "show", CALLS, "--at", "12", "--plain")
        assert (0, "") == (done.code, done.err)
        assert done.out.splitlines() == [
            "harness/interrupted: after event 12, tool.request",
            "  turn      1, 1 request sent",
            "  log       5 records",
            "            r0001 tools (registry)",
            "            r0002 instruction (system_prompt)",
            "            r0003 user (prompt)",
            "            r0004 assistant (model), 4 calls",
            "            r0005 result (tool:read), asked for in r0004",
            "  open      c2 remove of r0004: asked for by event 12",
            "  open      c3 build of r0004: not asked for yet",
            "  open      c4 read of r0004: not asked for yet",
            "  next      results: of remove, build, read; no request before each call has its result",
        ]

    def test_the_next_request_is_shown_as_it_was_sent(self) -> None:
        """Event 12 is the last before the second request, whose lines follow."""
        at = curriculum("trace", "show", S06, "--at", "12", "--plain").out
        assert "  next      a request: for tool-results\n" in at
        whole = curriculum("trace", "request", S06, "2", "--plain").out
        shown = whole[whole.index("== Request 2") : whole.index("bytes rebuilt")].splitlines()[:-1]
        assert shown == at[at.index("== Request 2") :].splitlines()[: len(shown)]

    def test_as_data(self) -> None:
        data = json.loads(curriculum("trace", "show", S06, "--at", "12", "--json").out)
        assert (12, "request", 1) == (data["after"], data["next"], data["requests"])
        sent = json.loads(curriculum("trace", "request", S06, "2", "--json").out)
        assert (sent["body"], sent["fingerprint"]) == (data["body"], data["fingerprint"])

    def test_an_event_that_is_not_there(self) -> None:
        done = curriculum("trace", "show", S06, "--at", "18")
        assert 2 == done.code
        assert done.err.startswith(
            f"error: {S06} has 17 events; there is no event 18. [trace-no-event]"
        )


class TestSessions:
    """A trace with a branch shows the branch, and any session that is asked for."""

    def test_both(self) -> None:
        last = curriculum("trace", "show", BRANCH, "--plain").out
        first = curriculum("trace", "show", BRANCH, "--session", "harness/branch", "--plain").out
        assert last.startswith("branch-1: ")
        assert "sessions: harness/branch, branch-1" in last
        assert first.startswith("harness/branch: ")
        assert "  16 <- 15  turn 2 session.branch   branch-1 goes on from harness/branch" in last
        assert "session.branch" not in first
        assert ("What is it?" in first, "What is it?" in last) == (True, False)

    def test_a_name_that_it_has_not(self) -> None:
        done = curriculum("trace", "show", BRANCH, "--session", "x")
        assert (2, True) == (done.code, "[trace-no-session]" in done.err)


class TestRepair:
    """The file stays as it is; a new one has what is missing."""

    def test_a_cut_run(self, tmp_path: Path) -> None:
        cut, new = tmp_path / "cut.jsonl", tmp_path / "new.jsonl"
        lines = Path(CALLS).read_bytes().split(b"\n")
        cut.write_bytes(b"\n".join(lines[:16]) + b"\n" + lines[16][:30])
        before = cut.read_bytes()
        done = curriculum("trace", "repair", str(cut), "-o", str(new), "--plain")
        assert (0, "") == (done.code, done.err)
        assert done.out.splitlines() == [
            "line-left-out              17  the first 30 bytes of a line whose rest is gone",
            "call-answered              17  build, asked for in r0004: a call without a result; "
            "it gets one that says that it was interrupted",
            "call-answered              19  read, asked for in r0004: a call without a result; "
            "it gets one that says that it was interrupted",
            "run-stopped                20  the run stops: interrupted",
            f"written   {new}: 4 changes",
            f"next: curriculum trace validate {new}",
        ]
        assert before == cut.read_bytes()
        assert Path(CALLS).read_bytes() == new.read_bytes()  # it had been interrupted there

    def test_one_that_is_whole(self, tmp_path: Path) -> None:
        new = tmp_path / "new.jsonl"
        done = curriculum("trace", "repair", S06, "-o", str(new))
        assert 0 == done.code
        assert f"{new}: nothing to repair" in done.out
        assert Path(S06).read_bytes() == new.read_bytes()

    def test_as_data(self, tmp_path: Path) -> None:
        cut, new = tmp_path / "cut.jsonl", tmp_path / "new.jsonl"
        cut.write_bytes(Path(S06).read_bytes()[:-1])
        data = json.loads(curriculum("trace", "repair", str(cut), "-o", str(new), "--json").out)
        assert [("line-ended", 18)] == [(one["what"], one["at"]) for one in data["repairs"]]

    def test_a_file_that_is_there_is_not_written_over(self, tmp_path: Path) -> None:
        new = tmp_path / "new.jsonl"
        new.write_text("mine")
        done = curriculum("trace", "repair", S06, "-o", str(new))
        assert (2, "mine") == (done.code, new.read_text())
        assert "[trace-exists]" in done.err

    @pytest.mark.parametrize(
        ("text", "code", "said"),
        [
            ("", 5, "[repair-nothing]"),
            ("{}\n" * 4, 5, "[trace-header]"),
            (None, 3, "[trace-missing]"),
        ],
    )
    def test_what_cannot_be_repaired(
        self, tmp_path: Path, text: str | None, code: int, said: str
    ) -> None:
        cut = tmp_path / "cut.jsonl"
        if text is not None:
            cut.write_text(text)
        done = curriculum("trace", "repair", str(cut), "-o", str(tmp_path / "new.jsonl"))
        assert (code, True) == (done.code, said in done.err)
        assert not (tmp_path / "new.jsonl").exists()


class TestRepeats:
    """Whether a run goes round in circles, by numbers that can be given."""

    def test_a_loop(self) -> None:
        done = curriculum("trace", "repeats", LOOP, "--plain")
        assert 1 == done.code
        assert done.out.splitlines() == [
            "same-result 4 steps in a row, the last with event 32",
            f"REPEATS   {LOOP}, by same-result 4, same-error 3, alternation 6",
        ]

    def test_polling_is_none(self) -> None:
        done = curriculum("trace", "repeats", POLLING, "--plain")
        assert (0, f"none      {POLLING}, by same-result 4, same-error 3, alternation 6\n") == (
            *(done.code, done.out),
        )

    def test_other_numbers(self) -> None:
        assert 0 == curriculum("trace", "repeats", LOOP, "--same-result", "5").code
        data = json.loads(curriculum("trace", "repeats", LOOP, "--same-result", "2", "--json").out)
        assert [{"after": 18, "rule": "same-result", "steps": 2}] == data["repeats"]
        assert "[repeats-limit]" in curriculum("trace", "repeats", LOOP, "--same-result", "1").err
