"""`gemini@1`: the body of a generateContent request; the model's name stands in its address.

Instructions stand in `systemInstruction`, everything else in contents of user and model. The
results of one turn are parts of one content right after their calls. Where the model would speak
first, or twice in a row, a content of the user's says that something is not shown. A whole text is
one part; a kind that has no role of its own is two, of which the first one is the kind. A cut
result has the marker as a member of its own.
"""

from typing import Any

import attrs

from curriculum.record.records import Call, Image, Kind, Native, Record, ToolSpec, Trust

from .errors import WireError
from .json_text import argument_object, arguments_of, compact, quoted, schema
from .names import own_id, sent_id
from .reading import cut_of, offered, read_json
from .request import Message, Piece, SegmentClass
from .roles import LABELLED, beside, blank, heard, refused

TEXT, FRAME, SCHEMA = SegmentClass.TEXT, SegmentClass.FRAME, SegmentClass.SCHEMA
IMAGE, THINKING = SegmentClass.IMAGE, SegmentClass.THINKING
NAME = "gemini"
UNSHOWN = "unshown"
"""The kind that a stand-in has; no record has it."""
_PLACES = dict.fromkeys(Kind, "user") | {
    Kind.TOOLS: "tools",
    Kind.INSTRUCTION: "system",
    Kind.ASSISTANT: "model",
    Kind.THINKING: "thinking",
    Kind.RESULT: "result",
}
_USER, _MODEL = '{"role":"user","parts":[', '{"role":"model","parts":['
_STAND_IN = f'{_USER}{{"text":{quoted(UNSHOWN)}}},{{"text":"[...]"}}]}}'


def _frames() -> dict[tuple[str, str], str]:
    user, model, silent = (f'"contents":[{text}' for text in (_USER, f"{_STAND_IN},{_MODEL}",
                                                              f"{_STAND_IN}]}}"))  # fmt: skip
    system = '"systemInstruction":{"parts":['
    found = {("", "tools"): "{", ("", "system"): f"{{{system}"}
    found |= {("tools", "system"): system, ("system", "system"): ","}
    for before, opening in (("", "{"), ("tools", ""), ("system", "]},")):
        first = {"user": user, "result": user, "model": model, "thinking": model, "": silent}
        found |= {(before, place): opening + text for place, text in first.items()}
    for before in ("user", "result", "model", "thinking"):
        found |= {(before, "user"): f"]}},{_USER}", (before, "result"): f"]}},{_USER}"}
        found |= {(before, place): f"]}},{_MODEL}" for place in ("model", "thinking")}
        found[before, ""] = "]}]}"
    found |= {("model", place): f"]}},{_STAND_IN},{_MODEL}" for place in ("model", "thinking")}
    joined = [("result", "result"), ("thinking", "model"), ("thinking", "thinking")]
    return found | dict.fromkeys(joined, ",")


_THOUGHT = {"text", "thought", "thoughtSignature"}


def _is_own(block: dict[str, Any]) -> bool:
    """A part with a call or a result in it is no thought, whatever else it says."""
    said = block.get("thought") is True and isinstance(block.get("text"), str)
    return said and block.keys() <= _THOUGHT


