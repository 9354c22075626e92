"""What a model is to a harness: a request goes in, one output comes out."""

from typing import Protocol

from curriculum.wire.request import Request

from .output import Output


class Model(Protocol):
    """Anything that answers a request.

    A model may also have a method `finish() -> None`. It is called once, when a run would
    complete, and raises a `RunError` if the run may not complete yet.
    """

    def respond(self, request: Request) -> Output:
        """Answer one request."""
        ...
