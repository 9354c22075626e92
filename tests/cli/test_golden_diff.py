"""`golden diff`: a golden and what waits, or what the case gives now, or any two files."""

import json
from pathlib import Path

import pytest

from .command import curriculum, golden

ID = "s06-context-budget"


def diff(folder: Path, *names: str) -> tuple[int, list[str]]:
    done = golden("diff", "--plain", "--golden", str(folder), *names, cwd=folder)
    assert done.err == ""
    return done.code, done.out.splitlines()


@pytest.fixture
def narrow(folder: Path, s06: Path) -> Path:
    """s06's golden is of a tool ceiling of 120 instead of 180."""
    other = folder.parent / "narrow.jsonl"
    curriculum("run", ID, "--budget", "max_tool_output_chars=120", "-o", str(other), cwd=folder)
    other.replace(s06)
    return s06


def test_the_same(folder: Path, s06: Path) -> None:
    """Nothing waits, so the second side is what the case gives now."""
    now = f"same      {s06} -> what {ID} gives now: 17 events, byte for byte"
    assert diff(folder, ID) == (0, [now])
    golden("record", "--golden", str(folder), ID)
    pending = f"same      {s06} -> {folder / f'{ID}.pending.jsonl'}: 17 events, byte for byte"
    assert diff(folder, ID) == (0, [pending])


def test_a_change_is_explained_as_verify_does(folder: Path, narrow: Path) -> None:
    """The same lines: what changed, who caused how many facts, the first, the reach."""
    verified = golden("verify", "--plain", "--golden", str(folder), ID).out.splitlines()[1:-2]
    assert verified[0] == "  changed   the budget, max_tool_output_chars: 120 -> 180"
    assert "6 of the 6 facts that differ follow from it, 0 do not" in verified[1]
    code, lines = diff(folder, ID)
    assert (code, lines[0]) == (1, f"DIFFERENT {narrow} -> what {ID} gives now")
    assert lines[1:] == verified
    golden("record", "--golden", str(folder), ID)
    code, lines = diff(folder, ID)
    assert (code, lines[0]) == (1, f"DIFFERENT {narrow} -> {folder / f'{ID}.pending.jsonl'}")
    assert lines[1:] == verified


def test_two_files(folder: Path, narrow: Path) -> None:
    """Who caused what is told if the second is what its case gives; else facts are counted."""
    now = folder / "now.jsonl"
    curriculum("run", ID, "-o", str(now), cwd=folder)
    code, lines = diff(folder, str(narrow), str(now))
    assert (code, lines[0]) == (1, f"DIFFERENT {narrow} -> {now}")
    assert "6 of the 6 facts that differ follow from it, 0 do not" in lines[2]
    code, back = diff(folder, str(now), str(narrow))
    assert (code, back[0]) == (1, f"DIFFERENT {now} -> {narrow}")
    assert "  differ    6 derived facts" in back
    assert diff(folder, str(now), str(now))[0] == 0


def test_a_file_that_is_only_spelled_otherwise_differs(folder: Path, s06: Path) -> None:
    other = folder.parent / "spaced.jsonl"
    other.write_bytes(s06.read_bytes().replace(b'"turn":0', b'"turn": 0'))
    code, lines = diff(folder, str(s06), str(other))
    assert code == 1
    assert lines[1] == "  no fact differs, only how the file spells them"


def test_another_major_is_named_never_diffed(folder: Path, s06: Path) -> None:
    s06.write_bytes(s06.read_bytes().replace(b'"1.3"', b'"2.0"'))
    done = golden("diff", "--golden", str(folder), ID)
    assert (done.code, done.out) == (5, "")
    assert f"error: {s06}, line 1: a trace of version 2.0; " in done.err
    assert "[trace-version]" in done.err
    assert done.err.endswith("  next: pip install --upgrade curriculum\n")


def test_a_file_that_breaks_a_law_is_no_bug_of_ours(folder: Path, s06: Path) -> None:
    """Whether it is explained or refused, it never ends in a traceback."""
    for old, new in ((b'"r0005"', b'"r0004"'), (b'"call":0', b'"call":7'), (b"plain@1", b"odd@1")):
        spoiled = folder / "spoiled.jsonl"
        spoiled.write_bytes(s06.read_bytes().replace(old, new))
        done = golden("diff", "--golden", str(folder), str(s06), str(spoiled))
        assert done.code in (1, 5, 7)
        assert "Traceback" not in done.err


def test_no_golden(folder: Path, s06: Path) -> None:
    s06.unlink()
    done = golden("diff", "--golden", str(folder), ID)
    assert done.code == 3
    assert done.err.splitlines() == [
        f"error: {ID} has no golden to compare with. [fixture-missing]",
        f"  no file at {s06}",
        f"  next: golden record --golden {folder} {ID}",
    ]


@pytest.fixture
def first(folder: Path, s06: Path) -> Path:
    """The pending trace of s06, which has no golden yet."""
    s06.unlink()
    golden("record", "--golden", str(folder), ID)
    return folder / f"{ID}.pending.jsonl"


