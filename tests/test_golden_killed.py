"""kill -9 at every point of record and accept: a golden is the old one or the new one, whole.

A second run completes the work; what a killed process left behind is a temporary file at most,
and `golden prune` removes that.
"""

import sys
from pathlib import Path

import pytest

from curriculum.course.lessons import all_cases
from curriculum.golden import prune
from curriculum.golden.cases import run_case
from curriculum.trace.reader import Trace

from .points import Left, series

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="no fork and no SIGKILL there; the rename is the same one step"
)
ID, OTHER = "s06-context-budget", "harness/message-limit"
CASES = {id: all_cases()[id] for id in (ID, OTHER)}
NEW = {id: run_case(case) for id, case in CASES.items()}
OLD = run_case(all_cases()[f"{ID}/with-reserve"]).replace(f'"{ID}/with-reserve"', f'"{ID}"')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The golden of one case is an old one; the other case has none yet."""
    place = tmp_path / "golden"
    place.mkdir()
    put(place / f"{ID}.jsonl", OLD)
    return place


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii", newline="\n")


def pending(id: str) -> str:
    return f"{id}.pending.jsonl"


def check_whole(left: Left) -> None:
    for name, text in left.files.items():
        if name.endswith(".jsonl"):
            assert Trace.parse(text, name).stop is not None, left
        else:
            assert prune.TEMPORARY.match(name.split("/")[-1]), left


@pytest.mark.parametrize("before", [None, OLD], ids=["nothing waits", "an old one waits"])
def test_record_killed_at_every_point(before: str | None, folder: Path) -> None:
    if before is not None:
        put(folder / pending(ID), before)
    lefts = list(series("killed", folder, "record", ID, OTHER))
    *dead, last = lefts
    assert last.code == 0
    assert len(dead) > 40
    for left in dead:
        assert left.code == -9
        check_whole(left)
        assert OLD == left.text(f"{ID}.jsonl")
        assert left.text(f"{OTHER}.jsonl") is None
        assert left.text(pending(ID)) in (before, NEW[ID])
        assert left.text(pending(OTHER)) in (None, NEW[OTHER])
    states = {(left.text(pending(ID)) == NEW[ID], pending(OTHER) in left.files) for left in lefts}
    assert {(False, False), (True, False), (True, True)} == states
    for left in lefts:
        assert left.again is not None
        assert left.again.code == 0
        check_whole(left.again)
        goldens = {name: text for name, text in left.again.files.items() if ".jsonl" in name}
        assert {
            f"{ID}.jsonl": OLD,
            pending(ID): NEW[ID],
            pending(OTHER): NEW[OTHER],
        } == goldens
    assert any(left.temporary for left in dead)
    assert not last.temporary


def test_accept_killed_at_every_point(folder: Path) -> None:
    """Never is the new trace neither golden nor pending; a second run makes it the golden."""
    for id in (ID, OTHER):
        put(folder / pending(id), NEW[id])
    lefts = list(series("killed", folder, "accept", ID, OTHER))
    *dead, last = lefts
    assert last.code == 0
    assert len(dead) > 80
    seen: set[tuple[bool, bool]] = set()
    for left in dead:
        assert left.code == -9
        check_whole(left)
        for id in (ID, OTHER):
            accepted, waits = left.text(f"{id}.jsonl") == NEW[id], pending(id) in left.files
            assert accepted or waits
            assert left.text(f"{id}.jsonl") in (NEW[id], OLD if id == ID else None)
            assert left.text(pending(id)) in (NEW[id], None)
            if id == ID:
                seen.add((accepted, waits))
    assert {(False, True), (True, True), (True, False)} == seen
    for left in lefts:
        assert left.again is not None
        check_whole(left.again)
        both = all(pending(id) in left.files for id in (ID, OTHER))
        assert (0 if both else 2) == left.again.code
        if not both:
            assert "has no pending trace. [golden-nothing-pending]" in left.again.said
            continue
        goldens = {name: text for name, text in left.again.files.items() if ".jsonl" in name}
        assert {f"{id}.jsonl": NEW[id] for id in (ID, OTHER)} == goldens


@pytest.mark.parametrize("command", ["record", "accept"])
def test_killed_in_the_middle_of_a_write(command: str, folder: Path) -> None:
    """Half a trace is on the disk then, under a name that nobody reads."""
    put(folder / pending(ID), NEW[ID])
    (left,) = series("half-written", folder, command, ID)
    assert left.code == -9
    check_whole(left)
    (half,) = left.temporary
    assert NEW[ID].startswith(left.files[half])
    assert 0 < len(left.files[half]) < len(NEW[ID])
    assert (OLD, NEW[ID]) == (left.text(f"{ID}.jsonl"), left.text(pending(ID)))
    assert left.again is not None
    assert left.again.code == 0


@pytest.mark.parametrize("command", ["reject", "prune"])
def test_reject_and_prune_killed_at_every_point(command: str, folder: Path) -> None:
    """The golden is never touched; the file that was to go is whole or gone."""
    put(folder / f"{OTHER}.jsonl", NEW[OTHER])
    put(folder / (pending(ID) if command == "reject" else "stray.jsonl"), NEW[ID])
    *dead, last = series("killed", folder, command, *([ID] if command == "reject" else ["--yes"]))
    assert last.code == 0
    assert dead
    for left in dead:
        check_whole(left)
        assert (OLD, NEW[OTHER]) == (left.text(f"{ID}.jsonl"), left.text(f"{OTHER}.jsonl"))
    assert {f"{ID}.jsonl", f"{OTHER}.jsonl"} == set(last.files)
