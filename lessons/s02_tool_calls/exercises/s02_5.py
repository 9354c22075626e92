"""A log that was cut somewhere: by a crash, a limit, or a person."""

from typing import Any

Message = dict[str, Any]


def mend(messages: list[Message]) -> list[Message]:
    """The messages with exactly one result for each call.

    A message has a `role`. One of the assistant may have `tool_calls`, each with an `id`; one of
    the role `tool` is a result, and its `tool_call_id` names the call that it answers.
    """
    raise NotImplementedError("write mend")
