"""Reading `anthropic-messages@1` back."""

from typing import TYPE_CHECKING, Any

from curriculum.record.records import Call, Image, Kind, Native, Trust

from .anthropic_messages import NAME, NO_PARAMETERS, UNSHOWN, is_own
from .json_text import arguments_of, compact
from .names import own_id
from .reading import cut_of, offered, read_json
from .request import Message

if TYPE_CHECKING:
    from .anthropic_messages import AnthropicMessages


def decode(wire: "AnthropicMessages", body: bytes) -> list[Message]:
    """See `AnthropicMessages.decode`."""
    return read_json(wire, body, _messages)


def _messages(data: dict[str, Any]) -> list[Message]:
    found = offered(data.get("tools", ()), "input_schema", NO_PARAMETERS)
    found += [Message(Kind.INSTRUCTION, block["text"], trust=Trust.SYSTEM)
              for block in data.get("system", ())]  # fmt: skip
    for message in data["messages"]:
        blocks = message["content"]
        if blocks == UNSHOWN:
            continue
        if message["role"] == "assistant":
            found += _turn(blocks)
        else:
            found += [_block(block) for block in blocks]
    return found


def _turn(blocks: list[dict[str, Any]]) -> list[Message]:
    """The thinking of a turn, then its words and calls as one message."""
    thinking: list[Message] = []
    text, calls, turn = "", list[Call](), ""
    for block in blocks:
        if is_own(block):
            thinking.append(Message(Kind.THINKING, native=Native(NAME, compact(block))))
        elif block["type"] == "text":
            text = block["text"]
        else:
            id, turn = own_id(block["id"])
            calls.append(Call(id, block["name"], arguments_of(block["input"])))
    if not text and not calls:
        return thinking
    return [*thinking, Message(Kind.ASSISTANT, text, calls=tuple(calls), record=turn)]


def _block(block: dict[str, Any]) -> Message:
    kind = block["type"]
    if kind == "text":
        return Message(Kind.USER, block["text"], trust=Trust.USER)
    if kind == "image":
        source = block["source"]
        return Message(Kind.IMAGE, source["data"], image=Image(source["media_type"]))
    if kind == "document":
        return Message(Kind(block["title"]), block["source"]["data"])
    id, turn = own_id(block["tool_use_id"])
    content = block["content"]
    if isinstance(content, str):
        return Message(Kind.RESULT, content, call_id=id, turn=turn)
    at = next(number for number, part in enumerate(content) if part["type"] == "document")
    head, tail = (part[0]["text"] if part else "" for part in (content[:at], content[at + 1 :]))
    cut = cut_of(head, content[at]["source"]["data"], tail)
    return Message(Kind.RESULT, cut=cut, call_id=id, turn=turn)
