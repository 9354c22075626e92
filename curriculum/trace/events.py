"""The events of a trace: one class of data for each type.

`record.append` carries a `Record`, `context.assemble` a `Manifest`; only the first has content.
"""

from enum import StrEnum

import attrs

from curriculum.context.manifest import Manifest, ModelRequest
from curriculum.record.records import Record, Trust

FORMAT, VERSION = "curriculum-trace", "1.3"


class Stop(StrEnum):
    """Why a run ended. A closed list; every run ends in exactly one."""

    COMPLETED = "completed"
    TURN_LIMIT = "turn-limit"
    OUTPUT_LIMIT = "output-limit"
    REFUSED = "refused"
    PAUSED = "paused"
    PROTECTED_DOES_NOT_FIT = "protected-does-not-fit"
    RESULT_DOES_NOT_FIT = "result-does-not-fit"
    COMPACTION_LOST = "compaction-lost"
    REPEATED = "repeated"
    SCRIPT_EXHAUSTED = "script-exhausted"
    SCRIPT_NOT_FINISHED = "script-not-finished"
    EXPECTATION_FAILED = "expectation-failed"
    INTERRUPTED = "interrupted"
    ERROR = "error"


class Finish(StrEnum):
    """How a model's output ended. Any other value is an error, never *done*."""

    DONE = "done"
    TOOL_CALLS = "tool-calls"
    OUTPUT_LIMIT = "output-limit"
    REFUSED = "refused"
    PAUSED = "paused"
    WINDOW_FULL = "window-full"


BY_FINISH = {
    Finish.DONE: Stop.COMPLETED,
    Finish.OUTPUT_LIMIT: Stop.OUTPUT_LIMIT,
    Finish.WINDOW_FULL: Stop.OUTPUT_LIMIT,
    Finish.REFUSED: Stop.REFUSED,
    Finish.PAUSED: Stop.PAUSED,
}
"""What each finish stops the run with; after tool calls it goes on."""


@attrs.frozen
class SessionStart:
    """What the run was given: limits as `ContextBudget.limits()`, component ids with versions.

    `history` is how many of the first records come from an earlier log.
    """

    session: str
    budget: dict[str, int]
    max_turns: int
    components: dict[str, str]
    parent: str | None = None
    history: int = 0

    @property
    def ceiling(self) -> str:
        """The name of the input ceiling in the budget, which says its unit."""
        return next((name for name in self.budget if name.startswith("max_input_")), "")


@attrs.frozen
class ModelResponse:
    """What came back: characters of text, calls, deltas as lengths, characters of a half call."""

    finish: Finish
    text: int
    calls: int
    deltas: tuple[int, ...] = ()
    half_call: int = 0


@attrs.frozen
class ToolRequest:
    """A call is about to run: the record and position that hold it."""

    record: str
    call: int
    tool: str


@attrs.frozen
class ToolResult:
    """What the tool gave back before gate 1: characters and SHA-256; a code if it failed.

    `trust` is the label of the text where that is lower than `tool`.
    """

    tool: str
    size: int
    sha256: str
    failed: str | None = None
    trust: Trust | None = None


@attrs.frozen
class ToolTruncate:
    """Gate 1 cut the result for good: `kept` + marker = `size`, in characters.

    `limit` is what bound: the tool ceiling, which `size` is within; or a rule of the policy, which
    limits the kept text and says in which `unit`.
    """

    reason: str
    limit: int
    kept: int
    missing: int
    size: int
    unit: str | None = None


@attrs.frozen
class ArtifactStore:
    """The whole content is kept under a handle: characters and SHA-256."""

    artifact: str
    size: int
    sha256: str


@attrs.frozen
class Error:
    """What went wrong: a code of ours and its parameters, never another program's words."""

    code: str
    params: dict[str, int | str]


@attrs.frozen
class SessionStop:
    """The end of the run, and how many model calls it took."""

    reason: Stop
    turns: int


TYPES: dict[str, type] = {
    "session.start": SessionStart,
    "record.append": Record,
    "context.assemble": Manifest,
    "model.request": ModelRequest,
    "model.response": ModelResponse,
    "tool.request": ToolRequest,
    "tool.result": ToolResult,
    "tool.truncate": ToolTruncate,
    "artifact.store": ArtifactStore,
    "error": Error,
    "session.stop": SessionStop,
}
"""The class of each type's data; `types.py` has those too that only some policies lead to."""
