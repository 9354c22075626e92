"""`openai-responses@1`: the body of a Responses request.

Every record is an item of `input`, or several: a turn's words, then each of its calls. Words with
calls after them are a commentary, so that they are never taken for a turn of their own. Text that
is whole is a string; a cut result is a list of three texts, of which the middle one is the marker;
kinds that have no role of their own are two texts, of which the first one is the kind.
"""

from typing import Any

from curriculum.record.records import Call, Image, Kind, Native, Record, ToolSpec, Trust

from .errors import WireError
from .frames import EVERY, LISTED, listed
from .json_text import compact, model_name, quoted, schema
from .names import own_id, sent_id
from .reading import cut_of, offered, read_json
from .request import Message, Piece, SegmentClass
from .roles import LABELLED, beside, heard_names, refused

TEXT, FRAME, SCHEMA = SegmentClass.TEXT, SegmentClass.FRAME, SegmentClass.SCHEMA
IMAGE, THINKING = SegmentClass.IMAGE, SegmentClass.THINKING
NAME = "openai-responses"
NO_PARAMETERS = '{"type":"object","properties":{}}'
_ROLES = {Kind.USER: "user", Kind.ASSISTANT: "assistant"}
_TRUST = {"system": Trust.SYSTEM, "developer": Trust.DEVELOPER}
_PART = '{"type":"input_text","text":'


_REASONING = {"type", "id", "summary", "content", "encrypted_content", "status"}


def _is_own(block: dict[str, Any]) -> bool:
    """An item with a role or a call in it is no reasoning, whatever its type says."""
    return block.get("type") == "reasoning" and block.keys() <= _REASONING


class OpenAIResponses:
    """Responses requests to one model."""

    places, leads = EVERY, LISTED

    def __init__(self, model: str = "scripted") -> None:
        self.id = f"{NAME}@1:{model}"
        self.frames = listed(f'{{"model":{model_name(model)},', '"input":[', ",", "]}")

    def refuses(self, record: Record) -> str | None:
        """Low trust in a high place, and blocks of other wires."""
        return refused(record, NAME, _is_own, blanks=True)

    def heard(self, message: Message) -> Message:
        """What a reader can know: of a reasoning item, the item; of a long id, its name."""
        if message.native:
            return Message(message.kind, native=message.native)
        return heard_names(message)

    def pieces(self, message: Message) -> list[Piece]:
        """The item or items of one message, or the `tools` member of the body."""
        kind = message.kind
        if kind is Kind.TOOLS:
            return self._tools(message.tools)
        if kind is Kind.ASSISTANT:
            return self._turn(message)
        if kind is Kind.RESULT:
            id = quoted(sent_id(message.call_id, message.turn))
            opening = f'{{"type":"function_call_output","call_id":{id},"output":'
            return [(FRAME, opening), *self._content(message), (FRAME, "}")]
        if kind is Kind.THINKING and message.native is not None:
            return [(THINKING, message.native.block)]
        if kind is Kind.IMAGE and message.image is not None:
            opening = '{"role":"user","content":[{"type":"input_image","image_url":'
            url = quoted(f"data:{message.image.media};base64,{message.text}")
            return [(FRAME, opening), (IMAGE, url), (FRAME, ',"detail":"auto"}]}')]
        if kind in LABELLED:
            opening = f'{{"role":"user","content":[{_PART}{quoted(kind)}}},{_PART}'
            return [(FRAME, opening), (TEXT, quoted(message.text)), (FRAME, "}]}")]
        role = message.trust if kind is Kind.INSTRUCTION else _ROLES.get(kind)
        if role is None:
            raise WireError(f"{NAME}@1 has no place for a record of kind {kind}.")
        return self._said(role, message.text)

    def _said(self, role: str, text: str, more: str = "") -> list[Piece]:
        opening = f'{{"role":{quoted(role)},"content":'
        return [(FRAME, opening), (TEXT, quoted(text)), (FRAME, f"{more}}}")]

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

    def _turn(self, message: Message) -> list[Piece]:
        items: list[list[Piece]] = []
        if message.text or not message.calls:
            phase = ',"phase":"commentary"' if message.calls else ""
            items.append(self._said("assistant", message.text, phase))
        for call in message.calls:
            id = quoted(sent_id(call.id, message.record))
            spelled = f'{quoted(call.name)},"arguments":{quoted(call.arguments)}'
            opening = f'{{"type":"function_call","call_id":{id},"name":'
            items.append([(FRAME, opening), (TEXT, spelled), (FRAME, "}")])
        return beside(items)

    def _tools(self, tools: tuple[ToolSpec, ...]) -> list[Piece]:
        if not tools:
            return []
        spelled: list[list[Piece]] = [
            [(FRAME, '{"type":"function",'), (SCHEMA, _tool(tool)), (FRAME, ',"strict":false}')]
            for tool in tools
        ]
        return [(FRAME, '"tools":['), *beside(spelled), (FRAME, "],")]

    def decode(self, body: bytes) -> list[Message]:
        """The messages of a body of this wire. Raises `WireError` for anything else."""
        return read_json(self, body, _messages)


def _tool(tool: ToolSpec) -> str:
    about = f',"description":{quoted(tool.description)}' if tool.description else ""
    wants = schema(tool.parameters, NO_PARAMETERS)
    return f'"name":{quoted(tool.name)}{about},"parameters":{wants}'


def _messages(data: dict[str, Any]) -> list[Message]:
    found = offered(data.get("tools", ()), "parameters", NO_PARAMETERS)
    said: str | None = None  # a commentary, whose calls follow
    for item in data["input"]:
        kind = item.get("type")
        if kind == "function_call":
            id, turn = own_id(item["call_id"])
            call = Call(id, item["name"], item["arguments"])
            last = found[-1] if found and said is None else None
            before = last.calls if last and last.calls and last.record == turn else ()
            text = found.pop().text if before else said or ""
            found.append(Message(Kind.ASSISTANT, text, calls=(*before, call), record=turn))
            said = None
        elif item.get("phase") == "commentary":
            said = item["content"]
        elif kind == "function_call_output":
            found.append(_result(item))
        elif _is_own(item):
            found.append(Message(Kind.THINKING, native=Native(NAME, compact(item))))
        else:
            found.append(_said(item["role"], item["content"]))
    return found


def _result(item: dict[str, Any]) -> Message:
    id, turn = own_id(item["call_id"])
    output = item["output"]
    if isinstance(output, str):
        return Message(Kind.RESULT, output, call_id=id, turn=turn)
    head, marker, tail = (part["text"] for part in output)
    return Message(Kind.RESULT, cut=cut_of(head, marker, tail), call_id=id, turn=turn)


def _said(role: str, content: Any) -> Message:
    if role in _TRUST:
        return Message(Kind.INSTRUCTION, content, trust=_TRUST[role])
    if role == "assistant":
        return Message(Kind.ASSISTANT, content)
    if isinstance(content, str):
        return Message(Kind.USER, content, trust=Trust.USER)
    if len(content) == 2:
        return Message(Kind(content[0]["text"]), content[1]["text"])
    media, _, picture = content[0]["image_url"].removeprefix("data:").partition(";base64,")
    return Message(Kind.IMAGE, picture, image=Image(media))
