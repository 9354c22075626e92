"""Messages that a wire carries, drawn at random, and the bytes that a wire makes of messages."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from curriculum.record.cut import Cut
from curriculum.record.records import Call, Image, Kind, Native, ToolSpec, Trust
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Message
from curriculum.wire.segments import segments_of
from tests.strategies import WIRES, hostile

EVERY: tuple[Wire, ...] = (*WIRES, OpenAIChat2())
LABELLED = ("constraint", "memory", "skill", "plan", "approval", "denial", "summary", "handoff")
PLAIN = (*LABELLED, "instruction", "user", "thinking")
SCHEMAS = (
    *("", "{}", '{"type":"object"}', '{"properties":{"a b":{"enum":["[-5-]","\\\\"]}}}'),
    *('{"properties":{},"type":"object"}', '{"a":"\\u00e9","b":1.5}', '{"a":"\\ud800"}'),
)
ARGUMENTS = (
    *("{}", '{"n": 1}', '{"a":{"b":[null,true,-0.5]}}', "[1]", '"text"', "", "{", '{"a":1,"a":2}'),
    *('{"_arguments":"x"}', '{"n":1.10}', '{"n":1e999}', '{"n":NaN}', '{"s":"\\ud800"}', "\t{}"),
)
"""What models write where a JSON object is asked for."""


def body(wire: Wire, *messages: Message) -> bytes:
    return "".join([segment.text for segment in segments_of(wire, messages)]).encode()


def cut_of(head: str, tail: str, missing: int, artifact: str | None = None) -> Cut:
    return Cut(head, tail, len(head) + len(tail) + missing, "", artifact)


def name(wire: Wire) -> str:
    """Its name and version without the model."""
    return wire.id.partition(":")[0]


def strict(wire: Wire) -> bool:
    """Whether it takes no blank text, and has its instructions beside the messages."""
    return name(wire) in ("anthropic-messages@1", "gemini@1")


@st.composite
def contents(draw: DrawFn) -> dict[str, Any]:
    """Whole text, or a cut of it."""
    if draw(st.booleans()):
        return {"text": draw(hostile())}
    handle = draw(st.sampled_from([None, "a1b2c3d4"]))
    return {"cut": cut_of(draw(hostile()), draw(hostile()), draw(st.integers(1, 10**9)), handle)}


def words(wire: Wire) -> SearchStrategy[str]:
    """A text that may stand by itself on that wire."""
    return hostile().filter(lambda text: bool(text.strip())) if strict(wire) else hostile()


def thought(wire: Wire, text: str) -> Native:
    """A block of thinking as the provider gives it."""
    block: dict[str, Any] = {"text": text, "thought": True, "thoughtSignature": "c2ln"}
    if name(wire) == "anthropic-messages@1":
        block = {"type": "thinking", "thinking": text, "signature": "c2ln"}
    if name(wire) == "openai-responses@1":
        summary = [{"type": "summary_text", "text": text}]
        block = {"type": "reasoning", "id": "rs_1", "summary": summary}
    spelled = json.dumps(block, ensure_ascii=False, separators=(",", ":"))
    return Native(name(wire).partition("@")[0], spelled)


@st.composite
def tools(draw: DrawFn) -> list[Message]:
    """A set of tools, or none."""
    spec = st.builds(ToolSpec, hostile(1, 3).filter(bool), hostile(max_size=3),
                     st.sampled_from(SCHEMAS))  # fmt: skip
    found = draw(st.lists(spec, max_size=3))
    return [Message(Kind.TOOLS, tools=tuple(found))] if found else []


@st.composite
def messages(draw: DrawFn, wire: Wire) -> list[Message]:
    """Messages that `wire` carries, in its order; ids and names are hostile but not empty."""
    word = hostile(1, 3).filter(bool)
    found = draw(tools())
    if strict(wire):
        said = draw(st.lists(words(wire), max_size=2))
        found += [Message(Kind.INSTRUCTION, text, trust=Trust.SYSTEM) for text in said]
    for number in range(1, draw(st.integers(0, 5)) + 1):
        what = draw(st.sampled_from(["turn", "turn", "result", "result", "other", "other"]))
        if what == "turn":
            arguments = st.sampled_from(ARGUMENTS) | hostile(max_size=4)
            calls = tuple(draw(st.lists(st.builds(Call, word, word, arguments), max_size=3)))
            text = draw(hostile() if calls else words(wire))
            if name(wire) in ("anthropic-messages@1", "gemini@1", "openai-responses@1"):
                thoughts = draw(st.lists(hostile(max_size=2), max_size=2))
                found += [Message(Kind.THINKING, native=thought(wire, one)) for one in thoughts]
            found.append(Message(Kind.ASSISTANT, text, calls=calls, record=f"r{number:04d}"))
        elif what == "result":
            asked = {"call_id": draw(word), "called": draw(word), "turn": f"r{number:04d}"}
            found.append(Message(Kind.RESULT, **asked, **draw(contents())))
        else:
            found.append(draw(others(wire)))
    return found


@st.composite
def others(draw: DrawFn, wire: Wire) -> Message:
    """What neither a model nor a tool has said."""
    if name(wire) == "plain@1":
        return Message(Kind(draw(st.sampled_from(PLAIN))), **draw(contents()))
    slots = ["user"] if strict(wire) else ["user", "system", "developer"]
    if name(wire) != "openai-chat@1":
        slots += ["labelled", "image"]
    slot = draw(st.sampled_from(slots))
    if slot == "labelled":
        return Message(Kind(draw(st.sampled_from(LABELLED))), draw(words(wire)))
    if slot == "image":
        media = draw(st.sampled_from(["image/png", "image/webp", "image/svg+xml"]))
        return Message(
            Kind.IMAGE, draw(st.sampled_from(["eA==", "iVBORw0KGgo"])), image=Image(media)
        )
    kind = Kind.USER if slot == "user" else Kind.INSTRUCTION
    content = draw(contents()) if name(wire) == "openai-chat@1" else {"text": draw(words(wire))}
    return Message(kind, trust=Trust(slot), **content)
