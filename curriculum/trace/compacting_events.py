"""What is written where a summary takes the place of old exchanges, and where a mode changes."""

from enum import StrEnum

import attrs

from curriculum.record.records import Replaced


class Compacted(StrEnum):
    """How a compaction ended. Only `done` leaves a summary; after any other nothing is replaced."""

    DONE = "done"
    DOES_NOT_FIT = "does-not-fit"
    FAILED = "failed"
    EMPTY = "empty"
    GREW = "grew"
    LOST = "lost"


@attrs.frozen
class ContextCompact:
    """A compaction: why it was due, what it is about, what was asked, and what came of it.

    It was due because `measured` is over `limit`: the counter's unit, or records where `trigger`
    is `records`. `sha256` is that of what is replaced: a line for each record with its id and the
    hash of its content. `before` is what that takes and `after` what the summary would take, in
    the counter's unit. The summary was asked for with `told` in a request of `size` and `bytes`
    with this `fingerprint`. `lost` are lines that had to survive and did not, and `code` says
    what went wrong.
    """

    trigger: str
    limit: int
    measured: int
    replaces: Replaced
    records: int
    sha256: str
    before: int
    told: str
    size: int
    outcome: Compacted = attrs.field(converter=Compacted)
    bytes: int | None = None
    fingerprint: str | None = None
    after: int | None = None
    lost: tuple[str, ...] = ()
    code: str | None = None


@attrs.frozen
class ContextMode:
    """From here on requests are made in another mode: `mode`, empty for the ordinary one."""

    mode: str
    was: str
