"""What `curriculum plan` does not take: files that cannot be counted, options that say two things."""

import os
import sys
from pathlib import Path

import pytest

from .command import STYLE, Done
from .planning import SPEC, data, plan, put, supported_spec


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return supported_spec(tmp_path)


class TestFiles:
    """A file that cannot be counted is an error, and never 0 lines."""

    def refused(self, folder: Path, *args: str) -> Done:
        done = plan(folder, *args, "--window", "100", "--committed", "0")
        assert done.out == ""
        assert "Traceback" not in done.err
        return done

    def test_missing(self, work: Path) -> None:
        done = self.refused(work, ".paqad/specs/logn.md")
        assert (done.code, done.err) == (
            3,
            "error: .paqad/specs/logn.md does not exist. [plan-missing]\n"
            "  nearest: .paqad/specs/login.md\n"
            "  next: curriculum plan --help\n",
        )

    def test_several(self, work: Path) -> None:
        """All are named at once."""
        done = self.refused(work, SPEC, "no.md", "history", "gone.md")
        assert done.err.splitlines()[:4] == [
            "error: no.md does not exist. [plan-missing]",
            "  and history is a folder. [plan-folder]",
            "  and gone.md does not exist. [plan-missing]",
            "  3 files of 4 cannot be counted; none is counted as 0",
        ]

    def test_a_folder(self, work: Path) -> None:
        done = self.refused(work, "history")
        assert (done.code, done.err) == (
            5,
            "error: history is a folder. [plan-folder]\n"
            "  it holds 3 files; each is named by itself\n"
            "  next: curriculum plan history/*\n",
        )

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
                "odd.md is binary. [plan-binary]\n  byte 9 of 16 is 0\n",
            ),
            (
                "hi\n".encode("utf-16"),
                "odd.md is binary. [plan-binary]\n  byte 4 of 8 is 0; it begins as UTF-16 does\n",
            ),
            (
                "naïve\n".encode("latin-1"),
                "odd.md is no UTF-8. [plan-not-utf8]\n  byte 3 of 6 is 0xef\n",
            ),
            (
                b"\xed\xa0\x80",
                "odd.md is no UTF-8. [plan-not-utf8]\n  byte 1 of 3 is 0xed\n",
            ),
        ],
        ids=["binary", "UTF-16", "latin-1", "a lone surrogate"],
    )
    def test_no_text(self, tmp_path: Path, content: bytes, said: str) -> None:
        put(tmp_path, "odd.md", content)
        done = self.refused(tmp_path, "odd.md")
        assert done.code == 5
        assert done.err.startswith(f"error: {said}  next: ")

    @pytest.mark.skipif(sys.platform == "win32", reason="no such files on Windows")
    def test_what_never_ends(self) -> None:
        done = self.refused(Path("/"), "/dev/zero")
        assert done.code == 5
        assert done.err.startswith("error: /dev/zero is no regular file. [plan-no-file]\n")

    @pytest.mark.skipif(sys.platform != "linux", reason="Linux has such a file for everyone")
    def test_a_read_that_fails(self) -> None:
        """The memory of a process is a regular file that begins with nothing to read."""
        done = self.refused(Path("/"), "/proc/self/mem")
        assert done.code == 5
        assert done.err.startswith("error: /proc/self/mem cannot be read: ")
        assert done.err.splitlines()[0].endswith(". [plan-unreadable]")

    @pytest.mark.skipif(
        sys.platform == "win32" or os.geteuid() == 0, reason="nothing is unreadable for root"
    )
    def test_unreadable(self, tmp_path: Path) -> None:
        put(tmp_path, "a.md", "x")
        (tmp_path / "a.md").chmod(0)
        done = self.refused(tmp_path, "a.md")
        assert done.code == 5
        assert done.err.startswith(
            "error: a.md cannot be read: Permission denied. [plan-unreadable]\n"
        )

    def test_a_summary_is_read_like_a_file(self, work: Path) -> None:
        done = self.refused(work, "--canonical", f"{SPEC}:none.md")
        assert (done.code, done.err.splitlines()[0]) == (
            3,
            "error: none.md does not exist. [plan-missing]",
        )

    def test_a_file_named_twice_counts_once(self, work: Path) -> None:
        """By whatever way it is named."""
        other = f".paqad/../{SPEC}"
        found = data(work, SPEC, SPEC, other, "--keep", other, "--window", "9", "--committed", "0")
        assert ([SPEC], 300) == (
            [file["path"] for file in found["files"]],
            found["plans"][0]["estimate"],
        )

    def test_an_empty_file_is_0(self, tmp_path: Path) -> None:
        put(tmp_path, "a.py", "")
        found = data(tmp_path, "a.py", "--window", "5", "--committed", "9")
        assert (-4, 0, "green") == (
            found["available"],
            found["plans"][0]["estimate"],
            found["plans"][0]["band"],
        )

    def test_a_name_reaches_the_terminal_as_text(self, tmp_path: Path) -> None:
        """Neither markup nor control."""
        name = "[red]a\x1b[2Jb.md"
        try:
            put(tmp_path, name, "x\n")
        except OSError:
            pytest.skip("no such name on this system")
        done = plan(tmp_path, name, "--window", "9", "--committed", "0", FORCE_COLOR="1")
        assert "\x1b[2J" not in done.out
        assert "[red]a\\x1b[2Jb.md" in STYLE.sub("", done.out)


