"""`golden record` writes a pending file and leaves the fixture; `golden accept` moves it."""

import os
import sys
from pathlib import Path

import pytest

from .command import GOLDEN, golden
from .terminal import typed

ID = "s06-context-budget"
WRITING = [
    *(f"{command} {ID}" for command in ("record", "accept", "reject", "review", "migrate")),
    *("prune", "prune --yes", "migrate --yes", "review"),
]


def _files(folder: Path) -> dict[str, bytes]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_record_never_touches_the_fixture(folder: Path, s06: Path) -> None:
    s06.write_text("old\n")
    before = _files(folder)
    done = golden("record", "--golden", str(folder), ID)
    pending = folder / f"{ID}.pending.jsonl"
    assert done.code == 0
    assert done.out.splitlines() == [
        f"recorded  {pending}",
        f"next: golden diff --golden {folder} {ID}",
    ]
    after = _files(folder)
    assert after.pop(f"{ID}.pending.jsonl").startswith(b'{"format":"curriculum-trace"')
    assert after == before


def test_record_of_several_leads_to_a_look_at_each(folder: Path) -> None:
    done = golden("record", "--golden", str(folder), ID, "harness/artifact")
    assert done.out.splitlines()[2:] == [
        f"next: golden diff --golden {folder} {ID}",
        f"next: golden diff --golden {folder} harness/artifact",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
def test_at_a_terminal_record_leads_to_review(folder: Path) -> None:
    ids = (ID, "harness/artifact")
    words = ["-m", "curriculum.golden", "record", "--plain", "--golden", str(folder), *ids]
    done = typed(words, [], folder)
    assert done.code == 0
    assert done.out.endswith(f"\nnext: golden review --golden {folder} {ID} harness/artifact\n")


def test_accept_moves_the_pending_trace(folder: Path, s06: Path) -> None:
    """After it there is one file, it holds, and nothing is pending."""
    good = s06.read_bytes()
    s06.write_text("old\n")
    golden("record", "--golden", str(folder), ID)
    done = golden("accept", "--golden", str(folder), ID)
    assert done.code == 0
    assert done.out.splitlines() == [
        f"accepted  {s06}",
        f"next: golden verify --golden {folder} {ID}",
    ]
    assert s06.read_bytes() == good
    assert not list(folder.rglob("*.pending.jsonl"))
    assert golden("verify", "--golden", str(folder)).code == 0


def test_accept_of_nothing_pending_moves_nothing(folder: Path) -> None:
    """With two ids of which one waits, neither is moved."""
    golden("record", "--golden", str(folder), ID)
    before = _files(folder)
    done = golden("accept", "--golden", str(folder), ID, "harness/artifact")
    assert (done.code, done.out) == (2, "")
    assert "harness/artifact has no pending trace. [golden-nothing-pending]" in done.err
    assert _files(folder) == before


@pytest.mark.parametrize("command", ["record", "accept"])
def test_an_unknown_id_writes_nothing(command: str, folder: Path) -> None:
    before = _files(folder)
    done = golden(command, "--golden", str(folder), ID, "s06-context-budgte")
    assert done.code == 2
    assert done.err == (
        "error: No case is called 's06-context-budgte'. [unknown-case]\n"
        "  nearest: s06-context-budget\n"
        f"  next: golden list --golden {folder}\n"
    )
    assert _files(folder) == before


@pytest.mark.parametrize(
    ("name", "value"), [("CI", "true"), ("CI", "1"), ("CI", "yes"), ("TF_BUILD", "True")]
)
@pytest.mark.parametrize("command", WRITING)
def test_nothing_is_written_under_ci(command: str, name: str, value: str, folder: Path) -> None:
    """The variable is named, before anything runs or is written."""
    golden("record", "--golden", str(folder), ID)
    before = _files(folder)
    done = golden(*command.split(), "--golden", str(folder), **{name: value})
    assert (done.code, done.out) == (2, "")
    headline = f"error: Goldens are not written under CI: {name} is set to {value!r}. [golden-ci]\n"
    assert done.err.startswith(headline)
    assert _files(folder) == before


@pytest.mark.parametrize("value", ["0", "false", "False", ""])
def test_ci_that_is_off_is_no_ci(value: str, folder: Path) -> None:
    assert golden("record", "--golden", str(folder), ID, CI=value).code == 0
    assert golden("accept", "--golden", str(folder), ID, CI=value).code == 0


def test_verify_works_under_ci(folder: Path) -> None:
    assert golden("verify", "--golden", str(folder), ID, CI="true").code == 0


def test_a_place_that_cannot_be_written_is_named(folder: Path) -> None:
    """The folder of the cases is a file here, so nothing can be written in it, by root either."""
    for path in (folder / "harness").iterdir():
        path.unlink()
    (folder / "harness").rmdir()
    (folder / "harness").write_text("in the way")
    done = golden("record", "--golden", str(folder), "harness/artifact")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {folder / 'harness' / 'artifact.pending.jsonl'} cannot be")
    assert "[golden-write]" in done.err


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="root may write anywhere",
)
def test_a_read_only_folder_is_named(folder: Path) -> None:
    folder.chmod(0o555)
    try:
        done = golden("record", "--golden", str(folder), ID)
    finally:
        folder.chmod(0o755)
    assert done.code == 2
    assert "cannot be written: Permission denied. [golden-write]" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_a_golden_is_as_readable_as_any_new_file(folder: Path, tmp_path: Path) -> None:
    """A temporary file is private by default; what it becomes is not."""
    golden("record", "--golden", str(folder), "s06-context-budget")
    golden("accept", "--golden", str(folder), "s06-context-budget")
    other = tmp_path / "other"
    other.write_text("x")
    modes = {path.stat().st_mode for path in (folder / "s06-context-budget.jsonl", other)}
    assert len(modes) == 1


