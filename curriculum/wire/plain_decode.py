"""Reading `plain@1` back: the proof that its lines cannot be forged by content."""

import json
import re

import attrs

from curriculum.record.cut import Cut
from curriculum.record.records import Call, Kind, ToolSpec

from .errors import WireError
from .plain import MARKS, Plain
from .request import Message

_JSON = json.JSONDecoder()
_ESCAPE = re.compile(r"\\(.)")
_UNESCAPED = {"n": "\n", "r": "\r", "s": " "}
_KINDS = {mark: kind for kind, mark in MARKS.items()}
# A marker's bracket follows an even number of backslashes: an escaped one belongs to content.
_MARKER = re.compile(r"(?<!\\)((?:\\\\)*)\[-(\d+)(?: (a[0-9a-f]+))?-\]")


def unescape(text: str) -> str:
    """The content that `plain.escape`, or the spelling of an id or a name, made of it."""
    return _ESCAPE.sub(lambda match: _UNESCAPED.get(match[1], match[1]), text)


def decode(body: bytes) -> list[Message]:
    """See `Plain.decode`."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise WireError("A plain@1 request is UTF-8; these bytes are not.") from error
    if text and not text.endswith("\n"):
        raise WireError("A plain@1 request ends each line; the last line has no end.")
    messages: list[Message] = []
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            message = _line(line, number)
        except (ValueError, RecursionError) as error:
            raise WireError(
                f"Line {number} does not have the parts that its mark needs."
            ) from error
        last = messages[-1] if messages else None
        if line[0] == "&" or (message.kind is Kind.TOOLS and last and last.kind is Kind.TOOLS):
            if last is None or last.kind is not message.kind:
                raise WireError(f"Line {number} continues a turn, but none stands before it.")
            message = attrs.evolve(
                last, calls=last.calls + message.calls, tools=last.tools + message.tools
            )
            messages.pop()
        messages.append(message)
    # One message has one spelling: what this wire would write otherwise, it did not write.
    plain, ordered = Plain(), sorted(messages, key=lambda message: message.kind is not Kind.TOOLS)
    if "".join([text for message in ordered for _, text in plain.pieces(message)]) != text:
        raise WireError("The lines hold a spelling that plain@1 does not write.")
    return messages


def heard(message: Message) -> Message:
    """See `Plain.heard`."""
    tools = [
        attrs.evolve(tool, parameters="") if tool.description and tool.parameters == "{}" else tool
        for tool in message.tools
    ]
    return attrs.evolve(message, native=None, tools=tuple(tools))


def _line(line: str, number: int) -> Message:
    mark, rest = line[:1], line[1:]
    if mark in _KINDS:
        return _content(_KINDS[mark], rest)
    if mark == "+":
        return Message(Kind.TOOLS, tools=(_tool(rest),) if rest else ())
    if mark in ("!", "&"):
        id, name, arguments = rest.split(" ", 2)
        return Message(
            Kind.ASSISTANT, calls=(Call(unescape(id), unescape(name), unescape(arguments)),)
        )
    if mark == "=":
        id, rest = rest.split(" ", 1)
        return attrs.evolve(_content(Kind.RESULT, rest), call_id=unescape(id))
    if mark == ":":
        kind, rest = rest.split(" ", 1)
        return _content(Kind(kind), rest)
    raise WireError(f"Line {number} of the request starts with {mark!r}, which is no mark.")


def _content(kind: Kind, spelled: str) -> Message:
    found = _MARKER.search(spelled) if "[-" in spelled else None
    if found is None:
        return Message(kind, unescape(spelled))
    head, tail = spelled[: found.start() + len(found[1])], spelled[found.end() :]
    head, tail = unescape(head), unescape(tail)
    original = len(head) + len(tail) + int(found[2])
    return Message(kind, cut=Cut(head, tail, original, "", found[3]))


def _tool(spelled: str) -> ToolSpec:
    name, _, rest = spelled.partition(" ")
    name, rest = unescape(name), unescape(rest)
    if not rest:
        return ToolSpec(name)
    _, end = _JSON.raw_decode(rest)
    parameters, description = rest[:end], rest[end + 1 :]
    # Without a description, {} is only written where the tool has it.
    return ToolSpec(name, description, "" if description and parameters == "{}" else parameters)
