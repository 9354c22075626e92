"""`curriculum measure` says what the texts of a folder cost, and which estimates are too low."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from .command import ROOT, Done, curriculum, rich

HEADS = ("med.", "median")
PLAIN = """o200k class docs: files 2, bytes 29, tokens 8
o200k class docs: tokens per 1,000 bytes: min 182, median 182, p99 334, max 334
o200k class docs: tokens per line: min 2.0, median 2.0, p95 6.0, max 6.0
o200k class docs: chars/4: too low in 1 of 2 (50.0 %), median tokens/estimate 0.67
o200k class docs: chars/3: too low in 0 of 2 (0.0 %), median tokens/estimate 0.50
o200k class docs: words: too low in 1 of 2 (50.0 %), median tokens/estimate 0.67
o200k class docs: lines-seed: too low in 1 of 2 (50.0 %), median tokens/estimate 1.00
o200k class docs: lines-p95: too low in 0 of 2 (0.0 %), median tokens/estimate 0.12
o200k class docs: bytes: too low in 0 of 2 (0.0 %), median tokens/estimate 0.18
o200k class docs: p99: too low in 0 of 2 (0.0 %), median tokens/estimate 0.33
o200k class cjk: files 1, bytes 27, tokens 8
o200k class cjk: tokens per 1,000 bytes: min 297, median 297, p99 297, max 297
"""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Three texts whose tokens are published (2, 6 and 8 under o200k), and one that is none."""
    at = tmp_path / "texts"
    at.mkdir()
    for name, text in (("a", "hello world"), ("b", "tiktoken is great!")):
        (at / name).write_text(text)
    (at / "c").write_bytes("お誕生日おめでとう".encode())
    (at / "d").write_bytes(b"a\0b")
    return at


