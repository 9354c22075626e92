"""`curriculum start`: a tour of six minutes, a recap, and a folder that is the learner's."""

import json
import re
import sys
from pathlib import Path

import pytest

from .command import curriculum
from .learner import PROGRAM, Learner, sit

posix = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
GOES_ON = ("ENTER goes on", "\n")


@pytest.fixture
def ada(tmp_path: Path) -> Learner:
    return Learner(tmp_path)


class TestWithoutATerminal:
    """Nothing is asked: the parts are printed, each with the command that does it."""

    def test_every_part_has_its_command(self) -> None:
        done = curriculum("start")
        assert (done.code, done.err) == (0, "")
        lines = done.out.splitlines()
        assert [line[:2] for line in lines if re.match(r"\d ", line)] == [
            "1 ",
            "2 ",
            "3 ",
            "4 ",
            "5 ",
        ]
        assert [line.strip() for line in lines if line.startswith("  curriculum ")] == [
            "curriculum run s06-context-budget",
            "curriculum read s06 L1",
            "curriculum predict s06-1",
            "curriculum run s06-context-budget --budget max_tool_output_chars=120",
            "curriculum start my-course",
        ]
        assert lines[-1] == "next: curriculum run s06-context-budget"
        assert "A tool returns 2000 characters" in done.out

    def test_as_data(self) -> None:
        data = json.loads(curriculum("start", "--json").out)
        assert len(data["parts"]) == 5
        assert data["next"] == "curriculum run s06-context-budget"

    @pytest.mark.parametrize("command", ["run s06-context-budget", "read s06 L1"])
    def test_the_commands_run(self, command: str, tmp_path: Path) -> None:
        assert curriculum(*command.split(), cwd=tmp_path).code == 0
        assert list(tmp_path.iterdir()) == []


@posix
class TestTheTour:
    """Four parts and an offer; a newcomer has predicted something, and seen why."""

    def walk(self, place: Path, *steps: tuple[str, str]) -> str:
        done = sit(["-c", PROGRAM, "start", "--plain"], steps, place)
        assert done.code == 0, done.out
        return done.out

    def test_a_wrong_number_is_led_to_the_first_difference(self, tmp_path: Path) -> None:
        asked = "How many characters of the result does request 2 show then?   was 31   >"
        out = self.walk(
            *(tmp_path, GOES_ON, GOES_ON, (asked, "hm\n"), (asked, "300-180\n"), GOES_ON),
            ("A folder for your work", "q\n"),
        )
        assert "'hm' is no whole number." in out
        assert "You: 120. Run: 31. That is the first difference, and here is why:" in out
        assert "sum       300 - (14 tools + 210 system + 20 user + 25 call and marks) = 31" in out
        assert "A harness with only gate 1 gives exactly 120." in out
        assert "the model cannot tell the two runs apart." in out
        assert list(tmp_path.iterdir()) == []

    def test_a_right_number_is_told_why_too(self, tmp_path: Path) -> None:
        out = self.walk(
            *(tmp_path, GOES_ON, GOES_ON, ("show then?", "31\n"), GOES_ON),
            ("A folder for your work", "\n"),
        )
        assert "Right: 31. Run and expectation agree." in out
        assert "= 31\n" in out
        assert "only gate 1" not in out
        assert (tmp_path / "my-course" / "progress.txt").is_file()

    def test_a_folder_that_will_not_do_is_asked_for_again(self, tmp_path: Path) -> None:
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "thesis").write_text("x")
        offered = "A folder for your work"
        out = self.walk(
            *(tmp_path, GOES_ON, GOES_ON, ("show then?", "31\n"), GOES_ON),
            *((offered, "full\n"), (offered, "mein Ordner ä\n")),
        )
        assert "holds other things already, such as thesis." in out
        assert (tmp_path / "mein Ordner ä" / "progress.txt").is_file()
        assert (tmp_path / "full" / "thesis").read_text() == "x"

    @pytest.mark.parametrize("part", [1, 2, 3])
    def test_it_can_be_left_at_any_part(self, tmp_path: Path, part: int) -> None:
        steps = [GOES_ON, GOES_ON, ("show then?", "q\n")][:part]
        out = self.walk(tmp_path, *steps[:-1], (steps[-1][0], "q\n"))
        assert out.splitlines()[-1] == "next: curriculum start my-course"
        assert f"== {part} of 5:" in out
        assert f"== {part + 1} of 5:" not in out

    def test_ctrl_d_leaves_too(self, tmp_path: Path) -> None:
        done = sit(["-c", PROGRAM, "start"], [("ENTER goes on", "\x04")], tmp_path)
        assert done.code == 130
        assert "Traceback" not in done.out


