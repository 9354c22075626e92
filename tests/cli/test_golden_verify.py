"""`golden verify` only reads; each way not to hold has its own word, code and exit code."""

import json
from pathlib import Path

import pytest

from .command import GOLDEN, golden


def _verify(folder: Path, *ids: str, **env: str) -> tuple[int, list[str]]:
    done = golden("verify", "--golden", str(folder), *ids, **env)
    assert done.err == ""
    return done.code, done.out.splitlines()


def _spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_all_hold() -> None:
    done = golden("verify")
    assert done.code == 0
    words = [line.split()[0] for line in done.out.splitlines()[:-1]]
    files = len(list(GOLDEN.rglob("*.jsonl")))
    assert words == ["holds"] * files
    assert done.out.splitlines()[-1] == f"{files} of {files} hold (exit 0)"


def test_another_folder_is_checked_and_not_changed(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert _verify(folder)[0] == 0
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_fact_edited_by_hand_is_named_with_its_law(folder: Path, s06: Path) -> None:
    """The file contradicts itself, so it is the fixture that is wrong, not the run."""
    _spoil(s06, '"size":300', '"size":301')
    code, lines = _verify(folder, "s06-context-budget")
    assert code == 5
    assert lines[0] == "UNLAWFUL  s06-context-budget  [fixture-unlawful]"
    assert lines[1].startswith("  evidence  law 3, event 13 size: expected 300, got 301")
    again = "put the file back as it was committed, or record it anew; validate names all"
    assert lines[-3] == f"  evidence  {again}: {s06}"
    assert lines[-2] == f"  next      golden record --golden {s06.parent} s06-context-budget"
    assert lines[-1] == "0 of 1 hold (exit 5)"


def test_a_real_change_is_explained(folder: Path, s06: Path) -> None:
    """A lawful fixture of another budget: the input that changed, its reach, the first fact."""
    with_reserve = folder / "s06-context-budget" / "with-reserve.jsonl"
    text = with_reserve.read_text()
    s06.write_text(text.replace('"session":"s06-context-budget/with-reserve"',
                                '"session":"s06-context-budget"'))  # fmt: skip
    code, lines = _verify(folder, "s06-context-budget")
    assert code == 1
    assert lines[0] == "DIVERGED  s06-context-budget  [diverged]"
    assert any(line.startswith("  changed   the budget, capacity: 400 -> ") for line in lines)
    assert lines[-2] == f"  next      golden record --golden {folder} s06-context-budget"


def test_a_missing_fixture(folder: Path, s06: Path) -> None:
    s06.unlink()
    code, lines = _verify(folder, "s06-context-budget")
    assert code == 3
    assert lines == [
        "MISSING   s06-context-budget  [fixture-missing]",
        f"  evidence  no file at {s06}",
        f"  next      golden record --golden {folder} s06-context-budget",
        "0 of 1 hold (exit 3)",
    ]


def test_an_unreadable_fixture(folder: Path, s06: Path) -> None:
    s06.write_text("hello\n")
    code, lines = _verify(folder, "s06-context-budget")
    assert code == 5
    assert lines[0] == "UNREADABLE s06-context-budget  [fixture-unreadable]"
    assert lines[1].endswith("line 1: it is no JSON object. [trace-line]")


def test_an_unknown_id(folder: Path) -> None:
    code, lines = _verify(folder, "s06-context-budgte")
    assert code == 2
    assert lines[:3] == [
        "UNKNOWN   s06-context-budgte  [unknown-case]",
        "  evidence  no case is called 's06-context-budgte'",
        "  evidence  nearest: s06-context-budget",
    ]


@pytest.mark.parametrize(
    ("name", "word", "code"),
    [
        ("harness/artifact.pending.jsonl", "PENDING", "pending"),
        ("harness/extra.jsonl", "UNCLAIMED", "unclaimed"),
    ],
)
def test_a_file_too_many_is_seen_in_full_runs_only(
    folder: Path, name: str, word: str, code: str
) -> None:
    """A run that was asked for one case has not asked for the other files."""
    (folder / name).write_bytes((folder / "harness" / "artifact.jsonl").read_bytes())
    exit, lines = _verify(folder)
    assert exit == 4
    id = name.removesuffix(".jsonl").removesuffix(".pending")
    assert f"{word:<9} {id}  [{code}]" in lines
    assert _verify(folder, "harness/artifact")[0] == 0


def test_several_problems_end_with_the_first_of_2_5_3_1_4(folder: Path, s06: Path) -> None:
    """Each problem that is mended uncovers the exit code of the next in that order."""
    reserve = folder / "s06-context-budget" / "with-reserve.jsonl"
    good = s06.read_text()
    (folder / "extra.jsonl").write_text(good)
    s06.write_text(reserve.read_text().replace("s06-context-budget/with-reserve", s06.stem))
    reserve.unlink()
    (folder / "harness" / "artifact.jsonl").write_text("")
    unknown = ("nope", "harness/artifact", s06.stem)
    assert _verify(folder, *unknown)[0] == 2
    assert _verify(folder)[0] == 5
    (folder / "harness" / "artifact.jsonl").write_bytes(
        (GOLDEN / "harness" / "artifact.jsonl").read_bytes()
    )
    assert _verify(folder)[0] == 3
    reserve.write_bytes((GOLDEN / "s06-context-budget" / "with-reserve.jsonl").read_bytes())
    assert _verify(folder)[0] == 1
    s06.write_text(good)
    assert _verify(folder)[0] == 4
    (folder / "extra.jsonl").unlink()
    assert _verify(folder)[0] == 0


def test_the_whole_order_of_exit_codes() -> None:
    from curriculum.golden.status import Status, exit_code

    left = list(Status)
    seen: list[int] = []
    while left:
        seen.append(exit_code(left))
        left = [status for status in left if status.exit != seen[-1]]
    assert seen == [70, 2, 6, 5, 3, 7, 1, 4, 0]


def test_the_verdicts_as_data(folder: Path, s06: Path) -> None:
    s06.unlink()
    done = golden("verify", "--golden", str(folder), "--json")
    data = json.loads(done.out)
    assert done.code == data["exit"] == 3
    bad = [verdict for verdict in data["verdicts"] if verdict["status"] != "holds"]
    assert [(verdict["id"], verdict["status"]) for verdict in bad] == [
        ("s06-context-budget", "fixture-missing")
    ]


def test_list_says_what_each_case_has(folder: Path, s06: Path) -> None:
    s06.unlink()
    (folder / "harness" / "artifact.pending.jsonl").write_text("")
    rows = json.loads(golden("list", "--golden", str(folder), "--json").out)
    state = {row["id"]: (row["golden"], row["pending"]) for row in rows}
    assert state["s06-context-budget"] == (False, False)
    assert state["harness/artifact"] == (True, True)
    plain = golden("list", "--golden", str(folder), "--plain").out.splitlines()
    assert any(line.startswith("missing  s06-context-budget  ") for line in plain)
    assert len(plain) == len(rows)