class TestLooks:
    """The same facts in a terminal, one a line, and as JSON."""

    def test_plain_has_one_fact_a_line(self, texts: Path) -> None:
        """Worked out by hand from the published counts."""
        done = curriculum("measure", str(texts), "--plain")
        assert (0, "") == (done.code, done.err)
        assert done.out.startswith(PLAIN)
        assert done.out.isascii()
        assert "\n4 found: 3 files measured, 1 skipped\n" in done.out
        assert "  skipped   1 binary: it has a NUL byte, or is not UTF-8\n" in done.out
        assert done.out.endswith(f"\nnext: curriculum measure {texts} --svg measured.svg\n")

    def test_json_has_whole_numbers(self, texts: Path) -> None:
        done = curriculum("measure", str(texts), "--family", "cl100k", "--json")
        data = json.loads(done.out, parse_float=lambda text: pytest.fail(f"{text} is a float"))
        assert (3, {"binary": 1}) == (data["files"], data["skipped"])
        groups = {group["name"]: group for group in data["families"]["cl100k"]["by_class"]}
        assert 9 == groups["cjk"]["tokens"]
        assert {"min": 334, "median": 334, "p99": 334, "max": 334} == groups["cjk"][
            "tokens_per_1000_bytes"
        ]
        low = {"too_low": 1, "too_low_permille": 1000, "tokens_per_estimate_percent": 300}
        assert low == groups["cjk"]["estimates"]["chars/4"]  # 9 characters: 3

    @pytest.mark.parametrize("columns", [66, 80, 200])
    def test_a_terminal_has_tables_with_a_letter_for_each_estimate(
        self, columns: int, texts: Path
    ) -> None:
        done = rich("measure", str(texts), columns=columns)
        assert (0, "") == (done.code, done.err)
        cell = 7 if columns >= 76 else 6
        rows = [line.split() for line in done.text.splitlines()]
        assert ["docs", "50.0", "0.0", "50.0", "50.0", "0.0", "0.0", "0.0"] in rows
        assert ["docs", "0.67", "0.50", "0.67", "1.00", "0.12", "0.18", "0.33"] in rows
        assert f"  docs           {2:>{cell}}{182:>{cell}}" in done.text
        for letter, name in zip("ABCDEFG", ("chars/4", "chars/3", "words"), strict=False):
            assert f"{letter} {name}" in done.text

    def test_a_narrow_terminal_has_the_facts_one_after_the_other(self, texts: Path) -> None:
        """No table fits into 40 columns; no line is longer, and none of the facts is gone."""
        done = rich("measure", str(texts), columns=40)
        assert (0, "") == (done.code, done.err)
        lines = done.text.splitlines()
        assert max(map(len, lines)) <= 40
        said = " ".join(done.text.split())
        assert " ".join(PLAIN.split()) in said
        assert "chars/4 characters / 4" in said

    def test_no_two_heads_of_a_table_run_together(self, texts: Path) -> None:
        heads = [["class", "files", "min", m, "p99", "max", "line", "p95", "max"] for m in HEADS]
        for columns, head in zip((66, 80), heads, strict=True):
            rows = [
                line.split()
                for line in rich("measure", str(texts), columns=columns).text.splitlines()
            ]
            assert head in rows

    def test_with_the_extra_it_draws_a_plot(self, texts: Path) -> None:
        """Each bar is one row, that of its name: too low in 2, 1, 2, 2 and none of 3 files."""
        lines = rich("measure", str(texts)).text.splitlines()
        drawn = [line.split("┤")[0].strip() for line in lines if "\N{FULL BLOCK}" in line]
        assert ["A chars/4", "B chars/3", "C words", "D lines-seed"] == drawn
        rows = {line.split("┤")[0].strip(): line.count("\N{FULL BLOCK}") for line in lines}
        assert 21 <= rows["B chars/3"] <= 23  # a third of the 66 cells
        assert 43 <= rows["C words"] <= 45

    def test_without_it_the_bars_are_characters(self, texts: Path) -> None:
        done = _without("plotext", texts, FORCE_COLOR="1", COLUMNS="80")
        assert 0 == done.code, done.err
        bars = [line for line in done.text.splitlines() if "#" in line]
        # each too low in 2 of 3 files; 54 cells are all of them
        assert [
            "  A chars/4    " + "#" * 36 + " 66.7 %",
            "  C words      " + "#" * 36 + " 66.7 %",
            "  D lines-seed " + "#" * 36 + " 66.7 %",
        ] == [line for line in bars if line[2] in "ACD"]

    def test_it_is_the_same_bytes_everywhere(self, texts: Path) -> None:
        odd = {"PYTHONUTF8": "0", "LC_ALL": "C", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7"}
        done = curriculum("measure", str(texts), "--plain")
        assert done.raw == curriculum("measure", str(texts), "--plain", **odd).raw

    @pytest.mark.skipif(sys.platform == "win32", reason="no such terminal there")
    def test_progress_is_shown_to_a_person_and_is_not_in_what_is_written(self, texts: Path) -> None:
        import pty

        ours, theirs = pty.openpty()
        done = subprocess.run(
            [sys.executable, "-m", "curriculum", "measure", str(texts), "--plain"],
            stdout=subprocess.PIPE,
            stderr=theirs,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm"},
            check=True,
        )
        os.close(theirs)
        assert b"measuring" in os.read(ours, 65536)
        os.close(ours)
        assert done.stdout == curriculum("measure", str(texts), "--plain").raw


class TestFiles:
    """Tables, drawing and figures are written whole, with LF, and over no other file."""

    def test_csv_has_a_row_for_each_group(self, texts: Path, tmp_path: Path) -> None:
        done = curriculum("measure", str(texts), "--csv", "a.csv", "--plain", cwd=tmp_path)
        assert (0, "") == (done.code, done.err)
        assert done.out.endswith("written   a.csv\n")
        data = (tmp_path / "a.csv").read_bytes()
        assert b"\r" not in data
        assert b"." not in data
        head, *rows = csv.reader(io.StringIO(data.decode()))
        named = [dict(zip(head, row, strict=True)) for row in rows]
        assert [
            ("class", "docs"),
            ("class", "cjk"),
            ("class", "all"),
            ("type", "unknown"),
            ("type", "all"),
        ] == [(row["by"], row["name"]) for row in named]
        assert ("2", "29", "8", "334") == tuple(
            named[0][name] for name in ("files", "bytes", "tokens", "tokens_per_1000_bytes_max")
        )
        assert ("1", "500", "67") == tuple(
            named[0][f"chars/4{name}"] for name in ("_too_low", "_too_low_permille", "_percent")
        )

    def test_svg_needs_nothing_else_and_has_a_letter_beside_each_colour(
        self, texts: Path, tmp_path: Path
    ) -> None:
        curriculum("measure", str(texts), "--svg", "a.svg", cwd=tmp_path)
        data = (tmp_path / "a.svg").read_bytes()
        root = ET.fromstring(data)
        links = data.replace(b'xmlns="http://www.w3.org/2000/svg"', b"")
        assert not [word for word in (b"http", b"href", b"url(", b"@import") if word in links]
        assert b"\r" not in data
        colours = {"#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"}
        ns = "{http://www.w3.org/2000/svg}"
        drawn = [rect.attrib for rect in root.iter(f"{ns}rect") if rect.get("fill") != "#ffffff"]
        assert colours == {rect["fill"] for rect in drawn}
        assert 3 * 7 == len(drawn)
        said = [text.text for text in root.iter(f"{ns}text")]
        assert "o200k, docs (2 files)" in said
        assert "o200k, cjk (1 file)" in said
        assert "A chars/4" in said
        assert "A 50.0 %" in said
        assert ("240", "#E69F00") == (drawn[0]["width"], drawn[0]["fill"])  # half of 480

    def test_figures_are_toml_that_says_what_they_were_found_on(
        self, texts: Path, tmp_path: Path
    ) -> None:
        """The sha256 of 'tiktoken is great!' begins with an even byte: it gives the figure.

        6 tokens in 18 bytes; in a JSON string, 8 tokens at most in 20 bytes.
        """
        done = curriculum(
            *("measure", str(texts), "--calibrate", "a.toml", "--plain"),
            *("--corpus", 'three "texts"\n\x7f', "--date", "today"),
            cwd=tmp_path,
        )
        assert (0, "") == (done.code, done.err)
        data = (tmp_path / "a.toml").read_bytes()
        assert b"\r" not in data
        said = tomllib.loads(data.decode("ascii"))
        assert ('three "texts"\n\x7f', "today", 1) == (
            said["corpus"],
            said["date"],
            said["version"],
        )
        docs = said["families"]["o200k"]["docs"]
        assert (334, 1, 1, False) == (
            docs["median"],
            docs["files"],
            docs["others"],
            docs["sure"],
        )
        claude = said["families"]["claude-4.7"]["docs"]
        assert 528 == claude["median"]  # 334 x 1.58 = 527.72
        assert "o200k x 158 and 255 percent" == claude["derived"]
        assert "under 299 files, so p99 is the highest and not sure" in done.out

    @pytest.mark.parametrize("option", ["--csv", "--svg", "--calibrate"])
    def test_no_file_is_written_over(self, option: str, texts: Path) -> None:
        """It is refused before the work is done."""
        done = curriculum("measure", str(texts), option, str(texts / "a"))
        assert (2, "") == (done.code, done.out)
        assert "exists; no file is written over. [export-exists]" in done.err
        assert "hello world" == (texts / "a").read_text()

    def test_a_place_that_is_not_there_is_refused_before_the_work(self, texts: Path) -> None:
        done = curriculum("measure", str(texts), "--svg", "none/a.svg")
        assert (2, "") == (done.code, done.out)
        assert "none/a.svg cannot be written: there is no such folder. [export-write]" in done.err
        assert "next: mkdir -p none\n" in done.err

    def test_two_files_need_two_paths(self, texts: Path, tmp_path: Path) -> None:
        done = curriculum("measure", str(texts), "--svg", "a", "--csv", "./a", cwd=tmp_path)
        assert (2, ["texts"]) == (done.code, [path.name for path in tmp_path.iterdir()])
        assert "Each file to write needs a path of its own. [usage]" in done.err

    @pytest.mark.parametrize("where", ["curriculum.count.measure._measured", "os.fsync"])
    def test_ctrl_c_leaves_no_half_written_file(
        self, where: str, texts: Path, tmp_path: Path
    ) -> None:
        """While it measures, and while it writes."""
        out = tmp_path / "out"
        out.mkdir()
        module, _, name = where.rpartition(".")
        code = (
            f"import sys, {module} as m\n"
            "from curriculum.cli.main import main\n"
            "def pressed(*_): raise KeyboardInterrupt\n"
            f"m.{name} = pressed\n"
            f"sys.argv = ['curriculum', 'measure', {str(texts)!r}, '--svg', 'a', '--csv', 'b']\n"
            "main()\n"
        )
        done = _python(code, out)
        assert (130, []) == (done.code, list(out.iterdir()))
        assert "Interrupted; no file is half written. [interrupted]" in done.err

    @pytest.mark.skipif(sys.platform == "win32", reason="signals are other ones there")
    def test_a_real_interrupt_ends_it(self, tmp_path: Path) -> None:
        """It is sent when the first file has been counted."""
        many = tmp_path / "many"
        many.mkdir()
        for n in range(3):
            (many / f"{n}").write_text("hello world")
        code = (
            "import os, sys, signal, curriculum.count.measure as m\n"
            "from curriculum.cli.main import main\n"
            "real = m._measured\n"
            "def slow(*given):\n"
            f"    os.kill(os.getpid(), {int(signal.SIGINT)})\n"
            "    return real(*given)\n"
            "m._measured = slow\n"
            f"sys.argv = ['curriculum', 'measure', {str(many)!r}, '--svg', 'a.svg']\n"
            "main()\n"
        )
        done = _python(code, tmp_path)
        assert (130, ["many"]) == (done.code, [path.name for path in tmp_path.iterdir()])


class TestRefusals:
    """One headline, the evidence, one command to run next."""

    def test_without_the_extra_it_says_what_to_install(self, texts: Path) -> None:
        done = _without("splintr", texts)
        assert (7, "") == (done.code, done.out)
        assert done.err == (
            "error: Counting o200k exactly needs the exact extra. [extra-missing]\n"
            "  not found: splintr\n"
            '  next: pip install "curriculum[exact]"\n'
        )

    @pytest.mark.parametrize(
        ("code", "name"),
        [("folder-missing", "none"), ("folder-is-file", "a"), ("folder-no-text", "empty")],
    )
    def test_a_folder_of_texts_is_needed(self, code: str, name: str, texts: Path) -> None:
        (texts / "empty").mkdir()
        done = curriculum("measure", str(texts / name))
        assert (2, "") == (done.code, done.out)
        assert f"[{code}]\n" in done.err
        assert "Traceback" not in done.err

    def test_a_family_that_nothing_counts_offline_is_refused(self, texts: Path) -> None:
        done = curriculum("measure", str(texts), "--family", "claude-4.7")
        assert (2, "") == (done.code, done.out)
        assert "No exact counter of claude-4.7 works without a network. [family-not-exact]" in (
            done.err
        )
        assert "exact: o200k, cl100k, llama3" in done.err
        assert done.err.endswith(f"\n  next: curriculum measure {texts} --family o200k\n")

    def test_a_name_with_control_characters_reaches_no_terminal(self, tmp_path: Path) -> None:
        done = curriculum("measure", f"{tmp_path}/\x1b[31m[bold]red")
        assert 2 == done.code
        assert "\x1b" not in done.err
        assert "\\x1b[31m[bold]red" in done.err


def _python(code: str, cwd: Path, **env: str) -> Done:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **env},
        capture_output=True,
        timeout=120,
    )
    out, err = (one.decode().replace("\r\n", "\n") for one in (done.stdout, done.stderr))
    return Done(done.returncode, out, err, done.stdout)


def _without(module: str, texts: Path, **env: str) -> Done:
    code = (
        "import sys\n"
        f"sys.modules[{module!r}] = None\n"
        f"sys.argv = ['curriculum', 'measure', {str(texts)!r}]\n"
        "from curriculum.cli.main import main\n"
        "main()\n"
    )
    return _python(code, texts.parent, **env)
