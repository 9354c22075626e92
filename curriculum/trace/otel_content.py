"""The content of an OpenTelemetry export, in the standard's shapes; only if it is asked for.

Messages are those that were sent: rebuilt from the trace, in sending order, cut as they were.
"""

import json
from typing import Any, cast

from curriculum.record.cut import Cut
from curriculum.record.records import Call, Kind, Record, ToolSpec
from curriculum.wire.request import Message

from .otel_names import FUNCTION, ROLES
from .otel_values import Json, fits

DEEPEST = 16
"""Levels of a tool's arguments that are written as structure; readers of OTLP have a limit."""


def input_messages(messages: tuple[Message, ...]) -> list[Json]:
    """What the model was sent, without the tools."""
    return [_message(message) for message in messages if message.kind is not Kind.TOOLS]


def definitions(messages: tuple[Message, ...]) -> list[Json]:
    """The tools that the model was offered in this request."""
    return [_definition(tool) for message in messages for tool in message.tools]


def output_messages(turn: Record, finish: str) -> list[Json]:
    """What the model answered: one message, with the standard's finish reason."""
    parts = _parts(turn.text, turn.calls)
    return [{"role": ROLES[turn.trust], "parts": parts, "finish_reason": finish}]


def result_of(record: Record) -> Any:
    """What the log holds of a tool's result: an object if the tool returned one, else the text."""
    return _shown(record.cut) if record.cut is not None else as_object(record.text)


def as_object(text: str) -> Any:
    """The JSON object that `text` spells; the text itself if it spells none, or an odd one.

    Odd is what readers could take in two ways, or OTLP does not carry whole: a key that stands
    twice, a fraction, NaN, a number over 64 bits, a lone surrogate, too many levels.
    """
    hooks: dict[str, Any] = {"parse_float": _odd, "parse_constant": _odd, "parse_int": _whole}
    try:
        made = json.loads(text, object_pairs_hook=_once, **hooks)
        json.dumps(made, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return text
    return cast(Any, made) if isinstance(made, dict) and not _deeper(made, DEEPEST) else text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _odd(text: str) -> Any:
    raise ValueError(text)


def _whole(text: str) -> int:
    if not fits(number := int(text)):
        raise ValueError(text)
    return number


def _deeper(made: Any, levels: int) -> bool:
    """Whether lists and mappings stand in each other on more than `levels` levels."""
    inner: list[Any]
    if isinstance(made, dict):
        inner = list(cast(dict[str, Any], made).values())
    elif isinstance(made, list):
        inner = cast(list[Any], made)
    else:
        return False
    return levels == 0 or any(_deeper(part, levels - 1) for part in inner)


def _message(message: Message) -> Json:
    shown = _shown(message.cut) if message.cut is not None else message.text
    if message.kind is Kind.RESULT:
        part = {"type": "tool_call_response", "id": message.call_id, "response": shown}
        return {"role": "tool", "parts": [part]}
    assert message.trust is not None
    if message.kind is Kind.THINKING:
        return {"role": ROLES[message.trust], "parts": [{"type": "reasoning", "content": shown}]}
    return {"role": ROLES[message.trust], "parts": _parts(shown, message.calls)}


def _parts(text: str, calls: tuple[Call, ...]) -> list[Json]:
    parts: list[Json] = [{"type": "text", "content": text}] if text or not calls else []
    for call in calls:
        arguments = as_object(call.arguments)
        parts.append(
            {"type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments}
        )
    return parts


def _definition(tool: ToolSpec) -> Json:
    made: Json = {"type": FUNCTION, "name": tool.name}
    if tool.description:
        made["description"] = tool.description
    if tool.parameters:
        made["parameters"] = as_object(tool.parameters)
    return made


def _shown(cut: Cut) -> str:
    return f"{cut.head}{cut.marker}{cut.tail}"
