"""`curriculum doctor`: whether everything is here, in one line a thing, and what to do if not."""

import json
from pathlib import Path

import pytest

from curriculum.course import doctor
from curriculum.course.child import Ran
from curriculum.course.child_endings import trouble_of
from curriculum.course.doctor import Health

from .command import curriculum


def test_each_thing_has_a_line_and_nothing_is_left_behind(tmp_path: Path) -> None:
    done = curriculum("doctor", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    words = [line.split()[0] for line in done.out.splitlines() if line[0] != " "]
    assert set(words) <= {"ok", "note", "next:"}
    for thing in ("Python", "terminal", "encoding", "folder", "process", "workspace"):
        assert f" {thing} " in done.out
    assert list(tmp_path.iterdir()) == []
    assert done.out.splitlines()[-1] == "next: curriculum start"


def test_as_data() -> None:
    data = json.loads(curriculum("doctor", "--json").out)
    assert data["faults"] == 0
    assert {sign["what"] for sign in data["signs"]} >= {"extra watch", "extra exact", "libraries"}


def test_an_output_that_is_not_utf8_is_a_note() -> None:
    done = curriculum("doctor", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")
    assert done.code == 0
    assert "note  encoding          output iso8859-1, so it is plain" in done.out


def test_a_folder_that_cannot_be_written_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "nowhere"))
    sign = doctor.temporary()
    assert sign.health is Health.FAULT
    assert "cannot be written: No such file or directory" in sign.found
    assert sign.next


def test_a_process_that_does_not_start_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    trouble = trouble_of("child.no-process", why="not here")
    monkeypatch.setattr(doctor, "run", lambda *_, **__: Ran(trouble=trouble))
    sign = doctor.process()
    assert sign.health is Health.FAULT
    assert sign.found == "No process could be started for your code here: not here."


def test_a_look_that_fails_is_a_fault_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> doctor.Sign:
        raise ValueError("odd")

    monkeypatch.setattr(doctor, "libraries", broken)
    signs = list(doctor.examine())
    assert [sign for sign in signs if sign.health is Health.FAULT] == [
        doctor.Sign("broken", "ValueError: odd", Health.FAULT)
    ]
    assert len(signs) > 10
