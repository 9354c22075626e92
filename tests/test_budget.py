"""A budget that cannot work is refused, with a stable code and numbers that add up."""

from typing import Any

import pytest

from curriculum.context.budget import ContextBudget
from curriculum.context.unworkable import BudgetError


def refused(**limits: Any) -> BudgetError:
    with pytest.raises(BudgetError) as caught:
        ContextBudget(**limits)
    return caught.value


class TestCapacity:
    def test_over(self) -> None:
        """Input ceiling and output reserve share the capacity: 350 + 100 does not fit in 400."""
        error = refused(max_input_chars=350, output_reserve=100, capacity=400)
        assert (
            "Input ceiling and output reserve do not fit in the capacity. [budget-over-capacity]\n"
            "  350 + 100 = 450 > 400, 50 chars over\n"
            "  next: lower the ceiling to 300 or less"
        ) == str(error)

    def test_over_in_tokens(self) -> None:
        """The numbers of a token budget are in tokens; a reserve over the window leaves 0."""
        error = refused(max_input_tokens=1, output_reserve_tokens=500, capacity_tokens=400)
        assert "budget-over-capacity" == error.code
        assert ("1 + 500 = 501 > 400, 101 tokens over",) == error.evidence
        assert "lower the ceiling to 0 or less" == error.next

    def test_exactly_full(self) -> None:
        """300 + 100 = 400 fits in 400."""
        budget = ContextBudget(max_input_chars=300, output_reserve=100, capacity=400)
        assert 400 == budget.window
        assert 400 == budget.capacity

    def test_not_given(self) -> None:
        """A capacity that is not given stays not given; the window is ceiling + reserve."""
        budget = ContextBudget(max_input_tokens=300, output_reserve=100)
        assert budget.capacity is None
        assert 400 == budget.window
        assert 300 == ContextBudget(max_input_chars=300).window


class TestUnits:
    @pytest.mark.parametrize("name", ["output_reserve", "capacity"])
    @pytest.mark.parametrize(("unit", "other"), [("chars", "tokens"), ("tokens", "chars")])
    def test_mixed(self, name: str, unit: str, other: str) -> None:
        """The three numbers share one window, so they share one unit."""
        error = refused(**{f"max_input_{unit}": 300, f"{name}_{other}": 400})
        assert "budget-mixed-units" == error.code
        headline = f"The ceiling is in {unit}, but {name}_{other}=400 is in {other}."
        assert headline == error.headline
        assert f"give {name}_{unit}, or the ceiling in {other}" == error.next

    def test_mixed_names_the_wrong_one(self) -> None:
        """Of two numbers for one limit, the one in the wrong unit is named."""
        error = refused(max_input_chars=300, capacity_tokens=400, capacity_chars=500)
        assert "budget-mixed-units" == error.code
        assert "The ceiling is in chars, but capacity_tokens=400 is in tokens." == error.headline
        error = refused(max_input_tokens=300, capacity_tokens=400, capacity_chars=500)
        assert "The ceiling is in tokens, but capacity_chars=500 is in chars." == error.headline

    @pytest.mark.parametrize(
        ("limits", "both"),
        [
            ({"capacity": 400, "capacity_chars": 400}, "capacity_chars=400 and capacity=400"),
            (
                {"output_reserve": 1, "output_reserve_chars": 2},
                "output_reserve_chars=2 and output_reserve=1",
            ),
        ],
    )
    def test_twice(self, limits: dict[str, int], both: str) -> None:
        """A limit that is given twice is refused, also if both say the same."""
        error = refused(max_input_chars=300, **limits)
        assert "budget-given-twice" == error.code
        assert f"{both.split('_chars')[0]} is given twice: {both}." == error.headline

    @pytest.mark.parametrize("limits", [{}, {"max_input_chars": 1, "max_input_tokens": 1}])
    def test_one_ceiling(self, limits: dict[str, int]) -> None:
        """A budget has one input ceiling: not none, not two."""
        assert "budget-one-ceiling" == refused(**limits, capacity=400).code

    @pytest.mark.parametrize("unit", ["chars", "tokens"])
    def test_either(self, unit: str) -> None:
        """Tokens are as natural as characters: the same limits, spelled in the budget's unit."""
        spelled = {f"max_input_{unit}": 300, f"output_reserve_{unit}": 50, f"capacity_{unit}": 400}
        bare: dict[str, Any] = {f"max_input_{unit}": 300, "output_reserve": 50, "capacity": 400}
        budget = ContextBudget(**spelled)
        assert budget == ContextBudget(**bare)
        expected = (unit, 300, 50, 400)
        assert expected == (
            budget.unit,
            budget.max_input,
            budget.output_reserve,
            budget.capacity,
        )


