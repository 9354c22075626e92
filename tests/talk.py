"""Short logs, written by hand: who said what, in order, under ids by position."""

from typing import Any

from curriculum.context.assemble import Projection, assemble
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.record.records import (
    Answers,
    Author,
    Call,
    Image,
    Kind,
    Native,
    Record,
    ToolSpec,
    Trust,
    record_id,
)
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Message

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
"""One character to a reader, five to Python, eighteen bytes."""


class Talk:
    """A log that is written line by line; `records` is the log so far."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def _add(self, kind: Kind, trust: Trust, author: Author, text: str = "", **more: Any) -> Record:
        id = record_id(len(self.records) + 1)
        self.records.append(Record(id, kind, trust, author, "test", text, **more))
        return self.records[-1]

    def system(self, text: str) -> Record:
        return self._add(Kind.INSTRUCTION, Trust.SYSTEM, Author.HARNESS, text)

    def user(self, text: str) -> Record:
        return self._add(Kind.USER, Trust.USER, Author.PERSON, text)

    def says(self, text: str) -> Record:
        """A turn of the model without a call: it has finished."""
        return self._add(Kind.ASSISTANT, Trust.ASSISTANT, Author.MODEL, text)

    def thinks(self, native: Native) -> Record:
        return self._add(Kind.THINKING, Trust.ASSISTANT, Author.MODEL, "Hm.", native=native)

    def calls(self, *arguments: str, id: str = "c", text: str = "") -> Record:
        """A turn with one call of `read` for each of `arguments`."""
        calls = tuple(Call(f"{id}{n}", "read", one) for n, one in enumerate(arguments, 1))
        return self._add(Kind.ASSISTANT, Trust.ASSISTANT, Author.MODEL, text, calls=calls)

    def result(self, turn: Record, text: str, call: int = 0) -> Record:
        answers = Answers(turn.id, call)
        return self._add(Kind.RESULT, Trust.TOOL, Author.TOOL, text, answers=answers)

    def step(self, text: str, arguments: str = "{}") -> Record:
        """One call and its result."""
        return self.result(self.calls(arguments), text)

    def tools(self, *tools: ToolSpec) -> Record:
        return self._add(Kind.TOOLS, Trust.DEVELOPER, Author.HARNESS, tools=tools)

    def image(self, base64: str, width: int | None = None, height: int | None = None) -> Record:
        picture = Image("image/png", width, height)
        return self._add(Kind.IMAGE, Trust.USER, Author.PERSON, base64, image=picture)


def orphans(messages: list[Message]) -> list[str]:
    """What is wrong with the pairs of a request: each call is answered next, once, in order."""
    found, due = list[str](), list[str]()
    for message in messages:
        if message.kind is Kind.RESULT:
            if due[:1] != [message.call_id]:
                found.append(f"result of {message.call_id}, waiting for {due[:1]}")
            due = due[1:]
            continue
        found += [f"no result of {id}" for id in due]
        due = [call.id for call in message.calls]
    return found + [f"no result of {id}" for id in due]


def shown(wire: Wire, body: bytes) -> list[str]:
    """What a model can read of each record that is sent, tools left out."""
    told = [message for message in wire.decode(body) if message.kind is not Kind.TOOLS]
    return [
        f"{m.kind}:{m.cut.head}{m.cut.marker}{m.cut.tail}" if m.cut else f"{m.kind}:{m.text}"
        for m in told
    ]


def at_every_limit(
    talk: Talk, wire: Wire, steps: int = 40, policy: Policy = NEWEST_FIRST
) -> list[Projection]:
    """The requests at ceilings from nothing to all, and at every number of messages."""
    terms: dict[str, Any] = {"wire": wire, "policy": policy}
    roomy = assemble(talk.records, 10**9, **terms).manifest.size
    assert roomy is not None
    limits = range(1, roomy + 200, max(1, roomy // steps))
    made = [assemble(talk.records, limit, **terms) for limit in limits]
    places = range(1, len(talk.records) + 1)
    return made + [assemble(talk.records, 10**9, max_messages=n, **terms) for n in places]


def decision_of(made: Projection, record: Record) -> Any:
    """What was decided of a record."""
    at = int(record.id[1:])
    rows = made.manifest.decisions
    return next(r for r in rows if int(r.first[1:]) <= at <= int((r.last or r.first)[1:]))
