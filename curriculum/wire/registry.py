"""Wires by id. Old versions stay here, so that old traces can be rebuilt."""

from .errors import WireError
from .protocol import Wire

KNOWN = (
    *("plain@1", "openai-chat@1:MODEL", "openai-chat@2:MODEL", "openai-responses@1:MODEL"),
    *("anthropic-messages@1:MODEL,MAX_TOKENS", "gemini@1"),
)


def every_wire() -> list[Wire]:
    """Each wire once, with a model of no name where its bodies hold one."""
    ids = [
        known.replace("MODEL,MAX_TOKENS", "scripted,4096").partition(":MODEL") for known in KNOWN
    ]
    return [wire_of(id) for id, _, _ in ids]


def wire_of(id: str) -> Wire:
    """The wire that a trace names, such as `plain@1`. Raises `WireError`."""
    name, _, option = id.partition(":")
    if id == "plain@1":
        from .plain import Plain

        return Plain()
    if name == "openai-chat@1":
        from .openai_chat import OpenAIChat

        return OpenAIChat(option or "scripted")
    if name == "openai-chat@2":
        from .openai_chat_2 import OpenAIChat2

        return OpenAIChat2(option or "scripted")
    if name == "openai-responses@1":
        from .openai_responses import OpenAIResponses

        return OpenAIResponses(option or "scripted")
    if name == "anthropic-messages@1":
        from .anthropic_messages import AnthropicMessages

        model, _, most = option.rpartition(",")
        if model and most.isascii() and most.isdigit() and len(most) < 16 and most[0] != "0":
            return AnthropicMessages(model, int(most))
    if id == "gemini@1":
        from .gemini import Gemini

        return Gemini()
    raise WireError(
        f"No wire is called {id!r}.",
        f"known: {', '.join(KNOWN)}",
        code="wire-unknown",
        next="pip install --upgrade curriculum",
    )
