"""Sessions written by hand, and the bodies that each provider's wire makes of them."""

import json
from typing import Any

from curriculum.context.assemble import assemble
from curriculum.record.cut import Cut
from curriculum.record.records import Answers, Author, Call, Image, Kind, Native, ToolSpec, Trust
from curriculum.record.session import Session
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.gemini import Gemini
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.openai_responses import OpenAIResponses
from curriculum.wire.protocol import Wire
from tests.strategies import THOUGHTS

PROVIDERS: tuple[Wire, ...] = (
    *(OpenAIChat("gpt-4o"), OpenAIChat2("gpt-4o"), OpenAIResponses("gpt-4o")),
    *(AnthropicMessages("claude-opus-4-8"), Gemini()),
)
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
LABELS = {
    Kind.CONSTRAINT: Trust.DEVELOPER,
    Kind.MEMORY: Trust.USER,
    Kind.SKILL: Trust.DEVELOPER,
    Kind.PLAN: Trust.ASSISTANT,
    Kind.APPROVAL: Trust.USER,
    Kind.DENIAL: Trust.USER,
    Kind.SUMMARY: Trust.ASSISTANT,
    Kind.HANDOFF: Trust.ASSISTANT,
}


class Log:
    """A session that is quick to write down."""

    def __init__(self) -> None:
        self.session = Session()

    def add(self, kind: Kind, text: str = "", trust: Trust = Trust.USER, **fields: Any) -> str:
        record = self.session.append(
            kind, text, trust=trust, author=Author.HARNESS, source="test", **fields
        )
        return record.id

    def turn(self, text: str, *calls: Call) -> str:
        return self.add(Kind.ASSISTANT, text, Trust.ASSISTANT, calls=calls)

    def thinks(self, wire: str) -> None:
        native = Native(wire, THOUGHTS[wire])
        self.add(Kind.THINKING, "Hm.", Trust.ASSISTANT, native=native)

    def result(self, turn: str, call: int, text: str = "", cut: Cut | None = None) -> str:
        return self.add(Kind.RESULT, text, Trust.TOOL, answers=Answers(turn, call), cut=cut)


def every_kind() -> Log:
    """Every kind of record, calls side by side, an image, thinking, and a cut result."""
    log = Log()
    log.add(Kind.INSTRUCTION, "Keep it short.", Trust.SYSTEM)
    log.add(Kind.INSTRUCTION, "Answer in English.", Trust.DEVELOPER)
    schema = '{"properties":{"path":{"description":"\\u00e9","type":"string"}},"type":"object"}'
    tools = (ToolSpec("read_file", "Reads a file.", schema), ToolSpec("bare"))
    log.add(Kind.TOOLS, trust=Trust.DEVELOPER, tools=tools)
    for kind, trust in LABELS.items():
        log.add(kind, f"A text of kind {kind}.", trust)
    log.add(Kind.USER, 'Say "hé"\n')
    log.add(Kind.IMAGE, PNG, image=Image("image/png", 1, 1))
    log.add(Kind.OPAQUE, "kept", Trust.EXTERNAL)
    log.thinks("anthropic-messages")
    turn = log.turn(
        "I will read.", Call("c1", "read_file", '{"path": "a.txt"}'), Call("c 2", "bare", "half {")
    )
    log.result(turn, 1, cut=Cut.whole("x" * 1000, "a1b2c3d4").to(10))
    log.result(turn, 0, "whole")
    log.thinks("openai-responses")
    again = log.turn("", Call("c1", "bare", "[1]"))
    log.result(again, 0, "")
    log.thinks("gemini")
    log.turn("Done.")
    log.add(Kind.USER, "Thanks.")
    return log


def the_model_first() -> Log:
    """A log of which the first that is sent is a turn of the model's, and then another."""
    log = Log()
    log.turn("Hello.")
    log.turn("Hello again.", Call("c1", "bare"))
    log.result("r0002", 0, "\n")
    return log


def long_ids() -> Log:
    """Calls whose ids no provider would take as they are."""
    log = Log()
    log.add(Kind.USER, "Go.")
    ids = ("call/1", "call 2 of " + "x" * 80, "c" * 64, "")
    turn = log.turn("", *(Call(id, "bare", '{"n":1}') for id in ids))
    for number in range(len(ids)):
        log.result(turn, number, f"result {number}")
    return log


def nothing_but_tools() -> Log:
    """Tools and no message yet, but one of the user's."""
    log = Log()
    log.add(Kind.TOOLS, trust=Trust.DEVELOPER, tools=(ToolSpec("bare"),))
    log.add(Kind.USER, "Go.")
    return log


LOGS = {log.__name__: log for log in (every_kind, the_model_first, long_ids, nothing_but_tools)}


def sent(wire: Wire, log: str, limit: int = 10**6) -> bytes:
    """The body of the request that the wire makes of that log."""
    projection = assemble(LOGS[log]().session, limit, wire=wire)
    assert projection.request is not None
    return projection.request.body


def sent_json(wire: Wire, log: str, limit: int = 10**6) -> dict[str, Any]:
    return json.loads(sent(wire, log, limit))
