"""What a session is made of: one record for each durable event."""

from collections.abc import Iterable
from enum import StrEnum

import attrs

from .cut import Cut
from .text import scalar


class Kind(StrEnum):
    """What happened. A closed list: anything else is kept as `opaque` and never a candidate."""

    INSTRUCTION = "instruction"
    CONSTRAINT = "constraint"
    TOOLS = "tools"
    USER = "user"
    ASSISTANT = "assistant"
    RESULT = "result"
    THINKING = "thinking"
    MEMORY = "memory"
    SKILL = "skill"
    PLAN = "plan"
    APPROVAL = "approval"
    DENIAL = "denial"
    SUMMARY = "summary"
    HANDOFF = "handoff"
    IMAGE = "image"
    OPAQUE = "opaque"


class Trust(StrEnum):
    """How much a text may decide, high to low. No transformation raises it."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    EXTERNAL = "external"


_ORDER = list(Trust)
HIGHEST = {
    Kind.USER: Trust.USER,
    Kind.ASSISTANT: Trust.ASSISTANT,
    Kind.THINKING: Trust.ASSISTANT,
    Kind.RESULT: Trust.TOOL,
    Kind.MEMORY: Trust.USER,
    Kind.SUMMARY: Trust.USER,
}
"""The highest label a kind may carry; kinds not named here may carry any."""


def rises(trust: Trust, limit: Trust) -> bool:
    """Whether `trust` is a higher label than `limit`."""
    return _ORDER.index(trust) < _ORDER.index(limit)


class Author(StrEnum):
    """Who wrote the content."""

    PERSON = "person"
    HARNESS = "harness"
    TOOL = "tool"
    MODEL = "model"


@attrs.frozen
class Call:
    """A tool call as the model wrote it: `arguments` is JSON text, valid or not."""

    id: str
    name: str
    arguments: str = "{}"


def named(calls: Iterable[Call]) -> tuple[Call, ...]:
    """The calls of one turn as a log holds them: a name each, and ids that are unique in the turn.

    What is empty gets a visible placeholder; a repeated id gets its position.
    """
    seen: dict[str, Call] = {}
    for number, call in enumerate(calls, 1):
        id = scalar(call.id) or f"c{number}"
        while id in seen:
            id = f"{id}.{number}"
        seen[id] = Call(id, scalar(call.name) or "unnamed", scalar(call.arguments))
    return tuple(seen.values())


@attrs.frozen
class Answers:
    """The call a result answers, by record and position: models reuse ids."""

    record: str
    call: int


@attrs.frozen
class ToolSpec:
    """A tool as it is offered: `parameters` is canonical JSON Schema text, empty for none."""

    name: str
    description: str = ""
    parameters: str = ""


@attrs.frozen
class Image:
    """What a picture is: its media type, such as image/png, and its size in pixels if known.

    The text of its record is the picture itself, in base64.
    """

    media: str = attrs.field(converter=scalar)
    width: int | None = None
    height: int | None = None


@attrs.frozen
class Native:
    """A block that only the wire it came from can carry: JSON text, sent back as it came."""

    wire: str = attrs.field(converter=scalar)
    block: str = attrs.field(converter=scalar)


@attrs.frozen
class Replaced:
    """The records that a summary stands for: from `first` to `last`, by id, but those in `but`.

    It never stands for instructions, tools, constraints, approvals and denials, nor for an
    exchange of which some record stays.
    """

    first: str
    last: str
    but: tuple[str, ...] = ()


@attrs.frozen
class Record:
    """One durable event. `cut` replaces `text` when gate 1 has cut the content for good.

    `artifact` is the handle of a whole text that a store keeps. `tags` are words that policies
    know it by; `about:NAME` names the subject of which a later record may say otherwise. Raises
    `ValueError` for a kind, trust or author that there is not.
    """

    id: str
    kind: Kind = attrs.field(converter=Kind)
    trust: Trust = attrs.field(converter=Trust)
    author: Author = attrs.field(converter=Author)
    source: str
    text: str = ""
    cut: Cut | None = None
    calls: tuple[Call, ...] = ()
    answers: Answers | None = None
    tools: tuple[ToolSpec, ...] = ()
    artifact: str | None = None
    image: Image | None = None
    native: Native | None = None
    tags: tuple[str, ...] = ()
    replaces: Replaced | None = None

    def whole(self) -> Cut:
        """The content as structure: the cut it has, or the cut that removes nothing."""
        return self.cut or Cut.whole(self.text, self.artifact)


def record_id(position: int) -> str:
    """The id of the record at `position`, counted from 1."""
    return f"r{position:04d}"


def check(record: Record) -> None:
    """Raise `UnlawfulRecord` if the record's label or fields do not go with its kind."""
    low = record.kind in (Kind.INSTRUCTION, Kind.TOOLS) and rises(Trust.DEVELOPER, record.trust)
    odd = (record.answers is not None) != (record.kind is Kind.RESULT)
    high = rises(record.trust, HIGHEST.get(record.kind, Trust.SYSTEM))
    more = (
        record.image
        or record.native
        or record.replaces
        or any(tool.parameters for tool in record.tools)
    )
    if low or odd or high or more:
        from .unlawful import explain

        explain(record)
