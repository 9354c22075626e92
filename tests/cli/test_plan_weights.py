"""`curriculum plan` by other weights than the seed's: side by side, of a family, of a model."""

from pathlib import Path

from .command import without
from .planning import data, plan, put
from .test_models import OWN


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

    def test_a_bound_says_by_what_right(self, tmp_path: Path) -> None:
        """Twice the 12 bytes, for Claude's tokenizer is not published: assumed, not proven."""
        put(tmp_path, "a.py", "hello world\n")
        args = ("a.py", "--window", "99", "--committed", "0", "--weights", "bytes@1:claude-4.7")
        found = data(tmp_path, *args)["plans"][0]
        assert (24, "assumed", "claude-4.7") == tuple(
            found[key] for key in ("bound", "bound_name", "family")
        )

    def test_all_takes_what_there_is_for_the_family(self, tmp_path: Path) -> None:
        """Claude's tokenizer is not published, so its best count is the calibrated one."""
        put(tmp_path, "a.py", "x = 1\n" * 10)
        args = ("a.py", "--window", "999", "--committed", "0", "--family", "claude-4.7")
        found = data(tmp_path, *args, "--weights", "all")["plans"]
        assert [
            ("seed", "line-weights@seed", "heuristic", None),
            ("p95", "line-weights@p95", "heuristic", None),
            ("calibrated@1:claude-4.7", "calibrated@1:claude-4.7", "calibrated", "assumed"),
        ] == [(one["weights"], one["counter"], one["kind"], one["bound_name"]) for one in found]
        assert (15, 260) == (found[0]["estimate"], found[1]["estimate"])
        assert found[2]["bound"] > found[2]["estimate"] > 15

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

    def test_what_no_weights_bound_leads_to_those_that_do(self, tmp_path: Path) -> None:
        """A rule of thumb is called one; so is p95, over which 5 files in 100 are."""
        put(tmp_path, "a.py", "x\n")
        args = ("a.py", "--window", "99", "--committed", "0")
        for more, said, next in (
            (("--weights", "seed"), "and may be many times too low", " --family o200k"),
            (("--family", "qwen3", "--weights", "p95"), "and 1 file in 20 takes more", ""),
        ):
            out = plan(tmp_path, *args, *more).out
            assert f"           no bound: a heuristic, {said}\n" in out
            assert out.endswith(f"\nnext: curriculum plan ... --weights all{next}\n")
        assert "next: " not in plan(tmp_path, *args, "--weights", "bytes@1").out

    def test_a_bound_in_a_worse_band_is_said_where_a_plan_goes_on(self, tmp_path: Path) -> None:
        """In a window that its bound fills, the estimate is green or yellow."""
        put(tmp_path, "a.py", "abcdefg\n" * 10)
        args = ("a.py", "--committed", "0", "--weights", "calibrated@1:claude-4.7", "--window")
        bound = str(data(tmp_path, *args, "999")["plans"][0]["bound"])
        found = data(tmp_path, *args, bound)["plans"][0]
        assert (True, "red") == (found["band"] in ("green", "yellow"), found["bound_band"])
        out = plan(tmp_path, *args, bound).out
        assert out.endswith("; its bound is R red\n")
        assert "its bound" not in plan(tmp_path, *args, "999").out

    def test_without_the_extra_all_has_the_calibrated_count(self, tmp_path: Path) -> None:
        """And says what is missing; who asks for the exact count alone is refused."""
        put(tmp_path, "a.py", "x\n")
        args = ("plan", "a.py", "--model", "gpt-4o", "--committed", "0", "--weights")
        done = without("splintr", *args, "all", cwd=tmp_path)
        assert (0, "") == (done.code, done.err)
        assert "  G green  calibrated@1:o200k: " in done.out
        note = 'o200k is not counted exactly; that needs pip install "curriculum[exact]"'
        assert f"\n  note {note}\n" in done.out
        done = without("splintr", *args, "exact", cwd=tmp_path)
        assert (7, "") == (done.code, done.out)
        assert "[extra-missing]" in done.err

    def test_a_narrow_terminal_has_no_bar_that_breaks(self, tmp_path: Path) -> None:
        put(tmp_path, "a.py", "x\n")
        args = ("a.py", "--window", "99", "--committed", "0")
        seen = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
        for columns, bars in ((40, 0), (59, 0), (60, 1), (80, 1)):
            text = plan(tmp_path, *args, COLUMNS=str(columns), **seen).text
            assert bars == sum(line.strip().endswith(".....]") for line in text.splitlines())
            assert max(map(len, text.splitlines())) <= columns


class TestModel:
    """A model gives the window and the tokenizer family."""

    def test_a_window_of_200000(self, tmp_path: Path) -> None:
        put(tmp_path, "a.py", "x\n")
        found = data(tmp_path, "a.py", "--model", "claude-haiku-4-5", "--committed", "30000")
        assert (200_000, 170_000) == (found["window"], found["available"])
        found = data(
            tmp_path, "a.py", "--model", "claude-haiku-4-5", "--window", "9", "--committed", "0"
        )
        assert 9 == found["window"]

    def test_the_family_of_an_exact_count(self, tmp_path: Path) -> None:
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
        put(tmp_path, "a.py", "x\n")
        args = ("a.py", "--model", "gpt-5", "--committed")
        assert data(tmp_path, *args, "100000")["notes"] == [
            "gpt-5 takes at most 272000 tokens of input, less than the 300000 available;"
            " commit what is reserved for output too"
        ]
        assert [] == data(tmp_path, *args, "128000")["notes"]

    def test_one_of_ones_own(self, tmp_path: Path) -> None:
        """From a file, or from the file that the project names."""
        put(tmp_path, "a.py", "x\n")
        put(tmp_path, "m.toml", OWN)
        args = ("a.py", "--model", "mine", "--committed", "192")
        found = data(tmp_path, *args, "--models", "m.toml")
        assert (8192, 8000) == (found["window"], found["available"])
        put(tmp_path, "pyproject.toml", '[tool.curriculum]\nmodels = "m.toml"\n')
        assert 8192 == data(tmp_path, *args)["window"]

    def test_an_unknown_one(self, tmp_path: Path) -> None:
        put(tmp_path, "a.py", "x\n")
        done = plan(tmp_path, "a.py", "--model", "claude-haiku-4-6", "--committed", "0")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(
            "error: No model is called 'claude-haiku-4-6'. [model-unknown]\n"
        )
