"""Every name of the OpenTelemetry export, in one place.

The standard's names are those of the GenAI semantic conventions v0.1.0 (repository
`open-telemetry/semantic-conventions-genai`, built on semantic-conventions v1.45.0). All of them
have the status Development, so this file pins that version and is the only one to change for
another. v0.1.0 publishes no schema URL, so none is written; a resource attribute says the version.

What the standard has no name for stands under our own prefix, and is provisional. There the rest
of a name is the name of the field in the trace: `limit` of a `tool.truncate` is
`curriculum.truncate.limit`. No name is ever made of text that a session holds.

Left out on purpose: `gen_ai.agent.name` and token usage, which no trace knows;
`gen_ai.conversation.compacted`, which is true or absent: our own event of a compaction says more.
"""

from curriculum.record.records import Trust

from .events import Finish, Stop

CONVENTIONS = "open-telemetry/semantic-conventions-genai v0.1.0"
SCOPE, SCOPE_VERSION = "curriculum.trace.otel", "1"
"""What made the spans. The version is that of this map: another map is another version."""

# The standard's attributes.
SERVICE = "service.name"
ERROR = "error.type"
OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
CONVERSATION = "gen_ai.conversation.id"
MODEL = "gen_ai.request.model"
FINISHES = "gen_ai.response.finish_reasons"
TOOL_NAME = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
CALL_ID = "gen_ai.tool.call.id"
# Those with content, written only when they are asked for.
INPUT = "gen_ai.input.messages"
OUTPUT = "gen_ai.output.messages"
DEFINITIONS = "gen_ai.tool.definitions"
ARGUMENTS = "gen_ai.tool.call.arguments"
RESULT = "gen_ai.tool.call.result"

# The standard's values.
INVOKE_AGENT, CHAT, EXECUTE_TOOL = "invoke_agent", "chat", "execute_tool"
FUNCTION = "function"
"""The type of a tool that the harness itself runs."""
INTERNAL = 1
"""SpanKind: also for a chat, as the model is asked in the harness's own process."""
STATUS_ERROR = 2
FINISH_REASONS = {
    Finish.DONE: "stop",
    Finish.TOOL_CALLS: "tool_call",
    Finish.OUTPUT_LIMIT: "length",
    Finish.WINDOW_FULL: "length",
    Finish.REFUSED: "content_filter",
    Finish.PAUSED: "paused",
}
"""The standard's words; it has none for a pause, and lets a custom one stand."""
NO_ANSWER = "error"
"""The finish reason of a request that went out and was never answered."""
ROLES = {
    Trust.SYSTEM: "system",
    Trust.DEVELOPER: "developer",
    Trust.USER: "user",
    Trust.ASSISTANT: "assistant",
    Trust.TOOL: "tool",
    Trust.EXTERNAL: "tool",
}
"""The role of a message by its trust; none may be higher.

The standard has four, none of them for developers, and lets a custom one stand.
"""

# Our own values and attributes.
OURS = "curriculum"
"""The service, and the provider: a trace does not say who runs the model."""
SESSION = "session"
"""The name of the first span where nothing was run; the standard has no operation for it."""
CLOCK = "curriculum.clock"
LOGICAL = "logical: a trace has no clock, so event n stands n milliseconds after 1970-01-01T00:00Z"
NANOSECONDS = 1_000_000
"""Nanoseconds from one event to the next."""
SEMCONV = "curriculum.semconv"
CONTENT_WRITTEN = "curriculum.content"
UNFINISHED = "curriculum.unfinished"
"""True for what the trace does not hold the end of; such a span ends with the last event."""
TYPE, SEQ, TURN = "curriculum.type", "curriculum.seq", "curriculum.turn"
CAUSE, USES = "curriculum.cause", "curriculum.uses"
COUNTS = {name: f"curriculum.context.{name}" for name in ("admitted", "cut", "omitted", "replaced")}
"""How many candidates got each decision; beside `curriculum.context.candidates`."""
CONTENT = "curriculum.record.content"
SIZE = "curriculum.record.size"
"""Characters of content in the log, with the marker if it is cut."""
CALLS, TOOLS = "curriculum.record.calls", "curriculum.record.tools"
"""How many calls a turn has, and tools a tool set."""
DECISION, NEED = "curriculum.decision", "curriculum.need"
"""Events of a chat: one for each entry of the decisions, one for each part that did not fit."""
STANDS = "curriculum.decision.text"
"""What stands for a replaced content; without content, its characters and SHA-256 instead."""
STANDS_SIZE, STANDS_SHA256 = f"{STANDS}.size", f"{STANDS}.sha256"
FIELDS = {
    "session.start": "curriculum.start",
    "record.append": "curriculum.record",
    "context.assemble": "curriculum.context",
    "context.compact": "curriculum.compact",
    "context.mode": "curriculum.mode",
    "model.request": "curriculum.request",
    "model.response": "curriculum.response",
    "tool.request": "curriculum.call",
    "tool.result": "curriculum.result",
    "tool.truncate": "curriculum.truncate",
    "artifact.store": "curriculum.artifact",
    "error": "curriculum.error",
    "session.branch": "curriculum.branch",
    "session.stop": "curriculum.stop",
}
"""What stands before the names of the fields of each type of event."""

FAILED_STOPS = frozenset(Stop) - {
    *(Stop.COMPLETED, Stop.TURN_LIMIT, Stop.OUTPUT_LIMIT, Stop.REFUSED, Stop.PAUSED),
    Stop.REPEATED,
}
"""Stops of a run that could not go on. The others are ends that the run or its model chose."""


def event_name(type: str) -> str:
    """The name of the span event that stands for an event of the trace."""
    return f"curriculum.{type}"


def model_of(wire: str) -> str:
    """The model that a wire's id names, as `openai-chat@1:gpt` does; empty if it names none."""
    return wire.partition(":")[2]
