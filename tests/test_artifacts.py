"""What is stored comes back whole, from memory and from a folder, or an error says why not.

The two stores are told apart by nothing but where the texts are.
"""

import errno
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curriculum.record import artifact_folder, artifacts
from curriculum.record.artifact_folder import ArtifactFolder
from curriculum.record.artifacts import Artifact, ArtifactError, Artifacts, ArtifactStore, Span
from curriculum.record.cut import Cut
from curriculum.record.records import Trust

ROOT = Path(__file__).resolve().parents[1]
Make = Callable[[], Artifacts]

# Two texts whose hashes begin alike: b30a892c2... and b30a892c8...
FIRST, SECOND = "text 859", "text 4460"
ALIKE, LONGER = "ab30a892c", "ab30a892c8"
SHA_FIRST = "b30a892c24df59cfbc07edac4ac8e43eaaf3008eb01d05777733bcdd4dce3230"
SHA_SECOND = "b30a892c84914b99eeab4334d2eb4c46a9cd63e2789074eda823e608686c63e7"
SHA_EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
LABEL = f'{{"sha256": "{SHA_FIRST}", "source": "tool:read", "trust": "tool"}}\n'


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Artifacts:
    return ArtifactStore() if request.param == "memory" else ArtifactFolder(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> ArtifactFolder:
    return ArtifactFolder(tmp_path)


def code_of(act: Callable[[], Any]) -> str:
    """The code with which `act` is refused; every other error is a fault of the store."""
    with pytest.raises(ArtifactError) as caught:
        act()
    assert str(caught.value).startswith(caught.value.headline)
    return caught.value.code


def error_of(act: Callable[[], Any]) -> ArtifactError:
    with pytest.raises(ArtifactError) as caught:
        act()
    return caught.value


def files(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}


class TestEveryStore:
    """Recoverable: under the handle is the text that was put, and nothing else."""

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "plain",
            "a\r\nb\rc\n\n",
            "no end of line",
            "e\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467 \ufeff\u2028\u0000\x1a\x7f",
            "\ufeffa mark at the start",
        ],
    )
    def test_a_text_comes_back_as_it_was(self, store: Artifacts, text: str) -> None:
        handle = store.put(text, source="tool:read")
        assert text == store.get(handle)
        digest = hashlib.sha256(text.encode()).hexdigest()
        assert f"a{digest[:8]}" == handle
        assert Artifact(handle, len(text), digest, "tool:read", Trust.TOOL) == store.describe(
            handle
        )

    def test_the_empty_text(self, store: Artifacts) -> None:
        handle = store.put("")
        assert "ae3b0c442" == handle
        assert ("", SHA_EMPTY) == (store.get(handle), store.describe(handle).sha256)

    def test_lone_surrogates_are_visibly_replaced(self, store: Artifacts) -> None:
        handle = store.put("a\ud800b", source="tool:\udfff")
        assert "a\ufffdb" == store.get(handle)
        assert "tool:\ufffd" == store.describe(handle).source
        assert handle == store.put("a\ufffdb")

    def test_nobody_said_where_it_came_from(self, store: Artifacts) -> None:
        """A text without a label has the source `unknown` and the trust of a tool's text."""
        found = store.describe(store.put("x"))
        assert ("unknown", Trust.TOOL, "") == (found.source, found.trust, found.fault)

    def test_the_same_text_has_the_same_handle(self, store: Artifacts) -> None:
        assert store.put("x") == store.put("x")
        assert 1 == len(store.handles())

    def test_a_second_text_of_the_same_eight_digits_has_a_longer_handle(
        self, store: Artifacts
    ) -> None:
        """Whichever comes first keeps the short one, however often either is put again."""
        assert [ALIKE, LONGER] == [store.put(FIRST), store.put(SECOND)]
        assert [LONGER, ALIKE] == [store.put(SECOND), store.put(FIRST)]
        assert [FIRST, SECOND] == [store.get(ALIKE), store.get(LONGER)]
        assert [SHA_FIRST, SHA_SECOND] == [store.describe(h).sha256 for h in (ALIKE, LONGER)]
        assert [ALIKE, LONGER] == store.handles()

    def test_the_order_says_which_is_the_longer_one(self, store: Artifacts) -> None:
        assert [ALIKE, "ab30a892c2"] == [store.put(SECOND), store.put(FIRST)]

    def test_handles_are_sorted(self, store: Artifacts) -> None:
        handles = [store.put(text) for text in ("one", "two", "three", "four")]
        assert sorted(handles) == store.handles()

    def test_an_unknown_handle_with_the_nearest(self, store: Artifacts) -> None:
        store.put("")
        found = error_of(lambda: store.get("ae3b0c443"))
        assert ("artifact-unknown", ("nearest: ae3b0c442",)) == (found.code, found.evidence)

    def test_an_unknown_handle_that_is_near_to_none(self, store: Artifacts) -> None:
        store.put("")
        found = error_of(lambda: store.get("a12345678"))
        assert ("artifact-unknown", ()) == (found.code, found.evidence)

    def test_a_trust_that_there_is_not(self, store: Artifacts) -> None:
        with pytest.raises(ValueError, match="root"):
            store.put("x", trust="root")  # pyright: ignore[reportArgumentType]
        assert [] == store.handles()

    def test_ten_megabytes(self, store: Artifacts) -> None:
        text = "a line of ten megabytes\n" * 420_000
        handle = store.put(text)
        assert text == store.get(handle)
        assert "a line of ten megabytes" == store.span(handle, 400_000, 1).text
        assert 420_001 == store.span(handle, 0, 1).total
        assert len(text) - 40 == store.preview(handle, 40).missing


