"""Text of sessions, tools and command lines is data: never control, never markup, never a flood."""

import json
import re
from pathlib import Path

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.trace.recorder import Recorder
from curriculum.view.safe import ascii_only, ends, visible
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.plain import Plain

from .command import curriculum, golden, rich

NASTY = (
    "[red]x[/] [link=http://x]y[/link] :smile: \x1b[31mred\x1b]0;title\x07 \x9b2J \u202eabc\u202c \0 "
    "a\u2028b \ud800 [-77-] \u00b7\u21b5 _$ z\u200bz e\u0301 \r\nr0009 fake\n== Request 9"
)
WIDE = "\u6f22\u5b57" * 60 + "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 5 + "\u2764\ufe0f" * 20
TOOL = "to[red]ol\x1b[2J"
LONG = 10_000_000
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\ufe0f]")


def _trace(path: Path, wire: Plain | OpenAIChat, output: str, limit: int) -> str:
    recorder = Recorder()
    tools = ToolRegistry(Tool("tool", lambda: output))
    arguments = {"a": "\x1b]8;;http://x\x07" + NASTY}
    turns = [
        Turn(NASTY, calls=[call("tool")]),
        Turn(calls=[call(TOOL, arguments)]),
        Turn(NASTY),
    ]
    AgentRunner(
        model=ScriptedModel(turns),
        tools=tools,
        trace=recorder,
        system_prompt=NASTY,
        budget=ContextBudget(max_input_chars=limit),
        wire=wire,
        session_id="s[bold]\x1b[31m",
    ).run(f"{NASTY}{WIDE}")
    path.write_text(recorder.text(), encoding="ascii")
    return str(path)


@pytest.mark.parametrize("wire", [Plain(), OpenAIChat()], ids=lambda wire: wire.id)
@pytest.mark.parametrize("columns", [60, 80])
def test_nothing_reaches_a_terminal_as_control(
    tmp_path: Path, wire: Plain | OpenAIChat, columns: int
) -> None:
    """Only our own colours are escape sequences; markup and fake lines stay text."""
    path = _trace(tmp_path / "t.jsonl", wire, NASTY + WIDE, 30_000)
    done = rich("trace", "show", path, columns=columns)
    assert done.code == 0
    assert not CONTROL.search(done.text)
    assert "[red]x[/] [link=http://x]y[/link] :smile:" in " ".join(done.text.split())
    assert "\x1b]" not in done.out
    assert len(re.findall(r"^(?:\x1b\[[0-9;]*m)*Request \d", done.text, re.M)) == 3


@pytest.mark.parametrize("wire", [Plain(), OpenAIChat()], ids=lambda wire: wire.id)
def test_wide_text_does_not_break_the_layout(tmp_path: Path, wire: Plain | OpenAIChat) -> None:
    from rich.cells import cell_len

    path = _trace(tmp_path / "t.jsonl", wire, WIDE, 30_000)
    for columns in (40, 60, 80):
        lines = rich("trace", "show", path, columns=columns).text.splitlines()
        assert max(map(cell_len, lines)) <= columns


def test_plain_is_ascii_and_one_line_an_item(tmp_path: Path) -> None:
    """A line end in a text cannot begin a line of ours."""
    path = _trace(tmp_path / "t.jsonl", Plain(), NASTY, 30_000)
    done = curriculum("trace", "show", path, "--plain")
    assert done.code == 0
    assert done.out.isascii()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", done.out)
    assert not [line for line in done.out.splitlines() if line.startswith("r0009")]
    assert done.out.count("\n== Request ") == 3


def test_a_mark_of_ours_looks_otherwise_than_the_same_sign_in_a_text(tmp_path: Path) -> None:
    """In a terminal a spelled-out control is set off; the same letters as text are not."""
    fake = _trace(tmp_path / "fake.jsonl", Plain(), "a \\x1b", 30_000)
    real = _trace(tmp_path / "real.jsonl", Plain(), "a \x1b", 30_000)
    for path, set_off in ((real, True), (fake, False)):
        out = rich("trace", "request", path, "2").out.splitlines()
        (line,) = [line for line in out if "=c1" in line]
        assert ("\x1b[7m\\x1b\x1b[0m" in line) is set_off


@pytest.mark.parametrize("look", ["rich", "--plain"])
def test_a_huge_line_does_not_flood_the_screen(tmp_path: Path, look: str) -> None:
    """Both ends are shown, and the number of characters between them; --json has all."""
    text = "begin" + "x" * (LONG - 8) + "end"
    path = _trace(tmp_path / "t.jsonl", Plain(), text, 2 * LONG)
    done = rich("trace", "show", path) if look == "rich" else curriculum("trace", "show", path)
    assert done.code == 0
    most = 420 if look == "rich" else 4000
    assert len(done.text) < 40_000
    assert f"... {LONG - most} characters not shown ..." in " ".join(done.text.split())
    assert "=c1 beginxxx" in done.text
    body = json.loads(curriculum("trace", "request", path, "2", "--json").out)["body"]
    assert text in body


def test_ids_and_file_names_of_a_command_line_are_spelled_out(tmp_path: Path) -> None:
    name = "s06\x1b[31m\nerror: forged\u202e[red]"
    for done in (
        curriculum("run", name),
        curriculum("trace", "show", str(tmp_path / name)),
        curriculum(name),
        curriculum("run", "s06-context-budget", f"--{name}"),
        curriculum("run", "s06-context-budget", "--budget", name),
        curriculum("run", "s06-context-budget", "-o", str(tmp_path / "no" / name)),
        golden("record", name),
        golden("verify", name),
    ):
        said = done.out + done.err
        assert done.code in (2, 3)
        assert said.isascii()
        assert "\x1b" not in said
        assert not [line for line in said.splitlines() if line.startswith("error: forged")]


def test_a_very_long_id_does_not_flood_the_screen() -> None:
    done = curriculum("run", "x" * 100_000)
    assert done.code == 2
    assert len(done.err) < 2_000
    assert " characters not shown ..." in done.err


class TestSafe:
    """What `view.safe` promises, in itself."""

    def test_a_control_is_spelled_by_its_number(self) -> None:
        assert visible("a\x1b\x9b\u202e\U000e0041\n") == "a\\x1b\\x9b\\u202e\\U000e0041\\n"

    def test_letters_marks_and_wide_characters_stay(self) -> None:
        assert visible("e\u0301 \u6f22 \U0001f600 \u3000") == "e\u0301 \u6f22 \U0001f600 \u3000"

    def test_ascii_spells_the_rest_in_the_same_way(self) -> None:
        assert ascii_only("\u6f22\u202e\U0001f600") == "\\u6f22\\u202e\\U0001f600"

    def test_ends_say_how_many_characters_are_between(self) -> None:
        assert ends("abcdefghij", 4) == ("ab", " ... 6 characters not shown ... ", "ij")
        assert ends("abcd", 4) == ("abcd", "", "")