def test_an_unlawful_pending_trace_is_not_accepted(folder: Path) -> None:
    """Whoever edits a pending file by hand is told which law it breaks."""
    golden("record", "--golden", str(folder), "s06-context-budget")
    pending = folder / "s06-context-budget.pending.jsonl"
    before = (folder / "s06-context-budget.jsonl").read_bytes()
    text = pending.read_text("ascii").replace('"size":300', '"size":301')
    pending.write_text(text, encoding="ascii", newline="\n")
    done = golden("accept", "--golden", str(folder), "s06-context-budget")
    assert done.code == 5
    assert "[golden-unlawful]" in done.err
    assert "law 3, event 13 size: expected 300, got 301" in done.err
    assert (folder / "s06-context-budget.jsonl").read_bytes() == before


def test_a_recording_that_is_no_longer_true_is_not_accepted(folder: Path) -> None:
    """Another budget's trace, lawful in itself, is not what the case gives."""
    pending = folder / "s06-context-budget.pending.jsonl"
    other = (folder / "s06-context-budget" / "with-reserve.jsonl").read_text("ascii")
    renamed = other.replace('"s06-context-budget/with-reserve"', '"s06-context-budget"')
    pending.write_text(renamed, encoding="ascii", newline="\n")
    before = (folder / "s06-context-budget.jsonl").read_bytes()
    done = golden("accept", "--golden", str(folder), "s06-context-budget")
    assert done.code == 2
    assert "is not what the case gives now. [golden-stale]" in done.err
    assert (folder / "s06-context-budget.jsonl").read_bytes() == before


def test_a_difference_that_is_recorded_already_leads_to_review(folder: Path) -> None:
    """The next command is the next step, not the same one again."""
    fixture = folder / "s06-context-budget.jsonl"
    other = (folder / "s06-context-budget" / "with-reserve.jsonl").read_text("ascii")
    renamed = other.replace('"s06-context-budget/with-reserve"', '"s06-context-budget"')
    fixture.write_text(renamed, encoding="ascii", newline="\n")
    golden("record", "--golden", str(folder), "s06-context-budget")
    out = golden("verify", "--golden", str(folder), "--plain", "s06-context-budget").out
    assert f"  next      golden review --golden {folder} s06-context-budget\n" in out
    full = golden("verify", "--golden", str(folder), "--plain").out
    cases = len(list(GOLDEN.rglob("*.jsonl")))
    assert full.endswith(f"{cases - 1} of {cases} hold, 1 file to decide on (exit 1)\n")