class TestTrust:
    """Trust never rises: of two labels of one text the lower one stays, with its source."""

    @pytest.mark.parametrize(
        ("labels", "stays"),
        [
            ([("a", "tool"), ("b", "external")], ("b", "external")),
            ([("a", "external"), ("b", "tool")], ("a", "external")),
            ([("a", "tool"), ("b", "tool")], ("a", "tool")),
            ([("a", "tool"), ("b", "user"), ("c", "external"), ("d", "system")], ("c", "external")),
            ([("a", "system"), ("b", "user"), ("c", "developer")], ("b", "user")),
        ],
    )
    def test_the_lowest_label_wins(
        self, store: Artifacts, labels: list[tuple[str, str]], stays: tuple[str, str]
    ) -> None:
        for source, trust in labels:
            handle = store.put("x", source=source, trust=Trust(trust))
        found = store.describe(handle)  # pyright: ignore[reportPossiblyUnboundVariable]
        assert stays == (found.source, found.trust)

    def test_each_of_two_alike_has_its_own_label(self, store: Artifacts) -> None:
        first = store.put(FIRST, source="a", trust=Trust.EXTERNAL)
        second = store.put(SECOND, source="b", trust=Trust.USER)
        assert ("a", Trust.EXTERNAL) == (store.describe(first).source, store.describe(first).trust)
        assert ("b", Trust.USER) == (store.describe(second).source, store.describe(second).trust)


TEXTS = st.sampled_from(["", FIRST, SECOND, "\r\n", "a\ud800"]) | st.text(max_size=20)


@given(puts=st.lists(st.tuples(TEXTS, st.sampled_from(Trust), st.sampled_from("ab")), max_size=8))
def test_memory_and_folder_agree_whatever_is_put_in_whatever_order(
    puts: list[tuple[str, Trust, str]],
) -> None:
    """The same handles, texts and labels; a folder that is opened again knows as much."""
    with tempfile.TemporaryDirectory() as place:
        memory, folder = ArtifactStore(), ArtifactFolder(place)
        order = list(Trust)
        lowest: dict[str, int] = {}
        for text, trust, source in puts:
            handle = memory.put(text, source=source, trust=trust)
            assert handle == folder.put(text, source=source, trust=trust)
            lowest[handle] = max(lowest.get(handle, 0), order.index(trust))
        again = ArtifactFolder(place)
        assert sorted(lowest) == memory.handles() == folder.handles() == again.handles()
        for handle, at in lowest.items():
            assert order[at] == memory.describe(handle).trust
            assert memory.whole(handle) == folder.whole(handle) == again.whole(handle)


HOSTILE = [
    *(
        "../x",
        "/etc/passwd",
        "a..",
        "a/../../b",
        "..",
        ".",
        "",
        "a",
        "a1234567",
        "C:\\x",
        "\\\\h\\s",
    ),
    *(
        "A12345678",
        "aABCDEF01",
        "a1234567g",
        "b12345678",
        " a12345678",
        "a12345678\n",
        "a12345678 ",
    ),
    *("a12345678\0", "a12345678.txt", "a12345678.json", "a12345678:s", "con", "nul", "aux", "com1"),
    *(
        "a" + "0" * 65,
        "a١٢٣٤٥٦٧٨",
        "\ud800",
        "a1234567\ud800",
        "~",
        "*",
        "a????????",
        "a%2e%2e%2f00",
    ),
]


