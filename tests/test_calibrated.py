"""Calibrated estimates: a value, and a bound that says how many files it covers."""

import hashlib
import json
import sysconfig
from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path

import attrs
import pytest
from splintr import Tokenizer

from curriculum.count import calibration
from curriculum.count.calibrated import Calibrated
from curriculum.count.calibration import Figure, Sample, above_allowed, bound, enough, figure
from curriculum.count.content import CLASSES, content_class
from curriculum.count.families import FAMILIES
from curriculum.count.registry import counter_of
from curriculum.record.errors import CurriculumError

PINNED = "4f92d4bcb4c6259010a6c6df78e7c98980f18f373da4565d1c627039ebdc7896"
"""sha256 of calibration.toml as `calibrated@1` has it."""

HEX = hashlib.sha256(b"").hexdigest() * 4
DERIVED = {"gemma", "claude-3", "claude-4.7"}


class TestTheCounter:
    """Figures of a class x bytes, in whole numbers."""

    @pytest.mark.parametrize(
        ("text", "value", "bound"),
        [
            ("", 0, 0),
            ("hello world", 3, 6),  # docs: 11 bytes x 238 and 507
            ("foo(1)\n" * 100, 170, 283),  # code: 700 bytes x 242 and 404
            (HEX, 163, 181),  # blob: 256 bytes x 636 and 705
            ("お誕生日おめでとう", 7, 10),  # cjk: 27 bytes x 251 and 340
        ],
    )
    def test_a_size_is_rounded_up(self, text: str, value: int, bound: int) -> None:
        counter = counter_of("calibrated@1:o200k")
        assert (value, bound, "tokens", "calibrated", "p99") == attrs.astuple(
            counter.estimate(text)
        )
        assert bound == counter.size(text)
        assert ("calibrated@1:o200k", "p99", "tokens") == (
            counter.id,
            counter.bound_name,
            counter.unit,
        )

    @pytest.mark.parametrize("family", FAMILIES)
    def test_every_family_has_every_class(self, family: str) -> None:
        """Those without a tokenizer have derived figures, and say of no file that it was counted."""
        Calibrated(family)
        assert list(CLASSES) == list(calibration.committed()[family])
        for one in calibration.committed()[family].values():
            assert 0 < one.median < one.p99
            assert (0 if family in DERIVED else 299) <= one.files
            assert one.sure
            if family in DERIVED:
                assert 0 == one.files
            else:
                assert one.covered >= 990
                assert one.held >= 990

    @pytest.mark.parametrize(
        ("family", "kind", "median", "p99"),
        [
            ("claude-4.7", "code", 414, 922),  # 242 x 1.71 = 413.8; 404 x 2.28 = 921.1
            ("claude-3", "cjk", 309, 541),  # 251 x 1.23 = 308.7; 340 x 1.59 = 540.6
            ("gemma", "blob", 662, 1425),  # 636 x 1.04 = 661.4; 705 x 2.02 = 1424.1
        ],
    )
    def test_a_derived_figure_is_o200k_s_x_a_published_factor(
        self, family: str, kind: str, median: int, p99: int
    ) -> None:
        one = calibration.of(family, kind)
        assert (median, p99) == (one.median, one.p99)

    def test_a_lone_surrogate_counts_as_what_replaces_it(self) -> None:
        counter = Calibrated("o200k")
        assert counter.size("a\ufffd" * 50) == counter.size("a\ud800" * 50) == 102

    @pytest.mark.parametrize("id", ["calibrated@1", "calibrated@1:gpt-9"])
    def test_a_family_is_needed_that_is_known(self, id: str) -> None:
        with pytest.raises(CurriculumError) as error:
            counter_of(id)
        assert "family-unknown" == error.value.code

    def test_new_figures_are_a_new_version(self) -> None:
        """A trace names `calibrated@1`: with other figures it would not be the same any more.

        After a calibration, make it `calibrated@2`, keep these figures beside the new ones, and
        pin both here.
        """
        data = Path(calibration.__file__).with_name("calibration.toml").read_bytes()
        assert PINNED == hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


