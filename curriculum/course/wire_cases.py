"""Cases of the providers' wires: one session, as each of them would be sent it.

The log comes from a run on another provider: it has a picture, a memory, blank words, and thinking
that only one wire takes back. Then two calls run at once, and the big result gives way.
"""

from typing import Any

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.thinking import Thinking
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.count.byte_bound import ByteBound
from curriculum.count.for_model import ForModel
from curriculum.golden.cases import Case
from curriculum.record.records import Author, Image, Kind, Native, Record, Trust
from curriculum.trace.events import Stop
from curriculum.trace.recorder import Recorder
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.gemini import Gemini
from curriculum.wire.openai_responses import OpenAIResponses
from curriculum.wire.protocol import Wire

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""A picture of one pixel, as base64 of a PNG file."""
BLOCKS = {
    "anthropic-messages": '{"type":"thinking","thinking":"A cat.","signature":"c2ln"}',
    "openai-responses": '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"eA=="}',
    "gemini": '{"text":"A cat.","thought":true,"thoughtSignature":"c2ln"}',
}
"""A block of thinking as each provider gives it."""
_PERSON: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
_MODEL: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "model"}
_NOTED: dict[str, Any] = {"trust": Trust.EXTERNAL, "author": Author.HARNESS, "source": "memory"}


def _rows_of(rows: int) -> str:
    return "row. " * rows


def _thought(id: str, wire: str) -> Record:
    return Record(id, Kind.THINKING, text="A cat.", native=Native(wire, BLOCKS[wire]), **_MODEL)


def _history(wire: str) -> tuple[Record, ...]:
    other = next(name for name in BLOCKS if name != wire)
    return (
        Record("r0001", Kind.MEMORY, text="The user has a cat.", **_NOTED),
        Record("r0002", Kind.IMAGE, text=PIXEL, image=Image("image/png", 1, 1), **_PERSON),
        Record("r0003", Kind.USER, text="What is in the picture?", **_PERSON),
        _thought("r0004", wire),
        Record("r0005", Kind.ASSISTANT, text="A cat.", **_MODEL),
        Record("r0006", Kind.USER, text=" \n", **_PERSON),
        _thought("r0007", other),
        Record("r0008", Kind.ASSISTANT, text="You said nothing.", **_MODEL),
        _thought("r0009", wire),
    )


def _case(name: str, wire: Wire, counter: ForModel, most: int) -> Case:
    block = Native(name, BLOCKS[name])
    turns = (
        Turn(
            "I look in both.",
            [call("rows", {"rows": 70}), call("rows", {"rows": 1})],
            thinking=[Thinking("Two files.", block)],
        ),
        Turn("Done."),
    )
    limit = {"type": "object", "properties": {"rows": {"type": "integer"}}, "required": ["rows"]}

    def build(trace: Recorder) -> AgentRunner:
        return AgentRunner(
            model=ScriptedModel(turns),
            tools=[Tool("rows", _rows_of, "Returns rows.", limit)],
            trace=trace,
            budget=ContextBudget(
                max_input_tokens=most, output_reserve=400, max_tool_output_chars=300
            ),
            system_prompt="Be brief.",
            wire=wire,
            counter=counter,
            history=_history(name),
        )

    title = f"a log of another provider goes on as {name}: thinking, a picture, two calls at once"
    return Case(f"harness/{name}", title, Stop.COMPLETED, Staged(build, ("Compare the files.",)))


def _counter(family: str, preamble: int, images: str) -> ForModel:
    """Figures of one day: a golden does not follow the registry of models when that is mended."""
    return ForModel(ByteBound(family), 0, preamble, images)


CASES = (
    _case(
        "anthropic-messages",
        AnthropicMessages("claude-sonnet-4-5", 400),
        _counter("claude-3", 588, "anthropic-standard"),
        2800,
    ),
    _case(
        "openai-responses",
        OpenAIResponses("gpt-4o"),
        _counter("o200k", 0, "openai-tiles-gpt-4o"),
        1030,
    ),
    _case("gemini", Gemini(), _counter("gemma", 118, "gemini-tiles"), 1170),
)