class TestRange:
    @pytest.mark.parametrize(
        ("limits", "headline"),
        [
            (
                {"max_input_chars": 0},
                "max_input_chars is 0; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_tokens": -5},
                "max_input_tokens is -5; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_chars": 9, "output_reserve": -1},
                "output_reserve is -1; it must be a whole number, at least 0.",
            ),
            (
                {"max_input_chars": 9, "capacity": 0},
                "capacity is 0; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_chars": 9, "max_messages": 0},
                "max_messages is 0; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_chars": 9, "max_tool_output_chars": 0},
                "max_tool_output_chars is 0; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_chars": 10**15},
                "max_input_chars has more than 15 digits; a trace cannot hold it.",
            ),
            (
                {"max_input_chars": 300.0},
                "max_input_chars is 300.0; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_chars": "300"},
                "max_input_chars is '300'; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_chars": True},
                "max_input_chars is True; it must be a whole number, at least 1.",
            ),
            (
                {"max_input_chars": 9, "output_reserve": False},
                "output_reserve is False; it must be a whole number, at least 0.",
            ),
        ],
    )
    def test_range(self, limits: dict[str, Any], headline: str) -> None:
        """A limit is a whole number, at least 1 (a reserve: 0); True, 1.0 and '1' are none."""
        error = refused(**limits)
        assert "budget-range" == error.code
        assert headline == error.headline


class TestToolCeiling:
    def test_too_small(self) -> None:
        """17 characters have no room for a 12-digit marker (16) and a character at each end."""
        error = refused(max_input_chars=300, max_tool_output_chars=17)
        assert "budget-tool-ceiling-too-small" == error.code
        assert 16 == len("[-123456789012-]")
        assert ("marker with a count of up to 12 digits 16 + 2 ends 2 = 18 > 17",) == error.evidence
        assert "give max_tool_output_chars=18 or more" == error.next

    def test_smallest(self) -> None:
        """18 is taken."""
        budget = ContextBudget(max_input_tokens=300, max_tool_output_chars=18)
        assert 18 == budget.max_tool_output_chars


class TestWritten:
    def test_limits(self) -> None:
        """What a trace writes: the limits that are set, by name; a reserve of 0 is a limit."""
        assert {"max_input_chars": 300, "output_reserve": 0} == ContextBudget(
            max_input_chars=300
        ).limits()

    @pytest.mark.parametrize("unit", ["chars", "tokens"])
    def test_round_trip(self, unit: str) -> None:
        """A budget comes back from what was written of it."""
        limits = {
            f"max_input_{unit}": 300,
            "output_reserve": 100,
            "capacity": 400,
            "max_tool_output_chars": 23,
            "max_messages": 9,
        }
        assert limits == ContextBudget(**limits).limits()
        assert unit == ContextBudget(**limits).unit

    def test_checked_again(self) -> None:
        """What was written is checked like what is given."""
        with pytest.raises(BudgetError, match="do not fit"):
            ContextBudget(**{"max_input_chars": 350, "output_reserve": 100, "capacity": 400})
