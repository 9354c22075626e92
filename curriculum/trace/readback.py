"""What a model could read of a request: its messages, decoded again from the bytes.

A wire's items stand beside each other and nothing of one can change how another is read. So an
item that gives back its own message alone gives it back in every request, and is decoded once
and not with each request that sends it. A test holds that this is so of each wire.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Message
from curriculum.wire.segments import framed

from .rebuild import Item


def one_by_one(wire: Wire, items: Sequence[Item]) -> list[Message] | None:
    """What a request of these items says; None if only the whole request can tell."""
    for item in items:
        if item.alone is None:
            item.alone = _reads_alone(wire, item)
        if not item.alone:
            return None
    read = [item.message for item in items if item.told]
    # A body has one set of tools: two items of tools would be read as one message.
    return read if len(read) + 1 >= len(items) else None


def _reads_alone(wire: Wire, item: Item) -> bool:
    body = "".join(framed(wire, [(item.place, item.text)]))
    try:
        return shown(wire.decode(body.encode())) == shown([wire.heard(item.message)])
    except CurriculumError:
        return False


def shown(messages: Iterable[Message]) -> list[Any]:
    """What a wire keeps of messages: not the label, not the hash, and no empty set of tools."""
    found: list[Any] = []
    for m in messages:
        content = (m.cut.head, m.cut.missing, m.cut.tail, m.cut.artifact) if m.cut else m.text
        if m.kind is not Kind.TOOLS or m.tools:
            found.append((m.kind, content, m.calls, m.call_id, m.tools, m.image and m.image.media))
            found.append(m.native)
    return found
