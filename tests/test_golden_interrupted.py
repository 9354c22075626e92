"""Ctrl-C at every point of record and accept with several ids: 130, whole files, all named."""

import sys
from pathlib import Path

import pytest

from .points import series, texts
from .test_golden_killed import ID, NEW, OLD, OTHER, check_whole, pending, put

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork there")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "golden"
    put(place / f"{ID}.jsonl", OLD)
    return place


@pytest.mark.parametrize("command", ["record", "accept"])
def test_what_was_written_is_whole_and_named_and_nothing_is_left_behind(
    command: str, folder: Path
) -> None:
    if command == "accept":
        for id in (ID, OTHER):
            put(folder / pending(id), NEW[id])
    before = texts(folder)
    goal = {id: pending(id) if command == "record" else f"{id}.jsonl" for id in (ID, OTHER)}
    *stopped, last = series("interrupted", folder, command, ID, OTHER)
    assert last.code == 0
    assert len(stopped) > 40
    counts: set[int] = set()
    for left in stopped:
        assert left.code == 130
        check_whole(left)
        assert [] == left.temporary
        done = [goal[id] for id in (ID, OTHER) if left.text(goal[id]) == NEW[id]]
        for id in (ID, OTHER):
            assert left.text(goal[id]) in (NEW[id], before.get(goal[id]))
        said = left.said.strip().splitlines()
        assert "error: Interrupted; no file is half written. [interrupted]" == said[0]
        assert [f"  done, and whole: GOLDEN/{name}" for name in done] == said[1:]
        counts.add(len(done))
    assert {0, 1, 2} == counts
