"""Reading a JSON body back: it must be spelled just as its wire spells it."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from curriculum.record.cut import Cut
from curriculum.record.records import Kind, ToolSpec

from .errors import WireError
from .json_text import parameters
from .protocol import Wire
from .request import Message
from .segments import segments_of

_MARKER = re.compile(r"\[-([1-9][0-9]{0,14})(?: (a[0-9a-f]+))?-\]")


def read_json(wire: Wire, body: bytes, messages: Callable[[Any], list[Message]]) -> list[Message]:
    """The messages of `body`. Raises `WireError` for bytes that this wire does not write."""
    try:
        found = messages(json.loads(body.decode()))
        # One message has one spelling: a body with anything more or else is not ours.
        if "".join(tile.text for tile in segments_of(wire, found)).encode() != body:
            raise ValueError
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, WireError) as error:
        name = wire.id.partition(":")[0]
        raise WireError(f"The bytes are no body of {name}.") from error
    return found


def offered(tools: Iterable[dict[str, Any]], schema: str, empty: str) -> list[Message]:
    """The message that offers `tools`; none if there are none.

    `schema` is the member that holds a tool's parameters, `empty` what stands in it for none.
    """
    specs = [
        ToolSpec(
            tool["name"],
            tool.get("description", ""),
            parameters(tool[schema], empty) if schema in tool else "",
        )
        for tool in tools
    ]
    return [Message(Kind.TOOLS, tools=tuple(specs))] if specs else []


def cut_of(head: str, marker: str, tail: str) -> Cut:
    """The cut that two ends and the marker between them stand for; its hash is not sent.

    Raises `ValueError` for a marker that no cut has: one of nothing, or with words in it.
    """
    found = _MARKER.fullmatch(marker)
    if found is None:
        raise ValueError(f"{marker!a} is no marker")
    return Cut(head, tail, len(head) + len(tail) + int(found[1]), "", found[2])
