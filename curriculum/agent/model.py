"""What a model is to a harness: a request goes in, one output comes out."""

from typing import Protocol

import attrs
from attrs.validators import instance_of, optional

from curriculum.record.records import Call, Native
from curriculum.trace.events import Finish
from curriculum.wire.request import Request


@attrs.frozen
class Thinking:
    """What a model thought before it spoke; `native` is the provider's block, sent back as is.

    Raises `TypeError` for a text that is none, and for a block that is no `Native`.
    """

    text: str = attrs.field(default="", validator=instance_of(str))
    native: Native | None = attrs.field(default=None, validator=optional(instance_of(Native)))


@attrs.frozen
class Output:
    """One output: text, calls and how it ended. `deltas` are the pieces it came in.

    `half_call` is what was written of a call when the output ended; it is not a call.
    """

    text: str = ""
    calls: tuple[Call, ...] = attrs.field(default=(), converter=tuple[Call, ...])
    finish: str = ""
    deltas: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    half_call: str = ""
    thinking: tuple[Thinking, ...] = attrs.field(default=(), converter=tuple[Thinking, ...])

    def __attrs_post_init__(self) -> None:
        pairs = [*((one, Call) for one in self.calls), *((one, Thinking) for one in self.thinking)]
        if not all(isinstance(one, kind) for one, kind in pairs):  # pyright: ignore
            from .bad_outputs import odd_part

            raise odd_part(self)
        if self.finish == "":
            object.__setattr__(self, "finish", "tool-calls" if self.calls else "done")


class Model(Protocol):
    """Anything that answers a request.

    A model may also have a method `finish() -> None`. It is called once, when a run would
    complete, and raises a `RunError` if the run may not complete yet.
    """

    def respond(self, request: Request) -> Output:
        """Answer one request."""
        ...


def checked(output: Output) -> Output:
    """Return `output`, or raise `BadOutput` if its finish is unknown or contradicts its calls."""
    finish, calls = output.finish, len(output.calls)
    known = isinstance(finish, str) and finish in list[str](Finish)  # pyright: ignore
    contrary = (finish == "tool-calls" and not calls) or (finish == "done" and calls)
    if not known or contrary or (output.deltas and "".join(output.deltas) != output.text):
        from .bad_outputs import contradiction

        raise contradiction(output)
    return output
