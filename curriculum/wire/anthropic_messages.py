"""`anthropic-messages@1`: the body of a Messages request.

Instructions stand in `system`; everything else in messages of user and assistant, which take
turns: neighbours with the same role are blocks of one message. Where the model would speak first,
or twice in a row, a user message says that something is not shown; it is the only one whose
content is a string. Other kinds than a user's words are documents with the kind as title, and a
cut result is text, a document with the marker, text: content cannot forge either.
"""

from typing import Any

import attrs

from curriculum.record.cut import Cut
from curriculum.record.records import Kind, Record, ToolSpec

from .errors import WireError
from .json_text import argument_object, model_name, quoted, schema
from .names import sent_id
from .request import Message, Piece, SegmentClass
from .roles import LABELLED, beside, blank, heard, refused

TEXT, FRAME, SCHEMA = SegmentClass.TEXT, SegmentClass.FRAME, SegmentClass.SCHEMA
IMAGE, THINKING = SegmentClass.IMAGE, SegmentClass.THINKING
NAME = "anthropic-messages"
_OWN = {"thinking": ("thinking", "signature"), "redacted_thinking": ("data",)}
"""The blocks of thinking, and the texts that each has beside its type."""
NO_PARAMETERS = '{"type":"object","properties":{}}'
UNSHOWN = "[...]"
_PLACES = dict.fromkeys(Kind, "user") | {
    Kind.TOOLS: "tools",
    Kind.INSTRUCTION: "system",
    Kind.ASSISTANT: "assistant",
    Kind.THINKING: "thinking",
}
_USER, _ASSISTANT = '{"role":"user","content":[', '{"role":"assistant","content":['
_STAND_IN = f'{{"role":"user","content":{quoted(UNSHOWN)}}}'
_BLOCK = '{"type":"text","text":'
_DOCUMENT = '{"type":"document","source":{"type":"text","media_type":"text/plain","data":'


def _frames(head: str) -> dict[tuple[str, str], str]:
    """A turn's thinking opens the message of the model that its words and calls stand in."""
    user, model, silent = (f'"messages":[{text}' for text in (_USER, f"{_STAND_IN},{_ASSISTANT}",
                                                              f"{_STAND_IN}]}}"))  # fmt: skip
    found = {("", "tools"): head, ("", "system"): f'{head}"system":['}
    found |= {("tools", "system"): '"system":[', ("system", "system"): ","}
    for before, opening in (("", head), ("tools", ""), ("system", "],")):
        first = {"user": user, "assistant": model, "thinking": model, "": silent}
        found |= {(before, place): opening + text for place, text in first.items()}
    for place in ("assistant", "thinking"):
        found[place, "user"] = f"]}},{_USER}"
        found["user", place] = f"]}},{_ASSISTANT}"
        found["assistant", place] = f"]}},{_STAND_IN},{_ASSISTANT}"
        found["thinking", place] = ","
    found["user", "user"] = ","
    return found | {(place, ""): "]}]}" for place in ("user", "assistant", "thinking")}


def is_own(block: dict[str, Any]) -> bool:
    """A block with anything more or else in it is no thinking, whatever its type says."""
    texts = _OWN.get(str(block.get("type")), ("",))
    return block.keys() == {"type", *texts} and all(isinstance(block[n], str) for n in texts)


