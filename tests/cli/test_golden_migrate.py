"""`golden migrate` crosses a major: listed first, checked by reader and laws, written with `--yes`.

There is one major so far, so the tests bring a step of their own: in their major 0 the field
`type` of an event was called `kind`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .command import ROOT, Done, golden

ID = "s06-context-budget"
WITH_STEP = """
import os
from curriculum.golden import migrate
def step(events):
    new = [{"type" if k == "kind" else k: v for k, v in e.items()} for e in events]
    new[-1].update({"spoiled": {"type": "x"}, "unlawful": {"turn": 1}}.get(os.environ["STEP"], {}))
    return new
migrate.STEPS = {0: step}
from curriculum.golden.__main__ import main
main()
"""


def old(data: bytes) -> bytes:
    """The same trace as major 0 had it."""
    lines = data.decode("ascii").splitlines()
    events = [json.loads(line) for line in lines[1:]]
    renamed = [{"kind" if k == "type" else k: v for k, v in event.items()} for event in events]
    header = {"format": "curriculum-trace", "version": "0.7"}
    return "".join(json.dumps(value) + "\n" for value in (header, *renamed)).encode()


def with_step(*args: str, step: str = "good") -> Done:
    hidden = ("CI", "TF_BUILD")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [sys.executable, "-c", WITH_STEP, "migrate", *args],
        cwd=ROOT,
        env={**env, "PYTHONPATH": str(ROOT), "STEP": step},
        capture_output=True,
        text=True,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def _files(folder: Path) -> dict[str, bytes]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_files_of_this_major_need_nothing(folder: Path, s06: Path) -> None:
    before = _files(folder)
    for names in ([], [ID], [str(s06)], [ID, str(s06)]):
        done = golden("migrate", "--golden", str(folder), "--yes", *names)
        count = "1 file" if names else f"{len(before)} files"
        assert (done.code, done.out) == (0, f"nothing to do {count} of major 1\n")
    assert _files(folder) == before


def test_an_older_file_is_listed_and_stays(folder: Path, s06: Path) -> None:
    s06.write_bytes(old(s06.read_bytes()))
    before = _files(folder)
    done = with_step("--golden", str(folder))
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        f"older     {s06}: 0.7 -> 1.3",
        f"next: golden migrate --golden {folder} --yes",
    ]
    assert _files(folder) == before


def test_yes_writes_it_again_as_it_would_be_recorded(folder: Path, s06: Path) -> None:
    """A golden and its pending trace, by id; then it holds."""
    good = s06.read_bytes()
    pending = folder / f"{ID}.pending.jsonl"
    for path in (s06, pending):
        path.write_bytes(old(good))
    done = with_step("--golden", str(folder), "--yes", ID)
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        f"migrated  {s06}: 0.7 -> 1.3",
        f"migrated  {pending}: 0.7 -> 1.3",
    ]
    assert good == s06.read_bytes() == pending.read_bytes()
    assert golden("verify", "--golden", str(folder), ID).code == 0


def test_a_file_anywhere(folder: Path, s06: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    mine.write_bytes(old(s06.read_bytes()))
    data = json.loads(with_step("--yes", "--golden", str(folder), "--json", str(mine)).out)
    assert data == {
        "migrate": [{"from": "0.7", "path": str(mine), "to": "1.3"}],
        "written": [str(mine)],
    }
    assert s06.read_bytes() == mine.read_bytes()


@pytest.mark.parametrize(
    ("fault", "code"), [("spoiled", "trace-event"), ("unlawful", "trace-unlawful")]
)
def test_what_does_not_pass_reader_and_laws_is_not_written(
    fault: str, code: str, folder: Path, s06: Path
) -> None:
    """Nor is any other file of that run."""
    for id in (ID, "harness/artifact"):
        path = folder / f"{id}.jsonl"
        path.write_bytes(old(path.read_bytes()))
    before = _files(folder)
    done = with_step("--golden", str(folder), "--yes", ID, "harness/artifact", step=fault)
    assert (done.code, done.out) == (5, "")
    assert f"[{code}]" in done.err
    assert "the file is unchanged" in done.err
    assert _files(folder) == before


def test_an_older_file_without_a_step_is_refused(folder: Path, s06: Path) -> None:
    s06.write_bytes(old(s06.read_bytes()))
    before = _files(folder)
    done = golden("migrate", "--golden", str(folder), "--yes")
    assert (done.code, done.out) == (5, "")
    assert (
        f"{s06} is a trace of version 0.7; no step leads on from major 0. [trace-version]"
        in done.err
    )
    assert _files(folder) == before


def test_a_newer_file_is_refused(folder: Path, s06: Path) -> None:
    s06.write_bytes(s06.read_bytes().replace(b'"1.3"', b'"2.0"'))
    before = _files(folder)
    done = golden("migrate", "--golden", str(folder), "--yes", ID)
    assert (done.code, done.out) == (5, "")
    assert "the file is newer: major 2, here 1" in done.err
    assert done.err.endswith("  next: pip install --upgrade curriculum\n")
    assert _files(folder) == before


def test_a_file_with_a_fault_is_named(folder: Path, s06: Path) -> None:
    s06.write_bytes(old(s06.read_bytes()).replace(b"\n", b"\r\n"))
    done = with_step("--golden", str(folder), "--yes")
    assert done.code == 5
    assert f"{s06}, line 1: it ends in CR LF; traces use LF. [trace-crlf]" in done.err


def test_a_name_that_is_nothing(folder: Path) -> None:
    done = golden("migrate", "--golden", str(folder), "s06-context-budgte")
    assert done.code == 2
    assert "nearest: s06-context-budget\n" in done.err
