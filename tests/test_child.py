"""Whatever a learner's code does, one clear sentence says so, and nothing else is harmed."""

import os
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from curriculum.course.checking import check
from curriculum.course.child import Ran, environment, run
from curriculum.course.child_endings import Ending, Limits, trouble_of
from curriculum.course.exercises import exercise_of
from curriculum.course.result import Result, Verdict
from curriculum.course.workspace import Workspace, create

from . import small_lesson

posix = pytest.mark.skipif(sys.platform == "win32", reason="no signals and no such limits there")
QUICK = Limits(seconds=3)


@pytest.fixture
def work(tmp_path: Path) -> Generator[Workspace]:
    """A workspace of the small lesson, in a folder whose name is no word of ASCII."""
    lessons = small_lesson.lay_out(tmp_path / "lessons")
    with small_lesson.only(lessons):
        yield create(tmp_path / "mein Ordner äöü").workspace


def keep(work: Workspace, code: str, limits: Limits = QUICK) -> Result:
    """Check this code as the answer to the make exercise."""
    exercise = exercise_of("s90-4")
    work.file(exercise).write_text(code, encoding="utf-8")
    return check(exercise, work, limits)


def ends(work: Workspace, code: str, limits: Limits = QUICK) -> tuple[str, str]:
    """The verdict, and the key of the one sentence that says how the run ended."""
    result = keep(work, code, limits)
    keys = [f.key for f in result.findings if f.key.startswith(("child.", "make.no-json"))]
    said = [key for key in keys if not key.startswith("child.printed")]
    assert len(said) == 1, result
    assert all(finding.text.isascii() or "ä" in finding.text for finding in result.findings)
    return str(result.verdict), said[0]


NOT_YET, COULD_NOT = "not-yet", "could-not-check"
ENDINGS = [
    ("def keep(text, limit):\n    raise SystemExit\n", NOT_YET, "child.exit"),
    ("import os\nos._exit(0)\n", NOT_YET, "child.left"),
    ("import sys\nwhile True:\n    sys.stderr.write('x' * 1000)\n", NOT_YET, "child.flood"),
    ("def keep(text, limit:\n    return text\n", NOT_YET, "child.syntax"),
    ("1 / 0\n", NOT_YET, "child.raised"),
    ("def keep(text, limit):\n    return keep(text, limit)\n", NOT_YET, "child.raised"),
    ("raise BaseException('x')\n", NOT_YET, "child.raised"),
    ("raise KeyboardInterrupt\n", NOT_YET, "child.raised"),
    ("class E(Exception):\n    def __str__(self): 1 / 0\nraise E\n", NOT_YET, "child.raised"),
    ("keep = 3\n", NOT_YET, "child.no-name"),
    (
        "open('../out/result.json', 'w').write('7')\nimport os; os._exit(0)\n",
        "could-not-check",
        "child.garbled",
    ),
]
FORGED = ["{'value': 7}", "{'value': []}", "{'ended': 'refused'}", "{'ended': 'x', 'line': 'y'}"]
FORGED += ["{'ended': 'refused', 'key': 'no.such', 'params': {}}", "{'ended': 'refused', 'key': 1}"]
"""Beside those whose words are golden: `tests/code_feedback`."""


