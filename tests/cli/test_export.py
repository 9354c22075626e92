"""`curriculum trace export` writes a trace for other tools: to stdout, or whole to a new file."""

import json
import os
import sys
from pathlib import Path

import pytest

from ..otlp import lines, read
from .command import GOLDEN, curriculum

S06 = str(GOLDEN / "s06-context-budget.jsonl")


def test_stdout_holds_one_otlp_request_and_nothing_else() -> None:
    done = curriculum("trace", "export", S06, "--otel")
    assert (done.code, done.err) == (0, "")
    assert b"\r" not in done.raw
    assert len(read(done.out).spans) == 4


@pytest.mark.parametrize("look", ["--plain", "--json"])
def test_it_is_the_same_bytes_in_every_look_and_surrounding(look: str) -> None:
    done = curriculum("trace", "export", S06, "--otel")
    odd = {"PYTHONUTF8": "0", "LC_ALL": "C", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7"}
    assert curriculum("trace", "export", S06, "--otel", look, **odd).raw == done.raw


def test_content_is_asked_for() -> None:
    """The prompt is content. With it, the export holds every line of the trace."""
    assert "Read large_result." not in curriculum("trace", "export", S06, "--otel").out
    done = curriculum("trace", "export", S06, "--otel", "--content")
    wanted = [json.loads(line) for line in Path(S06).read_text().splitlines()[1:]]
    assert lines(read(done.out)) == wanted


def test_a_file_holds_the_same_bytes_and_is_told_of(tmp_path: Path) -> None:
    out = curriculum("trace", "export", S06, "--otel").raw
    done = curriculum("trace", "export", S06, "--otel", "-o", "s06.json", "--plain", cwd=tmp_path)
    size = len(out)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"written   s06.json: 17 events in {size} bytes of OTLP, "
        "without what was said (--content adds it)\n"
    )
    assert (tmp_path / "s06.json").read_bytes() == out
    done = curriculum("trace", "export", S06, "--otel", "-o", "2.json", "--json", cwd=tmp_path)
    said = {"written": "2.json", "events": 17, "bytes": size, "content": False}
    assert json.loads(done.out) == said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.json", "s06.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_the_file_may_be_read_by_whom_a_new_file_may(tmp_path: Path) -> None:
    (tmp_path / "new").touch()
    curriculum("trace", "export", S06, "--otel", "-o", "s06.json", cwd=tmp_path)
    assert (tmp_path / "s06.json").stat().st_mode == (tmp_path / "new").stat().st_mode


def test_without_a_format_it_names_the_one_there_is() -> None:
    """Before the file is opened: a usage error is about the command line only."""
    done = curriculum("trace", "export", "no-such-file")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[0] == (
        "error: The export needs a format, and there is one: --otel. [usage]"
    )


def test_no_file_is_written_over(s06: Path) -> None:
    """Not even the trace that is exported."""
    before = s06.read_bytes()
    done = curriculum("trace", "export", str(s06), "--otel", "-o", str(s06))
    assert (done.code, done.out) == (2, "")
    assert "exists; an export is never written over another file. [export-exists]" in done.err
    assert s06.read_bytes() == before


@pytest.mark.parametrize("where", ["no-such-folder/x.json", "a-file/x.json"])
def test_a_file_that_cannot_be_written_leaves_nothing(where: str, tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    done = curriculum("trace", "export", S06, "--otel", "-o", where, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {where} cannot be written: ")
    assert "[export-write]" in done.err
    assert os.listdir(tmp_path) == ["a-file"]


def test_a_trace_that_contradicts_itself_is_refused_with_the_law(s06: Path, tmp_path: Path) -> None:
    """The tool that was asked for is not among the calls of the turn; nothing is written."""
    s06.write_text(s06.read_text().replace('"call":0,"record":"r0004","tool"', '"call":7,"record":"r0004","tool"'))  # fmt: skip
    out = tmp_path / "out.json"
    done = curriculum("trace", "export", str(s06), "--otel", "-o", str(out))
    assert (done.code, done.out) == (5, "")
    assert "breaks a law" in done.err
    assert "[trace-unlawful]" in done.err
    assert not out.exists()
    assert list(out.parent.glob(".export-*")) == []


def test_a_crashed_trace_is_exported_up_to_its_last_event(s06: Path) -> None:
    s06.write_text("".join(line for line in s06.read_text().splitlines(keepends=True)[:10]))
    done = curriculum("trace", "export", str(s06), "--otel")
    assert done.code == 0
    run = read(done.out).spans[0]
    assert run.facts["curriculum.unfinished"] is True
    assert run.end == 9_000_000


def test_content_in_a_format_that_is_not_installed_is_said_to_be(s06: Path) -> None:
    """Without content nothing has to be rebuilt, so nothing is missing."""
    s06.write_text(s06.read_text().replace("plain@1", "fancy@3"))
    assert curriculum("trace", "export", str(s06), "--otel").code == 0
    done = curriculum("trace", "export", str(s06), "--otel", "--content")
    assert (done.code, done.out) == (7, "")
    assert "fancy@3" in done.err
