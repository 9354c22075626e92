"""How big a text is, and how sure we are.

A counter measures a text that stands alone (`estimate`), and a part of a request (`size`). The
sizes of all parts add up to a bound of the request; to its very size only for characters and bytes.
"""

from typing import Protocol

import attrs


@attrs.frozen
class Estimate:
    """A size in `unit`, with the bound that a budget admits by, and the bound's name.

    `kind` is exact, calibrated, heuristic or fallback; `bound_name` is proven (by construction),
    assumed (never seen broken) or p99 (calibrated). A heuristic may have no bound: then both are
    None, for a bound without a name does not exist.
    """

    value: int
    bound: int | None
    unit: str
    kind: str
    bound_name: str | None


class Counter(Protocol):
    """Measures serialized text. `id` names it in traces, `unit` is what a budget limits.

    `bound_name` says by what right its sizes bound what is sent, `steady` that a text is never
    smaller than one that it begins with, `images` by which rule it prices a picture.
    """

    id: str
    unit: str
    bound_name: str
    steady: bool = True
    images: str = "unknown"

    def around(self, tools: bool) -> int:
        """What a provider adds that no byte of a request shows, with tools on offer or not."""
        return 0

    def size(self, text: str) -> int:
        """The bound of a part of a request; those of its parts add up to one of the request."""
        ...

    def estimate(self, text: str) -> Estimate:
        """The size of `text` with its bound and kind."""
        ...
