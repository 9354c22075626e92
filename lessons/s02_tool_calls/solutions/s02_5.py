"""The reference: one pass, with the calls that wait for a result."""

from typing import Any

Message = dict[str, Any]


def mend(messages: list[Message]) -> list[Message]:
    """The messages with exactly one result for each call."""
    mended: list[Message] = []
    waiting: list[str] = []
    for message in [*messages, None]:
        if message is not None and message["role"] == "tool":
            if message["tool_call_id"] in waiting:
                waiting.remove(message["tool_call_id"])
                mended.append(message)
            continue
        mended += [_interrupted(id) for id in waiting]
        waiting = []
        if message is not None:
            waiting = [call["id"] for call in message.get("tool_calls", [])]
            mended.append(message)
    return mended


def _interrupted(id: str) -> Message:
    return {"role": "tool", "tool_call_id": id, "content": "interrupted: it did not finish"}