class TestHandlesStayInTheStore:
    """What is no handle is refused before anything is looked up by it."""

    @pytest.mark.parametrize("handle", HOSTILE, ids=ascii)
    def test_what_is_no_handle(self, store: Artifacts, handle: str) -> None:
        for ask in (store.get, store.describe, store.span, lambda h: store.preview(h, 1)):
            assert "artifact-handle" == code_of(lambda ask=ask: ask(handle))

    @pytest.mark.parametrize("handle", [None, 7, b"a12345678", ["a12345678"]])
    def test_what_is_no_text(self, store: Artifacts, handle: Any) -> None:
        found = error_of(lambda: store.get(handle))
        assert "artifact-handle" == found.code
        assert f"a value of type {type(handle).__name__} is no handle." == found.headline

    @pytest.mark.parametrize("handle", HOSTILE, ids=ascii)
    def test_no_path_is_made_of_it(
        self, folder: ArtifactFolder, handle: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder.path / "a12345678.txt").write_text("x")

        def looked(*_: object) -> None:
            raise AssertionError("it was looked up")

        for name in ("lstat", "stat", "open", "scandir"):
            monkeypatch.setattr(os, name, looked)
        assert "artifact-handle" == code_of(lambda: folder.get(handle))

    @given(handle=st.text() | st.text("a0123456789abcdef./\\\0", min_size=1, max_size=12))
    @example("a" + "0" * 64)
    @example("a" + "0" * 65)
    def test_any_text_at_all(self, handle: str) -> None:
        """Right is `a` and 8 to 64 of sixteen characters; such a one is only unknown here."""
        rest = handle[1:]
        right = handle[:1] == "a" and 8 <= len(rest) <= 64 and set(rest) <= set("0123456789abcdef")
        with tempfile.TemporaryDirectory() as place:
            for store in (ArtifactStore(), ArtifactFolder(place)):
                code = code_of(lambda store=store: store.get(handle))
                assert ("artifact-unknown" if right else "artifact-handle") == code

    def test_a_bad_handle_is_shown_on_one_short_line(self, store: Artifacts) -> None:
        found = error_of(lambda: store.get("x\n\x1b[31m" * 1000))
        assert len(found.headline) < 100
        assert found.headline.isascii()
        assert found.headline.isprintable()


class TestRanges:
    """A range says what part of how many it is; a preview is a cut of the whole."""

    @pytest.mark.parametrize(
        ("ask", "text", "stop", "total"),
        [
            ((0, 100, "lines"), "one\ntwo\u2028still two\r\nthree\n", 4, 4),
            ((1, 1, "lines"), "two\u2028still two\r", 2, 4),
            ((3, 5, "lines"), "", 4, 4),
            ((9, 5, "lines"), "", 9, 4),
            ((2, 4, "characters"), "e\ntw", 6, 25),
            ((24, 9, "characters"), "\n", 25, 25),
            ((99, 9, "characters"), "", 99, 25),
        ],
    )
    def test_lines_and_characters(
        self, store: Artifacts, ask: tuple[int, int, str], text: str, stop: int, total: int
    ) -> None:
        """Only LF ends a line, so CR and U+2028 are content; after the last LF is an empty line."""
        handle = store.put("one\ntwo\u2028still two\r\nthree\n")
        start, count, unit = ask
        known = store.describe(handle)
        assert Span(known, text, unit, start, stop, total) == store.span(handle, start, count, unit)

    def test_characters_are_code_points(self, store: Artifacts) -> None:
        """A range may part what a cut would keep together."""
        handle = store.put("xe\u0301y")
        assert "e" == store.span(handle, 1, 1, "characters").text
        assert "\u0301y" == store.span(handle, 2, 9, "characters").text

    @given(text=st.text("ab\n\r\u0301", max_size=30), count=st.integers(1, 40))
    def test_ranges_side_by_side_are_the_whole(self, text: str, count: int) -> None:
        store = ArtifactStore()
        handle = store.put(text)
        for unit, between in (("lines", "\n"), ("characters", "")):
            total = store.span(handle, unit=unit).total
            spans = [store.span(handle, at, count, unit) for at in range(0, total, count)]
            assert text == between.join(span.text for span in spans)

    @pytest.mark.parametrize(
        "ask",
        [
            (-1, 1, "lines"),
            (0, 0, "lines"),
            (0, -3, "characters"),
            (1.0, 1, "lines"),
            (True, 1, "lines"),
            ("0", 1, "lines"),
            (-(10**5000), 1, "lines"),
            (0, 1, "bytes"),
            (0, 1, None),
        ],
        ids=range(9),
    )
    def test_what_is_no_range(self, store: Artifacts, ask: Any) -> None:
        handle = store.put("x")
        assert "artifact-range" == code_of(lambda: store.span(handle, *ask))

    def test_a_range_that_reaches_further_than_any_text(self, store: Artifacts) -> None:
        handle = store.put("x")
        found = store.span(handle, 10**30, 10**30)
        assert ("", 10**30, 1) == (found.text, found.stop, found.total)

    def test_a_preview_has_the_handle_in_its_marker(self, store: Artifacts) -> None:
        """FIRST has eight characters: 859 is its end."""
        handle = store.put(FIRST)
        cut = store.preview(handle, 5)
        assert Cut("tex", "59", 8, SHA_FIRST, ALIKE) == cut
        assert "[-3 ab30a892c-]" == cut.marker
        assert "" == store.preview(handle, 8).marker
        assert "[-8 ab30a892c-]" == store.preview(handle, 0).marker

    @pytest.mark.parametrize("characters", [-1, 1.5, None, True])
    def test_a_preview_of_no_size(self, store: Artifacts, characters: Any) -> None:
        handle = store.put("x")
        assert "artifact-range" == code_of(lambda: store.preview(handle, characters))


