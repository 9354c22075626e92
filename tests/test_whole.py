"""A file that must be new takes no other's place, also on a disk without links."""

import errno
import os
from pathlib import Path

import pytest

from curriculum.record.whole_file import put


def no_links(source: object, target: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_is_written_whole(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    put(tmp_path / "a", b"new", ".t-", new=True)
    assert {"a": b"new"} == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize("links", [True, False])
def test_what_is_there_by_then_stays(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been made after the first look, so the name itself is asked for last."""
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        put(tmp_path / "a", b"new", ".t-", new=True)
    assert {"a": b"old"} == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
