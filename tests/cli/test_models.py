"""`curriculum models` and `curriculum budget`: what is known of a model, and what is left of it."""

import json
from pathlib import Path

import pytest

from .command import curriculum, rich, without

CHAT = {
    "system": "Be brief.",
    "messages": [{"role": "user", "content": "hello"}],
    "tools": [{"name": "read"}],
    "max_tokens": 2000,
}
OWN = """
[[model]]
id = "mine"
aliases = ["my-model"]
provider = "me"
window = 8192
max_output = 2048
family = "tekken"
wire = "openai-chat"
frame = "largest"
image = "none"
preamble_auto = 0
preamble_any = 0
special = "text"
as_of = "2026-12-01"
source = "my own server"
"""


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(CHAT), encoding="utf-8")
    return file


class TestModels:
    def test_list(self) -> None:
        done = curriculum("models", "--plain")
        assert (done.code, done.err) == (0, "")
        assert done.out.isascii()
        lines = done.out.splitlines()
        assert "== Models: 58, sizes in tokens" in lines
        (line,) = [line for line in lines if line.startswith("  gpt-4o ")]
        assert (
            " ".join(line.split())
            == "gpt-4o window 128000 output 16384 o200k openai-chat as of 2026-12-01"
        )
        (family,) = [line for line in lines if line.startswith("  claude-4.7 ")]
        assert family.endswith("at most 2 x UTF-8 bytes (assumed)")
        (family,) = [line for line in lines if "Qwen 3: " in line]
        assert family.endswith("at most 1 x UTF-8 bytes of its form NFD (proven)")

    def test_one(self) -> None:
        done = curriculum("models", "claude-opus-4-8", "--plain")
        lines = [line.split(None, 1) for line in done.out.splitlines() if line.startswith("  ")]
        assert ["window", "1000000  tokens, in and out together"] in lines
        assert ["preamble_auto", "290  tokens of a hidden prompt once there are tools"] in lines
        assert ["max_input", "0  no limit but the window"] in lines
        assert done.out.endswith("\nnext: curriculum budget claude-opus-4-8\n")
        assert ["most", "4784 tokens an image"] in lines

    def test_the_same_facts_as_data(self) -> None:
        data = json.loads(curriculum("models", "gpt-5.6", "--json").out)
        assert ("gpt-5.6-sol", 922_000) == (data["id"], data["max_input"])
        assert (66, 36_000) == (data["frame"]["once"], data["image"]["most"])
        assert 58 == len(json.loads(curriculum("models", "--json").out))

    @pytest.mark.parametrize("columns", [40, 80, 100])
    def test_a_terminal_cuts_no_name(self, columns: int) -> None:
        done = rich("models", columns=columns)
        assert max(map(len, done.text.splitlines())) <= columns
        assert "Llama-3.2-11B-Vision" in done.text.split()

    def test_from_80_columns_on_a_model_is_one_line(self) -> None:
        """Below it is two, and the date has to wait for a few columns more."""
        facts = ["gpt-5.4", "1050000", "128000", "o200k", "openai-responses"]
        for columns, row in ((80, facts), (100, [*facts, "2026-12-01"]), (60, ["gpt-5.4"])):
            lines = [line.split() for line in rich("models", columns=columns).text.splitlines()]
            assert row in lines

    def test_unknown(self) -> None:
        done = curriculum("models", "claude-opus-48")
        assert (done.code, done.out) == (2, "")
        assert "error: No model is called 'claude-opus-48'. [model-unknown]\n" in done.err
        assert "  nearest: claude-opus-4-8, " in done.err


