"""How much room there is, in one unit for the three numbers that share a window.

    capacity >= input ceiling + output reserve

The tool ceiling is a dimension of its own: characters of one tool result in the log (gate 1).
The input ceiling limits one request (gate 2).
"""

import attrs

from curriculum.record.errors import CurriculumError

SMALLEST_TOOL_CEILING = 18
"""Characters: a marker with a twelve-digit count, and one character at each end."""


class BudgetError(CurriculumError):
    """A budget that cannot work, with the numbers that show it."""

    code = "budget"


def _one_unit(
    name: str, chars: int | None, tokens: int | None, bare: int | None, unit: str
) -> int | None:
    spelled = {f"{name}_chars": chars, f"{name}_tokens": tokens, name: bare}
    given = [f"{end}={value}" for end, value in spelled.items() if value is not None]
    other, wrong = ("tokens", tokens) if unit == "chars" else ("chars", chars)
    if wrong is not None:
        raise BudgetError(
            f"The ceiling is in {unit}, but {name}_{other}={wrong} is in {other}.",
            "capacity, input ceiling and output reserve share one window, so they share one unit",
            code="budget-mixed-units",
            next=f"give {name}_{unit}, or the ceiling in {other}",
        )
    if len(given) > 1:
        raise BudgetError(
            f"{name} is given twice: {' and '.join(given)}.", code="budget-given-twice"
        )
    return next((value for value in (chars, tokens, bare) if value is not None), None)


@attrs.frozen(init=False)
class ContextBudget:
    """The limits of a run. Sizes are whole numbers of `unit` (chars or tokens).

    `capacity` is what the provider takes; None means not given, then ceiling + reserve.
    `max_tool_output_chars` and `max_messages` have their own units; None means no limit.
    Raises `BudgetError` for limits that cannot work together.
    """

    unit: str
    max_input: int
    output_reserve: int
    capacity: int | None
    max_tool_output_chars: int | None
    max_messages: int | None

    def __init__(
        self,
        *,
        max_input_chars: int | None = None,
        max_input_tokens: int | None = None,
        output_reserve: int | None = None,
        output_reserve_chars: int | None = None,
        output_reserve_tokens: int | None = None,
        capacity: int | None = None,
        capacity_chars: int | None = None,
        capacity_tokens: int | None = None,
        max_tool_output_chars: int | None = None,
        max_messages: int | None = None,
    ) -> None:
        if (max_input_chars is None) == (max_input_tokens is None):
            raise BudgetError(
                "A budget needs one input ceiling: max_input_chars or max_input_tokens.",
                code="budget-one-ceiling",
            )
        unit = "chars" if max_input_tokens is None else "tokens"
        reserve = _one_unit(
            "output_reserve", output_reserve_chars, output_reserve_tokens, output_reserve, unit
        )
        window = _one_unit("capacity", capacity_chars, capacity_tokens, capacity, unit)
        ceiling = max_input_chars if max_input_tokens is None else max_input_tokens
        build = self.__attrs_init__  # pyright: ignore  # attrs writes it
        build(
            unit,
            ceiling,
            0 if reserve is None else reserve,
            window,
            max_tool_output_chars,
            max_messages,
        )

    def __attrs_post_init__(self) -> None:
        for name, value in self.limits().items():
            floor = 0 if name == "output_reserve" else 1
            if type(value) is not int or value < floor:
                raise BudgetError(
                    f"{name} is {value!r}; it must be a whole number, at least {floor}.",
                    code="budget-range",
                )
        self._fits_capacity()
        tool = self.max_tool_output_chars
        if tool is not None and tool < SMALLEST_TOOL_CEILING:
            raise BudgetError(
                f"max_tool_output_chars={tool} has no room for a marker and both ends.",
                f"marker with a count of up to 12 digits 16 + 2 ends 2 = {SMALLEST_TOOL_CEILING}"
                f" > {tool}",
                code="budget-tool-ceiling-too-small",
                next=f"give max_tool_output_chars={SMALLEST_TOOL_CEILING} or more",
            )

    def _fits_capacity(self) -> None:
        total = self.max_input + self.output_reserve
        if self.capacity is not None and total > self.capacity:
            raise BudgetError(
                "Input ceiling and output reserve do not fit in the capacity.",
                f"{self.max_input} + {self.output_reserve} = {total} > {self.capacity}, "
                f"{total - self.capacity} {self.unit} over",
                code="budget-over-capacity",
                next=f"lower the ceiling to {max(0, self.capacity - self.output_reserve)} or less",
            )

    @property
    def max_input_chars(self) -> int | None:
        """The input ceiling if it is in characters."""
        return self.max_input if self.unit == "chars" else None

    @property
    def max_input_tokens(self) -> int | None:
        """The input ceiling if it is in tokens."""
        return self.max_input if self.unit == "tokens" else None

    @property
    def window(self) -> int:
        """The capacity, or ceiling + reserve where it is not given."""
        return self.max_input + self.output_reserve if self.capacity is None else self.capacity

    def limits(self) -> dict[str, int]:
        """The limits that are set, by the names they are given with: `ContextBudget(**limits)`."""
        fields = attrs.asdict(self)
        named = {f"max_input_{fields.pop('unit')}": fields.pop("max_input"), **fields}
        return {name: value for name, value in named.items() if value is not None}
