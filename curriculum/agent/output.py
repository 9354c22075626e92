"""What comes out of a model: text, calls and thinking, and how it ended."""

from typing import TYPE_CHECKING

import attrs

from curriculum.record.records import Call
from curriculum.trace.events import Finish

if TYPE_CHECKING:
    from .thinking import Thinking


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
    thinking: "tuple[Thinking, ...]" = attrs.field(default=(), converter=tuple["Thinking", ...])

    def __attrs_post_init__(self) -> None:
        if self.thinking or not all(isinstance(one, Call) for one in self.calls):  # pyright: ignore
            from .bad_outputs import check_parts

            check_parts(self)
        if self.finish == "":
            object.__setattr__(self, "finish", "tool-calls" if self.calls else "done")


def checked(output: Output) -> Output:
    """Return `output`, or raise `BadOutput` if its finish is unknown or contradicts its calls."""
    finish, calls = output.finish, len(output.calls)
    known = isinstance(finish, str) and finish in list[str](Finish)  # pyright: ignore
    contrary = (finish == "tool-calls" and not calls) or (finish == "done" and calls)
    if not known or contrary or (output.deltas and "".join(output.deltas) != output.text):
        from .bad_outputs import contradiction

        raise contradiction(output)
    return output
