"""A model that follows a script and cannot lie about what it was asked."""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from curriculum.record.records import Call
from curriculum.wire.request import Request

from .output import Output, checked

if TYPE_CHECKING:
    from .expectations import Expect


@attrs.frozen
class Turn(Output):
    """One scripted output, and what the request before it must show."""

    expect: "Expect | None" = None


def call(name: str, arguments: Mapping[str, Any] | str | None = None, id: str = "") -> Call:
    """A call as a model would write it. Without an id the script numbers it: c1, c2."""
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments or {}, sort_keys=True, separators=(",", ":"))
    return Call(id, name, arguments)


class ScriptedModel:
    """Plays `turns`, keeps every request, and fails loudly in both directions.

    Turns are checked here, when they are given. Raises `ScriptExhausted` for a call too many,
    `ScriptNotFinished` for turns left over, `ExpectationFailed` for a request that is not what
    its turn expects; each has the turn's index, what was expected, got, and nearest.
    """

    def __init__(self, turns: Iterable[Turn]) -> None:
        self.turns = tuple(self._checked(index, turn) for index, turn in enumerate(turns))
        self.requests: list[Request] = []
        """Every request, as it was sent. Requests are frozen."""

    @staticmethod
    def _checked(index: int, turn: Turn) -> Turn:
        calls = tuple(
            attrs.evolve(c, id=c.id or f"c{number}") for number, c in enumerate(turn.calls, 1)
        )
        if not all(c.name for c in calls):
            from .bad_outputs import nameless

            raise nameless(index)
        checked(turn)
        return attrs.evolve(turn, calls=calls)

    def respond(self, request: Request) -> Output:
        """Play the next turn."""
        index = len(self.requests)
        self.requests.append(request)
        if index >= len(self.turns):
            from .script_length import exhausted

            raise exhausted(self.turns, index)
        turn = self.turns[index]
        if turn.expect is not None:
            from .expectations import check

            check(turn.expect, request, index)
        return turn

    def finish(self) -> None:
        """Raise `ScriptNotFinished` if turns are left over."""
        if len(self.requests) < len(self.turns):
            from .script_length import not_finished

            raise not_finished(len(self.requests), len(self.turns))
