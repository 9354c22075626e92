"""What the wires send is what the providers' own packages say a request is.

The types are those of `openai`, `anthropic` and `google-genai`; no member of a body is unknown to
them, at any depth.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anthropic.types import MessageParam
from anthropic.types import ToolParam as AnthropicTool
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from google.genai import types as gemini
from openai.types.chat import ChatCompletionMessageParam
from openai.types.chat import ChatCompletionToolUnionParam as ChatTool
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import FunctionToolParam, ResponseInputItemParam
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter, ValidationError

from curriculum.wire.protocol import Wire
from tests.provider_sessions import LOGS, PROVIDERS, sent_json
from tests.provider_types import faults
from tests.wire_messages import name

TYPES: dict[str, Any] = {
    "openai-chat": CompletionCreateParamsNonStreaming,
    "openai-responses": ResponseCreateParamsNonStreaming,
    "anthropic-messages": MessageCreateParamsNonStreaming,
}
PARTS: dict[str, Any] = {
    "openai-chat": (ChatCompletionMessageParam, ChatTool),
    "openai-responses": (ResponseInputItemParam, FunctionToolParam),
    "anthropic-messages": (MessageParam, AnthropicTool),
}
TYPED = [wire for wire in PROVIDERS if not wire.id.startswith("gemini")]
typed = pytest.mark.parametrize("wire", TYPED, ids=name)
logs = pytest.mark.parametrize("log", LOGS)
TIGHT = 1000
"""Characters that hold only the newest of the long log, with a result that is cut."""


def type_of(wire: Wire) -> Any:
    return TYPES[wire.id.partition("@")[0]]


@typed
class TestTypedDicts:
    @logs
    def test_every_member_is_known(self, wire: Wire, log: str) -> None:
        assert faults(sent_json(wire, log), type_of(wire)) == []

    @logs
    def test_pydantic_takes_it(self, wire: Wire, log: str) -> None:
        """A second opinion, message by message and tool by tool."""
        body, (message, tool) = sent_json(wire, log), PARTS[wire.id.partition("@")[0]]
        for one in body.get("messages") or body["input"]:
            TypeAdapter(message).validate_python(one)
        for one in body.get("tools", ()):
            TypeAdapter(tool).validate_python(one)

    def test_when_room_is_short(self, wire: Wire) -> None:
        body = sent_json(wire, "every_kind", TIGHT)
        assert len(json.dumps(body)) < len(json.dumps(sent_json(wire, "every_kind")))
        assert faults(body, type_of(wire)) == []


def broken(body: dict[str, Any], change: Callable[[Any], object]) -> dict[str, Any]:
    change(body)
    return body


def turn(body: dict[str, Any]) -> dict[str, Any]:
    """The first turn of the model's that has calls, or the first call itself."""
    listed = body.get("messages") or body["input"]
    return next(one for one in listed if one.get("tool_calls") or one.get("call_id")
                or one["role"] == "assistant")  # fmt: skip


class TestTheCheckCanFail:
    """Each of these bodies is one change away from one that is taken."""

    @typed
    @pytest.mark.parametrize(
        "change",
        [
            lambda body: body.update(colour="red"),
            lambda body: (body.get("messages") or body["input"])[0].pop("content"),
            lambda body: body["tools"][0].pop("name", None) or body["tools"][0].pop("function", 0),
            lambda body: body["tools"][0].update(more=1),
            lambda body: turn(body).update(note="x"),
            lambda body: (body.get("messages") or body["input"])[0].update(role="root"),
            lambda body: (body.get("messages") or body["input"])[0].update(content=7),
        ],
        ids=["unknown", "missing", "nameless tool", "in a tool", "in a turn", "role", "content"],
    )
    def test_one_change(self, wire: Wire, change: Callable[[Any], object]) -> None:
        assert faults(broken(sent_json(wire, "every_kind"), change), type_of(wire))

    def test_arguments(self) -> None:
        """A text on OpenAI, an object on Anthropic: never the other way round."""
        chat = sent_json(PROVIDERS[1], "every_kind")
        turn(chat)["tool_calls"][0]["function"]["arguments"] = {}
        assert faults(chat, type_of(PROVIDERS[1]))
        claude = sent_json(PROVIDERS[3], "every_kind")
        (block, *_) = [b for b in turn(claude)["content"] if b["type"] == "tool_use"]
        block["input"] = "{}"
        assert faults(claude, type_of(PROVIDERS[3]))


def read_gemini(body: dict[str, Any]) -> None:
    """The members of a generateContent request, each with its type."""
    assert set(body) <= {"contents", "tools", "systemInstruction"}
    for content in body["contents"]:
        gemini.Content.model_validate(content)
    config = {name: body[name] for name in ("tools", "systemInstruction") if name in body}
    gemini.GenerateContentConfig.model_validate(config)
    for tool in body.get("tools", ()):
        gemini.Tool.model_validate(tool)
    if "systemInstruction" in body:
        gemini.Content.model_validate(body["systemInstruction"])


def members(value: Any) -> Iterator[str]:
    """The names of all members, but not those of arguments, schemas and responses."""
    if isinstance(value, list):
        for one in value:
            yield from members(one)
    if isinstance(value, dict):
        for name, one in value.items():
            yield name
            if name not in ("args", "parametersJsonSchema", "response"):
                yield from members(one)


class TestGemini:
    wire = PROVIDERS[4]

    @logs
    def test_its_models_take_it(self, log: str) -> None:
        """They forbid what they do not know."""
        read_gemini(sent_json(self.wire, log))

    def test_when_room_is_short(self) -> None:
        read_gemini(sent_json(self.wire, "every_kind", TIGHT))

    def test_names_as_the_address_takes_them(self) -> None:
        """The models take both spellings; we send the one of the documents."""
        assert not [name for name in members(sent_json(self.wire, "every_kind")) if "_" in name]

    @pytest.mark.parametrize(
        "change",
        [
            lambda body: body["contents"][0].update(note="x"),
            lambda body: body["contents"][0]["parts"][0].update(colour="red"),
            lambda body: body["contents"][0]["parts"].append({"text": 7}),
            lambda body: body["tools"][0].update(more=1),
            lambda body: body["tools"][0]["functionDeclarations"][0].update(input_schema={}),
            lambda body: body["systemInstruction"].update(text="x"),
            lambda body: body["contents"].append(
                {"role": "model", "parts": [{"functionCall": []}]}
            ),
        ],
    )
    def test_the_check_can_fail(self, change: Callable[[Any], object]) -> None:
        with pytest.raises(ValidationError):
            read_gemini(broken(sent_json(self.wire, "every_kind"), change))
