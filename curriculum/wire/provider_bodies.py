"""The body of a request as any harness writes it, read into the turns that it is made of.

Four formats, one shape: who speaks, which texts, which calls, which results, and where each stands
in the body, as a path such as `messages[2].content[0]`. What is not known is left alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs

from .errors import WireError

CHAT, RESPONSES, ANTHROPIC, GEMINI = (
    *("openai-chat", "openai-responses", "anthropic-messages", "gemini"),
)
PROVIDERS = (CHAT, RESPONSES, ANTHROPIC, GEMINI)
"""The formats that can be read, without the versions of our own wires."""
LISTS = {CHAT: "messages", RESPONSES: "input", ANTHROPIC: "messages", GEMINI: "contents"}
"""The member of each body that holds the conversation."""
ROLES = {
    CHAT: ("system", "developer", "user", "assistant", "tool", "function"),
    RESPONSES: ("system", "developer", "user", "assistant"),
    ANTHROPIC: ("user", "assistant"),
    GEMINI: ("user", "model", "function"),
}
_ANTHROPIC_BLOCKS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "document"}


@attrs.frozen
class Part:
    """One thing that a turn holds: `what` is text, call, result, thinking or other."""

    what: str
    place: str
    text: str = ""
    id: str | None = None
    name: str | None = None
    arguments: object = None
    signed: bool = False


@attrs.frozen
class Said:
    """One turn of a body: who speaks (as the body has it), and its parts in order."""

    role: str
    place: str
    parts: tuple[Part, ...]

    def of(self, what: str) -> list[Part]:
        """The parts of one sort."""
        return [part for part in self.parts if part.what == what]


def recognise(body: Mapping[str, Any]) -> str:
    """The format of a body. Raises `WireError` if it is none, or could be two."""
    if "contents" in body:
        return GEMINI
    if "input" in body:
        return RESPONSES
    if "messages" not in body:
        raise WireError(
            "The body is no request of a known format.",
            "it has none of the members messages, input and contents",
            code="body-shape",
        )
    messages, tools = _objects(body.get("messages")), _objects(body.get("tools"))
    blocks = [block for one in messages for block in _objects(one.get("content"))]
    types = {str(block.get("type")) for block in blocks}
    if "system" in body or any("input_schema" in tool for tool in tools):
        return ANTHROPIC
    if types & _ANTHROPIC_BLOCKS or any("source" in block for block in blocks):
        return ANTHROPIC
    roles = {str(one.get("role")) for one in messages}
    if roles - {"user", "assistant"} or any("tool_calls" in one for one in messages):
        return CHAT
    if any("function" in tool for tool in tools) or "image_url" in types:
        return CHAT
    model = body.get("model")
    if isinstance(model, str) and "claude" in model:
        return ANTHROPIC
    if "max_tokens" not in body:
        return CHAT  # Anthropic wants it in every request
    raise WireError(
        "The body could be of openai-chat or of anthropic-messages.",
        code="body-ambiguous",
    )


def _objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list; nothing of anything else."""
    listed = cast(list[Any], value) if isinstance(value, list) else []
    return [cast(dict[str, Any], one) for one in listed if isinstance(one, dict)]


def turns(wire: str, body: Mapping[str, Any]) -> list[Said]:
    """The turns of a body of that format. Raises `WireError` for one of another shape."""
    member = LISTS[wire]
    given = body.get(member)
    if wire == RESPONSES and isinstance(given, str):
        return [Said("user", member, (Part("text", member, given),))]
    if not isinstance(given, list):
        raise WireError(
            f"The body is no request of {wire}.", f"{member} is no list", code="body-shape"
        )
    listed = [
        (f"{member}[{number}]", _object(one, f"{member}[{number}]"))
        for number, one in enumerate(cast(list[Any], given))
    ]
    read = {CHAT: _chat, RESPONSES: _responses, ANTHROPIC: _anthropic, GEMINI: _gemini}[wire]
    return read(listed)


def system(wire: str, body: Mapping[str, Any]) -> Said | None:
    """The instructions that stand beside the conversation, where a format has them there."""
    if wire != ANTHROPIC or "system" not in body:
        return None
    return Said("system", "system", tuple(_blocks(body["system"], "system", _anthropic_block)))


Listed = list[tuple[str, dict[str, Any]]]


def _chat(messages: Listed) -> list[Said]:
    """Messages; the results that stand side by side are one turn."""
    found: list[Said] = []
    for place, data in messages:
        role = _role(data, place)
        if role == "tool":
            part = Part("result", place, id=_text(data, "tool_call_id", place))
            last = found[-1] if found and found[-1].role == "tool" else None
            if last is not None:
                found[-1] = attrs.evolve(last, parts=(*last.parts, part))
            else:
                found.append(Said(role, place, (part,)))
            continue
        parts = list(_blocks(data.get("content"), f"{place}.content", _chat_block))
        for at, call in _listed(data, "tool_calls", place):
            asked = call.get("function") or call.get("custom")
            function = _object(asked, f"{at}.function")
            arguments = function.get("arguments", function.get("input"))
            id, name = _text(call, "id", at), _text(function, "name", f"{at}.function")
            where = f"{at}.function.arguments"
            parts.append(Part("call", where, id=id, name=name, arguments=arguments))
        found.append(Said(role, place, tuple(parts)))
    return found


