"""What a model is to a harness: a request goes in, one output comes out."""

from typing import Protocol

import attrs
from attrs.validators import instance_of, optional

from curriculum.record.errors import CurriculumError
from curriculum.record.records import Call, Native
from curriculum.record.text import scalar
from curriculum.trace.events import Finish, Stop
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
        odd = [one for one in self.calls if not isinstance(one, Call)]  # pyright: ignore
        if odd:
            why = f"A call of an output is a {type(odd[0]).__name__}, not a Call."
            raise BadOutput(why, next="call(name, arguments) makes one")
        if not all(isinstance(one, Thinking) for one in self.thinking):  # pyright: ignore
            raise BadOutput("A thought of an output is something else than a Thinking.")
        if self.finish == "":
            object.__setattr__(self, "finish", "tool-calls" if self.calls else "done")


class RunError(CurriculumError):
    """An error that ends a run; `stop` is the reason the trace gives, `params` its numbers."""

    code = "run"
    stop = Stop.ERROR

    def __init__(self, headline: str, *evidence: str, next: str = "", **params: object) -> None:
        super().__init__(headline, *evidence, next=next)
        self.params = {
            name: value if type(value) is int and abs(value) < 10**15 else scalar(str(value))
            for name, value in params.items()
        }


class BadOutput(RunError):
    """The model's output contradicts itself, or ended in a way that has no name here."""

    code = "bad-output"


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
    if not isinstance(finish, str) or finish not in list[str](Finish):  # pyright: ignore
        why = f"The output ended with {finish!r}, which is none of {', '.join(Finish)}."
        raise BadOutput(why, "an unknown finish is never taken for done", finish=finish)
    if (finish == "tool-calls" and not calls) or (finish == "done" and calls):
        why = f"The output ended with {finish!r} and has {calls} calls."
        raise BadOutput(why, finish=finish, calls=calls)
    if output.deltas and "".join(output.deltas) != output.text:
        raise BadOutput("The deltas do not add up to the text.", finish=finish)
    return output
