"""What earns the room: named, versioned, content-hashed data.

`newest-first@1` in one sentence: the tools, the instructions and the current request stay;
then whole exchanges, newest first; the first that does not fit is cut; all older is omitted.
"""

import json
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

import attrs

from curriculum.record.records import Kind

if TYPE_CHECKING:
    from .pooling import Pooling


@attrs.frozen
class Policy:
    """The rule that picks. `protect` are kinds that stay whole, or the run stops.

    `current_request` protects every user record since the last turn that asked for no tool.
    `cut` lets the first exchange that does not fit give up the middle of its results. `flat`
    promises that a turn costs no more as the log grows (law 11). `pooling` says more than newest
    first: pools, a ladder of reductions, how to pack, in which order to send.
    """

    name: str = "newest-first"
    version: int = 1
    protect: tuple[Kind, ...] = (Kind.INSTRUCTION, Kind.TOOLS)
    current_request: bool = True
    cut: bool = True
    flat: bool = True
    pooling: "Pooling | None" = None

    @cached_property
    def id(self) -> str:
        """Name, version and the first eight hex digits of the content's SHA-256."""
        said = attrs.asdict(self)
        if self.pooling is None:
            del said["pooling"]
        content = json.dumps(said, sort_keys=True, separators=(",", ":"))
        return f"{self.name}@{self.version}#{sha256(content.encode()).hexdigest()[:8]}"


NEWEST_FIRST = Policy()
