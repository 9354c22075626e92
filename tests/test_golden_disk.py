"""A full disk, a write that fails, a folder that is read-only: said with a code, nothing changed."""

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curriculum.course.lessons import all_cases
from curriculum.golden import decide, files, whole
from curriculum.golden.cases import run_case
from curriculum.golden.record import record

from .points import ROOT, texts

ID = "s06-context-budget"
OTHER = "s06-context-budget/with-reserve"
CASES = all_cases()
NEW = run_case(CASES[ID])


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("TF_BUILD", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An old golden, and a new trace that waits."""
    place = tmp_path / "golden"
    place.mkdir()
    (place / f"{ID}.jsonl").write_text("old\n")
    (place / f"{ID}.pending.jsonl").write_text(NEW, encoding="ascii", newline="\n")
    return place


def full(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


class File:
    """A file of which one step fails."""

    def __init__(self, real: Any, step: str) -> None:
        self.real, self.step = real, step

    def __enter__(self) -> "File":
        return self

    def __exit__(self, *_: object) -> None:
        self.real.close()
        if self.step == "close":
            full()

    def write(self, data: bytes) -> None:
        if self.step == "write":
            self.real.write(data[:100])
            self.real.flush()
            full()
        self.real.write(data)

    def flush(self) -> None:
        self.real.flush()
        if self.step == "flush":
            full()

    def fileno(self) -> int:
        return self.real.fileno()


STEPS = ("folder", "open", "write", "flush", "close", "fsync", "chmod", "rename")


def break_at(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fdopen
    match step:
        case "folder":
            monkeypatch.setattr(Path, "mkdir", full)
        case "open":
            monkeypatch.setattr(whole.tempfile, "mkstemp", full)
        case "fsync":
            monkeypatch.setattr(os, "fsync", full)
        case "chmod":
            monkeypatch.setattr(Path, "chmod", full)
        case "rename":
            monkeypatch.setattr(Path, "replace", full)
        case _:
            monkeypatch.setattr(os, "fdopen", lambda *a, **k: File(real(*a, **k), step))


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("act", [record, decide.accept], ids=["record", "accept"])
def test_a_step_that_fails_changes_nothing(
    act: Any, step: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = texts(folder)
    with monkeypatch.context() as broken:
        break_at(step, broken)
        with pytest.raises(files.GoldenError) as caught:
            act(CASES, [ID], folder)
    assert "golden-write" == caught.value.code
    assert "cannot be written: No space left on device." in caught.value.headline
    assert ("nothing was changed",) == caught.value.evidence
    assert before == texts(folder)
    act(CASES, [ID], folder)
    assert NEW == texts(folder)[f"{ID}{'.pending' if act is record else ''}.jsonl"]


def test_of_several_files_those_before_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of three is not written: the first is whole, the third is as it was."""
    real, calls = os.fsync, iter([False, True, False])

    def second(handle: int) -> None:
        if next(calls):
            full()
        real(handle)

    (folder / f"{ID}.pending.jsonl").unlink()
    monkeypatch.setattr(os, "fsync", second)
    third = "harness/artifact"
    with pytest.raises(files.GoldenError) as caught:
        record(CASES, [ID, OTHER, third], folder)
    first = folder / f"{ID}.pending.jsonl"
    assert (f"done, and whole: {first}",) == caught.value.evidence
    assert {f"{ID}.jsonl": "old\n", f"{ID}.pending.jsonl": NEW} == texts(folder)


def test_a_pending_file_that_cannot_go_after_accept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The golden is the new one, and it is said that it is; `reject` ends it."""
    real = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if path.name.endswith(".pending.jsonl"):
            full()
        return real(path, target)

    with monkeypatch.context() as broken:
        broken.setattr(Path, "replace", replace)
        with pytest.raises(files.GoldenError) as caught:
            decide.accept(CASES, [ID], folder)
    assert "cannot be removed" in caught.value.headline
    assert (f"done, and whole: {folder / f'{ID}.jsonl'}",) == caught.value.evidence
    assert {f"{ID}.jsonl": NEW, f"{ID}.pending.jsonl": NEW} == texts(folder)
    decide.reject(CASES, [ID], folder)
    assert {f"{ID}.jsonl": NEW} == texts(folder)


def test_a_disk_without_links_puts_back_what_is_not_ours(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process records between the look and the removal; its file stays."""
    path = folder / f"{ID}.pending.jsonl"
    real = Path.replace

    def replace(source: Path, target: Path) -> Path:
        if source == path:
            path.write_text("newer\n")
        return real(source, target)

    for link in (os.link, full):
        path.write_text(NEW, encoding="ascii", newline="\n")
        with monkeypatch.context() as broken:
            broken.setattr(Path, "replace", replace)
            broken.setattr(os, "link", link)
            assert whole.remove_if(path, NEW.encode()) is False
        assert {f"{ID}.jsonl": "old\n", f"{ID}.pending.jsonl": "newer\n"} == texts(folder)


CHILD = """
import os, shutil, sys, tempfile
from curriculum.cli.ending import run_command
from curriculum.cli.golden import golden
command, folder, ids, limit = sys.argv[1], sys.argv[2], sys.argv[3:-1], int(sys.argv[-1])
def run(command, place):
    sys.argv = ["golden", command, "--golden", place, *ids]
    return run_command(golden, "golden")
with tempfile.TemporaryDirectory() as place:  # so that all is imported
    stdout, sys.stdout = sys.stdout, open(os.devnull, "w")
    for first in ("record", "accept"):
        assert run(first, place) == 0
    sys.stdout = stdout
if limit:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
elif os.geteuid() == 0:
    os.setuid(65534)
sys.exit(run(command, folder))
"""


def child(
    command: str, folder: Path, *ids: str, limit: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command with files of at most `limit` bytes; with 0 as a user without rights."""
    return subprocess.run(
        [sys.executable, "-c", CHILD, command, str(folder), *ids, str(limit)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a file's size there")
@pytest.mark.parametrize("command", ["record", "accept"])
@pytest.mark.parametrize("limit", [1, 1000, len(NEW) - 1])
def test_a_file_that_may_not_grow_further(command: str, limit: int, folder: Path) -> None:
    """The system itself refuses the write, at the first byte, in the middle, at the last."""
    before = texts(folder)
    done = child(command, folder, ID, limit=limit)
    assert (2, "") == (done.returncode, done.stdout)
    assert "cannot be written: File too large. [golden-write]\n" in done.stderr
    assert "  nothing was changed\n" in done.stderr
    assert before == texts(folder)


@pytest.fixture
def read_only() -> Iterator[Path]:
    """Such a folder in a place that any user can reach; with a file of a folder inside."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "golden"
        (folder / ID).mkdir(parents=True)
        (folder / f"{ID}.jsonl").write_text("old\n")
        (folder / f"{ID}.pending.jsonl").write_text(NEW, encoding="ascii", newline="\n")
        Path(place).chmod(0o755)
        for path in (folder / ID, folder):
            path.chmod(0o555)
        yield folder
        for path in (folder, folder / ID):
            path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
@pytest.mark.parametrize("command", ["record", "accept", "reject"])
def test_a_read_only_tree(command: str, read_only: Path) -> None:
    """Root may write anywhere, so there the command runs as somebody else."""
    before = texts(read_only)
    done = child(command, read_only, ID)
    assert (2, "") == (done.returncode, done.stdout)
    verb = "removed" if command == "reject" else "written"
    assert f"cannot be {verb}: Permission denied. [golden-write]\n" in done.stderr
    assert "  nothing was changed\n" in done.stderr
    assert before == texts(read_only)
