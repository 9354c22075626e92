"""`curriculum run` shows what the model saw, what it did not, and why, in three looks."""

import hashlib
import json
from pathlib import Path

import pytest

from .command import COLOUR, GOLDEN, curriculum, golden, rich, shown

SNAPSHOTS = Path(__file__).parent / "snapshots"
IDS = (
    "s06-context-budget/with-reserve",
    "c0c1172206d78aa9e40cf010abfb9ec274ba6804bfc0a96e9d9e5292799b0b50",
    "eebe7f59c3b520f39603baa944cec511083b42455368b3b6c242b46f11148224",
    "newest-first@1#33fc9d5b",
)


def test_plain_output_is_the_checked_text() -> None:
    """A person has read this file and checked its sums; a change to it is a change to read."""
    done = curriculum("run", "s06-context-budget", "--plain")
    expected = (SNAPSHOTS / "s06-context-budget.txt").read_text(encoding="ascii")
    assert done.out == expected
    assert (done.code, done.err) == (0, "")


def test_a_pipe_gets_the_plain_look() -> None:
    plain = curriculum("run", "s06-context-budget", "--plain")
    assert curriculum("run", "s06-context-budget").out == plain.out


def test_the_first_lines_tell_the_whole_story() -> None:
    """Both gates, the sum that leaves 31, and what was not seen, within nine lines at 80."""
    done = rich("run", "s06-context-budget", columns=80)
    assert done.text.splitlines()[:9] == [
        "s06-context-budget: the tool returns 2,000 characters: gate 1 keeps 180, gate 2",
        "  shows 31",
        "",
        "  R r0005 large_result",
        "    tool 2000 \u2192 [gate 1: 180, for good] \u2192 log 180",
        "      \u2192 [gate 2: 300, this request] \u2192 request 2 shows 31",
        "    why     ceiling 300 - tools 14 - instruction 210 - user 20 - assistant 20",
        "            - the result's own line 5 = 31",
        "    unseen  2000 returned - head 12 - tail 11 = 1977 characters; the marker",
    ]


def test_the_bar_shows_ceiling_and_reserve_without_colour() -> None:
    """Letters fill the ceiling, hatching the reserve; a full request has no free cell."""
    out = curriculum("run", "s06-context-budget/with-reserve", "--plain").out.splitlines()
    bars = [line for line in out if line.startswith("  [T")]
    # 60 cells for 400 characters: 14 are 2.1 cells, 210 are 31.5, 20 are 3, 36 are 5.4, 100 are 15.
    assert bars == [
        "  [TT" + "S" * 32 + "UUU" + "." * 8 + "|" + "/" * 15 + "]",
        "  [TT" + "S" * 32 + "UUU" + "AAA" + "RRRRR" + "|" + "/" * 15 + "]",
    ]
    assert "  ceiling 300 + / reserve 100 = 400 <= capacity 400" in out


def test_a_narrow_terminal_loses_nothing() -> None:
    """At 60, 80 and 100 columns no line is longer, and the words are the same in order."""
    words = []
    for columns in (60, 80, 100):
        done = rich("run", "s06-context-budget/with-reserve", columns=columns)
        lines = done.text.splitlines()
        assert max(map(len, lines)) <= columns
        # The bar and the rules of headings are as wide as the terminal.
        told = [line for line in lines if not line.startswith("  [T")]
        words.append("".join(" ".join(told).replace("\u2500", "").split()))
        if columns >= 80:
            for id in IDS:
                assert id in done.text
    assert words[0] == words[1] == words[2]


def test_wrapped_lines_of_a_request_stand_behind_the_gutter() -> None:
    text = rich("run", "s06-context-budget", columns=60).text
    assert (
        "   210 S r0002  #Keep tool output bounded. Keep tool output \n"
        "                bounded. Keep tool output bounded. Keep \n"
        "                tool output bounded. Keep tool output \n"
    ) in text