class TestUsage:
    """What is missing or wrong on the command line."""

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            (["a.md", "--window", "9"], "error: Missing option '--committed'. [usage]\n"),
            (
                ["a.md", "--committed", "9"],
                "error: A plan needs a window: --model M or --window N. [usage]\n",
            ),
            (["--window", "9", "--committed", "0"], "error: A plan needs files. [usage]\n"),
            (["a.md", "--window", "0", "--committed", "0"], "error: Invalid value for '--window'"),
            (["a.md", "--window", "9", "--committed", "-1"], "error: Invalid value for '--comm"),
            (["a.md", "--window", "1" * 16, "--committed", "0"], "error: Invalid value for '--w"),
            (
                ["a.md", "--window", "1.5", "--committed", "0"],
                "error: Invalid value for '--window'",
            ),
            (
                ["a.md", "--window", "9", "--committed", "0", "--weights", "sed"],
                "error: No weights are called 'sed'. [plan-weights]\n",
            ),
            (
                ["a.md", "--window", "9", "--committed", "0", "--weights", "chars@1"],
                "error: chars@1 counts chars, and a window is in tokens. [plan-unit]\n",
            ),
            (
                ["a.md", "--window", "9", "--committed", "0", "--weights", "exact"],
                "error: An exact count needs a tokenizer family. [plan-no-family]\n",
            ),
            (
                ["a.md", "--window", "9", "--committed", "0", "--weights", "all"],
                "error: An exact count needs a tokenizer family. [plan-no-family]\n",
            ),
            (
                ["a.md", "--window", "9", "--committed", "0", "--canonical", "a.md"],
                "error: 'a.md' is no FILE:SUMMARY. [plan-summary]\n",
            ),
            (
                [*["--keep", "a.md", "--history", "a.md", "--window", "9", "--committed", "0"]],
                "error: a.md is given to --keep and to --history. [plan-two-places]\n",
            ),
        ],
    )
    def test_refused(self, tmp_path: Path, args: list[str], said: str) -> None:
        put(tmp_path, "a.md", "x\n")
        done = plan(tmp_path, *args)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(said)
        assert "\n  next: " in done.err

    def test_an_unknown_family(self, tmp_path: Path) -> None:
        put(tmp_path, "a.md", "x\n")
        args = ["--window", "9", "--committed", "0", "--weights", "exact", "--family", "o201k"]
        done = plan(tmp_path, "a.md", *args)
        assert done.code in (2, 7)
        assert done.err.startswith("error: No tokenizer family is called 'o201k'.")

    def test_the_colon_of_a_drive_parts_no_pair(self) -> None:
        from curriculum.cli.plan_files import pair

        assert ("C:\\a.md", "D:\\b.md") == pair("C:\\a.md:D:\\b.md")
        assert ("C:/a.md", "b.md") == pair("C:/a.md:b.md")
        assert ("a", "b:c") == pair("a:b:c")
        assert ("1", "/b.md") == pair("1:/b.md")
        assert ("x/a.md", "C:/b.md") == pair("x/a.md:C:/b.md")
