"""`curriculum plan`: whether files fit in what a window has left, and what to leave out."""

import json
from pathlib import Path

import pytest

from .planning import SPEC, data, files, plan, put, supported_spec

MORE = "next: curriculum plan ... --weights all --family o200k\n"
"""What the seed's weights alone lead to: they are no count."""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return supported_spec(tmp_path)


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
            "           no bound: a heuristic, and may be many times too low\n"
        ) in done.out
        assert done.out.isascii()
        start = done.out.index("== What to leave out, by seed")
        assert (
            done.out[start:]
            == (
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
            + MORE
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
            "  red      split the work: 574 stay, 64 over the 510 that are amber at most\n" + MORE
        )
        found = data(work, *files(work), *args)["plans"][0]
        assert ("red", None, True) == (found["band"], found["enough"], found["split"])

    def test_amber_to_the_end(self, tmp_path: Path) -> None:
        """300 of 400: 65 % is 260."""
        put(tmp_path, SPEC, "x\n" * 100)
        done = plan(tmp_path, SPEC, "--window", "400", "--committed", "0", "--plain")
        assert done.out.endswith(
            "  amber    no step is left: 300 stay, 40 over the 260 that are yellow at most\n" + MORE
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
        assert done.out.endswith(last + MORE)

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
