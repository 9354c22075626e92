"""Progress is one small text file: to be read, copied, compared, and laid behind another."""

from pathlib import Path

import pytest

from curriculum.course.progress import Entry, Progress, ProgressError, parse, read, update, write
from curriculum.course.result import Verdict

TEXT = """curriculum progress 1
# a note of mine
name Ada Lovelace
course spring
at s06-context-budget
read s06-context-budget L1
s06-1 pass tries=2 hints=1
s06-3 not-yet tries=4 solution
s06-4 open hints=3
"""


class TestTheFile:
    def test_it_is_read_and_written_as_it_was(self) -> None:
        known = parse(TEXT)
        assert known.text() == TEXT
        assert (known.name, known.course, known.at) == (
            "Ada Lovelace",
            "spring",
            "s06-context-budget",
        )
        assert known.of("s06-1") == Entry(True, 2, 1)
        assert known.of("s06-3") == Entry(False, 4, 0, True)
        assert known.of("s06-9") == Entry()

    def test_lines_stand_in_the_order_of_the_course(self) -> None:
        known = Progress()
        for id in ("s10-1", "s06-10", "s06-9", "s06-2"):
            known = known.tried(id, Verdict.PASS)
        assert [line.split()[0] for line in known.text().splitlines()[1:]] == [
            "s06-2",
            "s06-9",
            "s06-10",
            "s10-1",
        ]

    def test_line_ends_and_marks_of_other_systems_are_taken(self, tmp_path: Path) -> None:
        file = tmp_path / "progress.txt"
        file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
        assert read(file) == parse(TEXT)

    def test_two_files_laid_one_behind_the_other_are_one(self) -> None:
        """Of two lines about an exercise the better one counts."""
        other = "curriculum progress 1\n# a note of mine\ns06-1 not-yet tries=5\ns06-3 pass tries=1 hints=2\n"
        both = parse(TEXT + other)
        assert both.of("s06-1") == Entry(True, 5, 1)
        assert both.of("s06-3") == Entry(True, 4, 2, True)
        assert both.notes == ("# a note of mine",)

    @pytest.mark.parametrize(
        ("text", "code", "line"),
        [
            ("", "progress-format", 1),
            ("hello\n", "progress-format", 1),
            ("curriculum progress 2\n", "progress-version", 1),
            (TEXT + "<<<<<<< mine\n", "progress-line", 10),
            (TEXT + "s06-1 passed\n", "progress-line", 10),
            (TEXT + "s06-1 pass tries=x\n", "progress-line", 10),
            (TEXT + "read s06-context-budget L9\n", "progress-line", 10),
            (TEXT + "s06-1 pass tries=1 hints=1 tries\n", "progress-line", 10),
        ],
    )
    def test_a_line_that_cannot_be_taken_is_named(self, text: str, code: str, line: int) -> None:
        with pytest.raises(ProgressError) as caught:
            parse(text, "p.txt")
        assert caught.value.code == code
        assert caught.value.headline.startswith(f"p.txt, line {line} ")
        assert "nothing was changed" in caught.value.evidence

    def test_a_file_of_another_encoding(self, tmp_path: Path) -> None:
        file = tmp_path / "progress.txt"
        file.write_bytes(TEXT.encode("utf-16"))
        with pytest.raises(ProgressError) as caught:
            read(file)
        assert caught.value.code == "progress-format"


class TestWhatHappens:
    def test_a_try_is_counted_and_a_pass_is_never_lost(self) -> None:
        known = Progress().tried("s06-1", Verdict.NOT_YET)
        assert known.of("s06-1") == Entry(False, 1)
        known = known.tried("s06-1", Verdict.PASS).tried("s06-1", Verdict.NOT_YET)
        assert known.of("s06-1") == Entry(True, 3)

    def test_what_could_not_be_checked_is_no_try(self) -> None:
        assert Progress().tried("s06-1", Verdict.COULD_NOT_CHECK) == Progress()

    def test_hints_only_grow_and_a_look_at_the_solution_is_noted(self) -> None:
        known = Progress().hinted("s06-1", 2).hinted("s06-1", 1).shown("s06-1")
        assert known.of("s06-1") == Entry(False, 0, 2, True)

    def test_a_reset_forgets_one_exercise(self) -> None:
        assert parse(TEXT).without("s06-1").of("s06-1") == Entry()
        assert parse(TEXT).without("s06-1").of("s06-3").tries == 4

    def test_reading_goes_only_forward(self) -> None:
        known = Progress().has_read("s06-x", "L2").has_read("s06-x", "L0")
        assert known.read == {"s06-x": "L2"}


class TestWriting:
    def test_nothing_is_written_where_nothing_is_new(self, tmp_path: Path) -> None:
        file = tmp_path / "progress.txt"
        write(file, parse(TEXT))
        before = file.stat().st_mtime_ns, file.stat().st_ino
        update(file, lambda known: known.hinted("s06-4", 1))
        assert (file.stat().st_mtime_ns, file.stat().st_ino) == before

    def test_what_another_process_wrote_meanwhile_is_kept(self, tmp_path: Path) -> None:
        file = tmp_path / "progress.txt"
        write(file, Progress())
        read(file)
        write(file, Progress().tried("s06-2", Verdict.PASS))
        update(file, lambda known: known.tried("s06-1", Verdict.PASS))
        assert list(read(file).entries) == ["s06-1", "s06-2"]

    def test_a_file_that_cannot_be_written_stays_whole(self, tmp_path: Path) -> None:
        folder = tmp_path / "x"
        with pytest.raises(ProgressError) as caught:
            write(folder / "progress.txt", Progress())
        assert caught.value.code == "progress-write"
        assert not folder.exists()
