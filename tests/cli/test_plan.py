"""`curriculum plan`: whether files fit in what a window has left, and what to leave out."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from .command import STYLE, Done, curriculum

SPEC = ".paqad/specs/login.md"


def put(folder: Path, path: str, text: str | bytes) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A spec and what supports it; by the seed's weights 300 + 150 + 100 + 100 + 24 = 674."""
    for path, count in {
        SPEC: 100,  # x 3.0
        "docs/modules/billing/api.md": 60,  # x 2.5
        "docs/modules/auth/api.md": 40,  # x 2.5
        "history/turn-1.txt": 50,  # x 2.0
        "history/turn-2.txt": 0,
        "history/turn-3.txt": 0,
        "rules/constitution.txt": 12,  # x 2.0
    }.items():
        put(tmp_path, path, "one two three\n" * count)
    return tmp_path


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def plan(folder: Path, *args: str, **env: str) -> Done:
    return curriculum("plan", *args, cwd=folder, **env)


def data(folder: Path, *args: str) -> dict[str, Any]:
    done = plan(folder, *args, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


class TestSeed:
    """Seed 000's own figures: lines x weight, rounded up for each file."""

    @pytest.mark.parametrize(
        ("path", "count", "tokens"),
        [
            (SPEC, 100, 300),  # 3.0
            ("docs/modules/auth/api.md", 100, 250),  # 2.5
            ("main.py", 100, 150),  # 1.5
            ("main.go", 3, 5),  # 4.5
            ("Main.java", 10, 18),  # 1.8
            ("Main.java", 1, 2),  # 1.8
            ("data.json", 100, 120),  # 1.2
            ("data.json", 1, 2),  # 1.2
            ("data.yaml", 5, 6),  # 6.0: nothing to round
            ("tests/test_main.py", 10, 17),  # 1.7
            ("test-plan.md", 7, 14),  # 2.0
            ("some.xyz", 7, 14),  # 2.0, as for every unknown type
            ("empty.py", 0, 0),
        ],
    )
    def test_lines_times_weight(self, tmp_path: Path, path: str, count: int, tokens: int) -> None:
        put(tmp_path, path, "a: b\n" * count)
        found = data(tmp_path, path, "--window", "200000", "--committed", "30000")
        assert (count, {"seed": tokens}) == (
            found["files"][0]["lines"],
            found["files"][0]["tokens"],
        )
        assert tokens == found["plans"][0]["estimate"]

    def test_a_last_line_without_an_end_counts(self, tmp_path: Path) -> None:
        put(tmp_path, "a.json", "{\n}")
        found = data(tmp_path, "a.json", "--window", "100", "--committed", "0")
        assert (2, {"seed": 3}) == (found["files"][0]["lines"], found["files"][0]["tokens"])

    def test_the_sum_is_of_rounded_numbers(self, tmp_path: Path) -> None:
        """Three files of one line x 1.2: 2 + 2 + 2 = 6, not 3.6 rounded up to 4."""
        names = ["a.json", "b.json", "c.json"]
        for name in names:
            put(tmp_path, name, "{}\n")
        found = data(tmp_path, *names, "--window", "100", "--committed", "0")
        assert 6 == found["plans"][0]["estimate"]

    @pytest.mark.parametrize(
        ("window", "band"),
        [
            (750, "green"),
            (749, "yellow"),
            (462, "yellow"),
            (461, "amber"),
            (353, "amber"),
            (352, "red"),
            (0, "red"),
            (-1, "red"),
        ],
    )
    def test_the_borders(self, tmp_path: Path, window: int, band: str) -> None:
        """300 is 40 % of 750, 65 % of 461.5 and 85 % of 352.9."""
        put(tmp_path, SPEC, "x\n" * 100)
        found = data(tmp_path, SPEC, "--window", f"{window + 1000}", "--committed", "1000")
        assert (window, band) == (found["available"], found["plans"][0]["band"])


class TestList:
    """What to leave out, in the seed's order."""

    def test_the_whole_plan_in_plain_words(self, work: Path) -> None:
        """674 of 1,000 is amber; 574 without the old turn is yellow."""
        args = ("--window", "3000", "--committed", "2000", "--affected", "auth", "--plain")
        done = plan(work, *files(work), *args)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(
            "available 1000 tokens = window 3000 - committed 2000\n"
            "bands     G green to 400, Y yellow to 650, A amber to 850, R red above\n"
            "\n"
            "== Estimates\n"
            "  A amber  seed"
        )
        assert (
            "674 tokens, 67.4 % of available"
            "  [GGGGGGGGGGGGGGGGYYYYYYYYYYA.............]\n"
            "           no bound: a heuristic\n"
        ) in done.out
        assert done.out.isascii()
        start = done.out.index("== What to leave out, by seed")
        assert done.out[start:] == (
            "== What to leave out, by seed\n"
            "  step 1   session history older than 2 turns: frees 100, 574 stay, Y yellow\n"
            "           100: history/turn-1.txt (in history/; turn 1 is older than 2)\n"
            "           0: history/turn-2.txt: in history/; turn 2 is one of the last 2\n"
            "           0: history/turn-3.txt: in history/; turn 3 is one of the last 2\n"
            "  step 2   stack documentation indexes: frees 0, 574 stay, Y yellow\n"
            "           0: no file is one\n"
            "  step 3   capability skill references not active for the lane:"
            " frees 0, 574 stay, Y yellow\n"
            "           0: no file is one\n"
            "  step 4   module docs outside the affected modules:"
            " frees 150, 424 stay, Y yellow (not needed)\n"
            "           150: docs/modules/billing/api.md"
            " (in docs/modules/, of billing; billing is not affected)\n"
            "           0: docs/modules/auth/api.md: in docs/modules/, of auth; auth is affected\n"
            "  step 5   verbose canonical docs that have summary indexes:"
            " frees 0, 424 stay, Y yellow\n"
            "           0: no file is one\n"
            "  never    .paqad/specs/login.md, rules/constitution.txt\n"
            "  enough   after step 1 the plan is yellow\n"
        )

    def test_a_file_says_why_it_is_where_it_is(self, work: Path) -> None:
        """One line a file in the plain look."""
        args = ("--window", "3000", "--committed", "2000", "--affected", "auth", "--plain")
        lines = plan(work, *files(work), *args).out.splitlines()
        said = {line.split(":")[0]: line.rpartition("; ")[2] for line in lines if "  file " in line}
        assert 7 == len(said)
        assert said["  file rules/constitution.txt"] == (
            "never left out: rules constitution (named constitution.txt)"
        )
        assert said["  file docs/modules/billing/api.md"] == "billing is not affected"

    def test_red_to_the_end_splits_the_work(self, work: Path) -> None:
        """674 - 100 = 574 of 600: 85 % is 510, so 64 are over it."""
        args = ("--window", "600", "--committed", "0")
        done = plan(work, *files(work), *args, "--plain")
        assert done.out.endswith(
            "  red      split the work: 574 stay, 64 over the 510 that are amber at most\n"
        )
        found = data(work, *files(work), *args)["plans"][0]
        assert ("red", None, True) == (found["band"], found["enough"], found["split"])

    def test_amber_to_the_end(self, tmp_path: Path) -> None:
        """300 of 400: 65 % is 260."""
        put(tmp_path, SPEC, "x\n" * 100)
        done = plan(tmp_path, SPEC, "--window", "400", "--committed", "0", "--plain")
        assert done.out.endswith(
            "  amber    no step is left: 300 stay, 40 over the 260 that are yellow at most\n"
        )

    @pytest.mark.parametrize(
        ("window", "last"),
        [
            ("750", "  nothing: G green, go on\n"),
            ("500", "  nothing: Y yellow, go on, with a warning\n"),
        ],
    )
    def test_green_and_yellow_leave_nothing_out(
        self, tmp_path: Path, window: str, last: str
    ) -> None:
        put(tmp_path, SPEC, "x\n" * 100)
        done = plan(tmp_path, SPEC, "--window", window, "--committed", "0", "--plain")
        assert done.out.endswith(last)

    def test_every_option_has_its_step(self, tmp_path: Path) -> None:
        """Files of 10 to 50 lines x 2.0, all of unknown type; one that only an option names counts."""
        for name, count in {"h": 10, "i": 20, "k": 30, "m": 40, "c": 50, "s": 5, "x": 20}.items():
            put(tmp_path, f"{name}.xyz", "x\n" * count)
        found = data(
            tmp_path,
            *("x.xyz", "--window", "400", "--committed", "0"),
            *("--history", "h.xyz", "--stack-index", "i.xyz", "--skill", "k.xyz"),
            *("--module-doc", "m.xyz", "--canonical", "c.xyz:s.xyz", "--keep", "x.xyz"),
        )
        assert 340 == found["plans"][0]["estimate"]
        assert [(20, 320), (40, 280), (60, 220), (80, 140), (90, 50)] == [
            (step["freed"], step["left"]) for step in found["plans"][0]["steps"]
        ]
        assert ["c.xyz", "h.xyz", "i.xyz", "k.xyz", "m.xyz", "x.xyz"] == sorted(
            file["path"] for file in found["files"]
        )
        assert {"c.xyz": 100, "s.xyz": -10} == {
            file["path"]: file["tokens"] for file in found["plans"][0]["steps"][4]["files"]
        }

    def test_a_note_for_a_misspelt_module(self, work: Path) -> None:
        args = ("--window", "600", "--committed", "0", "--affected", "atuh", "--plain")
        out = plan(work, *files(work), *args).out
        assert "  note no file is of the module atuh; they are of auth, billing\n" in out


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
        assert ("x/a.md", "C:/b.md") == pair("x/a.md:C:/b.md")


class TestModel:
    """A model gives the window and the tokenizer family."""

    def test_a_window_of_200000(self, tmp_path: Path) -> None:
        pytest.importorskip("curriculum.count.models")
        put(tmp_path, "a.py", "x\n")
        found = data(tmp_path, "a.py", "--model", "claude-haiku-4-5", "--committed", "30000")
        assert (200_000, 170_000) == (found["window"], found["available"])
        found = data(
            tmp_path, "a.py", "--model", "claude-haiku-4-5", "--window", "9", "--committed", "0"
        )
        assert 9 == found["window"]

    def test_the_family_of_an_exact_count(self, tmp_path: Path) -> None:
        pytest.importorskip("curriculum.count.models")
        pytest.importorskip("curriculum.count.exact")
        put(tmp_path, "a.py", "hello world")
        found = data(
            tmp_path, "a.py", "--model", "gpt-4o", "--committed", "0", "--weights", "exact"
        )
        assert ("exact@1:o200k", 2) == (
            found["plans"][0]["counter"],
            found["plans"][0]["estimate"],
        )

    def test_less_input_than_the_window(self, tmp_path: Path) -> None:
        """GPT-5's window is 400,000, and 272,000 of it at most are input."""
        pytest.importorskip("curriculum.count.models")
        put(tmp_path, "a.py", "x\n")
        args = ("a.py", "--model", "gpt-5", "--committed")
        assert data(tmp_path, *args, "100000")["notes"] == [
            "gpt-5 takes at most 272000 tokens of input, less than the 300000 available;"
            " commit what is reserved for output too"
        ]
        assert [] == data(tmp_path, *args, "128000")["notes"]

    def test_an_unknown_one(self, tmp_path: Path) -> None:
        pytest.importorskip("curriculum.count.models")
        put(tmp_path, "a.py", "x\n")
        done = plan(tmp_path, "a.py", "--model", "claude-haiku-4-6", "--committed", "0")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(
            "error: No model is called 'claude-haiku-4-6'. [model-unknown]\n"
        )


class TestSideBySide:
    """Several weights at once: a plan that is green by one and red by another is seen."""

    def test_green_by_the_seed_and_red_by_bytes(self, tmp_path: Path) -> None:
        """10 lines of code x 1.5 = 15; each is 10 bytes: 100 = 6.67 x 15. Of 100 available."""
        put(tmp_path, "a.py", "x = 12345\n" * 10)
        args = ("a.py", "--window", "100", "--committed", "0")
        weights = ("--weights", "seed", "--weights", "bytes@1")
        found = data(tmp_path, *args, *weights)
        assert [
            ("seed", 15, None, "green", 100),
            ("bytes@1", 100, 100, "red", 667),
        ] == [
            (p["weights"], p["estimate"], p["bound"], p["band"], p["factor_hundredths"])
            for p in found["plans"]
        ]
        assert {"seed": 15, "bytes@1": 100} == found["files"][0]["tokens"]
        out = plan(tmp_path, *args, *weights, "--plain").out
        assert (
            "  worse    bytes@1 has 6.67 times the tokens of seed:"
            " green by seed is red by bytes@1\n"
        ) in out
        assert "           bound 100 (proven), 100.0 % of available: R red\n" in out
        assert "  file a.py: 10 lines, tokens seed 15, bytes@1 100; " in out
        assert "== What to leave out, by seed\n  nothing: G green, go on\n" in out
        assert out.endswith("split the work: 100 stay, 15 over the 85 that are amber at most\n")

    def test_green_by_the_seed_and_red_in_truth(self, tmp_path: Path) -> None:
        """13 tokens of o200k a line, 10 lines: 130; 1.5 a line by the seed: 15; 15.8 by p95: 158.

        `total| =| sum|(price| *| count| for| price|,| count| in| items|)` and its line end.
        """
        pytest.importorskip("curriculum.count.exact")
        put(tmp_path, "a.py", "total = sum(price * count for price, count in items)\n" * 10)
        args = ("a.py", "--window", "150", "--committed", "20", "--family", "o200k")
        found = data(tmp_path, *args, "--weights", "all")
        assert [
            ("seed", 15, "green", 100),
            ("p95", 158, "red", 1054),
            ("exact", 130, "red", 867),
        ] == [
            (p["weights"], p["estimate"], p["band"], p["factor_hundredths"]) for p in found["plans"]
        ]
        assert found["plans"][2]["bound"] >= 130
        assert ("exact", "exact@1:o200k", "proven", True) == tuple(
            found["plans"][2][key] for key in ("kind", "counter", "bound_name", "split")
        )
        out = plan(tmp_path, *args, "--weights", "all", "--plain").out
        assert "  file a.py: 10 lines, tokens seed 15, p95 158, exact 130; source (" in out
        assert (
            "  worse    exact has 8.67 times the tokens of seed: green by seed is red by exact\n"
        ) in out

    def test_the_p95_of_claude_is_another(self, tmp_path: Path) -> None:
        """26.0 tokens a line of source, not 15.8."""
        put(tmp_path, "a.py", "x\n" * 10)
        args = ("a.py", "--window", "999", "--committed", "0", "--weights", "p95", "--family")
        found = [data(tmp_path, *args, of)["plans"][0] for of in ("o200k", "claude-3", "qwen3")]
        assert [(158, "o200k"), (260, "claude-4.7"), (158, "o200k")] == [
            (one["estimate"], one["family"]) for one in found
        ]

    def test_each_once(self, tmp_path: Path) -> None:
        put(tmp_path, "a.py", "x\n")
        args = [
            "--window",
            "9",
            "--committed",
            "0",
            "--weights",
            "bytes@1",
            "--weights",
            "seed",
            "--weights",
            "bytes@1",
        ]
        found = data(tmp_path, "a.py", *args)
        assert ["bytes@1", "seed"] == [one["weights"] for one in found["plans"]]

    def test_nothing_has_no_factor(self, tmp_path: Path) -> None:
        put(tmp_path, "a.py", "")
        args = ["--window", "9", "--committed", "0", "--weights", "seed", "--weights", "bytes@1"]
        found = data(tmp_path, "a.py", *args)
        assert [None, None] == [one["factor_hundredths"] for one in found["plans"]]


class TestLooks:
    """Rich, plain and JSON say the same."""

    def test_whole_numbers_only(self, work: Path) -> None:
        """No fraction in anything that is written."""
        args = ("--window", "3000", "--committed", "2000", "--weights", "seed")
        done = plan(work, *files(work), *args, "--weights", "bytes@1", "--json")
        json.loads(done.out, parse_float=lambda text: pytest.fail(f"a fraction: {text}"))

    def test_of_many_files_a_terminal_shows_the_first_and_the_last(self, tmp_path: Path) -> None:
        """100 old turns of one line, 2 tokens each; plain has them all."""
        names = [f"{n:03}.xyz" for n in range(100)]
        for name in names:
            put(tmp_path, name, "x\n")
        said = [part for name in names for part in ("--history", name)]
        args = (*said, "--window", "200", "--committed", "0")
        shown = plan(tmp_path, *args, FORCE_COLOR="1", COLUMNS="120").text
        assert "... 61 files not shown; --plain has them ..." in shown
        assert "2: 012.xyz (--history)" in shown
        assert "2: 013.xyz (--history)" not in shown
        assert "2: 073.xyz (--history)" not in shown
        assert "2: 074.xyz (--history)" in shown
        assert "session history older than 2 turns: frees 200, 0 stay, G green" in shown
        assert 100 == plan(tmp_path, *args, "--plain").out.count(" 2: ")

    @pytest.mark.parametrize("columns", [40, 80, 200])
    def test_no_name_is_cut(self, tmp_path: Path, columns: int) -> None:
        name = "a-name-that-is-longer-than-most/of-the-terminals-that-one-sees.py"
        put(tmp_path, name, "x\n")
        look = {"FORCE_COLOR": "1", "COLUMNS": str(columns)}
        done = plan(tmp_path, name, "--window", "9", "--committed", "0", **look)
        assert name in "".join(line.strip() for line in done.text.splitlines())

    def test_the_bar_has_letters_and_okabe_and_ito_s_colours(self, tmp_path: Path) -> None:
        """300 of 333 is 90.1 %: 37 of 40 cells, 16 G, 10 Y, 8 A, 3 R."""
        put(tmp_path, SPEC, "x\n" * 100)
        look = {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm-256color"}
        args = (SPEC, "--window", "333", "--committed", "0")
        done = plan(tmp_path, *args, COLUMNS="120", **look)
        bar = "[GGGGGGGGGGGGGGGGYYYYYYYYYYAAAAAAAARRR...]"
        assert bar in done.text
        for red, green, blue in ((0, 158, 115), (240, 228, 66), (230, 159, 0), (213, 94, 0)):
            assert f"38;2;{red};{green};{blue}m" in done.out
        assert bar in plan(tmp_path, *args, "--plain").out

    def test_a_share_is_rounded_up(self) -> None:
        """A third is 33.4 %; 400 of 1,000 is 40.0 %, the least that is more is 40.1 %."""
        from curriculum.view.bands import share

        assert "33.4 % of available" == share(1, 3)
        assert "40.0 % of available" == share(400, 1000)
        assert "40.1 % of available" == share(4001, 10000)
        assert "nothing is available" == share(1, 0)

    @pytest.mark.parametrize(
        ("lines", "cells"),
        [
            (0, 0),
            (1, 1),
            (400, 16),
            (401, 17),
            (650, 26),
            (651, 27),
            (850, 34),
            (851, 35),
            (1000, 40),
            (1001, 41),
        ],
    )
    def test_the_last_letter_of_the_bar_is_the_band(self, lines: int, cells: int) -> None:
        """Of 1,000, 25 a cell; what is begun is full, and + is more than there is."""
        from curriculum.context.band import band_of
        from curriculum.view.bands import BANDS, band_bar

        drawn = "".join(
            part if isinstance(part, str) else part[1] for part in band_bar(lines, 1000)
        )
        filled = drawn.strip("[]+.").replace("]", "")
        assert min(cells, 40) == len(filled)
        assert (cells > 40) == drawn.endswith("+")
        assert filled[-1:] in ("", BANDS[band_of(lines, 1000)][0])
        assert 42 == len(drawn.rstrip("+"))
