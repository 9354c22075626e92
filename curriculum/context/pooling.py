"""What a policy can say beyond *newest first*: classes of records, pools, and a ladder.

All of it is data, so that a policy can be named, hashed, shown and checked. An amount is a whole
number in the unit of the counter, or a share of the input ceiling such as "25%".
"""

import attrs

from curriculum.record.records import Author, Kind, Trust
from curriculum.record.replacing import NEVER
from curriculum.record.truncation import Truncation

Amount = int | str
"""A size in the counter's unit, or per cent of the input ceiling, as "25%"."""
PROTECT, PREFER, ORDINARY, EVICT = "protect", "prefer", "ordinary", "evict"
PACKED: tuple[str, ...] = (PREFER, ORDINARY, EVICT)
"""The pools that compete for the room, in the order in which they are served."""
POOLS = (PROTECT, *PACKED)
"""From what must stay to what goes first."""
SAFETY = NEVER
"""What no summary stands for and no smaller mode releases."""
STEPS = {
    "duplicates": "a later record says the same",
    "superseded": "a later record about the same subject stands, or the same was asked again",
    "previews": "the whole of a preview was fetched later",
    "externalize": "a handle and a preview stand for an artifact",
    "mask": "old results are cleared to their marker",
    "cut": "old results keep a fixed number of characters",
    "clear": "all results are cleared but those that the model has not seen",
    "evict": "what may go first goes, by the rank of its rule",
    "summarise": "a summary stands for old exchanges",
    "omit": "what does not fit into its pool waits",
}
"""The reductions that a ladder is made of."""
PACKINGS = ("greedy", "exact")
ORDERS = ("chronological", "protected-first", "edges")


def amount(value: Amount, ceiling: int) -> int:
    """The amount in the counter's unit; a share of `ceiling` is rounded down."""
    return value if isinstance(value, int) else ceiling * int(value.removesuffix("%")) // 100


@attrs.frozen
class Rule:
    """Which records belong to a pool. What is set must hold; the first rule that holds decides.

    `older_than` is a number of model turns after the record's own. `active` records are those of
    which no later one about the same subject says otherwise. Of the pool `evict`, a lower `rank`
    goes earlier. `externalize` lets a handle and a preview stand for a result that has an
    artifact; `intact` results are never reduced.
    """

    pool: str
    name: str = ""
    rank: int = 1
    kind: tuple[Kind, ...] = ()
    author: tuple[Author, ...] = ()
    trust: tuple[Trust, ...] = ()
    tool: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    older_than: int | None = None
    active: bool | None = None
    externalize: bool = False
    intact: bool = False


@attrs.frozen
class Pool:
    """What a pool may take of the input ceiling at most, and what the pools before it leave it.

    `value` is what one exchange of it is worth to the exact packing.
    """

    name: str
    cap: Amount | None = None
    min: Amount | None = None
    value: int = 1


@attrs.frozen
class Step:
    """A rung of the ladder: the characters of a result that it keeps, or the rank it goes up to."""

    name: str
    number: int | None = None

    def __str__(self) -> str:
        return self.name if self.number is None else f"{self.name} {self.number}"


@attrs.frozen
class Again:
    """A tool that reads the same thing again if `argument` is the same, whatever the others are."""

    tool: str
    argument: str


@attrs.frozen
class Ingest:
    """How a tool's output is cut on its way into the log, for good; of any tool, if none is named.

    The tool ceiling of the budget holds as well: the tighter one shows.
    """

    rule: Truncation
    tool: tuple[str, ...] = ()


@attrs.frozen
class Smaller:
    """What to fall back to where the protected does not fit: rules whose protection is lifted."""

    name: str
    release: tuple[str, ...]


@attrs.frozen
class Compaction:
    """When older exchanges give way to a summary, and what the summary must keep.

    It is asked for when the log's whole size is over `at`, when it has more than `records`
    candidates, or at the ladder's step `summarise`; never for less than `least` takes. The newest
    `recent` exchanges stay. Lines
    that begin with one of `preserve` must stand in the summary; records of kinds in `keep` stay
    beside it. Of results, where `drop` has their kind, only the marker is shown to whoever writes
    the summary, and records of other kinds in it not at all. `instruction` is what they are told.
    """

    recent: int = 2
    at: Amount | None = None
    records: int | None = None
    least: Amount = 0
    preserve: tuple[str, ...] = ()
    keep: tuple[Kind, ...] = ()
    drop: tuple[Kind, ...] = ()
    instruction: str = "Summarise what the rest of the work needs."


@attrs.frozen
class Pooling:
    """Pools, and the ladder that is climbed down until the request fits.

    Reductions begin above `high` and, where exchanges are left out, reach down to `low`. The
    newest `recent` exchanges are not reduced; the line between old and recent moves in steps of
    `block`, so that the requests between two steps begin alike.
    """

    rules: tuple[Rule, ...] = ()
    pools: tuple[Pool, ...] = ()
    ladder: tuple[Step, ...] = (Step("omit"),)
    packing: str = "greedy"
    order: str = "chronological"
    high: Amount = "100%"
    low: Amount | None = None
    recent: int = 1
    block: int = 1
    again: tuple[Again, ...] = ()
    ingest: tuple[Ingest, ...] = ()
    smaller: Smaller | None = None
    compact: Compaction | None = None

    def entering(self, tool: str) -> list[Truncation]:
        """The rules that a tool's output passes through on its way into the log, in order."""
        return [one.rule for one in self.ingest if not one.tool or tool in one.tool]

    def most(self, ceiling: int) -> int:
        """`high` in the counter's unit; however it is given, no request may be over `ceiling`."""
        return min(amount(self.high, ceiling), ceiling)

    def least(self, ceiling: int) -> int | None:
        """`low` in the counter's unit; None if it is not given, or not under `high` here."""
        low = None if self.low is None else amount(self.low, ceiling)
        return low if low is not None and low < self.most(ceiling) else None

    def pool(self, name: str) -> Pool:
        """The terms of a pool; no cap and no minimum where the policy says nothing of it."""
        return next((pool for pool in self.pools if pool.name == name), Pool(name))
