"""`golden review`: the explanation first, then one key and Enter; without a terminal it says how."""

import json
import sys
from pathlib import Path

import pytest

from .command import golden
from .terminal import Typed, typed

S06, ARTIFACT = "s06-context-budget", "harness/artifact"
needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")


@pytest.fixture
def waits(folder: Path, s06: Path) -> Path:
    """s06 waits with another budget than its golden has, artifact waits without a golden."""
    other = (folder / "s06-context-budget" / "with-reserve.jsonl").read_text("ascii")
    s06.write_text(
        other.replace('"s06-context-budget/with-reserve"', f'"{S06}"'),
        encoding="ascii",
        newline="\n",
    )
    (folder / f"{ARTIFACT}.jsonl").unlink()
    assert golden("record", "--golden", str(folder), S06, ARTIFACT).code == 0
    return folder


def review(folder: Path, *keys: Typed, ids: tuple[str, ...] = ()) -> tuple[int, str]:
    args = ["-m", "curriculum.golden", "review", "--plain", "--golden", str(folder), *ids]
    done = typed(args, keys, folder)
    return done.code, done.out


def state(folder: Path, id: str) -> tuple[bool, bool]:
    """Whether there is a golden that is the case's run, and whether something waits."""
    held = golden("verify", "--golden", str(folder), id).code == 0
    return held, (folder / f"{id}.pending.jsonl").is_file()


@needs_terminal
def test_each_is_explained_before_it_is_decided_on(waits: Path) -> None:
    code, out = review(waits, "a\n", "a\n")
    assert code == 0
    first, second = out.split("== 2 of 2: ")
    assert "== 1 of 2: harness/artifact\n  new       there is no golden yet\n" in first
    assert "  stop      completed after " in first
    assert second.startswith(
        "s06-context-budget\n  changed   the budget, capacity: 400 -> nothing\n"
    )
    assert out.endswith("2 accepted, 0 rejected, 0 still waiting\n")
    assert (True, False) == state(waits, S06)
    assert (True, False) == state(waits, ARTIFACT)


@needs_terminal
def test_reject_and_skip(waits: Path) -> None:
    """What is skipped keeps waiting, and the exit code says so."""
    code, out = review(waits, "r\n", "s\n")
    assert code == 4
    assert out.endswith("0 accepted, 1 rejected, 1 still waiting\n")
    assert not (waits / f"{ARTIFACT}.pending.jsonl").exists()
    assert (False, True) == state(waits, S06)


@needs_terminal
@pytest.mark.parametrize("key", ["\n", "  \n", "yes\n", "aa\n"])
def test_enter_alone_or_another_word_never_accepts(key: str, waits: Path) -> None:
    """The keys are listed, and it is asked again."""
    code, out = review(waits, key, "q\n")
    assert code == 4
    assert "  a  accept: it becomes the golden\n" in out
    assert out.endswith("0 accepted, 0 rejected, 2 still waiting\n")


@needs_terminal
@pytest.mark.parametrize(
    ("key", "ends"),
    [
        ("A\n", "2 accepted, 0 rejected, 0 still waiting\n"),
        ("R\n", "0 accepted, 2 rejected, 0 still waiting\n"),
        ("S\n", "0 accepted, 0 rejected, 2 still waiting\n"),
    ],
)
def test_a_capital_letter_is_for_all_the_rest(key: str, ends: str, waits: Path) -> None:
    """One key, no further question; what is accepted or rejected is still shown."""
    code, out = review(waits, key)
    assert code == (4 if key == "S\n" else 0)
    assert out.endswith(ends)
    assert ("== 2 of 2: s06-context-budget" in out) == (key != "S\n")


@needs_terminal
def test_d_shows_the_request_that_changed_record_by_record(waits: Path) -> None:
    """Here the golden is of a lower ceiling, so its second request is another one."""
    golden_file = waits / f"{S06}.jsonl"
    narrow = waits / "narrow.jsonl"
    from .command import curriculum

    budget = ("--budget", "max_input_chars=290")
    assert curriculum("run", S06, *budget, "-o", str(narrow), cwd=waits).code == 0
    narrow.replace(golden_file)
    code, out = review(waits, "d\n", "q\n", ids=(S06,))
    assert code == 4
    _, shown = out.split("\n== Request ")
    assert shown.splitlines()[:8] == [
        "2: golden 290 of 290 characters -> pending 300 of 300 characters",
        "  = r0001 (tools): 14 characters",
        "  = r0002 (instruction): 210 characters",
        "  = r0003 (user): 20 characters",
        "  = r0004 (assistant, turn 1): 20 characters",
        "  ~ r0005 (result of large_result): 26 -> 36 characters",
        "    - =c1 row 000<<[-1987-]>>0200. \\n",
        "    + =c1 row 000<<1. ro[-1977-] row >>0200. \\n",
    ]


@needs_terminal
def test_d_shows_the_requests_of_a_new_trace(waits: Path) -> None:
    code, out = review(waits, "d\n", "q\n", ids=(ARTIFACT,))
    assert code == 4
    for size, band in (("1: 439", "green"), ("2: 866", "yellow"), ("3: 1015", "yellow")):
        assert f"\n== Request {size} of 2000 characters, {band}\n" in out


