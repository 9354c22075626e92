"""One decision that the facts before it lead to."""

import attrs


@attrs.frozen
class Step:
    """What must stand in the table for one candidate, by the numbers in `sum`."""

    decision: str
    reason: str
    fields: dict[str, int | str] = attrs.field(factory=dict[str, int | str])
    sum: dict[str, int | str] = attrs.field(factory=dict[str, int | str])
