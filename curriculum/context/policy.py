"""What earns the room: named, versioned, content-hashed data.

`newest-first@1` in one sentence: the tools, the instructions and the current request stay;
then whole exchanges, newest first; the first that does not fit is cut; all older is omitted.
"""

import json
from hashlib import sha256

import attrs

from curriculum.record.records import Kind


@attrs.frozen
class Policy:
    """The rule that picks. `protect` are kinds that stay whole, or the run stops.

    `current_request` protects every user record since the last turn that asked for no tool.
    `cut` lets the first exchange that does not fit give up the middle of its results.
    """

    name: str = "newest-first"
    version: int = 1
    protect: tuple[Kind, ...] = (Kind.INSTRUCTION, Kind.TOOLS)
    current_request: bool = True
    cut: bool = True
    flat: bool = True

    @property
    def id(self) -> str:
        """Name, version and the first eight hex digits of the content's SHA-256."""
        content = json.dumps(attrs.asdict(self), sort_keys=True, separators=(",", ":"))
        return f"{self.name}@{self.version}#{sha256(content.encode()).hexdigest()[:8]}"


NEWEST_FIRST = Policy()
