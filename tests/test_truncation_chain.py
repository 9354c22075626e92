"""Of rules in a row only the tighter shows, and one that can never bind is found without a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.record.cut import Cut
from curriculum.record.truncation import Truncation
from curriculum.record.truncation_chain import LONGEST_MARKER, binding, dead, standings, through
from tests.test_truncation import quick, rules, texts, whole

TEXT = "abcdefghijklmnopqrst"


def verdict(*row: Truncation) -> str:
    """What is proven of the last rule of a row."""
    return standings(row)[-1].verdict


class TestBinding:
    """Which rule set where each end stops."""

    @pytest.mark.parametrize(
        ("expected", "ends", "row"),
        [
            ((), (TEXT, ""), []),
            ((), (TEXT, ""), [Truncation("chars", 20)]),
            ((0,), ("abc", "rst"), [Truncation("chars", 6), Truncation("chars", 8)]),
            ((1,), ("abc", "rst"), [Truncation("chars", 8), Truncation("chars", 6)]),
            ((0,), ("abc", "rst"), [Truncation("chars", 6), Truncation("bytes", 6)]),
            ((1,), ("abc", "rst"), [Truncation("chars", 20), Truncation("chars", 6)]),
            ((0,), ("ab", ""), [Truncation("chars", 2, head=2), Truncation("chars", 6)]),
            ((1,), ("", "st"), [Truncation("chars", 6), Truncation("chars", 2, tail=2)]),
            (
                (0, 1),
                ("ab", "qrst"),
                [Truncation("chars", 10, head="20%"), Truncation("chars", 6)],
            ),
        ],
    )
    def test_shows(
        self, expected: tuple[int, ...], ends: tuple[str, str], row: list[Truncation]
    ) -> None:
        """The first rule that cut to it, if the next one cuts no more; both, if each set one end."""
        found = binding(row, Cut.whole(TEXT))
        assert ends == (found.cut.head, found.cut.tail)
        assert expected == found.shows

    def test_each_end(self) -> None:
        """The head of 2 is that of the first rule, 20 % of 10; the tail that of the second."""
        row = [Truncation("chars", 10, head="20%"), Truncation("chars", 6)]
        found = binding(row, Cut.whole(TEXT))
        assert (0, 1) == (found.head, found.tail)

    @quick
    @given(text=texts(), row=st.lists(rules(), max_size=4))
    def test_a_row_is_a_fold(self, text: str, row: list[Truncation]) -> None:
        """One rule after the other, and what does not show changes nothing where it stands last."""
        cut = whole(text)
        for rule in row:
            cut = rule.cut(cut)
        found = binding(row, whole(text))
        assert cut == through(row, whole(text)) == found.cut
        last = max(found.shows, default=-1)
        assert cut == through(row[: last + 1], whole(text))


class TestStandings:
    """What is proven of a rule, from the numbers alone."""

    def test_of_one_unit(self) -> None:
        """At most as much as passes: dead. More than passes: it binds. Nothing else."""
        for unit in ("chars", "bytes", "lines", "tokens"):
            assert "dead" == verdict(Truncation(unit, 100), Truncation(unit, 100))
            assert "binds" == verdict(Truncation(unit, 101), Truncation(unit, 100))

    @pytest.mark.parametrize(
        ("expected", "first", "second"),
        [
            ("dead", ("chars", 100), ("bytes", 400)),
            ("not-comparable", ("chars", 100), ("bytes", 399)),
            ("binds", ("chars", 100), ("bytes", 100)),
            ("dead", ("chars", 100), ("tokens", 100)),
            ("not-comparable", ("chars", 100), ("tokens", 99)),
            ("binds", ("chars", 100), ("tokens", 25)),
            ("dead", ("bytes", 100), ("chars", 100)),
            ("not-comparable", ("bytes", 100), ("chars", 99)),
            ("binds", ("bytes", 100), ("chars", 25)),
            ("dead", ("bytes", 100), ("tokens", 25)),
            ("dead", ("tokens", 25), ("bytes", 100)),
            ("binds", ("tokens", 25), ("bytes", 99)),
            ("dead", ("bytes", 100), ("lines", 100)),
            ("dead", ("chars", 100), ("lines", 100)),
            ("not-comparable", ("chars", 100), ("lines", 99)),
            ("not-comparable", ("lines", 100), ("chars", 101)),
            ("binds", ("lines", 100), ("chars", 100)),
        ],
    )
    def test_of_two_units(
        self, expected: str, first: tuple[str, int], second: tuple[str, int]
    ) -> None:
        """Dead if the first bounds the second, binding if the second bounds the first.

        A character is 1 to 4 bytes, a token 4, a line at least one character.
        """
        assert expected == verdict(Truncation(*first), Truncation(*second))

    def test_two_limits(self) -> None:
        """A rule is dead only if each of its limits is, by whatever rule before it."""
        both = Truncation("bytes", 100, lines=10)
        lines, chars = Truncation("lines", 10), Truncation("chars", 100)
        assert "dead" == verdict(both, both)
        assert "binds" == verdict(both, Truncation("bytes", 100, lines=9))
        assert "binds" == verdict(both, Truncation("bytes", 99, lines=10))
        assert "dead" == verdict(lines, chars, Truncation("bytes", 400, lines=10))
        assert "not-comparable" == verdict(lines, both)
        counted = Truncation("lines", 100, marker="inside")
        assert "not-comparable" == verdict(Truncation("bytes", 100, lines=200), counted)

    def test_markers(self) -> None:
        """A marker that the later rule counts may be added to what the earlier let through.

        At most 85 characters: [-, 15 digits, a space, a handle of 65, -]. The rule just before
        has counted it already, if it counts it at all.
        """
        assert 85 == LONGEST_MARKER
        inside = Truncation("chars", 185, marker="inside")
        assert "dead" == verdict(Truncation("chars", 100), inside)
        assert "not-comparable" == verdict(Truncation("chars", 101), inside)
        assert "dead" == verdict(inside, inside)
        assert "not-comparable" == verdict(inside, Truncation("chars", 150), inside)

    def test_why(self) -> None:
        """The numbers of both, in one unit."""
        row = [Truncation("chars", 30_000), Truncation("tokens", 40_000)]
        why = "30,000 chars let at most 120,000 bytes through; 160,000 bytes (40,000 tokens) pass"
        assert {1: why} == dead(row)
        why = "2,000 lines let any number of bytes through; 51,200 bytes pass"
        assert why == standings([Truncation("lines", 2_000), Truncation("bytes", 51_200)])[1].why
        why = "100 chars let at most 100 chars through, 185 with a marker; 185 chars pass"
        assert {1: why} == dead(
            [Truncation("chars", 100), Truncation("chars", 185, marker="inside")]
        )

    @quick
    @given(text=texts(), row=st.lists(rules(), min_size=2, max_size=4))
    def test_the_dead_cut_nothing(self, text: str, row: list[Truncation]) -> None:
        """Whatever the text, a dead rule leaves what reaches it as it is."""
        cut, never = whole(text), dead(row)
        for at, rule in enumerate(row):
            cut, before = rule.cut(cut), cut
            assert at not in never or cut is before

    @quick
    @given(row=st.lists(rules(), min_size=1, max_size=4))
    def test_what_binds_has_a_text(self, row: list[Truncation]) -> None:
        """Some text passes every rule before one that binds, and is cut by it.

        One more than its limit: letters, one of them of two bytes where bytes are counted, or
        nothing but newlines.
        """
        for at, standing in enumerate(standings(row)):
            if standing.verdict == "binds":
                tried = []
                for unit, most in row[at].limits.items():
                    letters = "\u00e4" + "x" * (most - 1) if unit == "bytes" else "x" * (most + 1)
                    tried.append(whole("\n" * (most + 1) if unit == "lines" else letters))
                cut = [text for text in tried if through(row[:at], text) is text]
                assert any(row[at].cut(text) is not text for text in cut)