def write(place: Path, name: str, data: bytes | str) -> None:
    (place / name).write_bytes(data.encode() if isinstance(data, str) else data)


class TestFiles:
    """Two files an artifact: the text byte for byte, and its label."""

    def test_what_lies_in_the_folder(self, folder: ArtifactFolder) -> None:
        folder.put(FIRST, source="tool:read")
        folder.put("é\r\n\n", source="tool:\u00e9", trust=Trust.EXTERNAL)
        digest = hashlib.sha256(b"\xc3\xa9\r\n\n").hexdigest()
        label = f'{{"sha256": "{digest}", "source": "tool:\\u00e9", "trust": "external"}}\n'
        assert {
            f"{ALIKE}.txt": b"text 859",
            f"{ALIKE}.json": LABEL.encode(),
            f"a{digest[:8]}.txt": b"\xc3\xa9\r\n\n",
            f"a{digest[:8]}.json": label.encode(),
        } == files(folder.path)

    def test_a_later_run_finds_it(self, tmp_path: Path) -> None:
        handle = ArtifactFolder(tmp_path).put("x", source="tool:read", trust=Trust.EXTERNAL)
        found = ArtifactFolder(str(tmp_path)).describe(handle)
        assert ("tool:read", Trust.EXTERNAL) == (found.source, found.trust)

    def test_what_is_there_already_is_not_written_again(
        self, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder.put("x")
        folder.put("y", trust=Trust.EXTERNAL)

        def wrote(*_: Any, **__: Any) -> None:
            raise AssertionError("it was written again")

        monkeypatch.setattr(artifact_folder, "put", wrote)
        folder.put("x")
        folder.put("x", source="another", trust=Trust.SYSTEM)
        folder.put("y", trust=Trust.TOOL)

    def test_a_folder_goes_with_the_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A relative path is that of the folder in which the store was opened."""
        (tmp_path / "kept").mkdir()
        monkeypatch.chdir(tmp_path)
        store = ArtifactFolder("kept")
        monkeypatch.chdir(tmp_path / "kept")
        assert [store.put("x")] == ArtifactFolder(tmp_path / "kept").handles()

    def test_a_big_folder_is_opened_without_reading_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of 10,000 artifacts one is read by its own two files; the others are only names."""
        texts = [f"text {number}" for number in range(3000, 13_000)]
        for text in texts:
            digest = hashlib.sha256(text.encode()).hexdigest()
            label = {"sha256": digest, "source": "tool:read", "trust": "tool"}
            write(tmp_path, f"a{digest[:8]}.txt", text)
            write(tmp_path, f"a{digest[:8]}.json", json.dumps(label) + "\n")
        opened: list[str] = []
        real = os.open

        def watched(path: Any, *args: Any, **named: Any) -> int:
            opened.append(Path(path).name)
            return real(path, *args, **named)

        monkeypatch.setattr(os, "open", watched)
        store = ArtifactFolder(tmp_path)
        assert 10_000 == len(store.handles())
        assert "artifact-unknown" == code_of(lambda: store.get("a00000000"))
        assert [] == opened
        assert SECOND == store.get(ALIKE)
        assert [f"{ALIKE}.txt", f"{ALIKE}.json"] == opened

    def test_other_files_are_no_artifacts(self, folder: ArtifactFolder) -> None:
        for name in (".artifact-x1", "notes.txt", "A12345678.txt", "a12345678.json", "a1.txt"):
            write(folder.path, name, "x")
        assert [] == folder.handles()
        assert "artifact-unknown" == code_of(lambda: folder.get("a12345678"))


class TestDamage:
    """What is not what was stored is reported with both hashes, and never returned."""

    @pytest.mark.parametrize("data", [b"", b"text 85", b"text 858", b"text 859\n", b"\xff\xfe"])
    def test_another_content_under_the_name(self, folder: ArtifactFolder, data: bytes) -> None:
        folder.put(FIRST)
        write(folder.path, f"{ALIKE}.txt", data)
        found = error_of(lambda: folder.get(ALIKE))
        assert "artifact-damaged" == found.code
        hashes = f"stored {SHA_FIRST}", f"found {hashlib.sha256(data).hexdigest()}"
        assert hashes == found.evidence
        assert "artifact-damaged" == code_of(lambda: folder.describe(ALIKE))

    def test_a_forged_content_whose_hash_begins_alike(self, folder: ArtifactFolder) -> None:
        """Eight digits are found by trying; the label has all of them."""
        folder.put(FIRST)
        write(folder.path, f"{ALIKE}.txt", SECOND)
        found = error_of(lambda: folder.get(ALIKE))
        assert (f"stored {SHA_FIRST}", f"found {SHA_SECOND}") == found.evidence

    def test_without_a_label_only_the_digits_in_the_name_speak(
        self, folder: ArtifactFolder
    ) -> None:
        write(folder.path, f"{ALIKE}.txt", "evil")
        found = error_of(lambda: folder.get(ALIKE))
        assert "artifact-damaged" == found.code
        assert "stored b30a892c..., by its name" == found.evidence[0]

    def test_bytes_that_are_no_utf8(self, folder: ArtifactFolder) -> None:
        """Somebody has written both files to fit; the bytes are still no text."""
        data = b"ab\xffc"
        digest = hashlib.sha256(data).hexdigest()
        label = {"sha256": digest, "source": "x", "trust": "tool"}
        write(folder.path, f"a{digest[:8]}.txt", data)
        write(folder.path, f"a{digest[:8]}.json", json.dumps(label) + "\n")
        found = error_of(lambda: folder.get(f"a{digest[:8]}"))
        assert "artifact-damaged" == found.code
        assert ("stored UTF-8", "found a byte at 2 that is not") == found.evidence

    def test_putting_the_text_again_heals_it(self, folder: ArtifactFolder) -> None:
        folder.put(FIRST)
        write(folder.path, f"{ALIKE}.txt", "evil")
        assert ALIKE == folder.put(FIRST)
        assert FIRST == folder.get(ALIKE)

    def test_a_damaged_artifact_is_not_given_to_another_text(self, folder: ArtifactFolder) -> None:
        """Its handle stands in some log, and must not come to mean something else."""
        folder.put(FIRST)
        write(folder.path, f"{ALIKE}.txt", "evil")
        assert LONGER == folder.put(SECOND)
        assert "artifact-damaged" == code_of(lambda: folder.get(ALIKE))

    def test_nor_is_one_whose_text_or_label_is_lost(self, folder: ArtifactFolder) -> None:
        folder.put(FIRST)
        (folder.path / f"{ALIKE}.txt").unlink()
        assert LONGER == folder.put(SECOND)
        assert "artifact-unknown" == code_of(lambda: folder.get(ALIKE))
        write(folder.path, f"{ALIKE}.txt", FIRST)
        (folder.path / f"{ALIKE}.json").unlink()
        assert LONGER == folder.put(SECOND)
        assert FIRST == folder.get(ALIKE)

    def test_memory_finds_it_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        store = ArtifactStore()
        handle = store.put("x")
        monkeypatch.setattr(artifacts, "sha256", lambda _: "0" * 64)
        found = error_of(lambda: store.get(handle))
        assert "artifact-damaged" == found.code
        assert f"found {'0' * 64}" == found.evidence[1]


def can_link(place: Path) -> bool:
    try:
        (place / "link").symlink_to(place / "nothing")
    except (OSError, NotImplementedError):
        return False
    return True


with tempfile.TemporaryDirectory() as _place:
    needs_links = pytest.mark.skipif(
        not can_link(Path(_place)), reason="this system lets nobody make a symbolic link here"
    )
needs_pipes = pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="this system has no named pipes in folders"
)


