"""A file that is no whole trace is named with its first bad line and a code; exit 5, missing 3."""

from pathlib import Path

import pytest

from .command import curriculum

START = (
    b'{"format":"curriculum-trace","version":"1.0"}\n'
    b'{"data":{"budget":{"max_input_chars":300,"output_reserve":0},'
    b'"components":{"counter":"chars@1","cutter":"both-ends@1","policy":"newest-first@1#33fc9d5b",'
    b'"unicode":"18.0.0","wire":"plain@1"},"max_turns":8,"session":"s"},'
    b'"seq":1,"turn":0,"type":"session.start"}\n'
)
BAD = {
    "not a trace": (b"hello\n", 1, "trace-line"),
    "another format": (b'{"format":"har","version":"1.0"}\n', None, "trace-header"),
    "empty": (b"", None, "trace-header"),
    "CR LF": (START.replace(b"\n", b"\r\n"), 1, "trace-crlf"),
    "cut-off last line": (START + b'{"seq":2,"ty', 3, "trace-cut-off"),
    "a key twice": (START.replace(b'"turn":0', b'"turn":0,"turn":0'), 2, "trace-duplicate-key"),
    "NaN": (START.replace(b'"turn":0', b'"turn":NaN'), 2, "trace-number"),
    "a fraction": (START.replace(b'"turn":0', b'"turn":0.5'), 2, "trace-number"),
    "not UTF-8": (START + b'"\xff"\n', 3, "trace-not-utf8"),
    "another major": (START.replace(b'"1.0"', b'"2.0"'), 1, "trace-version"),
    "an unknown event": (START.replace(b"session.start", b"session.begin"), 2, "trace-event"),
    "an unknown field": (START.replace(b'"session":"s"', b'"session":"s","x":1'), 2, "trace-event"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["show", "validate", "request", "export --otel"])
def test_a_bad_file_is_named_with_line_and_code(name: str, command: str, tmp_path: Path) -> None:
    content, line, code = BAD[name]
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    done = curriculum("trace", *command.split(), str(path))
    assert (done.code, done.out) == (5, "")
    headline, *_, last = done.err.splitlines()
    assert headline.startswith(f"error: {path}{f', line {line}: ' if line else ' '}")
    assert headline.endswith(f" [{code}]")
    assert last.startswith("  next: ")


@pytest.mark.parametrize(
    "command", [("show",), ("validate",), ("request",), ("export", "--otel"), ("diff", "x")]
)
def test_a_missing_file_is_answered_with_the_nearest(
    command: tuple[str, ...], s06: Path, tmp_path: Path
) -> None:
    missing = s06.with_name("s06-context-budge.jsonl")
    other = [str(s06)] if command[0] == "diff" else list(command[1:])
    done = curriculum("trace", command[0], *other, str(missing))
    assert (done.code, done.out) == (3, "")
    assert done.err.splitlines()[:2] == [
        f"error: {missing} cannot be read: No such file or directory. [trace-missing]",
        f"  nearest: {s06}",
    ]


@pytest.mark.parametrize(
    "edit",
    [
        ('"r0005"', '"r0077"'),
        ('"cause":12', '"cause":99'),
        ('"answers":{"call":0,"record":"r0004"},', ""),
        ('"cause":5,', '"cause":0,'),
        ('"cause":5,', '"cause":-1,'),
    ],
)
@pytest.mark.parametrize("command", ["show", "validate", "request", "export --otel --content"])
def test_an_edited_trace_is_never_our_own_bug(
    command: str, edit: tuple[str, str], s06: Path
) -> None:
    """A trace that contradicts itself is refused with code 5 or shown; it is no crash."""
    s06.write_text(s06.read_text().replace(*edit))
    done = curriculum("trace", *command.split(), str(s06))
    assert done.code in ((5,) if command == "validate" else (0, 5))
    assert "Traceback" not in done.err
