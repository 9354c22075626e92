"""One count of a whole request: what each part has alone, what all have together, the joints."""

from collections.abc import Iterable
from typing import Protocol

import attrs

from .counter import Estimate


class Estimator(Protocol):
    """Says how big a text is, perhaps with no bound: then no budget can admit by it."""

    id: str
    unit: str

    def estimate(self, text: str) -> Estimate:
        """The size of `text`, how it was found, and its bound if it has one."""
        ...


@attrs.frozen
class PartCount:
    """A part of a request: its class, and what its text has where it stands alone."""

    kind: str
    alone: Estimate


@attrs.frozen
class WholeCount:
    """A request counted once, as it is sent.

    `whole` is the only number here that speaks of the request; it is exact if its kind says so.
    `joints` is what joining the parts adds; below 0 where it takes away.
    """

    parts: tuple[PartCount, ...]
    whole: Estimate

    @property
    def joints(self) -> int:
        """The whole without the sum of its parts: -1 if two blanks become one token."""
        return self.whole.value - sum(part.alone.value for part in self.parts)

    def by_kind(self) -> dict[str, int]:
        """What the parts of each class have alone, in the order in which the classes appear."""
        found: dict[str, int] = {}
        for part in self.parts:
            found[part.kind] = found.get(part.kind, 0) + part.alone.value
        return found


def count_whole(counter: Estimator, parts: Iterable[tuple[str, str]]) -> WholeCount:
    """Count the request that `parts` make, each a class and a text, in sending order.

    Raises what the counter raises.
    """
    given = [(str(kind), text) for kind, text in parts]
    alone = tuple(PartCount(kind, counter.estimate(text)) for kind, text in given)
    return WholeCount(alone, counter.estimate("".join([text for _, text in given])))