class Gemini:
    """generateContent requests."""

    id = f"{NAME}@1"
    places, leads, frames = _PLACES, ("tools", "system"), _frames()

    def refuses(self, record: Record) -> str | None:
        """Low trust in a high place, blank text, and blocks of other wires."""
        return refused(record, NAME, _is_own)

    def heard(self, message: Message) -> Message:
        """What a reader of the body can know of a message."""
        return heard(message)

    def pieces(self, message: Message) -> list[Piece]:
        """The part or parts of one message, or the `tools` member of the body."""
        kind = message.kind
        if kind is Kind.TOOLS:
            return self._tools(message.tools)
        if kind is Kind.ASSISTANT:
            return self._turn(message)
        if kind is Kind.RESULT:
            id = quoted(sent_id(message.call_id, message.turn))
            named = f'{{"functionResponse":{{"id":{id},"name":{quoted(message.called)},"response":'
            return [(FRAME, named), *self._content(message), (FRAME, "}}")]
        if kind is Kind.THINKING and message.native is not None:
            return [(THINKING, message.native.block)]
        if kind is Kind.IMAGE and message.image is not None:
            opening = f'{{"inlineData":{{"mimeType":{quoted(message.image.media)},"data":'
            return [(FRAME, opening), (IMAGE, quoted(message.text)), (FRAME, "}}")]
        if kind in (Kind.USER, Kind.INSTRUCTION):
            return self._text(message.text)
        if kind in LABELLED:
            return [(FRAME, f'{{"text":{quoted(kind)}}},'), *self._text(message.text)]
        raise WireError(f"{NAME}@1 has no place for a record of kind {kind}.")

    def _text(self, text: str) -> list[Piece]:
        if blank(text):
            raise WireError(f"{NAME}@1 takes no blank text.", code="empty-text")
        return [(FRAME, '{"text":'), (TEXT, quoted(text)), (FRAME, "}")]

    def _content(self, message: Message) -> list[Piece]:
        cut = message.cut
        if cut is None:
            return [(FRAME, '{"output":'), (TEXT, quoted(message.text)), (FRAME, "}")]
        return [
            (FRAME, '{"head":'),
            (TEXT, quoted(cut.head)),
            (FRAME, f',"cut":{quoted(cut.marker)},"tail":'),
            (TEXT, quoted(cut.tail)),
            (FRAME, "}"),
        ]

    def _turn(self, message: Message) -> list[Piece]:
        parts = [self._text(message.text)] if not (message.calls and blank(message.text)) else []
        for call in message.calls:
            id = quoted(sent_id(call.id, message.record))
            spelled = f'{quoted(call.name)},"args":{argument_object(call.arguments)}'
            opening = f'{{"functionCall":{{"id":{id},"name":'
            parts.append([(FRAME, opening), (TEXT, spelled), (FRAME, "}}")])
        return beside(parts)

    def _tools(self, tools: tuple[ToolSpec, ...]) -> list[Piece]:
        if not tools:
            return []
        spelled: list[list[Piece]] = [[(SCHEMA, _tool(tool))] for tool in tools]
        opening = '"tools":[{"functionDeclarations":['
        return [(FRAME, opening), *beside(spelled), (FRAME, "]}],")]

    def decode(self, body: bytes) -> list[Message]:
        """The messages of a body of this wire. Raises `WireError` for anything else."""
        return read_json(self, body, _messages)


def _tool(tool: ToolSpec) -> str:
    about = f',"description":{quoted(tool.description)}' if tool.description else ""
    wants = f',"parametersJsonSchema":{schema(tool.parameters, "")}' if tool.parameters else ""
    return f'{{"name":{quoted(tool.name)}{about}{wants}}}'


def _messages(data: dict[str, Any]) -> list[Message]:
    tools = [tool for one in data.get("tools", ()) for tool in one["functionDeclarations"]]
    found = offered(tools, "parametersJsonSchema", "")
    system = data.get("systemInstruction", {"parts": ()})["parts"]
    found += [Message(Kind.INSTRUCTION, part["text"], trust=Trust.SYSTEM) for part in system]
    for content in data["contents"]:
        found += (_turn if content["role"] == "model" else _user)(content["parts"])
    return found


def _turn(parts: list[dict[str, Any]]) -> list[Message]:
    """The thinking of a turn, then its words and calls as one message."""
    thinking: list[Message] = []
    text, calls, turn = "", list[Call](), ""
    for part in parts:
        if _is_own(part):
            thinking.append(Message(Kind.THINKING, native=Native(NAME, compact(part))))
        elif "text" in part:
            text = part["text"]
        else:
            asked = part["functionCall"]
            id, turn = own_id(asked["id"])
            calls.append(Call(id, asked["name"], arguments_of(asked["args"])))
    if not text and not calls:
        return thinking
    return [*thinking, Message(Kind.ASSISTANT, text, calls=tuple(calls), record=turn)]


def _user(parts: list[dict[str, Any]]) -> list[Message]:
    first = parts[0]
    if "functionResponse" in first:
        return [_result(part["functionResponse"]) for part in parts]
    if "inlineData" in first:
        data = first["inlineData"]
        return [Message(Kind.IMAGE, data["data"], image=Image(data["mimeType"]))]
    if len(parts) == 1:
        return [Message(Kind.USER, first["text"], trust=Trust.USER)]
    if first["text"] == UNSHOWN:
        return []
    return [Message(Kind(first["text"]), parts[1]["text"])]


def _result(data: dict[str, Any]) -> Message:
    id, turn = own_id(data["id"])
    sent = Message(Kind.RESULT, call_id=id, turn=turn, called=data["name"])
    response = data["response"]
    if "output" in response:
        return attrs.evolve(sent, text=response["output"])
    return attrs.evolve(sent, cut=cut_of(response["head"], response["cut"], response["tail"]))
