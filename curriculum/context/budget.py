"""How much room there is, in one unit for the three numbers that share a window.

    capacity >= input ceiling + output reserve

The tool ceiling is a dimension of its own: characters of one tool result in the log (gate 1).
The input ceiling limits one request (gate 2).
"""

import attrs

SMALLEST_TOOL_CEILING = 18
"""Characters: a marker with a twelve-digit count, and one character at each end."""


def _one_unit(
    name: str, chars: int | None, tokens: int | None, bare: int | None, unit: str
) -> int | None:
    given = [value for value in (chars, tokens, bare) if value is not None]
    if len(given) > 1 or (tokens if unit == "chars" else chars) is not None:
        from .unworkable import two_units

        raise two_units(name, chars, tokens, bare, unit)
    return given[0] if given else None


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
            from .unworkable import one_ceiling

            raise one_ceiling()
        unit = "chars" if max_input_tokens is None else "tokens"
        ceiling = max_input_chars if max_input_tokens is None else max_input_tokens
        reserves = output_reserve_chars, output_reserve_tokens, output_reserve
        reserve = _one_unit("output_reserve", *reserves, unit)
        window = _one_unit("capacity", capacity_chars, capacity_tokens, capacity, unit)
        build = self.__attrs_init__  # pyright: ignore  # attrs writes it
        shared = ceiling, 0 if reserve is None else reserve, window
        build(unit, *shared, max_tool_output_chars, max_messages)

    def __attrs_post_init__(self) -> None:
        tool, sizes = self.max_tool_output_chars, self.limits().items()
        if (
            # A trace holds numbers of at most 15 digits, so that every reader reads them alike.
            any(type(n) is not int or not (k != "output_reserve") <= n < 10**15 for k, n in sizes)
            or self.max_input + self.output_reserve > self.window
            or (tool is not None and tool < SMALLEST_TOOL_CEILING)
        ):
            from .unworkable import problem

            raise problem(self)

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
