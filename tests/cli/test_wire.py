"""`curriculum wire`: where each record goes in each format, and what a provider would refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from curriculum.cli.wire import NAMES
from curriculum.record.records import Kind
from curriculum.wire.provider_bodies import PROVIDERS
from curriculum.wire.registry import KNOWN

from .command import curriculum, rich

CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": {"n": 1}}}
BROKEN = {
    "model": "gpt-4o",
    "messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "tool_calls": [CALL]}],
}
TAKEN = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Go."}]}
AT = "messages[1].tool_calls[0].function.arguments"


@pytest.fixture
def body(tmp_path: Path) -> Path:
    return tmp_path / "body.json"


def write(file: Path, data: Any) -> str:
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(file)


class TestList:
    def test_every_wire_has_a_place_or_a_reason_for_every_kind(self) -> None:
        done = curriculum("wire", "list", "--plain")
        assert (done.code, done.err) == (0, "")
        assert done.out.isascii()
        tables = done.out.split("\n== ")[1:]
        assert [f"Wire {id}" for id in KNOWN] == [one.partition(": ")[0] for one in tables[:-1]]
        for table in tables[:-1]:
            kinds = [line.split()[0] for line in table.splitlines()[1:] if line]
            assert list(dict.fromkeys(kinds)) == [str(kind) for kind in Kind]

    @pytest.mark.parametrize(
        ("wire", "row"),
        [
            ("plain@1", "memory any label -> message"),
            ("plain@1", "image any label no: no-slot"),
            ("openai-chat@1", "memory any label no: no-slot"),
            ("openai-chat@1", "image any label no: no-slot"),
            ("openai-chat@2", "memory any label -> message"),
            ("openai-chat@2", "image any label -> message"),
            ("openai-chat@2", "thinking any label no: not-portable"),
            ("openai-responses@1", "thinking its own block -> message"),
            ("openai-responses@1", "user assistant, tool, external no: no-slot"),
            ("anthropic-messages@1", "instruction any label -> system"),
            ("anthropic-messages@1", "thinking any other block no: not-portable"),
            ("anthropic-messages@1", "summary a blank text no: empty-text"),
            ("gemini@1", "result any label -> result"),
            ("gemini@1", "tools any label -> tools"),
        ],
    )
    def test_one(self, wire: str, row: str) -> None:
        done = curriculum("wire", "list", wire, "--plain")
        assert done.out.count("== Wire ") == 1
        assert row in [" ".join(line.split()) for line in done.out.splitlines()]

    def test_each_reason_is_explained(self) -> None:
        lines = curriculum("wire", "list", "openai-chat@1", "--plain").out.splitlines()
        assert lines[-1] == "  no-slot       This wire has no place for such a record."

    def test_as_data(self) -> None:
        (wire,) = json.loads(curriculum("wire", "list", "gemini@1", "--json").out)
        assert wire["id"] == "gemini@1"
        assert wire["leads"] == ["tools", "system"]
        assert {"kind": "image", "given": "any label", "place": "user", "reason": None} in wire[
            "slots"
        ]
        assert {"kind": "opaque", "given": "any label", "place": None, "reason": "no-slot"} in wire[
            "slots"
        ]

    def test_a_terminal_shows_the_same_words(self) -> None:
        done = rich("wire", "list", columns=60)
        assert max(map(len, done.text.splitlines())) <= 60
        plain = curriculum("wire", "list", "--plain").out
        assert [w for w in done.text.split() if set(w) != {"─"}] == [
            w for w in plain.split() if w != "=="
        ]

    def test_unknown(self) -> None:
        done = curriculum("wire", "list", "smoke-signals")
        assert done.code == 7
        assert done.err.startswith(
            "error: No wire is called 'smoke-signals'. [wire-unknown]\n  known: plain@1"
        )


class TestCheck:
    def test_taken(self, body: Path) -> None:
        file = write(body, TAKEN)
        done = curriculum("wire", "check", file, "--plain")
        assert (done.code, done.err) == (0, "")
        first, rest = done.out.splitlines()
        assert first == f"taken     {file}: openai-chat, 1 message, 0 breaches"
        assert rest.startswith("not checked ")

    def test_refused(self, body: Path) -> None:
        """Code 1, and a line for each breach: where, why, which rule."""
        file = write(body, BROKEN)
        done = curriculum("wire", "check", file, "--plain")
        assert (done.code, done.err) == (1, "")
        assert done.out.splitlines()[:3] == [
            f"BROKEN    {AT}: The call 'c1' has no result right after it. [result-place]",
            f"BROKEN    {AT}: The arguments are an object; this format sends them as a string"
            " of JSON. [arguments-string]",
            f"REFUSED   {file}: openai-chat, 2 messages, 2 breaches",
        ]

    def test_as_data(self, body: Path) -> None:
        file = write(body, BROKEN)
        done = curriculum("wire", "check", file, "--json")
        assert done.code == 1
        found = json.loads(done.out)
        assert (found["file"], found["wire"], found["count"]) == (file, "openai-chat", 2)
        assert [(one["code"], one["place"]) for one in found["breaches"]] == [
            ("result-place", AT),
            ("arguments-string", AT),
        ]
        assert (
            json.loads(curriculum("wire", "check", write(body, TAKEN), "--json").out)["breaches"]
            == []
        )

    def test_a_terminal_shows_the_same_words(self, body: Path) -> None:
        file = write(body, BROKEN)
        assert (
            rich("wire", "check", file, columns=250).text.split()
            == curriculum("wire", "check", file, "--plain").out.split()
        )

    def test_another_format(self, body: Path) -> None:
        """The same file is judged by the rules of the format that is named."""
        file = write(body, {**TAKEN, "messages": [{"role": "assistant", "content": " "}] * 2})
        assert curriculum("wire", "check", file).code == 0
        done = curriculum("wire", "check", file, "--wire", "anthropic-messages", "--plain")
        codes = [
            line.rpartition("[")[2] for line in done.out.splitlines() if line.startswith("BROKEN")
        ]
        assert codes == ["first-message]", "alternation]", "empty-text]", "empty-text]"]

    def test_many(self, body: Path) -> None:
        """A terminal shows the first ones; plain shows all."""
        file = write(body, {"contents": [{"role": "ai", "parts": []}] * 30})
        assert curriculum("wire", "check", file, "--plain").out.count("BROKEN") == 61
        text = rich("wire", "check", file).text
        assert text.count("BROKEN") == 24
        assert "... and 37 more; --plain has them all" in text

    def test_text_of_a_file_is_data(self, body: Path) -> None:
        """Nothing in it is markup or reaches the terminal as control."""
        role = "[red]\x1b[31m\n\u202e"
        file = write(body, {"messages": [{"role": role, "content": "x"}], "system": "s"})
        for done in (curriculum("wire", "check", file, "--plain"), rich("wire", "check", file)):
            assert done.code == 1
            assert "[red]\\x1b[31m\\n\\u202e" in "".join(done.text.split())

    @pytest.mark.parametrize(
        ("code", "says", "data"),
        [
            ("body-no-json", "line 1, column 1: Expecting value", "Go."),
            ("body-no-json", "Expecting value", ""),
            ("body-no-json", "RecursionError", "[" * 200_000),
            ("body-shape", "is no body of a request", "[1, 2]"),
            ("body-shape", "none of the members messages, input and contents", {"prompt": "Go."}),
            ("body-shape", "messages[0] is no JSON object", {"messages": ["Go."]}),
            ("body-ambiguous", "--wire openai-chat", {**TAKEN, "max_tokens": 5}),
        ],
    )
    def test_no_body(self, code: str, says: str, data: Any, body: Path) -> None:
        done = curriculum("wire", "check", write(body, data))
        assert (done.code, done.out) == (2, "")
        assert done.err.splitlines()[0].startswith("error: ")
        assert done.err.splitlines()[0].endswith(f"[{code}]")
        assert says in done.err
        assert "next: curriculum wire check" in done.err

    def test_unreadable(self, tmp_path: Path) -> None:
        (tmp_path / "raw.json").write_bytes(b"\xff\xfe")
        (tmp_path / "body.json").write_text("{}")
        for file, says in (
            ("raw.json", "no UTF-8 text (byte 0)"),
            ("bodi.json", f"nearest: {tmp_path / 'body.json'}"),
            (".", "cannot be read"),
        ):
            done = curriculum("wire", "check", str(tmp_path / file))
            assert done.code == 2
            assert "[file-unreadable]" in done.err
            assert says in done.err
            assert "next: curriculum wire check --help" in done.err

    def test_unknown_name(self, body: Path) -> None:
        done = curriculum("wire", "check", write(body, TAKEN), "--wire", "smoke")
        assert done.code == 2
        assert "'openai-chat'" in done.err

    def test_names(self) -> None:
        """The command can be explained without the rules that it reads."""
        assert NAMES == PROVIDERS