def _responses(items: Listed) -> list[Said]:
    """Each item is a turn of its own."""
    found: list[Said] = []
    for place, data in items:
        kind = data.get("type", "message")
        if kind == "message":
            blocks = tuple(_blocks(data.get("content"), f"{place}.content", _chat_block))
            found.append(Said(_role(data, place), place, blocks))
        elif kind in ("function_call", "custom_tool_call"):
            id, arguments = _text(data, "call_id", place), data.get("arguments", data.get("input"))
            part = Part("call", f"{place}.arguments", id=id, arguments=arguments)
            found.append(Said("assistant", place, (part,)))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            part = Part("result", place, id=_text(data, "call_id", place))
            found.append(Said("tool", place, (part,)))
        elif kind == "reasoning":
            found.append(Said("assistant", place, (Part("thinking", place),)))
        else:
            found.append(Said("other", place, ()))
    return found


def _anthropic(messages: Listed) -> list[Said]:
    return [
        Said(
            _role(data, place),
            place,
            tuple(_blocks(data.get("content"), f"{place}.content", _anthropic_block)),
        )
        for place, data in messages
    ]


def _anthropic_block(data: dict[str, Any], place: str) -> Iterator[Part]:
    kind = data.get("type")
    if kind == "text":
        yield Part("text", f"{place}.text", _text(data, "text", place))
    elif kind == "tool_use":
        id, name = _text(data, "id", place), _text(data, "name", place)
        yield Part("call", f"{place}.input", id=id, name=name, arguments=data.get("input"))
    elif kind == "tool_result":
        yield Part("result", place, id=_text(data, "tool_use_id", place))
        if isinstance(data.get("content"), list):
            yield from _blocks(data["content"], f"{place}.content", _nested)
    elif kind in ("thinking", "redacted_thinking"):
        yield Part("thinking", place)
    else:
        yield Part("other", place)


def _nested(data: dict[str, Any], place: str) -> Iterator[Part]:
    """A text in a result is a text, and no part of the turn beside its results."""
    if data.get("type") == "text":
        yield Part("nested", f"{place}.text", _text(data, "text", place))


def _chat_block(data: dict[str, Any], place: str) -> Iterator[Part]:
    if isinstance(data.get("text"), str):
        yield Part("text", f"{place}.text", data["text"])
    else:
        yield Part("other", place)


def _gemini(contents: Listed) -> list[Said]:
    found: list[Said] = []
    for place, data in contents:
        parts = [
            part
            for at, one in _listed(data, "parts", place)
            for part in _gemini_part({_camel(key): value for key, value in one.items()}, at)
        ]
        role = _role(data, place) if "role" in data else "user"
        found.append(Said(role, place, tuple(parts)))
    return found


def _gemini_part(data: dict[str, Any], place: str) -> Iterator[Part]:
    signed = "thoughtSignature" in data
    if data.get("thought") is True:
        yield Part("thinking", place)
    elif "functionCall" in data:
        at = f"{place}.functionCall"
        asked = _object(data["functionCall"], at)
        name, given = _text(asked, "name", at), asked.get("args", {})
        yield Part("call", f"{at}.args", id=_id(asked, at), name=name, arguments=given)
    elif "functionResponse" in data:
        at = f"{place}.functionResponse"
        given = _object(data["functionResponse"], at)
        yield Part("result", at, id=_id(given, at), name=_text(given, "name", at))
    elif "text" in data:
        yield Part("text", f"{place}.text", _text(data, "text", place), signed=signed)
    else:
        yield Part("other", place)


def _camel(key: str) -> str:
    """Gemini takes both spellings of a member."""
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _blocks(content: object, place: str, read: Any) -> Iterator[Part]:
    """The parts of a content: a text, a list of blocks, or nothing."""
    if isinstance(content, str):
        yield Part("text", place, content)
    elif isinstance(content, list):
        for number, one in enumerate(cast(list[Any], content)):
            at = f"{place}[{number}]"
            yield from read(_object(one, at), at)
    elif content is not None:
        raise WireError(f"{place} is neither a text nor a list of blocks.", code="body-shape")


def _listed(data: dict[str, Any], member: str, place: str) -> Listed:
    given = data.get(member)
    if given is None:
        return []
    if not isinstance(given, list):
        raise WireError(f"{place}.{member} is no list.", code="body-shape")
    listed = cast(list[Any], given)
    at = [f"{place}.{member}[{number}]" for number in range(len(listed))]
    return [(where, _object(one, where)) for where, one in zip(at, listed, strict=True)]


def _role(data: dict[str, Any], place: str) -> str:
    return _text(data, "role", place)


def _id(data: dict[str, Any], place: str) -> str | None:
    """An id where a format lets it be left out."""
    return None if data.get("id") is None else _text(data, "id", place)


def _text(data: dict[str, Any], member: str, place: str) -> str:
    value = data.get(member)
    if not isinstance(value, str):
        raise WireError(f"{place}.{member} is no text.", code="body-shape")
    return value


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WireError(f"{place} is no JSON object.", code="body-shape")
    return cast(dict[str, Any], value)