def a_folder(path: Path, _: Path) -> None:
    path.mkdir()


def a_link(path: Path, target: Path) -> None:
    path.symlink_to(target)


def a_pipe(path: Path, _: Path) -> None:
    os.mkfifo(path)


STRANGE = [
    pytest.param("a folder", a_folder),
    pytest.param("a link", a_link, marks=needs_links),
    pytest.param("a pipe", a_pipe, marks=needs_pipes),
]


class TestWhatIsNoPlainFile:
    """A link, a folder or a pipe is never followed, opened or waited for."""

    @pytest.mark.parametrize(("what", "make"), STRANGE)
    def test_in_place_of_a_text(
        self, folder: ArtifactFolder, what: str, make: Any, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        """The link leads to the very text: it is not the file that was stored, all the same."""
        folder.put(FIRST)
        secret = tmp_path_factory.mktemp("elsewhere") / "same"
        secret.write_text(FIRST)
        (folder.path / f"{ALIKE}.txt").unlink()
        make(folder.path / f"{ALIKE}.txt", secret)
        for ask in (folder.get, folder.describe):
            found = error_of(lambda ask=ask: ask(ALIKE))
            assert "artifact-damaged" == found.code
            assert (f"stored {SHA_FIRST}", f"found {what}") == found.evidence

    @pytest.mark.parametrize(("what", "make"), STRANGE)
    def test_in_place_of_a_label(
        self, folder: ArtifactFolder, what: str, make: Any, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder.put(FIRST, source="tool:read", trust=Trust.USER)
        label = folder.path / f"{ALIKE}.json"
        other = tmp_path_factory.mktemp("elsewhere") / "label"
        other.write_bytes(label.read_bytes())
        label.unlink()
        make(label, other)
        found = folder.describe(ALIKE)
        assert ("unknown", Trust.EXTERNAL) == (found.source, found.trust)
        assert f"artifact-label: {what} stands in its place" == found.fault

    @needs_links
    def test_a_link_is_replaced_and_not_written_through(
        self, folder: ArtifactFolder, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder.put(FIRST)
        secret = tmp_path_factory.mktemp("elsewhere") / "secret"
        secret.write_text("secret")
        (folder.path / f"{ALIKE}.txt").unlink()
        (folder.path / f"{ALIKE}.txt").symlink_to(secret)
        assert ALIKE == folder.put(FIRST)
        assert (FIRST, "secret") == (folder.get(ALIKE), secret.read_text())

    @pytest.mark.parametrize(("what", "make"), STRANGE)
    def test_a_name_that_is_taken_is_not_fought_for(
        self, folder: ArtifactFolder, what: str, make: Any
    ) -> None:
        """A text whose name something else has takes a longer handle."""
        make(folder.path / f"{ALIKE}.txt", folder.path / "nothing")
        assert "ab30a892c2" == folder.put(FIRST)
        assert "artifact-damaged" == code_of(lambda: folder.get(ALIKE)), what

    @pytest.mark.skipif(
        not hasattr(os, "O_NOFOLLOW"), reason="this system opens links only by following them"
    )
    @needs_links
    def test_a_link_that_comes_between_looking_and_opening(
        self, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder.put(FIRST)
        path, real = folder.path / f"{ALIKE}.txt", os.open
        (folder.path / "same").write_text(FIRST)

        def swapped(name: Any, *args: Any, **named: Any) -> int:
            if Path(name) == path:
                path.unlink()
                path.symlink_to(folder.path / "same")
            return real(name, *args, **named)

        monkeypatch.setattr(os, "open", swapped)
        assert "artifact-read" == code_of(lambda: folder.get(ALIKE))


FAULTS = [
    (b"", "it is no JSON with sha256, source and trust"),
    (b"{", "it is no JSON with sha256, source and trust"),
    (b"\xff", "it is no JSON with sha256, source and trust"),
    (b"[" * 100_000, "it is no JSON with sha256, source and trust"),
    (b"[]", "it is no JSON with sha256, source and trust"),
    (b"7" * 5000, "it is no JSON with sha256, source and trust"),
    (b'{"sha256": 1, "source": 2, "trust": 3}', "it is no JSON with sha256, source and trust"),
    (LABEL.replace("tool:read", "é"), "it is no JSON with sha256, source and trust"),
    (LABEL.replace('"tool"', '"root"'), "it has the unknown trust 'root'"),
    (LABEL.replace('"tool"', '"TOOL"'), "it has the unknown trust 'TOOL'"),
    (LABEL.replace(SHA_FIRST, SHA_EMPTY), f"it is of other content: sha256 {SHA_EMPTY}"),
    (LABEL.replace(SHA_FIRST, SHA_FIRST[:8]), "its sha256 is none: 'b30a892c'"),
    (LABEL.replace(SHA_FIRST, SHA_FIRST.upper()), "its sha256 is none: "),
    (LABEL.replace("\n", "\r\n"), "it is not spelled as a store spells it"),
    (LABEL.replace(": ", ":"), "it is not spelled as a store spells it"),
    (LABEL.replace("tool:read", "\\ud800"), "it is not spelled as a store spells it"),
    (
        LABEL.replace('"tool"}', '"external", "trust": "user"}'),
        "it is not spelled as a store spells it",
    ),
    (LABEL.replace("{", '{"more": 1, '), "it is not spelled as a store spells it"),
]


class TestLabels:
    """A label that is damaged or missing is reported, and the trust falls to the lowest."""

    @pytest.mark.parametrize(("data", "fault"), FAULTS, ids=range(len(FAULTS)))
    def test_a_damaged_label(self, folder: ArtifactFolder, data: bytes | str, fault: str) -> None:
        folder.put(FIRST, source="tool:read", trust=Trust.USER)
        write(folder.path, f"{ALIKE}.json", data)
        found = folder.describe(ALIKE)
        assert found.fault.startswith(f"artifact-label: {fault}")
        assert ("unknown", Trust.EXTERNAL, SHA_FIRST) == (found.source, found.trust, found.sha256)
        assert FIRST == folder.get(ALIKE)

    def test_a_missing_label(self, folder: ArtifactFolder) -> None:
        folder.put(FIRST, trust=Trust.USER)
        (folder.path / f"{ALIKE}.json").unlink()
        found = folder.describe(ALIKE)
        assert (Trust.EXTERNAL, "artifact-label: there is none") == (found.trust, found.fault)

    @pytest.mark.parametrize("data", [None, b"{", LABEL.replace('"tool"', '"root"').encode()])
    @pytest.mark.parametrize("trust", list(Trust))
    def test_putting_the_text_again_does_not_raise_it(
        self, folder: ArtifactFolder, data: bytes | None, trust: Trust
    ) -> None:
        """What the label said is not known any more; it may have been the lowest."""
        folder.put(FIRST, trust=Trust.EXTERNAL)
        (folder.path / f"{ALIKE}.json").unlink()
        if data is not None:
            write(folder.path, f"{ALIKE}.json", data)
        assert ALIKE == folder.put(FIRST, trust=trust)
        assert Trust.EXTERNAL == folder.describe(ALIKE).trust

    def test_nor_does_it_where_the_text_was_lost(self, folder: ArtifactFolder) -> None:
        folder.put(FIRST, source="web", trust=Trust.EXTERNAL)
        (folder.path / f"{ALIKE}.txt").unlink()
        assert ALIKE == folder.put(FIRST, trust=Trust.TOOL)
        found = folder.describe(ALIKE)
        assert (Trust.EXTERNAL, "web") == (found.trust, found.source)

    def test_the_label_of_another_artifact(self, folder: ArtifactFolder) -> None:
        """A label moved over from a text that is trusted more speaks for that text alone."""
        folder.put(FIRST, trust=Trust.EXTERNAL)
        trusted = folder.put("trusted", trust=Trust.SYSTEM)
        write(folder.path, f"{ALIKE}.json", (folder.path / f"{trusted}.json").read_bytes())
        found = folder.describe(ALIKE)
        assert Trust.EXTERNAL == found.trust
        assert found.fault.startswith("artifact-label: it is of other content")

    def test_the_label_of_one_whose_hash_begins_alike(self, folder: ArtifactFolder) -> None:
        """Then text and label each fit the name, and which is the forged one cannot be told."""
        folder.put(FIRST, trust=Trust.EXTERNAL)
        folder.put(SECOND, trust=Trust.SYSTEM)
        write(folder.path, f"{ALIKE}.json", (folder.path / f"{LONGER}.json").read_bytes())
        assert "artifact-damaged" == code_of(lambda: folder.describe(ALIKE))


def full(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


class TestInterrupted:
    """Whatever comes between, no half file stands under a handle, and the next put goes on."""

    @pytest.mark.parametrize("step", ["link", "replace", "fsync"])
    @pytest.mark.parametrize(
        "error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()]
    )
    def test_a_write_that_fails(
        self,
        folder: ArtifactFolder,
        step: str,
        error: BaseException,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """A disk without links takes the label by replacing, so an error of link is none."""

        def fail(*_: Any, **__: Any) -> None:
            raise error

        with monkeypatch.context() as broken:
            broken.setattr(os, step, fail)
            if isinstance(error, KeyboardInterrupt):
                with pytest.raises(KeyboardInterrupt):
                    folder.put(FIRST)
            elif step == "link":
                assert ALIKE == folder.put(FIRST)
            else:
                assert "artifact-write" == code_of(lambda: folder.put(FIRST))
        if step != "link" or isinstance(error, KeyboardInterrupt):
            assert [] == folder.handles()
            assert "artifact-unknown" == code_of(lambda: folder.get(ALIKE))
        assert files(folder.path).keys() <= {f"{ALIKE}.json", f"{ALIKE}.txt"}
        assert ALIKE == folder.put(FIRST, source="tool:read")
        assert (FIRST, Trust.TOOL) == (folder.get(ALIKE), folder.describe(ALIKE).trust)

    @pytest.mark.parametrize("step", ["os.fsync", "os.link", "os.replace", "os.unlink"])
    def test_a_process_that_is_killed(self, tmp_path: Path, step: str) -> None:
        """It may leave a file that is being written: that is no artifact, and in nobody's way."""
        code = (
            "import os, sys\n"
            "from curriculum.record.artifact_folder import ArtifactFolder\n"
            f"{step} = lambda *a, **k: os._exit(9)\n"
            "store = ArtifactFolder(sys.argv[1])\n"
            "store.put(sys.argv[2], source='tool:read')\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path), FIRST], cwd=ROOT, check=False
        )
        assert 9 == done.returncode
        assert any(name.startswith(".artifact-") for name in files(tmp_path))
        store = ArtifactFolder(tmp_path)
        assert [] == store.handles()
        assert "artifact-unknown" == code_of(lambda: store.get(ALIKE))
        assert ALIKE == store.put(FIRST, source="tool:read")
        assert FIRST == store.get(ALIKE)
        assert ("tool:read", Trust.TOOL) == (
            store.describe(ALIKE).source,
            store.describe(ALIKE).trust,
        )

    def test_a_lower_label_that_cannot_be_written_is_not_passed_over(
        self, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder.put(FIRST)
        with monkeypatch.context() as broken:
            broken.setattr(os, "replace", full)
            assert "artifact-write" == code_of(lambda: folder.put(FIRST, trust=Trust.EXTERNAL))
        assert files(folder.path).keys() == {f"{ALIKE}.json", f"{ALIKE}.txt"}


class TestWritersAtOnce:
    """Several writers do not harm one another."""

    def test_the_same_texts_from_many_threads(self, tmp_path: Path) -> None:
        texts = [*(f"t {number}" for number in range(10)), FIRST, SECOND]
        start, failed = threading.Barrier(6), list[BaseException]()

        def work(at: int) -> None:
            try:
                start.wait()
                store = ArtifactFolder(tmp_path)
                for text in texts[at:] + texts[:at]:
                    assert text == store.get(store.put(text, source="tool:read"))
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(at,)) for at in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [] == failed
        store = ArtifactFolder(tmp_path)
        assert sorted(texts) == sorted(store.get(handle) for handle in store.handles())
        assert {Trust.TOOL} == {store.describe(handle).trust for handle in store.handles()}
        assert 2 * len(texts) == len(files(tmp_path))

    @pytest.mark.parametrize("links", [True, False])
    def test_two_texts_that_reach_for_one_handle_at_once(
        self, folder: ArtifactFolder, links: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The label is written only where there is none, so it says whose the handle is."""
        real = artifact_folder.put

        def late(*args: Any, **named: Any) -> None:
            monkeypatch.setattr(artifact_folder, "put", real)
            assert ALIKE == ArtifactFolder(folder.path).put(SECOND)
            real(*args, **named)

        if not links:
            monkeypatch.setattr(os, "link", full)
        monkeypatch.setattr(artifact_folder, "put", late)
        assert "ab30a892c2" == folder.put(FIRST)
        assert [SECOND, FIRST] == [folder.get(ALIKE), folder.get("ab30a892c2")]

    def test_two_labels_of_one_text_at_once(
        self, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = artifact_folder.put

        def late(*args: Any, **named: Any) -> None:
            monkeypatch.setattr(artifact_folder, "put", real)
            ArtifactFolder(folder.path).put(FIRST, trust=Trust.EXTERNAL)
            real(*args, **named)

        monkeypatch.setattr(artifact_folder, "put", late)
        assert ALIKE == folder.put(FIRST, trust=Trust.TOOL)
        assert Trust.EXTERNAL == folder.describe(ALIKE).trust

    def test_a_refusal_where_the_other_has_written_the_same_is_none(
        self, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Some systems do not replace a file that somebody is reading."""
        real = os.replace

        def taken(source: Any, target: Any, **named: Any) -> None:
            real(source, target, **named)
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(os, "replace", taken)
        assert ALIKE == folder.put(FIRST)
        assert FIRST == folder.get(ALIKE)


class TestTheFolderItself:
    """A folder that is not there, or that the system refuses, is told by a code."""

    def test_there_is_none(self, tmp_path: Path) -> None:
        found = error_of(lambda: ArtifactFolder(tmp_path / "nothing"))
        assert "artifact-folder" == found.code
        assert found.next
        assert not (tmp_path / "nothing").exists()

    def test_it_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        found = error_of(lambda: ArtifactFolder(tmp_path / "file"))
        assert ("artifact-folder", ("it is a file",)) == (found.code, found.evidence)
        assert "artifact-folder" == code_of(lambda: ArtifactFolder(tmp_path / "file" / "under"))

    @pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "\ud800"])
    def test_it_has_a_name_that_no_folder_has(self, tmp_path: Path, name: str) -> None:
        assert "artifact-folder" == code_of(lambda: ArtifactFolder(tmp_path / name))
        assert "artifact-folder" == code_of(lambda: ArtifactFolder(name))

    @pytest.mark.parametrize("instead", [False, True], ids=["gone", "a file"])
    def test_it_goes_while_the_store_is_open(self, tmp_path: Path, instead: bool) -> None:
        (tmp_path / "kept").mkdir()
        store = ArtifactFolder(tmp_path / "kept")
        (tmp_path / "kept").rmdir()
        if instead:
            (tmp_path / "kept").write_text("x")
        asks: list[Callable[[], Any]] = [lambda: store.get(ALIKE), store.handles]
        asks += [lambda: store.put("x"), lambda: store.describe(ALIKE)]
        for ask in asks:
            assert "artifact-folder" == code_of(ask)

    def test_it_cannot_be_written(
        self, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is in it can still be read, and put again, as that writes nothing."""
        folder.put(FIRST)

        def denied(*_: Any, **__: Any) -> Any:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(tempfile, "mkstemp", denied)
        found = error_of(lambda: folder.put("x"))
        assert ("artifact-write", ("Permission denied",)) == (found.code, found.evidence)
        assert ALIKE == folder.put(FIRST)
        assert FIRST == folder.get(ALIKE)

    @pytest.mark.parametrize("step", ["open", "lstat", "scandir"])
    def test_it_cannot_be_read(
        self, folder: ArtifactFolder, step: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder.put(FIRST)

        def denied(*_: Any, **__: Any) -> Any:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(os, step, denied)
        ask = folder.handles if step == "scandir" else lambda: folder.get(ALIKE)
        assert "artifact-read" == code_of(ask)

    @needs_links
    def test_it_may_be_a_link_that_somebody_chose(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real")
        assert "x" == ArtifactFolder(tmp_path / "link").get(
            ArtifactFolder(tmp_path / "real").put("x")
        )