class TestHowFiguresAreFound:
    """By the order of what each file needs, and no other assumption."""

    @pytest.mark.parametrize(
        ("files", "above"),
        [(1, -1), (298, -1), (299, 0), (472, 0), (473, 1), (628, 2), (773, 3), (913, 4)],
    )
    def test_a_p99_leaves_out_no_more_files_than_published_tables_allow(
        self, files: int, above: int
    ) -> None:
        """One-sided tolerance limits of Wilks for 99 percent at 95 percent confidence."""
        assert above == above_allowed(files)

    @pytest.mark.parametrize("files", [299, 1000, 2752])
    def test_one_file_more_above_it_would_not_be_sure(self, files: int) -> None:
        """The chance of so few above the true p99 is 5 percent at most."""

        def chance(n: int) -> float:
            return sum(comb(files, k) * 0.01**k * 0.99 ** (files - k) for k in range(n + 1))

        allowed = above_allowed(files)
        assert chance(allowed) <= 0.05 < chance(allowed + 1)

    @pytest.mark.parametrize(
        ("tokens", "bytes", "ratio"),
        [(1, 1, 1), (1, 500, 1), (2, 11, 91), (6, 18, 278), (6, 28, 179), (7, 9, 667)],
    )
    def test_a_figure_is_the_least_that_is_enough(
        self, tokens: int, bytes: int, ratio: int
    ) -> None:
        assert ratio == enough(tokens, bytes)
        assert tokens == bound(ratio, bytes)
        assert tokens > bound(ratio - 1, bytes)

    def test_too_few_files_give_the_highest_and_say_so(self) -> None:
        made = [Sample(100, n, 102, n) for n in (20, 30, 40)]
        wanted = Figure(
            median=300, p99=391, files=3, covered=1000, others=2, held=500, sure=False
        )  # 39 x 1000 // 100 + 1 = 391
        assert wanted == figure(made, [Sample(100, 41, 102, 30), Sample(100, 10, 102, 40)])

    def test_what_it_costs_within_a_json_string_counts_too(self) -> None:
        one = figure([Sample(100, 20, 120, 60)], [])
        assert (200, 492) == (one.median, one.p99)  # 59 x 1000 // 120 + 1 = 492

    def test_of_299_files_none_may_be_above_and_of_473_one_may(self) -> None:
        usual, odd = [Sample(1000, 200, 1000, 200)] * 470, Sample(1000, 900, 1000, 900)
        assert 900 == figure([*usual[:298], odd], []).p99
        assert 900 == figure([*usual, odd, odd], []).p99
        assert 200 == figure([*usual, odd, usual[0], usual[0]], []).p99
        assert 997 == figure([*usual, odd, usual[0], usual[0]], []).covered


@cache
def _held_out() -> list[str]:
    """Texts of installed packages that gave no figure: each once, one of eight by its sha256."""
    texts: list[str] = []
    seen: set[bytes] = set()
    for path in sorted(Path(sysconfig.get_path("purelib")).rglob("*")):
        if path.suffix in (".so", ".pyc", ".pyd", ".dll") or not path.is_file():
            continue
        if not 0 < path.stat().st_size <= 200_000:
            continue
        data = path.read_bytes()
        digest = hashlib.sha256(data).digest()
        if digest in seen or calibration.gives_figures(data) or digest[1] % 8 or b"\0" in data:
            continue
        seen.add(digest)
        try:
            texts.append(data.decode())
        except UnicodeDecodeError:
            continue
    return texts


def _forms(text: str) -> Iterator[str]:
    yield text
    content = json.dumps(text, ensure_ascii=False)
    yield f'{{"role":"tool","tool_call_id":"call_1","content":{content}}}'


class TestWhatABoundPromises:
    """No more files pass a calibrated bound than it says: 1 of 100."""

    @pytest.mark.parametrize(("family", "name"), [("o200k", "o200k_base"), ("llama3", "llama3")])
    def test_files_that_gave_no_figure_keep_within_it(
        self, family: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Counted by the vocabulary itself: as a file stands, and in a message that sends it."""
        count, counter = Tokenizer.from_pretrained(name).encode_ordinary, Calibrated(family)
        texts = _held_out()
        assert len(texts) >= 300
        for form in (0, 1):
            files, above = dict.fromkeys(CLASSES, 0), dict.fromkeys(CLASSES, 0)
            for text in texts:
                formed = list(_forms(text))[form]
                kind = content_class(formed)
                files[kind] += 1
                above[kind] += len(count(formed)) > counter.size(formed)
            with capsys.disabled():
                print(f"\n{family}, {'sent' if form else 'file'}: {above} above of {files}")
            assert 100 * sum(above.values()) <= sum(files.values())
            for kind in ("code", "docs"):
                assert 100 * above[kind] <= files[kind]

    def test_the_bound_is_not_far_above_what_files_need(self) -> None:
        """Far below a token a byte, which holds for every text: that is why it is calibrated."""
        assert calibration.of("o200k", "code").p99 < 500
        assert calibration.of("o200k", "docs").p99 < 600


@pytest.mark.parametrize(
    ("family", "name"),
    [("o200k", "p99"), ("llama3", "p99"), ("claude-4.7", "assumed"), ("gemma", "assumed")],
)
def test_only_a_family_that_was_counted_has_a_p99(family: str, name: str) -> None:
    """Two figures that each cover 99 of 100 files do not say how much both cover."""
    counter = Calibrated(family)
    assert (name, name) == (counter.bound_name, counter.estimate("a text").bound_name)
