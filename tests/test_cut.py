"""A cut keeps both ends, in whole clusters, and counts what is missing from the original."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import iter_graphemes

from curriculum.record.cut import Cut, content_size, marker
from curriculum.record.graphemes import at_or_after, at_or_before
from curriculum.record.text import UNICODE
from tests.strategies import FRAGMENTS, hostile

quick = settings(max_examples=200, deadline=None, derandomize=True)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
CLUSTERS = {
    "cr lf": "\r\n",
    "family": FAMILY,
    "flag": "\U0001f1e9\U0001f1ea",
    "accents": "e\u0301\u0323",
    "hangul": "\u1112\u1161\u11ab",
    "conjunct": "\u0915\u094d\u0937",
    "sign": "\u0600e\u0301",
    "skin tone": "\U0001f44d\U0001f3fd",
}


def boundaries(text: str) -> set[int]:
    """Where clusters end, from one pass over the whole text."""
    found, at = {0}, 0
    for cluster in iter_graphemes(text):
        at += len(cluster)
        found.add(at)
    return found


def long() -> st.SearchStrategy[str]:
    """Text with something to cut, clusters of every kind in it."""
    piece = st.sampled_from([*CLUSTERS.values(), *FRAGMENTS]) | st.text(max_size=3)
    return st.lists(piece, max_size=40).map("".join)


def drawn(cut: Cut) -> str:
    return cut.head + cut.marker + cut.tail


class TestBothEnds:
    @pytest.mark.parametrize(
        ("expected", "keep"),
        [
            ("0123456789", 10),
            ("0123456789", 11),
            ("01234[-1-]6789", 9),
            ("0123[-2-]6789", 8),
            ("01[-7-]9", 3),
            ("0[-9-]", 1),
            ("[-10-]", 0),
        ],
    )
    def test_to(self, expected: str, keep: int) -> None:
        """Both ends stay, the odd character goes to the head, and the marker counts the rest."""
        assert expected == drawn(Cut.whole("0123456789").to(keep))

    def test_marker(self) -> None:
        """The marker is the count between brackets, with the handle where there is one."""
        assert "[-1977-]" == marker(1977)
        assert "[-1977 a1b2c3d4-]" == marker(1977, "a1b2c3d4")
        assert "x[-8 a1b2c3d4-]z" == drawn(Cut.whole("x" * 5 + "z" * 5, "a1b2c3d4").to(2))

    def test_original(self) -> None:
        """Length and hash are the original's, also after a second cut."""
        cut = Cut.whole("abc" * 100).to(50).to(3)
        # printf 'abc%.0s' {1..100} | sha256sum
        digest = "d9f5aeb06abebb3be3f38adec9a2e3b94228d52193be923eb4e24c9b56ee0930"
        assert (300, digest) == (cut.original, cut.sha256)
        assert ("ab", "c", 297) == (cut.head, cut.tail, cut.missing)

    @quick
    @given(text=long(), keep=st.integers(0, 60))
    def test_ends_of_the_original(self, text: str, keep: int) -> None:
        """What is kept are the original's ends, at most `keep` characters of them, counted."""
        cut = Cut.whole(text).to(keep)
        assert text.startswith(cut.head)
        assert text.endswith(cut.tail)
        assert len(cut.head) <= (keep + 1) // 2 or cut.missing == 0
        assert len(cut.tail) <= keep // 2
        assert len(text) == len(cut.head) + len(cut.tail) + cut.missing


class TestTwice:
    @quick
    @given(text=long(), a=st.integers(0, 60), b=st.integers(0, 60))
    def test_to(self, text: str, a: int, b: int) -> None:
        """Cutting to a, then to b keeps what cutting to the smaller of both keeps."""
        whole = Cut.whole(text)
        assert whole.to(min(a, b)) == whole.to(a).to(b)

    @quick
    @given(text=long(), a=st.integers(5, 60), b=st.integers(5, 60))
    def test_fit(self, text: str, a: int, b: int) -> None:
        """Cutting to fit a, then to fit b keeps what cutting to fit the smaller of both keeps."""
        first = Cut.whole(text).fit(a, content_size)
        at_once = Cut.whole(text).fit(min(a, b), content_size)
        twice = first and first.fit(b, content_size)
        assert at_once == twice


