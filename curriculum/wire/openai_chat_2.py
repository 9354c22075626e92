"""`openai-chat@2`: Chat Completions with images, labelled kinds and ids that are unique.

As `openai-chat@1`, and beside it: a kind that has no role of its own is a user message whose
`name` is the kind; an image is a user message of one `image_url` part; ids of calls hold the record
that asked. Schemas are spelled as all other JSON of these wires.
"""

from typing import Any

from curriculum.record.records import Call, Image, Kind, Record, ToolSpec, Trust

from .errors import WireError
from .frames import EVERY, LISTED, listed
from .json_text import quoted, schema
from .names import own_id, sent_id
from .reading import cut_of, offered, read_json
from .request import Message, Piece, SegmentClass
from .roles import LABELLED, beside, heard_names, refused

TEXT, FRAME, SCHEMA = SegmentClass.TEXT, SegmentClass.FRAME, SegmentClass.SCHEMA
IMAGE = SegmentClass.IMAGE
NAME = "openai-chat"
_ROLES = {Kind.USER: "user", Kind.ASSISTANT: "assistant"}
_TRUST = {"system": Trust.SYSTEM, "developer": Trust.DEVELOPER}
_PART = '{"type":"text","text":'


def _none(block: dict[str, Any]) -> bool:
    """No block of thinking goes back on this wire."""
    return False


class OpenAIChat2:
    """Chat Completions for one model name; the name is part of the body and so of its size."""

    places, leads = EVERY, LISTED

    def __init__(self, model: str = "scripted") -> None:
        self.id = f"{NAME}@2:{model}"
        self.frames = listed(f'{{"model":{quoted(model)},', '"messages":[', ",", "]}")

    def refuses(self, record: Record) -> str | None:
        """Low trust in a high place, and all thinking: this format has no place for it."""
        return refused(record, NAME, _none, blanks=True)

    def heard(self, message: Message) -> Message:
        """What a reader of the body can know of a message: of a long id, its name."""
        return heard_names(message)

    def pieces(self, message: Message) -> list[Piece]:
        """The JSON object of one message, or the `tools` member of the body."""
        kind = message.kind
        if kind is Kind.TOOLS:
            return self._tools(message.tools)
        if kind is Kind.RESULT:
            id = quoted(sent_id(message.call_id, message.turn))
            opening = f'{{"role":"tool","tool_call_id":{id},"content":'
            return [(FRAME, opening), *self._content(message), (FRAME, "}")]
        if kind is Kind.IMAGE and message.image is not None:
            opening = '{"role":"user","content":[{"type":"image_url","image_url":{"url":'
            url = quoted(f"data:{message.image.media};base64,{message.text}")
            return [(FRAME, opening), (IMAGE, url), (FRAME, "}}]}")]
        if kind in LABELLED:
            opening = f'{{"role":"user","name":{quoted(kind)},"content":'
            return [(FRAME, opening), (TEXT, quoted(message.text)), (FRAME, "}")]
        role = message.trust if kind is Kind.INSTRUCTION else _ROLES.get(kind)
        if role is None:
            raise WireError(f"{NAME}@2 has no place for a record of kind {kind}.")
        opening = f'{{"role":{quoted(role)},"content":'
        calls = self._calls(message)
        return [(FRAME, opening), (TEXT, quoted(message.text)), *calls, (FRAME, "}")]

    def _content(self, message: Message) -> list[Piece]:
        cut = message.cut
        if cut is None:
            return [(TEXT, quoted(message.text))]
        return [
            (FRAME, f"[{_PART}"),
            (TEXT, quoted(cut.head)),
            (FRAME, f"}},{_PART}{quoted(cut.marker)}}},{_PART}"),
            (TEXT, quoted(cut.tail)),
            (FRAME, "}]"),
        ]

    def _calls(self, message: Message) -> list[Piece]:
        if not message.calls:
            return []
        spelled: list[list[Piece]] = []
        for call in message.calls:
            id = quoted(sent_id(call.id, message.record))
            asked = f'{{"name":{quoted(call.name)},"arguments":{quoted(call.arguments)}}}'
            opening = f'{{"id":{id},"type":"function","function":'
            spelled.append([(FRAME, opening), (TEXT, asked), (FRAME, "}")])
        return [(FRAME, ',"tool_calls":['), *beside(spelled), (FRAME, "]")]

    def _tools(self, tools: tuple[ToolSpec, ...]) -> list[Piece]:
        if not tools:
            return []
        spelled: list[list[Piece]] = [
            [(FRAME, '{"type":"function","function":'), (SCHEMA, _tool(tool)), (FRAME, "}")]
            for tool in tools
        ]
        return [(FRAME, '"tools":['), *beside(spelled), (FRAME, "],")]

    def decode(self, body: bytes) -> list[Message]:
        """The messages of a body of this wire. Raises `WireError` for anything else."""
        return read_json(self, body, _messages)


def _tool(tool: ToolSpec) -> str:
    about = f',"description":{quoted(tool.description)}' if tool.description else ""
    wants = f',"parameters":{schema(tool.parameters, "")}' if tool.parameters else ""
    return f'{{"name":{quoted(tool.name)}{about}{wants}}}'


def _messages(data: dict[str, Any]) -> list[Message]:
    tools = [tool["function"] for tool in data.get("tools", ())]
    found = offered(tools, "parameters", "")
    return [*found, *map(_message, data["messages"])]


def _message(data: dict[str, Any]) -> Message:
    role, content = data["role"], data["content"]
    if role == "assistant":
        calls, turn = list[Call](), ""
        for asked in data.get("tool_calls", ()):
            id, turn = own_id(asked["id"])
            function = asked["function"]
            calls.append(Call(id, function["name"], function["arguments"]))
        return Message(Kind.ASSISTANT, content, calls=tuple(calls), record=turn)
    if role == "tool":
        return _result(data["tool_call_id"], content)
    if role in _TRUST:
        return Message(Kind.INSTRUCTION, content, trust=_TRUST[role])
    if "name" in data:
        return Message(Kind(data["name"]), content)
    if isinstance(content, str):
        return Message(Kind.USER, content, trust=Trust.USER)
    media, _, picture = content[0]["image_url"]["url"].removeprefix("data:").partition(";base64,")
    return Message(Kind.IMAGE, picture, image=Image(media))


def _result(sent: str, content: Any) -> Message:
    id, turn = own_id(sent)
    if isinstance(content, str):
        return Message(Kind.RESULT, content, call_id=id, turn=turn)
    head, marker, tail = (part["text"] for part in content)
    return Message(Kind.RESULT, cut=cut_of(head, marker, tail), call_id=id, turn=turn)
