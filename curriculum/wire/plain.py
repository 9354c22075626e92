r"""`plain@1`: one line for each thing, one mark in front, every character counts.

    +large_result            a tool on offer
    #Keep it short.          an instruction
    >Read large_result.      the user
    <I will read it.         the assistant        !c1 large_result {}   its first act is a call
    =c1 xxxxxx[-1977-]xxxxx  the result of c1     &c2 large_result {}   a further call of the turn
    :memory likes tea        any other kind, by name

Line ends, backslashes and the start of a marker are escaped in content (\n \r \\ \[-), and the
space in an id or name (\s), so a line, a mark and a marker can only come from the harness.
"""

from curriculum.record.records import Kind, Record, ToolSpec, Trust

from .frames import EVERY, LISTED, listed
from .request import Message, Piece, SegmentClass

TEXT, FRAME, SCHEMA = SegmentClass.TEXT, SegmentClass.FRAME, SegmentClass.SCHEMA
MARKS = {Kind.INSTRUCTION: "#", Kind.USER: ">", Kind.ASSISTANT: "<"}
NO_PLACE = (Kind.IMAGE, Kind.OPAQUE)
_LABELS = {
    Kind.INSTRUCTION: (Trust.SYSTEM, Trust.DEVELOPER),
    Kind.USER: (Trust.USER,),
    Kind.ASSISTANT: (Trust.ASSISTANT,),
}


def escape(text: str) -> str:
    """Spell content so that it holds no line end and no marker."""
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return text.replace("[-", "\\[-")


def _word(text: str) -> str:
    if not text:
        from .errors import WireError

        raise WireError("plain@1 cannot send an empty id or tool name.")
    return escape(text).replace(" ", "\\s")


class Plain:
    """The teaching wire. It has a place for every kind of text, and none for images."""

    id = "plain@1"
    places, leads, frames = EVERY, LISTED, listed("", "", "", "")

    def refuses(self, record: Record) -> str | None:
        """Images and opaque records; #, > and < take only who may speak there."""
        may = record.kind not in NO_PLACE and record.trust in _LABELS.get(record.kind, Trust)
        return None if may else "no-slot"

    def heard(self, message: Message) -> Message:
        """What can be read back: no block of another wire, no empty schema beside a description."""
        if message.native is None and not message.tools:
            return message
        from .plain_decode import heard

        return heard(message)

    def pieces(self, message: Message) -> list[Piece]:
        """The line or lines of one message. Raises `WireError` for what it cannot carry."""
        kind = message.kind
        if kind is Kind.ASSISTANT:
            return self._turn(message)
        if kind is Kind.TOOLS:
            return [piece for tool in message.tools for piece in self._tool(tool)] or [
                (FRAME, "+\n")
            ]
        if kind is Kind.RESULT:
            return [(FRAME, f"={_word(message.call_id)} "), *self._content(message), (FRAME, "\n")]
        if kind in NO_PLACE:
            from .errors import WireError

            raise WireError(f"plain@1 has no place for a record of kind {kind}.")
        mark = MARKS.get(kind) or f":{kind} "
        return [(FRAME, mark), *self._content(message), (FRAME, "\n")]

    def _content(self, message: Message) -> list[Piece]:
        cut = message.cut
        if cut is None:
            return [(TEXT, escape(message.text))]
        return [(TEXT, escape(cut.head)), (FRAME, cut.marker), (TEXT, escape(cut.tail))]

    def _turn(self, message: Message) -> list[Piece]:
        lines: list[Piece] = []
        if message.text or not message.calls:
            lines += [(FRAME, "<"), (TEXT, escape(message.text)), (FRAME, "\n")]
        for call in message.calls:
            spelled = f"{_word(call.id)} {_word(call.name)} {escape(call.arguments)}"
            lines += [(FRAME, "&" if lines else "!"), (TEXT, spelled), (FRAME, "\n")]
        return lines

    def _tool(self, tool: ToolSpec) -> list[Piece]:
        spelled = _word(tool.name)
        if tool.parameters or tool.description:
            spelled += f" {escape(tool.parameters or '{}')}"
        if tool.description:
            spelled += f" {escape(tool.description)}"
        return [(FRAME, "+"), (SCHEMA, spelled), (FRAME, "\n")]

    def decode(self, body: bytes) -> list[Message]:
        """The messages that the lines of `body` spell. Raises `WireError` for any other bytes."""
        from .plain_decode import decode

        return decode(body)