class TestClusters:
    @quick
    @given(text=long(), keep=st.integers(0, 60))
    def test_never_split(self, text: str, keep: int) -> None:
        """No end stops inside a cluster of the original."""
        cut = Cut.whole(text).to(keep)
        places = boundaries(text)
        assert len(cut.head) in places
        assert len(text) - len(cut.tail) in places

    @quick
    @given(text=long(), a=st.integers(0, 60), b=st.integers(0, 60))
    def test_never_split_twice(self, text: str, a: int, b: int) -> None:
        """Nor does an end of a second cut, found from the ends of the first."""
        cut = Cut.whole(text).to(a).to(b)
        places = boundaries(text)
        assert len(cut.head) in places
        assert len(text) - len(cut.tail) in places

    @quick
    @given(text=long() | hostile(), at=st.integers(0, 80))
    def test_nearest(self, text: str, at: int) -> None:
        """The boundary found is the nearest on its side."""
        places = boundaries(text)
        inside = min(at, len(text))
        assert max(place for place in places if place <= inside) == at_or_before(text, at)
        assert min(place for place in places if place >= inside) == at_or_after(text, at)

    @pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
    def test_one_cluster(self, cluster: str) -> None:
        """A cluster stays or goes whole: of two with an x between, room for half keeps none."""
        text = cluster + "x" + cluster
        size = len(cluster)
        assert ("", "") == self.ends(text, 2 * size - 2)
        assert (cluster, "") == self.ends(text, 2 * size - 1)
        assert (cluster, cluster) == self.ends(text, 2 * size)

    @staticmethod
    def ends(text: str, keep: int) -> tuple[str, str]:
        cut = Cut.whole(text).to(keep)
        return cut.head, cut.tail

    def test_empty_end(self) -> None:
        """An end is empty if its first cluster does not fit; the other keeps its own share."""
        cut = Cut.whole(f"{FAMILY}{'x' * 20}").to(8)
        assert ("", "xxxx") == (cut.head, cut.tail)
        assert 21 == cut.missing

    def test_version(self) -> None:
        """The rules are those of one pinned Unicode version, which traces name."""
        assert "18.0.0" == UNICODE


class TestFit:
    @pytest.mark.parametrize(
        ("expected", "limit"),
        [
            ("0123456789" * 4, 40),
            ("01234567890123456[-6-]34567890123456789", 39),
            ("01234567[-25-]3456789", 21),
            ("0[-38-]9", 8),
            ("0[-39-]", 7),
            ("[-40-]", 6),
            (None, 5),
        ],
    )
    def test_longest(self, expected: str | None, limit: int) -> None:
        """The longest cut within the limit; none if not even the marker fits."""
        cut = Cut.whole("0123456789" * 4).fit(limit, content_size)
        assert expected == (cut and drawn(cut))

    @quick
    @given(length=st.integers(1, 3000), limit=st.integers(1, 400))
    def test_maximal(self, length: int, limit: int) -> None:
        """Of ASCII one character more would not fit, whatever the marker's digits do."""
        cut = Cut.whole("x" * length).fit(limit, content_size)
        if length <= limit:
            assert cut is not None
            assert length == len(cut.head)
            return
        fits = [k for k in range(length) if k + len(f"[-{length - k}-]") <= limit]
        assert (max(fits) if fits else None) == (cut and cut.kept)

    def test_bytes(self) -> None:
        """The measure may be in other units: 20 bytes hold 5 two-byte letters and the marker."""
        cut = Cut.whole("\u00e4" * 100).fit(17, lambda c: len(drawn(c).encode()))
        assert cut is not None
        assert "\u00e4\u00e4\u00e4[-95-]\u00e4\u00e4" == drawn(cut)

    @pytest.mark.parametrize(
        "text",
        [
            "x" * 10_000_000,
            "\u0301" * 1_000_000,
            "\u0600" * 1_000_000,
            "\u00e4\r\n" * 1_000_000,
            FAMILY * 200_000,
        ],
        ids=["ascii", "marks", "signs", "lines", "families"],
    )
    def test_big(self, text: str) -> None:
        """A text of many millions of characters is cut like any other."""
        cut = Cut.whole(text).fit(2000, content_size)
        assert cut is not None
        assert content_size(cut) <= 2000
        assert len(text) == cut.kept + cut.missing
