"""Why a budget cannot work, in numbers that add up."""

from curriculum.record.errors import CurriculumError

from .budget import SMALLEST_TOOL_CEILING, ContextBudget


class BudgetError(CurriculumError):
    """A budget that cannot work, with the numbers that show it."""

    code = "budget"


def one_ceiling() -> BudgetError:
    """No input ceiling is given, or one in each unit."""
    return BudgetError(
        "A budget needs one input ceiling: max_input_chars or max_input_tokens.",
        code="budget-one-ceiling",
    )


def two_units(
    name: str, chars: int | None, tokens: int | None, bare: int | None, unit: str
) -> BudgetError:
    """One limit is given in another unit than the ceiling, or more than once."""
    spelled = {f"{name}_chars": chars, f"{name}_tokens": tokens, name: bare}
    given = [f"{end}={value}" for end, value in spelled.items() if value is not None]
    other, wrong = ("tokens", tokens) if unit == "chars" else ("chars", chars)
    if wrong is not None:
        return BudgetError(
            f"The ceiling is in {unit}, but {name}_{other}={wrong} is in {other}.",
            "capacity, input ceiling and output reserve share one window, so they share one unit",
            code="budget-mixed-units",
            next=f"give {name}_{unit}, or the ceiling in {other}",
        )
    return BudgetError(f"{name} is given twice: {' and '.join(given)}.", code="budget-given-twice")


def problem(budget: ContextBudget) -> BudgetError:
    """The first limit that is out of its range, or does not go with the others."""
    for name, value in budget.limits().items():
        floor = 0 if name == "output_reserve" else 1
        if type(value) is not int or value < floor:
            return BudgetError(
                f"{name} is {value!r}; it must be a whole number, at least {floor}.",
                code="budget-range",
            )
        if value >= 10**15:
            return BudgetError(
                f"{name} has more than 15 digits; a trace cannot hold it.",
                code="budget-range",
                next=f"give {name} a limit that a run may reach",
            )
    total = budget.max_input + budget.output_reserve
    if total > budget.window:
        return BudgetError(
            "Input ceiling and output reserve do not fit in the capacity.",
            f"{budget.max_input} + {budget.output_reserve} = {total} > {budget.window}, "
            f"{total - budget.window} {budget.unit} over",
            code="budget-over-capacity",
            next=f"lower the ceiling to {max(0, budget.window - budget.output_reserve)} or less",
        )
    tool = budget.max_tool_output_chars
    return BudgetError(
        f"max_tool_output_chars={tool} has no room for a marker and both ends.",
        f"marker with a count of up to 12 digits 16 + 2 ends 2 = {SMALLEST_TOOL_CEILING} > {tool}",
        code="budget-tool-ceiling-too-small",
        next=f"give max_tool_output_chars={SMALLEST_TOOL_CEILING} or more",
    )
