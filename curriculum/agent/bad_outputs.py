"""What is wrong with an output: its parts, a call without a name, or that it contradicts itself."""

from curriculum.record.records import Call
from curriculum.trace.events import Finish

from .output import Output
from .run_errors import BadOutput
from .thinking import Thinking


def check_parts(output: Output) -> None:
    """Raise `BadOutput` if the output holds something else than calls and thinking."""
    odd = [one for one in output.calls if not isinstance(one, Call)]  # pyright: ignore
    if odd:
        why = f"A call of an output is a {type(odd[0]).__name__}, not a Call."
        raise BadOutput(why, next="call(name, arguments) makes one")
    if not all(isinstance(one, Thinking) for one in output.thinking):  # pyright: ignore
        raise BadOutput("A thought of an output is something else than a Thinking.")


def nameless(index: int) -> BadOutput:
    """Turn `index` (from 0) of a script calls a tool and does not say which."""
    return BadOutput(f"Turn {index} of the script calls a tool without a name.", index=index)


def contradiction(output: Output) -> BadOutput:
    """An output whose finish is unknown, or whose calls or deltas say something else."""
    finish, calls = output.finish, len(output.calls)
    if not isinstance(finish, str) or finish not in list[str](Finish):  # pyright: ignore
        why = f"The output ended with {finish!r}, which is none of {', '.join(Finish)}."
        return BadOutput(why, "an unknown finish is never taken for done", finish=finish)
    if (finish == "tool-calls" and not calls) or (finish == "done" and calls):
        why = f"The output ended with {finish!r} and has {calls} calls."
        return BadOutput(why, finish=finish, calls=calls)
    return BadOutput("The deltas do not add up to the text.", finish=finish)
