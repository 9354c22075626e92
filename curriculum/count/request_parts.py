"""What a request holds, taken apart for counting: texts, results, calls, tools and images.

A message is a chat mapping of any of the wires, or a record. Nothing in it is counted as nothing:
what is not known by its key is counted as the JSON text it is, and media without a rule are named.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind, Record, ToolSpec
from curriculum.record.text import scalar

from .image_size import size_of

FREE = {
    *("role", "type", "id", "tool_call_id", "tool_use_id", "call_id", "status", "object", "phase"),
    *("cache_control", "index", "signature", "thoughtSignature", "is_error"),
    *("detail", "media_resolution", "mediaResolution"),
}
"""Keys whose values the frame pays for, or nobody."""
MEDIA = {
    *("audio", "audio_url", "input_audio", "video", "video_url", "input_video"),
    *("file", "input_file", "document"),
}
"""Parts that hold more than text, and that no rule here prices."""


@attrs.frozen
class Picture:
    """An image: pixels a side where they are known, and the detail that was asked for."""

    width: int | None = None
    height: int | None = None
    detail: str = ""


@attrs.define
class Parts:
    """What was found. `media` names the types of parts that hold something without a rule."""

    messages: int = 0
    calls: int = 0
    texts: list[str] = attrs.field(factory=list[str])
    results: list[str] = attrs.field(factory=list[str])
    tools: list[str] = attrs.field(factory=list[str])
    images: list[Picture] = attrs.field(factory=list[Picture])
    media: list[str] = attrs.field(factory=list[str])

    def say(self, text: str) -> None:
        """Add a text as it will be sent: a lone surrogate is replaced."""
        if text:
            self.texts.append(scalar(text))


def parts_of(messages: Iterable[Any], tools: Iterable[Any] = ()) -> Parts:
    """The parts of messages and tools. Raises `CurriculumError` for what is no message."""
    found = Parts()
    try:
        for number, message in enumerate(messages, 1):
            if isinstance(message, Record):
                _record(found, message)
            elif isinstance(message, Mapping):
                _message(found, cast("Mapping[str, Any]", message))
            else:
                raise _odd(f"message {number} is of type {type(message).__name__}")
        found.tools += [_tool(tool) for tool in tools]
    except (TypeError, ValueError, RecursionError, AttributeError) as error:
        raise _odd(f"it cannot be written as JSON ({type(error).__name__})") from None
    return found


def _odd(why: str) -> CurriculumError:
    return CurriculumError(
        f"The messages cannot be read: {why}.",
        'a message is {"role": "user", "content": "..."}, in the form of one of the wires',
        code="messages-odd",
        next="curriculum budget --help",
    )


def spelled(value: object) -> str:
    """JSON as templates write it at the most: indented by four, each character as it is."""
    return scalar(json.dumps(value, indent=4, ensure_ascii=False, allow_nan=False))


def _tool(tool: Any) -> str:
    if not isinstance(tool, ToolSpec):
        return spelled(tool)
    about = {"description": tool.description} if tool.description else {}
    schema = {"parameters": json.loads(tool.parameters)} if tool.parameters else {}
    return spelled({"type": "function", "function": {"name": tool.name, **about, **schema}})


def _record(found: Parts, record: Record) -> None:
    if record.kind is Kind.OPAQUE:
        return
    if record.kind is Kind.TOOLS:
        found.tools += [_tool(tool) for tool in record.tools]
        return
    cut = record.whole()
    text = scalar(cut.head + (cut.marker if cut.missing else "") + cut.tail)
    if record.kind is Kind.RESULT:
        found.results.append(text)
        return
    found.messages += 1
    if record.kind is Kind.IMAGE:  # its text is the picture in base64
        image = record.image
        sized = {"width": image.width, "height": image.height} if image else {}
        found.images.append(Picture(*size_of({**sized, "data": text})))
    elif record.native is not None:
        _content(found, json.loads(record.native.block))
    else:
        found.say(text)
    for call in record.calls:
        _call(found, call.name, call.arguments)


def _call(found: Parts, name: Any, arguments: Any) -> None:
    found.calls += 1
    for value in (name, arguments):
        if value is not None:
            found.say(value if isinstance(value, str) else spelled(value))


def _message(found: Parts, message: Mapping[str, Any]) -> None:
    kind = message.get("type", "message")
    if kind == "function_call":
        _call(found, message.get("name"), message.get("arguments"))
        return
    if kind == "function_call_output":
        _result(found, message.get("output"))
        return
    if message.get("role") in ("tool", "function"):
        _result(found, message.get("content"))
        return
    found.messages += 1
    for key, value in message.items():
        if key in ("content", "parts"):
            _content(found, value)
        elif key == "tool_calls":
            for call in cast("Iterable[Any]", value or ()):
                function = call.get("function", call.get("custom", call))
                _call(found, function.get("name"), function.get("arguments", function.get("input")))
        elif key not in FREE and value is not None:
            found.say(value if isinstance(value, str) else spelled(value))


def _result(found: Parts, content: Any) -> None:
    """A result is one text, whatever parts it has; its images are images."""
    inner = Parts()
    _content(inner, content)
    found.results.append("\n".join([*inner.texts, *inner.results]))
    found.images += inner.images
    found.media += inner.media


def _content(found: Parts, content: Any) -> None:
    if content is None:
        return
    if isinstance(content, str):
        found.say(content)
    elif isinstance(content, Mapping):
        _part(found, cast("Mapping[str, Any]", content))
    elif isinstance(content, list):
        for part in cast("list[Any]", content):
            _content(found, part)
    else:
        found.say(spelled(content))


def _part(found: Parts, part: Mapping[str, Any]) -> None:
    kind = str(part.get("type", ""))
    inline = part.get("inline_data", part.get("inlineData", part.get("file_data")))
    if _is_image(kind, part, inline):
        found.images.append(Picture(*size_of(part), _detail(part)))
    elif kind in ("tool_use", "server_tool_use", "functionCall") or "functionCall" in part:
        call = part.get("functionCall", part)
        _call(found, call.get("name"), call.get("input", call.get("args")))
    elif kind == "tool_result":
        _result(found, part.get("content"))
    elif "functionResponse" in part:
        found.results.append(spelled(part["functionResponse"]))
    elif kind in MEDIA or inline is not None:
        source = part.get("source")
        if isinstance(source, Mapping) and source.get("type") == "text":  # pyright: ignore
            found.say(str(source.get("data", "")))  # pyright: ignore
            return
        found.media.append(kind or "inline_data")
    else:
        for key, value in part.items():
            if key not in FREE and value is not None:
                found.say(value if isinstance(value, str) else spelled(value))


def _is_image(kind: str, part: Mapping[str, Any], inline: Any) -> bool:
    if kind in ("image", "image_url", "input_image") or "image_url" in part:
        return True
    if not isinstance(inline, Mapping):
        return False
    data = cast("Mapping[str, Any]", inline)
    return str(data.get("mime_type", data.get("mimeType", ""))).startswith("image/")


def _detail(part: Mapping[str, Any]) -> str:
    """What the request asks for, as its wire spells it."""
    for key, inner in (
        ("image_url", "detail"),
        ("detail", ""),
        ("media_resolution", "level"),
        ("mediaResolution", "level"),
    ):
        value: Any = part.get(key)
        if isinstance(value, Mapping):
            value = cast("Mapping[str, Any]", value).get(inner)
        elif key == "image_url":
            continue
        if isinstance(value, str):
            return value
    return ""
