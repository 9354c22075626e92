"""A folder is measured file by file; what is passed over is counted, with the reason."""

import os
import sys
from pathlib import Path

import pytest

from curriculum.count import exact, texts
from curriculum.count.measure import ESTIMATES, figures, measure
from curriculum.count.texts import LARGEST, SKIPS, found_in, text_of
from curriculum.record.errors import CurriculumError


def folder(at: Path, **files: bytes) -> str:
    for name, data in files.items():
        (at / name).write_bytes(data)
    return str(at)


COUNTED = {"a": "hello world", "b": "tiktoken is great!", "c": "お誕生日おめでとう"}
"""Texts whose tokens are published, under o200k: 2, 6 and 8."""


def counted(at: Path) -> str:
    return folder(at, **{name: text.encode() for name, text in COUNTED.items()})


class TestFigures:
    """Whole numbers, rounded as they say."""

    def test_tokens_are_those_that_are_published(self, tmp_path: Path) -> None:
        report = measure(counted(tmp_path), ("o200k", "cl100k"))
        assert [2, 6, 8] == [file.tokens["o200k"] for file in report.files]
        assert [2, 6, 9] == [file.tokens["cl100k"] for file in report.files]
        assert ("o200k", "cl100k") == tuple(report.families)

    def test_the_groups_hold_every_file_once(self, tmp_path: Path) -> None:
        report = measure(counted(tmp_path))
        by_class = {group.name: group for group in report.by_class("o200k")}
        assert {"docs": 2, "cjk": 1, "all": 3} == {n: g.files for n, g in by_class.items()}
        assert (29, 8) == (by_class["docs"].bytes, by_class["docs"].tokens)
        # 2/11 and 6/18 tokens a byte; 2 and 6 tokens a line
        assert (182, 182, 334, 334) == by_class["docs"].ratio
        assert (20, 20, 60, 60) == by_class["docs"].per_ten_lines
        assert (182, 297, 334, 334) == by_class["all"].ratio
        assert ["unknown", "all"] == [group.name for group in report.by_type("o200k")]

    def test_each_estimate_is_compared_with_the_tokens(self, tmp_path: Path) -> None:
        """Worked out by hand for 11 characters with 2 tokens, and 18 with 6."""
        wanted = {
            "chars/4": (1, 500, 67),  # 3 and 5
            "chars/3": (0, 0, 50),  # 4 and 6
            "words": (1, 500, 67),  # 3 and 4
            "lines-seed": (1, 500, 100),  # 2 and 2
            "lines-p95": (0, 0, 12),  # 17 and 17
            "bytes": (0, 0, 18),  # 11 and 18
            "p99": (0, 0, 33),  # 6 and 10, at 507 a thousand
        }
        assert list(wanted) == list(ESTIMATES)
        docs = measure(counted(tmp_path)).by_class("o200k")[0]
        assert wanted == {n: (a.low, a.permille, a.median) for n, a in docs.against.items()}

    def test_the_bytes_of_sentencepiece_have_one_more(self, tmp_path: Path) -> None:
        [file] = measure(folder(tmp_path, a=b"a"), ("llama2",)).files
        assert 2 == file.estimates["llama2"]["bytes"]

    def test_the_name_of_a_special_token_is_text(self, tmp_path: Path) -> None:
        [file] = measure(folder(tmp_path, a=b"a<|endoftext|>b")).files
        assert 9 == file.tokens["o200k"]

    def test_what_is_counted_does_not_depend_on_the_order_on_disk(self, tmp_path: Path) -> None:
        for name in ("b/1", "a-b", "a/2", "a.b"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("word")
        report = measure(str(tmp_path))
        assert ["a-b", "a.b", "a/2", "b/1"] == [file.path for file in report.files]

    def test_progress_counts_up_to_all_that_was_found(self, tmp_path: Path) -> None:
        said: list[tuple[int, int]] = []
        measure(counted(tmp_path), progress=lambda done, total: said.append((done, total)))
        assert [(0, 3), (1, 3), (2, 3), (3, 3)] == said


class TestCalibrating:
    """Half of the files give figures, and equal files count once."""

    def test_a_file_that_occurs_often_counts_once(self, tmp_path: Path) -> None:
        """The sha256 of four of the ten begins with an even byte (of 2, 3, 4 and 9)."""
        words = [f"word number {n}" for n in range(10)]
        for n, text in enumerate(words):
            (tmp_path / f"{n}").write_text(text)
            (tmp_path / f"{n}-again").write_text(text)
        samples = {}
        measure(str(tmp_path), samples=samples)
        made, checked = samples["o200k"]["docs"]
        assert (4, 6) == (len(made), len(checked))
        one = figures(samples)["o200k"]["docs"]
        assert (4, 6, False) == (one.files, one.others, one.sure)

    def test_a_class_with_no_file_in_that_half_has_no_figure(self, tmp_path: Path) -> None:
        """The sha256 of `hello world` begins with b9: it only checks."""
        samples = {}
        measure(folder(tmp_path, a=b"hello world"), samples=samples)
        assert {"o200k": {}} == figures(samples)


class TestWhatIsPassedOver:
    """Everything that is found is measured or skipped, and the reason is said."""

    @pytest.mark.parametrize(
        ("why", "data"),
        [
            ("binary", b"a\0b"),
            ("binary", b"\xff\xfeword"),
            ("binary", "naïve".encode("latin-1")),
            ("empty", b""),
            ("huge", b"a" * (LARGEST + 1)),
        ],
    )
    def test_a_file_of_no_text_is_skipped(self, why: str, data: bytes, tmp_path: Path) -> None:
        report = measure(folder(tmp_path, a=b"hello world", b=data))
        assert ["a"] == [file.path for file in report.files]
        assert {why: 1} == report.skipped

    def test_the_largest_file_is_measured(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        path.write_bytes(b"a" * LARGEST)
        found = text_of(path)
        assert isinstance(found, tuple)
        assert LARGEST == len(found[1])

    def test_a_file_that_has_grown_since_is_huge(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"a" * (LARGEST + 1))
        assert "huge" == text_of(tmp_path / "a")

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_a_link_is_not_followed_so_no_loop_is_entered(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("hello world")
        (tmp_path / "b").symlink_to("a")
        (tmp_path / "gone").symlink_to("nowhere")
        (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
        report = measure(str(tmp_path))
        assert (1, {"link": 3}) == (len(report.files), report.skipped)

    @pytest.mark.skipif(sys.platform == "win32", reason="no pipes there")
    def test_a_pipe_is_not_opened(self, tmp_path: Path) -> None:
        """It would wait for ever for its other end."""
        (tmp_path / "a").write_text("hello world")
        os.mkfifo(tmp_path / "b")
        assert {"special": 1} == measure(str(tmp_path)).skipped

    def test_what_cannot_be_read_is_skipped(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A file, and a folder whose names cannot be listed."""
        (tmp_path / "a").write_text("hello world")
        (tmp_path / "b").write_text("secret")
        (tmp_path / "c").mkdir()
        opened, listed = Path.open, os.scandir

        def refuse_file(path: Path, *args: str) -> object:
            if path.name == "b":
                raise PermissionError(13, "Permission denied", str(path))
            return opened(path, *args)

        def refuse_folder(path: str) -> object:
            if os.path.basename(path) == "c":
                raise PermissionError(13, "Permission denied", path)
            return listed(path)

        monkeypatch.setattr(Path, "open", refuse_file)
        monkeypatch.setattr(os, "scandir", refuse_folder)
        report = measure(str(tmp_path))
        assert (1, {"unreadable": 2}) == (len(report.files), report.skipped)

    def test_a_file_that_goes_meanwhile_is_unreadable(self, tmp_path: Path) -> None:
        assert "unreadable" == text_of(tmp_path / "gone")

    def test_what_version_control_keeps_is_not_measured(self, tmp_path: Path) -> None:
        (tmp_path / ".git" / "hooks").mkdir(parents=True)
        (tmp_path / ".git" / "hooks" / "one").write_text("hello world")
        (tmp_path / "a").write_text("hello world")
        report = measure(str(tmp_path))
        assert (1, {"version-control": 1}) == (len(report.files), report.skipped)

    def test_each_reason_has_words(self) -> None:
        assert f"huge: more than {LARGEST} bytes" == SKIPS["huge"]
        assert {"version-control", "link", "unreadable", "special"} < set(SKIPS)


class TestRefusals:
    """What cannot be measured is refused before any work."""

    @pytest.mark.parametrize(
        ("code", "name"),
        [("folder-missing", "none"), ("folder-missing", "a\0b"), ("folder-is-file", "file")],
    )
    def test_a_folder_is_needed(self, code: str, name: str, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("hello world")
        with pytest.raises(CurriculumError) as error:
            measure(f"{tmp_path}/{name}")
        assert code == error.value.code

    def test_an_empty_folder_has_no_text(self, tmp_path: Path) -> None:
        with pytest.raises(CurriculumError) as error:
            measure(str(tmp_path))
        assert ("folder-no-text", ()) == (error.value.code, error.value.evidence)

    def test_a_folder_without_a_text_says_what_is_in_it(self, tmp_path: Path) -> None:
        with pytest.raises(CurriculumError) as error:
            measure(folder(tmp_path, a=b"", b=b"\0", c=b"\0"))
        assert ("skipped as binary: 2", "skipped as empty: 1") == error.value.evidence

    @pytest.mark.parametrize(
        ("code", "family"),
        [("family-unknown", "gpt-9"), ("family-not-exact", "claude-4.7")],
    )
    def test_a_family_needs_a_tokenizer(self, code: str, family: str, tmp_path: Path) -> None:
        with pytest.raises(CurriculumError) as error:
            measure(counted(tmp_path), ("o200k", family))
        assert code == error.value.code

    def test_without_the_extra_it_says_what_to_install(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "splintr", None)
        exact._loaded.cache_clear()
        with pytest.raises(CurriculumError) as error:
            measure(counted(tmp_path))
        assert "extra-missing" == error.value.code
        assert 'pip install "curriculum[exact]"' == error.value.next


def test_found_in_gives_each_path_once(tmp_path: Path) -> None:
    """Also one that is both a file and a reason to be skipped."""
    folder(tmp_path, a=b"", b=b"x")
    found = found_in(tmp_path)
    assert ["a", "b"] == [one.path if isinstance(one, texts.Skip) else one[0] for one in found]
