"""`golden prune` lists what belongs to nothing; with `--yes`, and only then, it deletes that."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .command import ROOT, golden

STRAY = ("extra.jsonl", "harness/gone.pending.jsonl", "harness/.golden-ab12_xyz")


@pytest.fixture
def strays(folder: Path, s06: Path) -> list[Path]:
    """A fixture and a pending file of no case, a killed process's file; and s06 waits."""
    found = [folder / name for name in STRAY]
    for path in found:
        path.write_bytes(s06.read_bytes())
    golden("record", "--golden", str(folder), s06.stem)
    return found


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_it_lists_and_deletes_nothing(folder: Path, strays: list[Path]) -> None:
    before = names(folder)
    done = golden("prune", "--golden", str(folder))
    assert done.code == 0
    assert done.out.splitlines() == [
        f"stray     {strays[0]}  no case claims it",
        f"stray     {strays[1]}  pending, and no case claims it",
        f"stray     {strays[2]}  left behind by a process that was killed",
        f"next: golden prune --golden {folder} --yes",
    ]
    assert names(folder) == before


def test_yes_deletes_what_was_listed_and_says_so(folder: Path, strays: list[Path]) -> None:
    """What waits for a case stays, and so does every golden."""
    before = names(folder)
    done = golden("prune", "--golden", str(folder), "--yes")
    assert done.code == 0
    assert [line.split()[:2] for line in done.out.splitlines()] == [
        ["deleted", str(path)] for path in strays
    ]
    assert names(folder) == before - set(STRAY)
    clean = golden("prune", "--golden", str(folder))
    assert (clean.code, clean.out) == (0, "clean     every file belongs to a case\n")


def test_as_data(folder: Path, strays: list[Path]) -> None:
    data = json.loads(golden("prune", "--golden", str(folder), "--yes", "--json").out)
    assert [row["path"] for row in data["found"]] == data["deleted"] == list(map(str, strays))


def test_it_takes_no_ids(folder: Path, strays: list[Path]) -> None:
    """A filtered run has not asked for the other files."""
    before = names(folder)
    done = golden("prune", "--golden", str(folder), "--yes", "extra")
    assert (done.code, done.out) == (2, "")
    assert names(folder) == before


def test_other_files_are_not_touched(folder: Path) -> None:
    """Only traces and our own temporary files; names that are merely like those stay."""
    for name in ("notes.md", ".golden-", ".golden-toolongname", ".golden-AB12CDEF", "x.json"):
        (folder / name).write_text("mine")
    assert golden("prune", "--golden", str(folder), "--yes").out.startswith("clean ")


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """No file in it belongs to a case: that is a wrong path, not a folder full of strays."""
    (tmp_path / "data.jsonl").write_text("{}\n")
    done = golden("prune", "--golden", str(tmp_path), "--yes")
    assert (done.code, done.out) == (2, "")
    assert "[golden-wrong-folder]" in done.err
    assert (tmp_path / "data.jsonl").exists()


BROKEN = """
import sys
import curriculum.cli.golden_write as module
def broken(folder):
    raise SyntaxError("in a lesson")
module.desk = broken
from curriculum.golden.__main__ import main
sys.argv = ["golden", "prune", "--yes", "--golden", sys.argv[1]]
main()
"""


def test_cases_that_cannot_be_loaded_claim_everything(folder: Path, strays: list[Path]) -> None:
    """A lesson with an error in it must not cost its goldens."""
    before = names(folder)
    done = subprocess.run(
        [sys.executable, "-c", BROKEN, str(folder)],
        cwd=ROOT,
        env={**_calm(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "[golden-cases]\n  SyntaxError: in a lesson\n" in done.stderr
    assert names(folder) == before


def test_installed_goldens_are_refused(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Named by `--golden` or not: they belong to pip."""
    from curriculum.golden import files, prune

    monkeypatch.delenv("CI", raising=False)
    installed = folder.rename(folder.parent / "_golden")
    monkeypatch.setattr(files, "root", lambda: installed)
    for place in (None, installed):
        with pytest.raises(files.GoldenError) as caught:
            prune.strays({}, place)
        assert "golden-installed" == caught.value.code


def _calm() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if name not in ("CI", "TF_BUILD")}