class AnthropicMessages:
    """Messages requests to one model; `max_tokens` is the output that each asks for."""

    places, leads = _PLACES, ("tools", "system")

    def __init__(self, model: str = "scripted", max_tokens: int = 4096) -> None:
        if type(max_tokens) is not int or not 0 < max_tokens < 10**15:
            raise WireError(
                f"max_tokens is {max_tokens!r}; it must be a whole number, at least 1.",
                "a trace holds numbers of at most 15 digits",
                code="wire-max-tokens",
            )
        self.id = f"{NAME}@1:{model},{max_tokens}"
        self.frames = _frames(f'{{"model":{model_name(model)},"max_tokens":{max_tokens},')

    def refuses(self, record: Record) -> str | None:
        """Low trust in a high place, blank text, and blocks of other wires."""
        return refused(record, NAME, is_own)

    def heard(self, message: Message) -> Message:
        """What a reader of the body can know: no end of a cut that is blank, as it is not sent."""
        known = heard(message)
        return attrs.evolve(known, cut=_shown(known.cut)) if known.cut else known

    def pieces(self, message: Message) -> list[Piece]:
        """The block or blocks of one message, or the `tools` member of the body."""
        kind = message.kind
        if kind is Kind.TOOLS:
            return self._tools(message.tools)
        if kind is Kind.ASSISTANT:
            return self._turn(message)
        if kind is Kind.RESULT:
            id = quoted(sent_id(message.call_id, message.turn))
            opening = f'{{"type":"tool_result","tool_use_id":{id},"content":'
            return [(FRAME, opening), *self._content(message), (FRAME, "}")]
        if kind is Kind.THINKING and message.native is not None:
            return [(THINKING, message.native.block)]
        if kind is Kind.IMAGE and message.image is not None:
            source = '{"type":"image","source":{"type":"base64","media_type":'
            opening = f'{source}{quoted(message.image.media)},"data":'
            return [(FRAME, opening), (IMAGE, quoted(message.text)), (FRAME, "}}")]
        if kind in (Kind.USER, Kind.INSTRUCTION):
            return self._text(message.text)
        if kind in LABELLED:
            return self._document(TEXT, message.text, kind)
        raise WireError(f"{NAME}@1 has no place for a record of kind {kind}.")

    def _text(self, text: str) -> list[Piece]:
        if blank(text):
            raise WireError(f"{NAME}@1 takes no blank text.", code="empty-text")
        return [(FRAME, _BLOCK), (TEXT, quoted(text)), (FRAME, "}")]

    def _document(self, of: SegmentClass, text: str, title: str) -> list[Piece]:
        return [(FRAME, _DOCUMENT), (of, quoted(text)), (FRAME, f'}},"title":{quoted(title)}}}')]

    def _content(self, message: Message) -> list[Piece]:
        if message.cut is None:
            return [(TEXT, quoted(message.text))]
        cut = _shown(message.cut)
        head, tail = (
            [[(FRAME, _BLOCK), (TEXT, quoted(end)), (FRAME, "}")]] if end else []
            for end in (cut.head, cut.tail)
        )
        marker = self._document(FRAME, cut.marker, "cut")
        return [(FRAME, "["), *beside([*head, marker, *tail]), (FRAME, "]")]

    def _turn(self, message: Message) -> list[Piece]:
        blocks = [self._text(message.text)] if not (message.calls and blank(message.text)) else []
        for call in message.calls:
            id = quoted(sent_id(call.id, message.record))
            spelled = f'{quoted(call.name)},"input":{argument_object(call.arguments)}'
            opening = f'{{"type":"tool_use","id":{id},"name":'
            blocks.append([(FRAME, opening), (TEXT, spelled), (FRAME, "}")])
        return beside(blocks)

    def _tools(self, tools: tuple[ToolSpec, ...]) -> list[Piece]:
        if not tools:
            return []
        spelled: list[list[Piece]] = [[(SCHEMA, _tool(tool))] for tool in tools]
        return [(FRAME, '"tools":['), *beside(spelled), (FRAME, "],")]

    def decode(self, body: bytes) -> list[Message]:
        """The messages of a body of this wire. Raises `WireError` for anything else."""
        from .anthropic_decode import decode

        return decode(self, body)


def _shown(cut: Cut) -> Cut:
    """The cut as it is sent: a blank end would be a blank text, so it counts as missing."""
    head, tail = ("" if blank(end) else end for end in (cut.head, cut.tail))
    return attrs.evolve(cut, head=head, tail=tail)


def _tool(tool: ToolSpec) -> str:
    about = f',"description":{quoted(tool.description)}' if tool.description else ""
    wants = schema(tool.parameters, NO_PARAMETERS)
    return f'{{"name":{quoted(tool.name)}{about},"input_schema":{wants}}}'
