"""`curriculum read`: a lesson's text, up to its first exercises, its answers folded away."""

import json
import re
from pathlib import Path

import pytest

from .command import curriculum
from .learner import Learner

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e]")


@pytest.fixture
def ada(tmp_path: Path) -> Learner:
    return Learner(tmp_path).settle()


class TestWhere:
    def test_it_stops_after_the_first_two_levels(self, ada: Learner) -> None:
        done = ada.run("read", "s90", "--plain")
        assert (done.code, done.err) == (0, "")
        heads = [line for line in done.out.splitlines() if line.startswith("== ")]
        assert heads == ["== L0 The picture (2 min)", "== L1 Run it (3 min)"]
        assert done.out.splitlines()[-2:] == [
            "It stops here. L2 go on: curriculum read s90 L2",
            "next: curriculum predict s90-1",
        ]
        assert ada.progress == ["read s90-small L1"]

    @pytest.mark.parametrize(
        ("level", "heads", "next"),
        [
            ("L2", ["L2"], "curriculum predict s90-1"),
            ("l0", ["L0"], "curriculum read s90 L1"),
            ("L1", ["L1"], "curriculum read s90 L2"),
            ("all", ["L0", "L1", "L2"], "curriculum predict s90-1"),
        ],
    )
    def test_a_level_may_be_asked_for(
        self, ada: Learner, level: str, heads: list[str], next: str
    ) -> None:
        out = ada.run("read", "s90-small", level).out
        assert re.findall(r"^== (L\d)", out, re.M) == heads
        assert out.splitlines()[-1] == f"next: {next}"

    @pytest.mark.parametrize(("level", "why"), [("L4", "is not written yet"), ("x", "is no level")])
    def test_a_level_that_is_not_there(self, ada: Learner, level: str, why: str) -> None:
        done = ada.run("read", "s90", level)
        assert done.code == 2
        assert f"'{level}' {why} in s90-small. [lesson-no-level]" in done.err

    def test_an_unknown_lesson(self) -> None:
        done = curriculum("read", "s66")
        assert done.code == 2
        assert "nearest: s06-context-budget" in done.err

    def test_it_needs_no_workspace(self, tmp_path: Path) -> None:
        assert curriculum("read", "s06", cwd=tmp_path).code == 0
        assert list(tmp_path.iterdir()) == []


class TestTheText:
    def test_answers_are_folded_away_until_they_are_asked_for(self, ada: Learner) -> None:
        out = ada.run("read", "s90", "L0").out
        assert "It is 100." not in out
        assert "`curriculum read s90 L0 --answers`" in out
        assert "**The answer.** It is 100." in ada.run("read", "s90", "L0", "--answers").out

    def test_no_mark_of_the_course_is_seen_and_no_tag(self) -> None:
        for args in (("s06",), ("s06", "all", "--answers")):
            out = curriculum("read", *args, "--plain").out
            assert "<!--" not in out
            assert "<details>" not in out
            assert out.isascii()

    def test_plain_spells_its_signs_as_the_plain_views_do(self, ada: Learner) -> None:
        out = ada.run("read", "s90", "--plain").out
        assert "`_` is a blank, `$` a line's end" in out
        assert "  14  r0001  +read$" in out

    def test_a_terminal_shows_text_as_data(self, ada: Learner) -> None:
        """Markup, control characters and links of a text are text."""
        nasty = "[red]x[/] :smile: \x1b[31mred\x07 \u202eabc [a](http://x) <b>b</b> \x9b2J"
        file = ada.lessons / "s90_small" / "lesson.md"
        text = file.read_text("utf-8").replace("More of it.", f"{nasty}\n\n```\n{nasty}\n```\n")
        file.write_text(text, encoding="utf-8")
        done = ada.run("read", "s90", "all", FORCE_COLOR="1", TERM="xterm-256color", COLUMNS="60")
        assert done.code == 0
        assert not CONTROL.search(done.text)
        assert "\x1b]" not in done.out
        assert done.text.count("[red]x[/] :smile: \\x1b[31mred\\x07 \\u202eabc") == 2
        assert max(map(len, done.text.splitlines())) <= 60

    def test_as_data(self, ada: Learner) -> None:
        data = json.loads(ada.run("read", "s90", "--json").out)
        assert [level["level"] for level in data["levels"]] == ["L0", "L1"]
        assert data["next"] == "curriculum predict s90-1"

    def test_every_real_lesson_can_be_read_in_a_narrow_window(self) -> None:
        from rich.cells import cell_len

        done = curriculum("read", "s06", "all", FORCE_COLOR="1", COLUMNS="60", TERM="xterm")
        assert max(map(cell_len, done.text.splitlines())) <= 60
