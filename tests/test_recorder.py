"""The recorder writes whole lines or none, whatever comes between."""

import errno
import gc
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curriculum.trace.errors import TraceError
from curriculum.trace.events import Error, SessionStart, SessionStop, Stop
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

from .points import ROOT

START = SessionStart("s", {"max_input_chars": 9}, 1, {})
STOP = SessionStop(Stop.ERROR, 0)


def error(code: str = "x") -> Error:
    return Error(code, {})


class Disk(io.BytesIO):
    """A file on a disk that is full after `room` bytes, or that Ctrl-C is pressed at."""

    def __init__(self, room: int = 10**9) -> None:
        super().__init__()
        self.room, self.interrupted = room, False

    def write(self, data: Any) -> int:
        if self.interrupted:
            super().write(data)
            raise KeyboardInterrupt
        left = self.room - self.tell()
        if left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data[:left])


def on(disk: Disk) -> Recorder:
    recorder = Recorder()
    recorder._file = disk  # pyright: ignore[reportPrivateUsage]
    return recorder


def fill(recorder: Recorder) -> None:
    """Write more than any of the disks below has room for."""
    recorder.emit("session.start", START)
    for _ in range(9):
        recorder.emit("error", error(), cause=1)


class TestFailedWrites:
    """What was written before stands; what was not has no seq."""

    @pytest.mark.parametrize("room", range(190, 330, 7))
    def test_a_full_disk_leaves_whole_lines(self, room: int) -> None:
        """Whether the disk is full between two lines or in the middle of one."""
        recorder = on(Disk(room))
        with pytest.raises(TraceError) as caught:
            fill(recorder)
        assert "trace-write" == caught.value.code
        whole = recorder._file.getvalue()  # type: ignore[union-attr]
        assert recorder.text().encode() == whole
        assert recorder.seq == max(0, len(whole.splitlines()) - 1)
        assert whole[-1:] in (b"", b"\n")

    def test_the_first_line_that_does_not_fit_leaves_nothing(self) -> None:
        recorder = on(Disk(20))
        with pytest.raises(TraceError):
            recorder.emit("session.start", START)
        assert (0, "") == (recorder.seq, recorder.text())

    def test_after_room_is_made_the_trace_goes_on_with_the_same_seq(self) -> None:
        disk = Disk(250)
        recorder = on(disk)
        with pytest.raises(TraceError):
            fill(recorder)
        disk.room, seq = 10**9, recorder.seq
        assert seq + 1 == recorder.emit("session.stop", STOP, cause=1)
        assert seq + 1 == len(Trace.parse(recorder.text()).events)

    def test_a_line_that_an_interrupt_kept_from_being_counted_is_written_over(self) -> None:
        disk = Disk()
        recorder = on(disk)
        recorder.emit("session.start", START)
        disk.interrupted = True
        with pytest.raises(KeyboardInterrupt):
            recorder.emit("error", error("long" * 50), cause=1)
        disk.interrupted = False
        assert 1 == recorder.seq == len(Trace.parse(recorder.text()).events)
        recorder.emit("session.stop", STOP, cause=1)
        types = [event.type for event in Trace.parse(recorder.text()).events]
        assert ["session.start", "session.stop"] == types
        assert recorder.text().encode() == disk.getvalue()


class TestFiles:
    """On disk: a new file, closed when the run has stopped."""

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match="cannot be written") as caught:
            Recorder(tmp_path / "no" / "t.jsonl").emit("session.start", START)
        assert "trace-write" == caught.value.code

    @pytest.mark.filterwarnings("error")
    def test_no_file_is_left_open_after_the_stop(self, tmp_path: Path) -> None:
        recorder = Recorder(tmp_path / "t.jsonl")
        recorder.emit("session.start", START)
        recorder.emit("session.stop", STOP, cause=1)
        text = recorder.text()
        del recorder
        gc.collect()
        assert text == (tmp_path / "t.jsonl").read_text()

    @pytest.mark.filterwarnings("error")
    def test_a_with_closes_the_file_of_a_run_that_never_stopped(self, tmp_path: Path) -> None:
        with Recorder(tmp_path / "t.jsonl") as recorder:
            recorder.emit("session.start", START)
            assert 1 == len(Trace.read(tmp_path / "t.jsonl").events)
        del recorder
        gc.collect()

    def test_events_can_be_found_by_type(self) -> None:
        recorder = Recorder()
        recorder.emit("session.start", START)
        recorder.emit("error", error(), cause=1)
        recorder.emit("error", error(), cause=1)
        assert ([1], [2, 3], []) == tuple(
            map(recorder.seqs, ("session.start", "error", "session.stop"))
        )


KILLED = """
import sys
from pathlib import Path
from curriculum.course.lessons import all_cases
from curriculum.trace.recorder import Recorder
from tests.points import in_child, killed, strike
folder = Path(sys.argv[1])
case = all_cases()["s06-context-budget"]

def run(path, point):
    strike(point, folder, ("trace/recorder.py",), killed, "write")
    with Recorder(path) as trace:
        case.scenario.runner(trace).run(*case.scenario.prompts)
    return 0

case.scenario.runner(Recorder()).run(*case.scenario.prompts)  # so that all is imported
point, code = 0, -9
while code == -9:
    point += 1
    path = folder / f"{point}.jsonl"
    code = in_child(lambda: run(path, point), folder / "said")
print(point, code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork and no SIGKILL there")
class TestKilled:
    """kill -9 at every line that writes, in a whole run: what is on the disk is whole lines."""

    def test_every_file_is_the_beginning_of_the_trace(self, tmp_path: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert 0 == done.returncode, done.stderr
        points, code = map(int, done.stdout.split())
        assert 0 == code
        assert points > 100
        whole = (tmp_path / f"{points}.jsonl").read_bytes()
        lines: set[int] = set()
        for point in range(1, points):
            path = tmp_path / f"{point}.jsonl"
            left = path.read_bytes() if path.exists() else b""
            assert whole.startswith(left)
            assert left[-1:] in (b"", b"\n")
            lines.add(left.count(b"\n"))
            if left:
                assert left.count(b"\n") - 1 == len(Trace.read(path).events)
        assert {0, *range(2, 19)} == lines