class TestEndings:
    """Each way to end without an answer has its verdict and its sentence."""

    @pytest.mark.parametrize(("code", "verdict", "key"), ENDINGS, ids=lambda v: str(v)[:40])
    def test_each_has_one_sentence(
        self, work: Workspace, code: str, verdict: str, key: str
    ) -> None:
        assert ends(work, code) == (verdict, key)

    @pytest.mark.parametrize("answer", FORGED)
    @pytest.mark.parametrize("id", ["s90-2", "s90-3", "s90-4"])
    def test_an_answer_that_is_not_as_ours_is_none(
        self, work: Workspace, id: str, answer: str
    ) -> None:
        """Whoever writes it by hand is told so, and no bug of ours comes up."""
        exercise = exercise_of(id)
        code = f"import json, os\nopen('../out/result.json', 'w').write(json.dumps({answer}))\n"
        work.file(exercise).write_text(f"{code}os._exit(0)\n")
        result = check(exercise, work, QUICK)
        assert [finding.key for finding in result.findings] == ["child.garbled"]
        assert result.verdict is Verdict.COULD_NOT_CHECK

    @posix
    def test_a_crash_of_the_interpreter_says_nothing_of_the_answer(self, work: Workspace) -> None:
        code = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"
        assert ends(work, code) == (COULD_NOT, "child.crash")
        assert "(SIGSEGV)" in keep(work, code).findings[0].text

    @posix
    def test_memory_is_limited(self, work: Workspace) -> None:
        code = "def keep(text, limit):\n    return 'x' * (4 << 30)\n"
        assert ends(work, code) == (NOT_YET, "child.memory")

    @posix
    def test_a_file_cannot_fill_the_disk(self, work: Workspace) -> None:
        code = "with open('big', 'wb') as file:\n    while True: file.write(bytes(1 << 24))\n"
        assert ends(work, code) == (NOT_YET, "child.raised")

    def test_a_child_that_hangs_is_stopped_with_its_parent(
        self, work: Workspace, tmp_path: Path
    ) -> None:
        pid = tmp_path / "pid"
        code = (
            "import subprocess, sys\n"
            "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(90)'])\n"
            f"open({str(pid)!r}, 'w').write(str(p.pid))\np.wait()\n"
        )
        assert ends(work, code) == (NOT_YET, "child.endless")
        assert _gone(int(pid.read_text()))

    @posix
    def test_a_child_that_is_left_running_is_stopped_and_said(
        self, work: Workspace, tmp_path: Path
    ) -> None:
        """The answer is right, and still no pass: what runs on could change it."""
        pid = tmp_path / "pid"
        code = (
            "import subprocess, sys\n"
            "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(90)'])\n"
            f"open({str(pid)!r}, 'w').write(str(p.pid))\n"
            "def keep(text, limit):\n    return text[:limit]\n"
        )
        started = time.monotonic()
        assert ends(work, code, Limits(seconds=30)) == (NOT_YET, "child.lingers")
        assert time.monotonic() - started < 20
        assert _gone(int(pid.read_text()))

    def test_a_thread_that_goes_on_holds_nothing_up(self, work: Workspace) -> None:
        code = (
            "import threading, time\nthreading.Thread(target=lambda: time.sleep(60)).start()\n"
            "def keep(text, limit):\n    return text[:limit]\n"
        )
        assert keep(work, code).verdict is Verdict.PASS

    def test_closed_streams_and_changed_modules_do_no_harm(self, work: Workspace) -> None:
        code = (
            "import sys, os, json\nsys.stdout.close()\nsys.stderr = None\njson.loads = None\n"
            "def keep(text, limit):\n    return text[:limit]\n"
        )
        assert keep(work, code).verdict is Verdict.PASS

    def test_the_line_and_the_error_are_named_without_a_path(self, work: Workspace) -> None:
        result = keep(work, "def keep(text, limit):\n    return text[:limt]\n")
        said = result.findings[-1].text
        assert said == "s90_4.py, line 2 raised NameError: name 'limt' is not defined"

    def test_the_scenario_that_it_failed_in_is_said(self, work: Workspace) -> None:
        code = "def keep(text, limit):\n    return text[:limit] if len(text) < 6 else None + 1\n"
        first, *_ = keep(work, code).findings
        assert first.text == "First failing, number 3 of 4: ('abcdef', 3)"

    def test_a_slow_start_is_not_the_learner_s(self) -> None:
        """Before the learner's code is looked at, time is up for us."""
        ending = Ending(-9, Limits(seconds=3), late=True)
        trouble = ending.trouble(None, began=False)
        assert trouble == trouble_of("child.slow", seconds=3)
        assert trouble is not None
        assert trouble.verdict is Verdict.COULD_NOT_CHECK

    def test_windows_reports_a_crash_as_a_large_code(self) -> None:
        trouble = Ending(0xC0000005).trouble(None, began=True)
        assert trouble == trouble_of("child.crash", how="0xc0000005")

    def test_python_that_ends_before_it_begins(self) -> None:
        assert Ending(1).trouble(None, began=False) == trouble_of("child.no-answer", code=1)


def _gone(pid: int) -> bool:
    """Whether a process has ended; a moment is left to it."""
    for _ in range(50):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").is_file():
                state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                if state == "Z":  # ended, and nobody has asked after it
                    return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


class TestWhatIsPrinted:
    def test_prints_are_shown_and_bounded(self, work: Workspace) -> None:
        code = "for n in range(20): print('line', n)\ndef keep(text, limit): return text\n"
        said = [f.text for f in keep(work, code).findings]
        assert "it printed: line 0" in said
        assert "it printed: line 7" in said
        assert said[-1] == "it printed 12 more lines"

    def test_bytes_that_are_no_text_are_shown_too(self, work: Workspace) -> None:
        code = "import sys\nsys.stdout.buffer.write(b'\\xff\\n')\ndef keep(t, l): return t[:l]\n"
        assert keep(work, code).verdict is Verdict.PASS


