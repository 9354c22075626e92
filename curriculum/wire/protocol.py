"""What a wire is: the slots of a format, the framing between them, and both directions."""

from collections.abc import Mapping
from typing import Protocol

from curriculum.record.records import Kind, Record

from .request import Message, Piece


class Wire(Protocol):
    """A versioned format. `id` names it in traces; old versions stay runnable."""

    @property
    def id(self) -> str:
        """Its name and version, and what else its bodies hold, such as a model's name."""
        ...

    @property
    def places(self) -> Mapping[Kind, str]:
        """Where in the body each kind stands."""
        ...

    @property
    def leads(self) -> tuple[str, ...]:
        """The places that come first, in this order, wherever the log has their records."""
        ...

    @property
    def frames(self) -> Mapping[tuple[str, str], str]:
        """What is written between the places of two neighbours; "" is an end of the body."""
        ...

    def refuses(self, record: Record) -> str | None:
        """The reason code for a record that this wire cannot carry; None if it can."""
        ...

    def heard(self, message: Message) -> Message:
        """What a reader of the body can know of a message; on most wires, all of it."""
        ...

    def pieces(self, message: Message) -> list[Piece]:
        """The item of one message, as pieces that tile it."""
        ...

    def decode(self, body: bytes) -> list[Message]:
        """The messages of a request body. Raises `WireError` if it is none of this wire's."""
        ...
