"""Reading and writing a trace: strict, whole lines, the first bad one named."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curriculum.course.lessons import all_cases
from curriculum.golden.cases import run_case
from curriculum.record.cut import CUTTER
from curriculum.trace import schema
from curriculum.trace.errors import TraceError
from curriculum.trace.events import SessionStart, SessionStop, Stop
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.trace.types import EVERY_TYPE as TYPES

S06 = run_case(all_cases()["s06-context-budget"])
LINES = S06.split("\n")[:-1]


def refused(data: bytes, path: Path) -> TraceError:
    file = path / "t.jsonl"
    file.write_bytes(data)
    with pytest.raises(TraceError) as caught:
        Trace.read(file)
    return caught.value


def with_line(number: int, line: str) -> bytes:
    return "\n".join([*LINES[: number - 1], line, *LINES[number:], ""]).encode()


def error(params: str) -> str:
    """The last line of the run as an error with these parameters."""
    data = f'{{"code":"x","params":{params}}}'
    return f'{{"cause":16,"data":{data},"seq":17,"turn":2,"type":"error"}}'


class TestTheFormat:
    """JSON Lines that are the same bytes everywhere: ASCII, sorted keys, LF."""

    def test_line_1_is_the_header_and_line_2_the_start(self) -> None:
        assert '{"format":"curriculum-trace","version":"1.3"}' == LINES[0]
        assert "session.start" == json.loads(LINES[1])["type"]

    def test_every_line_is_ascii_with_sorted_keys_and_no_blanks(self) -> None:
        for line in LINES:
            assert line.isascii()
            value = json.loads(line)
            assert json.dumps(value, sort_keys=True, separators=(",", ":")) == line

    def test_the_packages_release_is_nowhere_in_the_compared_bytes(self) -> None:
        start = json.loads(LINES[1])["data"]
        assert {"policy", "wire", "counter", "cutter", "unicode"} == set(start["components"])
        assert CUTTER == start["components"]["cutter"]

    def test_there_is_no_clock_no_path_and_no_float(self) -> None:
        for case in all_cases().values():
            text = run_case(case)
            text = re.sub('"[0-9a-f]{64}"', '""', text)  # a hash may hold any digits
            assert "2026" not in text
            for line in text.splitlines():
                json.loads(line, parse_float=lambda f: pytest.fail(f"a float: {f}"))

    def test_content_stands_in_the_trace_once(self) -> None:
        """The system text is in its record and nowhere else, although two requests send it."""
        assert 1 == S06.count("Keep tool output bounded. " * 8)

    def test_reading_what_was_written_gives_the_same_events(self) -> None:
        trace = Trace.parse(S06)
        again = Recorder()
        for event in trace.events:
            again.emit(event.type, event.data, turn=event.turn, cause=event.cause)
        assert S06 == again.text()


class TestBadFiles:
    """Each fault has a code of its own and names the line."""

    @pytest.mark.parametrize(
        ("data", "code", "words"),
        [
            (b"", "trace-header", "is empty"),
            (b"hello\n", "trace-line", "line 1: it is no JSON object"),
            (b"[" * 100_000 + b"\n", "trace-line", "line 1: it is no JSON object"),
            (with_line(1, '{"format":"curriculum-trace","version":"1.banana"}'), "trace-header", "line 1"),
            (with_line(1, LINES[0][:-1] + ',"more":1}'), "trace-header", "two fields"),
            (with_line(6, LINES[5].replace('"first":"r0003"', '"first":"r0004"')), "trace-reference", "decisions.first"),
            (with_line(10, LINES[9].replace("r0004", "r9999")), "trace-reference", "record names a record"),
            (with_line(5, LINES[4].replace('"cause":1', '"cause":99')), "trace-line", "a cause comes before its effect"),
            (with_line(5, LINES[4].replace("Read", "\\ud800")), "trace-event", "record.append: text"),
            (b"[]\n", "trace-header", "is no trace"),
            (b'{"format":"other","version":"1.0"}\n', "trace-header", "is no trace"),
            (b"\xef\xbb\xbf" + S06.encode(), "trace-bom", "line 1: it begins with a byte order mark"),
            (S06.replace("\n", "\r\n").encode(), "trace-crlf", "line 1: it ends in CR LF"),
            (S06[:-1].encode(), "trace-cut-off", "line 18: the last line has no end"),
            (S06.encode()[:-40], "trace-cut-off", "line 18"),
            (S06.encode() + b"\xff\n", "trace-not-utf8", "line 19: the bytes are no UTF-8"),
            (with_line(1, LINES[0].replace("1.3", "2.0")), "trace-version", "line 1: a trace of version 2.0"),
            (with_line(5, "<<<<<<< HEAD"), "trace-conflict", "line 5: it is a conflict marker of git"),
            (with_line(5, LINES[4].replace('"seq":4', '"seq":NaN')), "trace-number", "line 5: NaN is no number"),
            (with_line(5, LINES[4].replace('"seq":4', '"seq":4.0')), "trace-number", "line 5: 4.0 is no number"),
            (with_line(5, LINES[4].replace('"seq":4', f'"seq":{10**15}')), "trace-number", "line 5: 1000000000000000 is no number"),
            (with_line(5, LINES[4].replace('"seq":4', f'"seq":{10**15 - 1}')), "trace-line", "seq is 999999999999999, and"),
            (with_line(5, LINES[4].replace('"turn":0', f'"turn":{-10**15}')), "trace-number", "line 5: -1000000000000000 is no"),
            (with_line(10, LINES[9].replace("r0004", "r" + "9" * 16)), "trace-event", "tool.request: record"),
            (with_line(18, error('{"a":"\\ud800"}')), "trace-event", "error: params"),
            (with_line(18, error('{"\\ud800":1}')), "trace-event", "error: params"),
            (with_line(5, '{"seq":4,' + LINES[4][1:]), "trace-duplicate-key", "line 5: the key 'seq' stands twice"),
            (with_line(5, LINES[4].replace('"seq":4', '"seq":5')), "trace-line", "seq is 5, and the line is event 4"),
            (with_line(5, LINES[4].replace("record.append", "record.apend")), "trace-event", "'record.apend'"),
            (with_line(5, LINES[4].replace('"turn":0', '"trun":0')), "trace-line", "an event has seq, type"),
            (with_line(5, LINES[4].replace('"kind":"user"', '"kind":"usr"')), "trace-event", "record.append: kind"),
            (with_line(5, LINES[4].replace('"kind":"user"', '"kin":"user"')), "trace-event", "record.append"),
            (with_line(5, LINES[4].replace("r0003", "0003")), "trace-event", "record.append: id"),
            (with_line(5, LINES[4].replace('"cause":1', '"cause":0')), "trace-line", "cause is 0; it is a number from 1"),
            (with_line(5, LINES[4].replace('"turn":0', '"turn":true')), "trace-line", "turn is True"),
            (with_line(5, LINES[4].replace('"turn":0', '"turn":0,"uses":1')), "trace-line", "uses is no list"),
            (with_line(5, LINES[4].replace('"record.append"', "7")), "trace-event", "no event has the type 7"),
        ],
    )  # fmt: skip
    def test_the_fault_is_named(self, data: bytes, code: str, words: str, tmp_path: Path) -> None:
        error = refused(data, tmp_path)
        assert code == error.code
        assert words in str(error)

    def test_the_parameters_of_an_error_are_text_or_numbers(self) -> None:
        """A parameter may be negative, as a count that is left is."""
        last = error('{"left":-1,"model":"\\ufffd"}')
        assert {"left": -1, "model": "\ufffd"} == Trace.parse(with_line(18, last).decode()).events[
            -1
        ].data.params

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError) as caught:
            Trace.read(tmp_path / "none.jsonl")
        assert "trace-missing" == caught.value.code

    def test_a_trace_that_does_not_begin_with_a_start(self, tmp_path: Path) -> None:
        line = LINES[4].replace('"seq":4', '"seq":1')
        assert "trace-header" == refused(f"{LINES[0]}\n{line}\n".encode(), tmp_path).code

    def test_u2028_and_nel_inside_a_line_end_no_line(self, tmp_path: Path) -> None:
        """A writer that does not escape may leave them; only LF ends a line."""
        line = LINES[4].replace("Read large_result.", "Read\u2028large\x85result.")
        file = tmp_path / "t.jsonl"
        file.write_bytes(with_line(5, line))
        assert "Read\u2028large\x85result." == Trace.read(file).records[2].text

    def test_there_is_no_third_request(self) -> None:
        with pytest.raises(TraceError, match="has 2 requests; there is no request 3"):
            Trace.parse(S06).request(3)
        with pytest.raises(TraceError, match="there is no request 0"):
            Trace.parse(S06).request(0)


class TestSessionFiles:
    """A session file is a trace with only a start and records: one format, one reader."""

    def test_a_trace_cut_to_start_and_records_is_a_session(self) -> None:
        recorder = Recorder()
        for event in Trace.parse(S06).events:
            if event.type in ("session.start", "record.append"):
                recorder.emit(event.type, event.data, cause=1 if recorder.seq else None)
        session = Trace.parse(recorder.text())
        assert Trace.parse(S06).records == session.records
        assert session.stop is None
        assert () == session.assemblies


class TestTheRecorder:
    """It writes one run, typed data only, and nothing a JSON reader could take two ways."""

    def test_data_of_another_type_is_refused(self) -> None:
        with pytest.raises(
            TypeError, match=r"session\.start carries SessionStart, not SessionStop"
        ):
            Recorder().emit("session.start", SessionStop(Stop.COMPLETED, 1))

    def test_a_run_begins_with_its_start(self) -> None:
        with pytest.raises(TraceError, match=r"begins with session\.start"):
            Recorder().emit("session.stop", SessionStop(Stop.COMPLETED, 1))

    def test_a_second_start_is_refused(self) -> None:
        recorder = Recorder()
        start = SessionStart("one", {"max_input_chars": 9}, 1, {})
        recorder.emit("session.start", start)
        with pytest.raises(TraceError):
            recorder.emit("session.start", start)

    def test_uses_are_written_only_where_there_are_some(self) -> None:
        recorder = Recorder()
        recorder.emit("session.start", SessionStart("one", {}, 1, {}), uses=["r0001"])
        assert '"uses":["r0001"]' in recorder.text()
        assert '"uses"' not in S06

    def test_text_on_disk_is_text_in_memory(self, tmp_path: Path) -> None:
        recorder = Recorder(tmp_path / "t.jsonl")
        start = SessionStart("one", {"max_input_chars": 9}, 1, {})
        recorder.emit("session.start", start)
        recorder.close()
        assert recorder.text().encode() == (tmp_path / "t.jsonl").read_bytes()


class TestTheSchema:
    """The JSON Schema ships, is generated from the classes, and takes what we write."""

    def test_the_shipped_file_is_the_generated_one(self) -> None:
        """If this fails: write `schema.text()` to `schema.SHIPPED`."""
        assert schema.text() == schema.SHIPPED.read_text(encoding="ascii")

    def test_it_has_a_definition_for_every_type(self) -> None:
        assert set(TYPES) == set(schema.schema()["definitions"])

    def test_every_golden_line_satisfies_it(self) -> None:
        import fastjsonschema

        check: Callable[[Any], Any] = fastjsonschema.compile(schema.schema())
        lines = [line for case in all_cases().values() for line in run_case(case).splitlines()[1:]]
        for line in lines:
            check(json.loads(line))
        assert len(lines) > 300

    @pytest.mark.parametrize(
        ("line", "old", "new"),
        [
            (2, '"max_turns":8', '"max_turns":"8"'),
            (2, '"max_turns":8', '"max_turns":true'),
            (2, '"max_turns":8', '"max_turns":-8'),
            (2, '"max_turns":8', '"max_turns":null'),
            (2, '"max_input_chars":300', '"max_input_chars":"300"'),
            (3, '"name":"large_result"', '"name":7'),
            (3, '"name":"large_result"', '"names":"large_result"'),
            (5, '"kind":"user"', '"kind":"usr"'),
            (5, '"id":"r0003"', '"id":"r0000"'),
            (6, '"frame":0', '"frame":false'),
            (6, '"size":244', '"size":"244"'),
            (6, '"decisions":[', '"decisions":[7,'),
            (12, '"kept":172', '"kept":[172]'),
            (13, '"original":2000', '"original":-2000'),
            (18, '"reason":"completed"', '"reason":"finished"'),
        ],
    )
    def test_reader_and_schema_refuse_the_same(self, line: int, old: str, new: str) -> None:
        import fastjsonschema

        check: Callable[[Any], Any] = fastjsonschema.compile(schema.schema())
        check(json.loads(LINES[line - 1]))
        text = LINES[line - 1].replace(old, new, 1)
        assert text != LINES[line - 1]
        with pytest.raises(fastjsonschema.JsonSchemaValueException):
            check(json.loads(text))
        with pytest.raises(TraceError) as caught:
            Trace.parse(with_line(line, text).decode())
        assert "trace-event" == caught.value.code

    @pytest.mark.parametrize("field", ["seq", "type", "turn", "data"])
    def test_it_refuses_an_event_without_a_field(self, field: str) -> None:
        import fastjsonschema

        event = json.loads(LINES[4])
        del event[field]
        with pytest.raises(fastjsonschema.JsonSchemaValueException):
            fastjsonschema.compile(schema.schema())(event)


class TestTheManifest:
    """`Trace.manifest(n)` is the full table: ranges expanded, one row a candidate."""

    def test_a_range_is_expanded(self) -> None:
        """Request 5 of the long session leaves one record out; request 9 nine, as one range."""
        trace = Trace.parse(run_case(all_cases()["harness/long-session"]))
        written = [d for d in trace.assemblies[8].data.decisions if d.decision == "omitted"]
        assert [("r0003", "r0011")] == [(d.first, d.last) for d in written]
        rows = [row for row in trace.manifest(9) if row.decision == "omitted"]
        assert [f"r{n:04d}" for n in range(3, 12)] == [row.record.id for row in rows]
        assert [25, 21, 105, 7, 25, 21, 105, 7, 25] == [row.log for row in rows]

    def test_every_candidate_has_one_row(self) -> None:
        for case in all_cases().values():
            trace = Trace.parse(run_case(case))
            sent = [event for event in trace.assemblies if event.data.refused is None]
            for n, event in enumerate(sent, 1):
                assert event.data.candidates == len(trace.manifest(n))
