"""The steps of a loop of one's own: what comes next, and the model that is asked elsewhere."""

from curriculum.record.law import LawBroken
from curriculum.wire.request import Request

from .model import Output

NEXT = {
    "assemble": "next is record, assemble, tool_call, tool_result or stop",
    "request": "the request is assembled; next is request(...)",
    "response": "the model is answering; next is response(...), or unanswered() if it does not",
    "stop": "the assembly was refused; next is stop()",
    "over": "the run has stopped",
}
"""What may come next at each step."""


class Elsewhere:
    """The model of a loop of one's own: it is asked there, and never here."""

    def respond(self, request: Request) -> Output:
        """Raise `LawBroken`."""
        raise LawBroken(0, "The loop asks its model itself.")