@needs_terminal
def test_quit_and_end_of_input_keep_what_was_decided(waits: Path) -> None:
    for end in ("q\n", "\x04"):
        golden("record", "--golden", str(waits), ARTIFACT)
        code, out = review(waits, "a\n", end)
        assert code == 4
        assert out.endswith("1 accepted, 0 rejected, 1 still waiting\n")
        assert (True, False) == state(waits, ARTIFACT)
        assert (False, True) == state(waits, S06)


@needs_terminal
def test_ctrl_c_ends_with_130_and_keeps_what_was_decided(waits: Path) -> None:
    code, out = review(waits, "a\n", "\x03")
    assert code == 130
    assert out.endswith("error: Interrupted; no file is half written. [interrupted]\n")
    assert (True, False) == state(waits, ARTIFACT)
    assert (False, True) == state(waits, S06)


@needs_terminal
def test_what_was_recorded_again_while_it_was_on_the_screen_is_shown_again(waits: Path) -> None:
    """Here the golden of s06 waits at first: accepting it would accept what nobody looked at."""
    pending = waits / f"{S06}.pending.jsonl"
    new = pending.read_bytes()
    pending.write_bytes((waits / f"{S06}.jsonl").read_bytes())
    code, out = review(waits, lambda: pending.write_bytes(new), "a\n", "a\n", ids=(S06,))
    assert code == 0
    first, second = out.split("was recorded again while it was on the screen. Look again.\n")
    assert "  same      it is the golden already, byte for byte\n" in first
    assert "  changed   the budget, capacity: 400 -> nothing\n" in second
    assert new == (waits / f"{S06}.jsonl").read_bytes()


@needs_terminal
def test_what_cannot_be_accepted_says_why_and_keeps_waiting(waits: Path) -> None:
    """The same check as in `golden accept`."""
    pending = waits / f"{S06}.pending.jsonl"
    pending.write_bytes((waits / f"{S06}.jsonl").read_bytes())
    code, out = review(waits, "a\n", "q\n", ids=(S06,))
    assert code == 4
    assert "is not what the case gives now. [golden-stale]\n" in out
    assert f"  next      golden record {S06}\n" in out
    assert pending.is_file()


@needs_terminal
def test_a_pending_file_that_breaks_a_law_or_has_no_case(waits: Path) -> None:
    """It is said before the question. One without a case can be rejected only."""
    pending = waits / f"{S06}.pending.jsonl"
    pending.write_bytes(pending.read_bytes().replace(b'"size":300', b'"size":301'))
    (waits / "gone.pending.jsonl").write_bytes((waits / f"{S06}.jsonl").read_bytes())
    code, out = review(waits, "a\n", "r\n", "s\n", "a\n", "r\n")
    assert code == 4
    assert "== 1 of 3: gone\n  no case   no case has this id any more" in out
    assert "No case is called 'gone'. [unknown-case]\n" in out
    assert out.count("it cannot be a golden. [golden-unlawful]\n") == 2
    assert not (waits / "gone.pending.jsonl").exists()


@needs_terminal
def test_nothing_waits(folder: Path) -> None:
    assert review(folder) == (0, "nothing waits\n")


@needs_terminal
def test_the_rich_look_says_the_same(waits: Path) -> None:
    args = ["-m", "curriculum.golden", "review", "--golden", str(waits)]
    done = typed(args, ["A\n"], waits)
    assert done.code == 0
    assert b"\x1b[" in done.raw
    assert "changed   the budget, capacity: 400 -> nothing" in done.out


def test_without_a_terminal_it_says_how(waits: Path) -> None:
    done = golden("review", "--golden", str(waits))
    assert (done.code, done.out) == (2, "")
    at = f"--golden {waits}"
    assert done.err.splitlines() == [
        "error: golden review asks questions, so it needs a terminal. [golden-review-needs-terminal]",
        *(f"  golden {verb} {at} {id}" for id in (ARTIFACT, S06) for verb in ("diff", "accept", "reject")),
        f"  next: golden review {at} --json",
    ]  # fmt: skip
    assert (waits / f"{S06}.pending.jsonl").is_file()


def test_json_lists_what_waits(waits: Path) -> None:
    done = golden("review", "--golden", str(waits), "--json")
    data = json.loads(done.out)
    assert done.code == data["exit"] == 4
    first, second = data["waiting"]
    assert (first["id"], first["new"]) == (ARTIFACT, True)
    assert first["summary"]["stop"] == "completed"
    assert [(r["request"], r["size"], r["decisions"]) for r in first["summary"]["requests"]] == [
        (1, 439, {"admitted": 3}),
        (2, 866, {"admitted": 5}),
        (3, 1015, {"admitted": 7}),
    ]
    assert (second["id"], second["new"], second["same"]) == (S06, False, False)
    assert second["explanation"]["changed"][0]["field"] == "budget.capacity"
    assert second["request_changes"] == []
    one = golden("review", "--golden", str(waits), "--json", ARTIFACT)
    assert [ARTIFACT] == [row["id"] for row in json.loads(one.out)["waiting"]]


def test_json_of_nothing(folder: Path) -> None:
    done = golden("review", "--golden", str(folder), "--json")
    assert (done.code, json.loads(done.out)) == (0, {"exit": 0, "waiting": []})


def test_an_unknown_id(folder: Path) -> None:
    done = golden("review", "--golden", str(folder), "--json", "s06-context-budgte")
    assert done.code == 2
    assert "nearest: s06-context-budget" in done.err
