"""The four bands: shares of the room that is left, exact at every border."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.context.band import BORDERS, band_of

BIG = 10**30
AT_THE_BORDER = [
    # available, last green, last yellow, last amber
    (100, 40, 65, 85),
    (170_000, 68_000, 110_500, 144_500),
    (200_000, 80_000, 130_000, 170_000),
    (1_000_000, 400_000, 650_000, 850_000),
    (7, 2, 4, 5),  # 2.8, 4.55 and 5.95: what is over the whole number is over the border
    (3, 1, 1, 2),  # 1.2, 1.95 and 2.55: no whole number is yellow
    (1, 0, 0, 0),
    (101, 40, 65, 85),  # 40.4, 65.65, 85.85
    (100 * BIG, 40 * BIG, 65 * BIG, 85 * BIG),
    (100 * BIG + 1, 40 * BIG, 65 * BIG, 85 * BIG),
]


class TestBorders:
    """Up to and with 40 % green, 65 % yellow, 85 % amber; above red."""

    def test_the_seeds_shares(self) -> None:
        assert BORDERS == (("green", 40), ("yellow", 65), ("amber", 85))

    @pytest.mark.parametrize(("available", "green", "yellow", "amber"), AT_THE_BORDER)
    def test_a_border_belongs_to_the_band_below_it(
        self, available: int, green: int, yellow: int, amber: int
    ) -> None:
        """One below, the border itself, one above."""
        assert band_of(max(0, green - 1), available) == "green"
        assert band_of(green, available) == "green"
        assert band_of(green + 1, available) == (
            "yellow" if yellow > green else "amber" if amber > green else "red"
        )
        assert band_of(yellow + 1, available) == ("amber" if amber > yellow else "red")
        if yellow > green:
            assert band_of(yellow, available) == "yellow"
            assert band_of(yellow - 1, available) in ("green", "yellow")
        if amber > yellow:
            assert band_of(amber, available) == "amber"
        assert band_of(amber + 1, available) == "red"

    @pytest.mark.parametrize(
        ("estimate", "band"),
        [
            (39, "green"), (40, "green"), (41, "yellow"),
            (64, "yellow"), (65, "yellow"), (66, "amber"),
            (84, "amber"), (85, "amber"), (86, "red"), (100, "red"), (101, "red"),
        ],
    )  # fmt: skip
    def test_of_a_hundred(self, estimate: int, band: str) -> None:
        assert band_of(estimate, 100) == band

    def test_where_a_fraction_of_the_machine_would_be_wrong(self) -> None:
        """85 % of this is 85000000000000001.7: the float 0.85 makes it 85000000000000000."""
        available, amber = 100_000_000_000_000_002, 85_000_000_000_000_001
        assert amber > 0.85 * available
        assert band_of(amber, available) == "amber"
        assert band_of(amber + 1, available) == "red"


class TestNoRoom:
    """Where nothing is left, the least thing is too much, and nothing is not."""

    @pytest.mark.parametrize("available", [0, -1, -100, -BIG])
    def test_anything_is_red(self, available: int) -> None:
        assert band_of(1, available) == "red"
        assert band_of(BIG, available) == "red"

    @pytest.mark.parametrize("available", [100, 1, 0, -1, -BIG])
    def test_nothing_is_green(self, available: int) -> None:
        assert band_of(0, available) == "green"


@given(st.integers(1, 10**40), st.integers(1, 10**40), st.integers(1, 10**20))
def test_only_the_share_counts(estimate: int, available: int, times: int) -> None:
    """The same share of a larger window is in the same band."""
    assert band_of(estimate * times, available * times) == band_of(estimate, available)


def test_the_module_needs_nothing() -> None:
    """It is called for each assembly of a trace, and by the s06 demo's path."""
    from pathlib import Path

    import curriculum.context.band as module

    text = Path(module.__file__).read_text("utf-8")
    assert "import" not in text
    assert len(text.splitlines()) <= 25