class TestOwnModels:
    def test_file(self, tmp_path: Path) -> None:
        (tmp_path / "m.toml").write_text(OWN, encoding="utf-8")
        done = curriculum("models", "my-model", "--models", "m.toml", "--json", cwd=tmp_path)
        assert 8192 == json.loads(done.out)["window"]

    def test_project(self, tmp_path: Path) -> None:
        """The nearest pyproject.toml names the file; it is found from a folder below."""
        (tmp_path / "m.toml").write_text(OWN, encoding="utf-8")
        settings = '[tool.curriculum]\nmodels = "m.toml"\n'
        (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
        (tmp_path / "below").mkdir()
        done = curriculum("budget", "mine", "--json", cwd=tmp_path / "below")
        assert 8192 == json.loads(done.out)["context_window"]

    def test_odd_file(self, tmp_path: Path) -> None:
        text = OWN.replace("8192", '"8k"')
        (tmp_path / "m.toml").write_text(text, encoding="utf-8")
        done = curriculum("budget", "mine", "--models", "m.toml", cwd=tmp_path)
        assert done.code == 2
        assert done.err == (
            "error: m.toml, model 1 ('mine'): window is '8k'. [models-file]\n"
            "  it must be a whole number of tokens, at least 1\n"
            "  next: curriculum models gpt-4o --plain   # the fields of an entry, and values of them\n"
        )


class TestBudget:
    def test_plain(self, chat: Path) -> None:
        """2000 + 2520 + 9 + 5 + 22 + 11 + 123433 = 128000."""
        done = curriculum(
            "budget",
            "gpt-4o",
            "chat.json",
            "--counter",
            "bytes@1:o200k",
            "--plain",
            cwd=chat.parent,
        )
        assert (done.code, done.err) == (0, "")
        assert done.out.isascii()
        lines = [line.split() for line in done.out.splitlines()]
        for row in (
            "D directive 9 0.0 %",
            "M messages 5 0.0 %",
            "T tools 22 0.0 %",
            "F frame 11 0.0 %",
            ". usable 123433 96.4 %",
            "~ safety buffer 2520 1.9 %",
            "/ response reserve 2000 1.5 %",
            "= sum 128000 window 128000",
            "read chat.json: a request with 1 message, 1 tool, asks for 2000 tokens of output",
            "open 123433 tokens are left",
        ):
            assert row.split() in lines

    def test_the_names_of_the_data(self, chat: Path) -> None:
        done = curriculum("budget", "gpt-4o", str(chat), "--counter", "bytes@1:o200k", "--json")
        data = json.loads(done.out)
        assert {
            "context_window": 128_000,
            "response_reserve": 2000,
            "safety_buffer": 2520,
            "usable_budget": 123_433,
            "directive_tokens": 9,
            "messages_tokens": 5,
            "is_constrained": False,
            "schemas_tokens": 22,
            "frame_tokens": 11,
            "over_by": 0,
            "counter": "bytes@1:o200k",
            "estimate_kind": "heuristic",
            "bound_name": "proven",
        }.items() <= data.items()
        assert not any(isinstance(value, float) for value in data.values())

    def test_a_terminal_has_a_bar_with_a_letter_for_each_part(self, chat: Path) -> None:
        done = rich("budget", "gpt-4o", str(chat), "--output", "16384", columns=80)
        bar = next(line for line in done.text.splitlines() if line.startswith("  [D"))
        assert 62 == len(bar.strip())
        assert set(bar.strip()) == set("[DMTF.~/]")
        assert 7 <= bar.count("/") <= 8  # 16384 of 128000 of 60 cells: 7.68
        assert "\x1b[" in done.out

    @pytest.mark.parametrize(
        ("model", "counter", "how"),
        [
            ("gpt-4o", "exact@1:o200k", "by the model's own tokenizer"),
            ("gpt-4o", "exact@1:cl100k", "by an estimate: it may take more"),
            ("gpt-4o", "calibrated@1:o200k", "at the most that 99 of 100 files take"),
            ("gpt-4o", "bytes@1:o200k", "at its most: no text takes more"),
            ("claude-opus-4-8", "bytes@1:claude-4.7", "at the most that was ever seen"),
            ("claude-opus-4-8", "bytes@1:o200k", "by an estimate: it may take more"),
        ],
    )
    def test_how_a_text_is_counted_is_said(self, model: str, counter: str, how: str) -> None:
        assert f"\n  each text  {how}\n" in curriculum("budget", model, "--counter", counter).out

    def test_a_model_that_is_known_keeps_what_is_not_said_otherwise(self, chat: Path) -> None:
        """gpt-4o in a window of 9000: its own frame of 11 tokens, its output asked for as before."""
        args = ("budget", "gpt-4o", str(chat), "--counter", "bytes@1:o200k", "--json")
        before = json.loads(curriculum(*args).out)
        after = json.loads(curriculum(*args, "--window", "9000").out)
        assert (128_000, 9000) == (before["context_window"], after["context_window"])
        for name in ("frame_tokens", "response_reserve", "messages_tokens"):
            assert before[name] == after[name]

    def test_without_the_extra_it_says_how_to_count_exactly(self, chat: Path) -> None:
        """Only where that would help: no tokenizer of Claude is published."""
        said = 'next: pip install "curriculum[exact]"   # counts o200k exactly\n'
        assert without("splintr", "budget", "gpt-4o", str(chat)).out.endswith(said)
        for args in (("claude-opus-4-8",), ("gpt-4o", "--counter", "bytes@1:o200k")):
            assert "next: " not in without("splintr", "budget", *args).out
        assert "next: " not in curriculum("budget", "gpt-4o", str(chat)).out

    def test_too_much_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "big.txt").write_text("x" * 9000, encoding="utf-8")
        args = ("budget", "own", "big.txt", "--window", "8192", "--family", "tekken")
        done = curriculum(*args, "--counter", "bytes@1:tekken", "--plain", cwd=tmp_path)
        assert done.code == 0
        assert "CONSTRAINED" in done.out
        assert "[budget-over]" in done.out

    def test_directive_and_tools(self, chat: Path) -> None:
        (chat.parent / "system.txt").write_text("Be very brief.", encoding="utf-8")
        (chat.parent / "tools.json").write_text("[]", encoding="utf-8")
        done = curriculum(
            *("budget", "gpt-4o", "chat.json", "--counter", "bytes@1:o200k", "--json"),
            *("--directive", "system.txt", "--tools", "tools.json"),
            cwd=chat.parent,
        )
        data = json.loads(done.out)
        assert (14, 0) == (data["directive_tokens"], data["schemas_tokens"])

    def test_text_is_one_user_message(self, tmp_path: Path) -> None:
        """So is JSON that is no chat, and a file with nothing in it."""
        for name, text in (("a.txt", "hello"), ("b.json", '{"a":1}'), ("c", "")):
            (tmp_path / name).write_text(text, encoding="utf-8")
        done = curriculum(
            *("budget", "gpt-4o", "a.txt", "b.json", "c", "--counter", "bytes@1", "--json"),
            cwd=tmp_path,
        )
        data = json.loads(done.out)
        assert (5 + 7, 3 * 4 + 3) == (data["messages_tokens"], data["frame_tokens"])
        assert "b.json: text, as one user message" in data["read"]

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            (
                "nope.json",
                None,
                "'nope.json' cannot be read: there is no such file. [file-unreadable]",
            ),
            ("blob", b"\xff\xfe\x00", "'blob' cannot be read: it is no UTF-8 text (byte 0)."),
            (".", None, "'.' cannot be read: "),
        ],
    )
    def test_a_file_that_cannot_be_read_is_an_error(
        self, tmp_path: Path, name: str, content: bytes | None, said: str
    ) -> None:
        """Never a message of size zero."""
        if content is not None:
            (tmp_path / name).write_bytes(content)
        for args in ((name,), ("--directive", name), ("--tools", name)):
            done = curriculum("budget", "gpt-4o", *args, cwd=tmp_path)
            assert (done.code, done.out) == (2, "")
            assert f"error: {said}" in done.err

    def test_missing_file_is_answered_with_the_nearest(self, chat: Path) -> None:
        done = curriculum("budget", "gpt-4o", "chta.json", cwd=chat.parent)
        assert "  nearest: chat.json\n" in done.err

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            (("own", "--window", "8192"), "needs both --window and --family. [usage]"),
            (("own", "--window", "0", "--family", "tekken"), "0 is not in the range 1<=x<=999"),
            (("gpt-4o", "--output", "-7"), "-7 is not in the range 1<=x<=999999999999999. [usage]"),
            (("gpt-4o", "--max-output", "1e3"), "'1e3' is not a valid integer range. [usage]"),
            (("gpt-4o", "--family", "x"), "is called 'x'. [family-unknown]"),
            (("own", "--window", "9", "--family", "x"), "is called 'x'. [family-unknown]"),
            (("gpt-4o", "--counter", "chars@1"), "a window holds tokens. [counter-unit]"),
            (("gpt-4o", "--counter", "nope@1"), "[counter-unknown]"),
            (("gpt-4o", "--tools", "t.json"), "t.json holds no tools. [tools-file]"),
            (("gpt-4o", "m.json"), "message 1 is of type int. [messages-odd]"),
        ],
    )
    def test_refused(self, tmp_path: Path, args: tuple[str, ...], said: str) -> None:
        (tmp_path / "t.json").write_text("{}", encoding="utf-8")
        (tmp_path / "m.json").write_text('{"messages": [5]}', encoding="utf-8")
        done = curriculum("budget", *args, cwd=tmp_path)
        assert (done.code in (2, 7), done.out) == (True, "")
        assert said in done.err
        assert "  next: " in done.err

    def test_names_and_texts_are_no_markup(self, tmp_path: Path) -> None:
        """What files and names hold reaches no terminal as control."""
        (tmp_path / "[bold]a").write_text("\x1b[31m", encoding="utf-8")
        done = rich(
            "budget", "own\x1b[31m", str(tmp_path / "[bold]a"), "--window", "9", "--family", "o200k"
        )
        assert "[bold]a: text" in "".join(line.strip() for line in done.text.splitlines())
        assert "own\\x1b[31m" in done.text
