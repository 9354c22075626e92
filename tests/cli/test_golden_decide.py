"""`golden accept` takes exactly what was checked; `golden reject` throws away and keeps the rest."""

from pathlib import Path

import pytest

from curriculum.course.lessons import all_cases
from curriculum.golden import decide, files
from curriculum.golden.record import record

from .command import golden

ID, OTHER = "s06-context-budget", "harness/artifact"


def _files(folder: Path) -> dict[str, bytes]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_reject_removes_what_waits_and_nothing_else(folder: Path) -> None:
    before = _files(folder)
    golden("record", "--golden", str(folder), ID, OTHER)
    done = golden("reject", "--golden", str(folder), ID)
    assert done.code == 0
    assert done.out.splitlines() == [
        f"rejected  {folder / f'{ID}.pending.jsonl'}",
        f"next: golden verify --golden {folder}",
    ]
    assert golden("reject", "--golden", str(folder), OTHER, OTHER).code == 0
    assert _files(folder) == before


def test_reject_of_nothing_pending_changes_nothing(folder: Path) -> None:
    """With two ids of which one waits, neither goes."""
    golden("record", "--golden", str(folder), ID)
    before = _files(folder)
    done = golden("reject", "--golden", str(folder), ID, OTHER)
    assert (done.code, done.out) == (2, "")
    assert f"{OTHER} has no pending trace. [golden-nothing-pending]" in done.err
    assert _files(folder) == before


def test_what_waits_for_a_case_that_is_gone_can_be_rejected(folder: Path, s06: Path) -> None:
    """`verify` says so, as it cannot be accepted."""
    gone = folder / "old" / "gone.pending.jsonl"
    gone.parent.mkdir()
    gone.write_bytes(s06.read_bytes())
    lines = golden("verify", "--golden", str(folder), "--plain").out.splitlines()
    at = lines.index("PENDING   old/gone  [pending]")
    assert lines[at + 1 : at + 3] == [
        "  evidence  a recorded trace waits, and no case claims it",
        f"  next      golden reject --golden {folder} old/gone",
    ]
    assert golden("accept", "--golden", str(folder), "old/gone").code == 2
    assert golden("reject", "--golden", str(folder), "old/gone").code == 0
    assert not gone.exists()


def test_an_id_that_neither_is_a_case_nor_waits(folder: Path) -> None:
    done = golden("reject", "--golden", str(folder), "s06-context-budgte")
    assert done.code == 2
    assert "nearest: s06-context-budget" in done.err


def test_what_waits_and_is_the_golden_already(folder: Path, s06: Path) -> None:
    """As after a kill between the two steps of accept: verify says so, and reject ends it."""
    golden("record", "--golden", str(folder), ID)
    done = golden("verify", "--golden", str(folder), "--plain")
    assert done.code == 4
    assert (
        "PENDING   s06-context-budget  [pending]\n"
        "  evidence  a recorded trace waits that is the golden already\n"
        f"  next      golden reject --golden {folder} s06-context-budget\n"
    ) in done.out
    before = s06.read_bytes()
    assert golden("reject", "--golden", str(folder), ID).code == 0
    assert s06.read_bytes() == before
    assert golden("verify", "--golden", str(folder)).code == 0


def test_accept_is_all_or_nothing(folder: Path, s06: Path) -> None:
    """One of two is unlawful: neither is accepted."""
    golden("record", "--golden", str(folder), OTHER, ID)
    (folder / f"{OTHER}.jsonl").unlink()
    pending = folder / f"{ID}.pending.jsonl"
    pending.write_bytes(pending.read_bytes().replace(b'"size":300', b'"size":301'))
    before = _files(folder)
    assert golden("accept", "--golden", str(folder), OTHER, ID).code == 5
    assert _files(folder) == before


class TestMeanwhile:
    """Another process records again while this one decides."""

    @pytest.fixture(autouse=True)
    def no_ci(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CI", raising=False)
        monkeypatch.delenv("TF_BUILD", raising=False)

    def test_what_was_checked_is_accepted_and_what_came_later_still_waits(
        self, folder: Path, s06: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cases = all_cases()
        record(cases, [ID], folder)
        checked, pending = s06.read_bytes(), folder / f"{ID}.pending.jsonl"
        s06.write_bytes(b"old\n")
        run_case = decide.run_case

        def run_and_record(case: object) -> str:
            """The check is over when the case has been run; then the other one writes."""
            text = run_case(case)  # type: ignore[arg-type]
            pending.write_bytes(b"later\n")
            return text

        monkeypatch.setattr(decide, "run_case", run_and_record)
        decide.accept(cases, [ID], folder)
        assert checked == s06.read_bytes()
        assert b"later\n" == pending.read_bytes()

    def test_what_was_shown_is_what_is_decided_on(self, folder: Path, s06: Path) -> None:
        cases = all_cases()
        record(cases, [ID], folder)
        before = _files(folder)
        for act in (decide.accept, decide.reject):
            with pytest.raises(files.GoldenError) as caught:
                act(cases, [ID], folder, {ID: b"something else"})
            assert "golden-changed" == caught.value.code
        assert before == _files(folder)
