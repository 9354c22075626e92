"""`openai-chat@1`: the body of a Chat Completions request.

Content cannot forge a cut: whole content is a string, cut content is a list of exactly three
text parts, of which the middle one is the marker.
"""

import json
from typing import Any

from curriculum.record.cut import Cut
from curriculum.record.records import Call, Kind, Record, ToolSpec, Trust

from .errors import WireError
from .frames import EVERY, LISTED, listed
from .request import Message, Piece, SegmentClass
from .segments import segments_of

TEXT, FRAME, SCHEMA = SegmentClass.TEXT, SegmentClass.FRAME, SegmentClass.SCHEMA
_SLOTS = {
    (Kind.INSTRUCTION, Trust.SYSTEM): "system",
    (Kind.INSTRUCTION, Trust.DEVELOPER): "developer",
    (Kind.USER, Trust.USER): "user",
}
_PLACES = {role: place for place, role in _SLOTS.items()}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class OpenAIChat:
    """Chat Completions for one model name; the name is part of the body and so of its size."""

    places, leads = EVERY, LISTED

    def __init__(self, model: str = "scripted") -> None:
        self.id = f"openai-chat@1:{model}"
        self.frames = listed(f'{{"model":{_quoted(model)},', '"messages":[', ",", "]}")

    def refuses(self, record: Record) -> str | None:
        """All but instructions of system and developer, words of user and model, results, tools."""
        slot = (record.kind, record.trust) in (*_SLOTS, (Kind.ASSISTANT, Trust.ASSISTANT))
        return None if slot or record.kind in (Kind.RESULT, Kind.TOOLS) else "no-slot"

    def heard(self, message: Message) -> Message:
        """All of a message can be read back."""
        return message

    def pieces(self, message: Message) -> list[Piece]:
        """The JSON object of one message, or the `tools` member of the body."""
        if message.kind is Kind.TOOLS:
            return self._tools(message.tools)
        if message.kind is Kind.ASSISTANT:
            return self._turn(message)
        if message.kind is Kind.RESULT:
            opening = f'{{"role":"tool","tool_call_id":{_quoted(message.call_id)},"content":'
        else:
            assert message.trust is not None
            opening = f'{{"role":"{_SLOTS[message.kind, message.trust]}","content":'
        return [(FRAME, opening), *self._content(message), (FRAME, "}")]

    def _content(self, message: Message) -> list[Piece]:
        cut = message.cut
        if cut is None:
            return [(TEXT, _quoted(message.text))]
        part = '{"type":"text","text":'
        return [
            (FRAME, f"[{part}"),
            (TEXT, _quoted(cut.head)),
            (FRAME, f"}},{part}{_quoted(cut.marker)}}},{part}"),
            (TEXT, _quoted(cut.tail)),
            (FRAME, "}]"),
        ]

    def _turn(self, message: Message) -> list[Piece]:
        pieces = [(FRAME, '{"role":"assistant","content":'), (TEXT, _quoted(message.text))]
        for number, call in enumerate(message.calls):
            lead = "," if number else ',"tool_calls":['
            spelled = f'{{"name":{_quoted(call.name)},"arguments":{_quoted(call.arguments)}}}'
            pieces += [
                (FRAME, f'{lead}{{"id":{_quoted(call.id)},"type":"function","function":'),
                (TEXT, spelled),
                (FRAME, "}"),
            ]
        return [*pieces, (FRAME, "]}" if message.calls else "}")]

    def _tools(self, tools: tuple[ToolSpec, ...]) -> list[Piece]:
        if not tools:
            return []
        pieces: list[Piece] = []
        for number, tool in enumerate(tools):
            lead = "," if number else '"tools":['
            about = f',"description":{_quoted(tool.description)}' if tool.description else ""
            schema = f',"parameters":{tool.parameters}' if tool.parameters else ""
            pieces += [
                (FRAME, f'{lead}{{"type":"function","function":'),
                (SCHEMA, f'{{"name":{_quoted(tool.name)}{about}{schema}}}'),
                (FRAME, "}"),
            ]
        return [*pieces, (FRAME, "],")]

    def decode(self, body: bytes) -> list[Message]:
        """The messages of a body of this wire. Raises `WireError` for anything else."""
        try:
            data = json.loads(body.decode())
            tools = [_tool(tool["function"]) for tool in data.get("tools", ())]
            messages = [_message(message) for message in data["messages"]]
            if tools:
                messages.insert(0, Message(Kind.TOOLS, tools=tuple(tools)))
            # One message has one spelling: a body with anything more or else is not ours.
            spelled = "".join(tile.text for tile in segments_of(self, messages))
            if spelled.encode() != body:
                raise ValueError
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise WireError("The bytes are no Chat Completions body of openai-chat@1.") from error
        return messages


def _tool(function: dict[str, Any]) -> ToolSpec:
    parameters = function.get("parameters")
    spelled = _canonical(parameters) if parameters is not None else ""
    return ToolSpec(function["name"], function.get("description", ""), spelled)


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _message(data: dict[str, Any]) -> Message:
    role, content = data["role"], data["content"]
    if role == "assistant":
        calls = [
            Call(c["id"], c["function"]["name"], c["function"]["arguments"])
            for c in data.get("tool_calls", ())
        ]
        return Message(Kind.ASSISTANT, content, calls=tuple(calls))
    kind, trust = (Kind.RESULT, None) if role == "tool" else _PLACES[role]
    call_id = data.get("tool_call_id", "")
    if isinstance(content, str):
        return Message(kind, content, call_id=call_id, trust=trust)
    head, marker, tail = (part["text"] for part in content)
    missing, _, artifact = marker[2:-2].partition(" ")
    original = len(head) + len(tail) + int(missing)
    cut = Cut(head, tail, original, "", artifact or None)
    return Message(kind, cut=cut, call_id=call_id, trust=trust)