def test_no_color_takes_the_colours_away_and_nothing_else() -> None:
    colour = rich("run", "s06-context-budget")
    bare = rich("run", "s06-context-budget", NO_COLOR="1")
    assert "\x1b[38" in colour.out
    assert "\x1b[38" not in bare.out
    assert bare.text == colour.text


def test_a_terminal_without_unicode_gets_plain_ascii() -> None:
    done = curriculum(
        "run", "s06-context-budget", FORCE_COLOR="1", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    assert done.code == 0
    assert done.out == (SNAPSHOTS / "s06-context-budget.txt").read_text(encoding="ascii")


def test_data_holds_each_request_whole() -> None:
    data = json.loads(curriculum("run", "s06-context-budget", "--json").out)
    assert data["stop"] == "completed"
    assert [request["size"] for request in data["requests"]] == [244, 300]
    for request in data["requests"]:
        body = request["body"].encode()
        assert hashlib.sha256(body).hexdigest() == request["fingerprint"]
        assert "".join(segment["text"] for segment in request["segments"]) == request["body"]
    cut = data["requests"][1]["decisions"][4]
    assert cut == {
        "record": "r0005", "decision": "cut", "reason": "cut-to-room", "limit": "max_input_chars",
        "size": 36, "head": 12, "tail": 11, "missing": 1977, "share": 36, "full": 185,
    }  # fmt: skip


def test_the_trace_is_written_once_and_never_over_another_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    done = curriculum("run", "s06-context-budget", "-o", str(path), "--plain")
    assert done.code == 0
    assert path.read_bytes() == (GOLDEN / "s06-context-budget.jsonl").read_bytes()
    assert done.out.splitlines()[-2:] == [
        f"written: {path}",
        f"next: curriculum trace show {path}",
    ]
    path.write_text("mine")
    again = curriculum("run", "s06-context-budget", "-o", str(path), "--plain")
    assert again.code == 2
    assert path.read_text() == "mine"
    assert f"error: {path} exists; a trace is never written over another file. [trace-exists]" in (
        again.err
    )


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no" / "run.jsonl"
    done = curriculum("run", "s06-context-budget", "-o", str(path))
    assert done.code == 2
    assert (
        done.err == f"error: {path} cannot be written: No such file or directory. [trace-write]\n"
    )


@pytest.mark.parametrize("look", ["rich", "--plain", "--json"])
def test_every_case_can_be_shown(look: str) -> None:
    """Whatever a case holds, from a foreign log to a refusal, showing it is no error."""
    ids = [case["id"] for case in json.loads(golden("list", "--json").out)]
    assert len(ids) >= 18
    done = shown(ids, **COLOUR) if look == "rich" else shown(ids, look)
    assert (done.code, done.err) == (0, "")
    if look == "--json":  # the name of a branch is its session's, not its case's
        runs = done.text.split("\n}\n")[:-1]
        assert [True] * len(ids) == [json.loads(run + "}")["turns"] >= 0 for run in runs]
        return
    for id in ids:
        assert id in done.text


def test_a_bound_is_never_shown_as_a_count() -> None:
    """Tokens are bounded by bytes here, so the heading says at most, and by which counter."""
    out = curriculum("run", "harness/token-budget", "--plain").out
    heads = [line for line in out.splitlines() if line.startswith("== Request")]
    assert heads == [
        "== Request 1: at most 164 of 600 tokens, green, by the proven bound of bytes@1",
        "== Request 2: at most 600 of 600 tokens, red, by the proven bound of bytes@1",
    ]


def test_a_run_that_does_not_fit_leads_to_a_ceiling_that_is_enough() -> None:
    """24 left, 33 needed: nine more than 268 let the bare marker through."""
    out = curriculum("run", "s06-context-budget/result-does-not-fit", "--plain").out
    command = "s06-context-budget/result-does-not-fit --budget max_input_chars=277"
    assert out.splitlines()[-1] == f"next: curriculum run {command}"
    more = curriculum("run", *command.split(), "--plain").out
    assert "=c1 [-2000-]$" in more
    assert "stopped: completed" in more