def test_a_first_golden_is_summed_up(folder: Path, first: Path) -> None:
    """There is nothing to compare with, so what it holds is shown, and how to go on."""
    code, lines = diff(folder, ID)
    assert code == 1
    assert lines == [
        f"NEW       {first}: there is no golden yet",
        "  events    17: 2 context.assemble, 2 model.request, 2 model.response, 6 record.append,"
        " 1 session.start, 1 session.stop, 1 tool.request, 1 tool.result, 1 tool.truncate",
        "  request   1: 244 of 300, 3 admitted",
        "  request   2: 300 of 300, 4 admitted, 1 cut",
        "  stop      completed after 2 model calls",
        f"  next      curriculum trace show {first}",
        f"  then      golden accept --golden {folder} {ID}",
    ]


def test_the_requests_of_a_first_golden(folder: Path, first: Path) -> None:
    _, lines = diff(folder, ID, "--requests")
    assert "== Request 1: 244 of 300 characters, amber" in lines
    assert "== Request 2: 300 of 300 characters, red" in lines


def test_a_first_golden_as_data(folder: Path, first: Path) -> None:
    done = golden("diff", "--golden", str(folder), ID, "--json")
    data = json.loads(done.out)
    assert (done.code, data["differs"], data["new"], data["got"]) == (1, True, True, str(first))
    assert data["summary"]["requests"] == [
        {"request": 1, "size": 244, "limit": 300, "decisions": {"admitted": 3}},
        {"request": 2, "size": 300, "limit": 300, "decisions": {"admitted": 4, "cut": 1}},
    ]
    assert data["summary"]["stop"] == "completed"


def test_a_first_golden_that_cannot_be_one_is_refused(folder: Path, first: Path) -> None:
    first.write_bytes(first.read_bytes().replace(b'"size":300', b'"size":301'))
    done = golden("diff", "--golden", str(folder), ID)
    assert (done.code, done.out) == (5, "")
    assert "it cannot be a golden. [golden-unlawful]" in done.err


@pytest.fixture
def low(folder: Path, s06: Path) -> Path:
    """s06's golden is of an input ceiling of 290 instead of 300: its second request differs."""
    other = folder.parent / "low.jsonl"
    curriculum("run", ID, "--budget", "max_input_chars=290", "-o", str(other), cwd=folder)
    other.replace(s06)
    return s06


def test_requests_are_shown_record_by_record(folder: Path, low: Path) -> None:
    """Unchanged records are one line each; the stretch that differs is marked on both sides."""
    explained = diff(folder, ID)[1]
    code, lines = diff(folder, ID, "--requests")
    assert (code, lines[: len(explained)]) == (1, explained)
    assert lines[len(explained) :] == [
        "",
        "== Request 2: expected 290 of 290 characters -> got 300 of 300 characters",
        "  = r0001 (tools): 14 characters",
        "  = r0002 (instruction): 210 characters",
        "  = r0003 (user): 20 characters",
        "  = r0004 (assistant, turn 1): 20 characters",
        "  ~ r0005 (result of large_result): 26 -> 36 characters",
        "    - =c1 row 000<<[-1987-]>>0200. \\n",
        "    + =c1 row 000<<1. ro[-1977-] row >>0200. \\n",
    ]


def test_requests_as_data(folder: Path, low: Path) -> None:
    data = json.loads(golden("diff", "--golden", str(folder), ID, "--json").out)
    (request,) = data["request_changes"]
    assert (request["request"], request["size"]) == (2, {"expected": 290, "got": 300})
    assert [row["change"] for row in request["records"]] == ["same"] * 4 + ["changed"]
    assert request["records"][4] == {
        "change": "changed",
        "record": "r0005",
        "what": "result of large_result",
        "expected": "=c1 row 000[-1987-]0200. \n",
        "got": "=c1 row 0001. ro[-1977-] row 0200. \n",
        "part_at": 12,
    }


@pytest.mark.parametrize(
    ("names", "code", "words"),
    [
        (["s06-context-budgte"], 2, "nearest: s06-context-budget"),
        (["no.jsonl", "none.jsonl"], 3, "no.jsonl cannot be read: no such file. [trace-missing]"),
        (["a", "b", "c"], 2, "Give one ID, or two files. [usage]"),
        ([], 2, "[usage]"),
    ],
)
def test_what_cannot_be_compared(names: list[str], code: int, words: str, folder: Path) -> None:
    done = golden("diff", "--golden", str(folder), *names, cwd=folder)
    assert (done.code, done.out) == (code, "")
    assert words in done.err


def test_as_data(folder: Path, narrow: Path) -> None:
    done = golden("diff", "--golden", str(folder), ID, "--json")
    data = json.loads(done.out)
    assert (done.code, data["differs"]) == (1, True)
    assert (data["expected"], data["got"]) == (str(narrow), f"what {ID} gives now")
    assert data["attribution"]["follows"] == [
        {"fields": ["budget.max_tool_output_chars"], "facts": 6}
    ]