class TestACopy:
    """What the code writes, it writes to a copy; what is ours is compared."""

    def test_the_learner_s_own_files_stay_as_they_are(self, work: Workspace) -> None:
        file = work.file(exercise_of("s90-4"))
        code = "open('s90_4.py', 'w').write('gone')\ndef keep(text, limit): return text[:limit]\n"
        before = {path: path.read_bytes() for path in work.folder.rglob("*") if path.is_file()}
        assert keep(work, code).verdict is Verdict.PASS
        assert file.read_text("utf-8") == code
        after = {path: path.read_bytes() for path in work.folder.rglob("*") if path.is_file()}
        assert after.keys() == before.keys()  # no caches, no bytecode

    def test_a_file_beside_it_can_be_imported_and_hides_no_module(self, work: Workspace) -> None:
        folder = work.file(exercise_of("s90-4")).parent
        (folder / "mine.py").write_text("SIZE = 3\n")
        for name in ("json", "colorsys"):
            (folder / f"{name}.py").write_text("raise RuntimeError('not this one')\n")
        code = "import json, colorsys, mine\ndef keep(text, limit): return text[:limit + mine.SIZE - 3]\n"
        assert keep(work, code).verdict is Verdict.PASS

    @pytest.mark.parametrize("name", ["lesson.toml", "solutions/wrong.py", "new file.txt"])
    def test_a_change_to_the_course_makes_it_count_for_nothing(
        self, work: Workspace, name: str
    ) -> None:
        path = exercise_of("s90-4").folder / name
        code = f"open({str(path)!r}, 'a').write('\\n# x')\ndef keep(text, limit): return text[:limit]\n"
        result = keep(work, code)
        assert result.verdict is Verdict.COULD_NOT_CHECK
        assert result.findings[0].key == "child.changed"
        assert Path(name).name in result.findings[0].text

    def test_nor_can_it_write_its_own_progress(self, work: Workspace) -> None:
        code = (
            f"open({str(work.progress_file)!r}, 'a').write('s90-4 pass tries=1\\n')\n"
            "def keep(text, limit): return text\n"
        )
        assert ends(work, code) == (COULD_NOT, "child.changed")

    def test_a_fixture_that_it_is_given_is_compared(self, work: Workspace, tmp_path: Path) -> None:
        exercise = exercise_of("s90-3")
        code = (
            "from pathlib import Path\n"
            "def holds(trace):\n"
            "    for file in Path('../out').glob('run-*.jsonl'): file.write_text('gone')\n"
            "    return True\n"
        )
        work.file(exercise).write_text(code)
        result = check(exercise, work, QUICK)
        assert [f.key for f in result.findings] == ["child.changed"]


class TestTheEnvironment:
    def test_little_of_it_is_handed_on(
        self, work: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("A_SECRET", "42")
        monkeypatch.setenv("LC_ALL", "C")
        code = (
            "import os, sys\n"
            "assert 'A_SECRET' not in os.environ\n"
            "assert sys.flags.utf8_mode and sys.dont_write_bytecode\n"
            "assert sys.stdin.read() == ''\n"
            "assert 'curriculum-' in os.path.expanduser('~')\n"
            "print('\\u00e4')\n"
            "def keep(text, limit): return text[:limit]\n"
        )
        result = keep(work, code)
        assert result.verdict is Verdict.PASS, result
        assert result.findings[-1].params == {"line": "ä"}

    def test_a_relative_python_path_is_made_whole(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((".", "x")))
        monkeypatch.chdir(tmp_path)
        paths = environment(tmp_path)["PYTHONPATH"].split(os.pathsep)
        assert paths == [str(tmp_path), str(tmp_path / "x")]

    def test_nothing_is_left_in_the_temporary_folder(
        self, work: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = tmp_path / "temporary"
        place.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(place))
        keep(work, "import tempfile\ntempfile.mkstemp()\ndef keep(text, limit): return text\n")
        assert list(place.iterdir()) == []

    def test_a_place_without_room_is_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "not there"))
        ran = run({"kind": "hello"}, tmp_path)
        assert ran.trouble is not None
        assert ran.trouble.finding.key == "child.no-process"

    def test_a_system_without_processes_is_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def none(*_: object, **__: object) -> None:
            raise OSError(38, "Function not implemented")

        monkeypatch.setattr("subprocess.Popen", none)
        ran = run({"kind": "hello"}, tmp_path)
        assert ran.trouble == trouble_of("child.no-process", why="Function not implemented")

    def test_hello(self, tmp_path: Path) -> None:
        assert run({"kind": "hello"}, tmp_path) == Ran("hello")
