"""Wires by id. Old versions stay here, so that old traces can be rebuilt."""

from .request import Wire, WireError


def wire_of(id: str) -> Wire:
    """The wire that a trace names: `plain@1`, or `openai-chat@1:MODEL`. Raises `WireError`."""
    name, _, option = id.partition(":")
    if name == "plain@1":
        from .plain import Plain

        return Plain()
    if name == "openai-chat@1":
        from .openai_chat import OpenAIChat

        return OpenAIChat(option or "scripted")
    raise WireError(
        f"No wire is called {id!r}.",
        "known: plain@1, openai-chat@1:MODEL",
        code="wire-unknown",
        next="pip install --upgrade curriculum",
    )