class TestAFolder:
    def test_it_is_made_and_the_way_into_it_is_said(self, ada: Learner) -> None:
        done = ada.run("start", str(ada.folder), "--name", "Ada Lovelace", "--plain")
        assert (done.code, done.err) == (0, "")
        lines = done.out.splitlines()
        assert lines[1] == "  new       5 files, 3 of them starters"
        assert lines[-1] == "next: curriculum read s90   the lesson: A small lesson"
        assert ada.progress == ["name Ada Lovelace"]

    def test_again_it_adds_and_keeps(self, ada: Learner) -> None:
        ada.run("start", str(ada.folder), "--name", "Ada")
        ada.write("s90_4", "mine")
        ada.run("check", "s90-4")
        done = ada.run("start", ".", "--course", "spring")
        assert done.code == 0
        assert "there already: " in done.out
        assert "kept      5 files as they were: nothing is written over" in done.out
        assert ada.progress[:2] == ["name Ada", "course spring"]
        assert ada.progress[2].startswith("s90-4 not-yet")
        assert (ada.folder / "s90" / "s90_4.py").read_text() == "mine"

    def test_as_data(self, ada: Learner) -> None:
        data = json.loads(ada.run("start", str(ada.folder), "--json").out)
        assert data["folder"] == str(ada.folder)
        assert "s90/s90_3.py" in data["new"]
        assert data["next"]["command"] == "curriculum read s90"

    def test_a_folder_with_other_things_is_refused(self, ada: Learner) -> None:
        ada.folder.mkdir()
        (ada.folder / "thesis").write_text("x")
        done = ada.run("start", ".")
        assert done.code == 2
        assert "[workspace-not-empty]" in done.err
        assert [path.name for path in ada.folder.iterdir()] == ["thesis"]

    @pytest.mark.parametrize("name", ["two\nlines", "x" * 81, "a\x1b[31m"])
    def test_a_name_is_one_short_line(self, ada: Learner, name: str) -> None:
        done = ada.run("start", str(ada.folder), "--name", name)
        assert done.code == 2
        assert "[start-name]" in done.err
        assert not ada.folder.exists()


class TestTheRecap:
    def test_what_a_lesson_rests_on_and_the_way_into_it(self) -> None:
        done = curriculum("start", "--at", "s06", "--plain")
        assert done.code == 0
        assert done.out.splitlines()[0] == "s06-context-budget  Context budget: two gates in a row"
        assert done.out.splitlines()[-1] == "next: curriculum read s06"

    def test_a_workspace_may_begin_there(self, tmp_path: Path) -> None:
        done = curriculum("start", "x", "--at", "s06", cwd=tmp_path)
        assert done.code == 0
        assert "at s06-context-budget\n" in (tmp_path / "x" / "progress.txt").read_text()
        assert curriculum("next", cwd=tmp_path / "x").out.startswith("next: curriculum read s06 ")

    def test_an_unknown_lesson_makes_nothing(self, tmp_path: Path) -> None:
        done = curriculum("start", "x", "--at", "s66", cwd=tmp_path)
        assert done.code == 2
        assert "[unknown-lesson]" in done.err
        assert list(tmp_path.iterdir()) == []
