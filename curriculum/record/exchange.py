"""Which records belong together: an assistant turn and the results up to the next turn.

Grouping is incremental: a group is found when its first record is read, and an exchange
takes results until the next assistant record. Ids of calls are never used to pair: models
reuse them. A result pairs by the record and the position of the call that it answers.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import attrs

from .records import Kind, Record


class Spelled(NamedTuple):
    """A group as it is sent: the size (the counter's unit) and bytes of its members.

    `inner` is the size of the framing between them, `spent` all that the group is charged. `end`
    is one past the last member where the members stand side by side in the log, otherwise -1.
    """

    body: bytes
    size: int
    bytes: int
    spent: int
    members: tuple[int, ...]
    end: int
    inner: int = 0
    places: tuple[str, str] = ("", "")
    """Where its first and its last member stand in the body."""

    @property
    def framing(self) -> int:
        """What is charged beside the members themselves."""
        return self.spent - self.size


@attrs.define
class Group:
    """Records that are admitted or omitted together, by position in the log, in sending order.

    `calls` counts the calls of the turn that opens it, `lead` the blocks of thinking before that
    turn; `orphan` says that this is a lone result whose call is unknown, answered already, or
    before another turn. `spelled` is what a reader remembers of a group that can be sent, and so
    takes no more results.
    """

    members: list[int]
    calls: int = 0
    orphan: bool = False
    spelled: Spelled | None = None
    lead: int = 0

    @property
    def open(self) -> bool:
        """Whether a call of the turn has no result yet."""
        return len(self.members) - self.lead <= self.calls

    @property
    def main(self) -> int:
        """The position of the turn, or of the one record that this is."""
        return self.members[min(self.lead, len(self.members) - 1)]


class Grouping:
    """The groups of a log, kept up to date as records are appended."""

    def __init__(self, refuses: Callable[[Record], str | None]) -> None:
        """`refuses` says what a wire cannot carry: such thinking does not stand with its turn."""
        self._refuses = refuses
        self._thinking: Group | None = None
        self.groups: list[Group] = []
        self.turn: Group | None = None
        """The last exchange, which may still take results."""
        self.turns: dict[int, int] = {}
        """The position of the turn that each paired result answers, by the result's."""
        self._turn_id = ""
        self._results: dict[int, int] = {}

    def read(self, records: Iterable[Record], start: int) -> list[Group]:
        """Take in `records`, the first of which stands at position `start` (from 0).

        Return the groups that begin among them, or get their turn.
        """
        fresh: list[Group] = []
        for position, record in enumerate(records, start):
            kind, thinking, thinks = record.kind, self._thinking, False
            if kind is Kind.OPAQUE:
                continue
            if kind is not Kind.THINKING:
                self._thinking = None
            elif self._refuses(record) is None:  # a thought that is not sent parts nothing
                thinks = record.native is not None or thinking is not None
                self._thinking = None
            if kind is Kind.RESULT and self._pairs(position, record):
                continue
            group = thinking if thinks or kind is Kind.ASSISTANT else None
            if group is None:
                group = Group([], orphan=kind is Kind.RESULT)
                self.groups.append(group)
            group.members.append(position)
            fresh.append(group)
            if thinks:
                group.lead += 1
                self._thinking = group
            elif kind is Kind.ASSISTANT:
                group.calls = len(record.calls)
                self.turn, self._turn_id, self._results = group, record.id, {}
        return fresh

    def _pairs(self, position: int, record: Record) -> bool:
        turn, answers, results = self.turn, record.answers, self._results
        if turn is None or answers is None or answers.record != self._turn_id:
            return False
        if answers.call in results or not 0 <= answers.call < turn.calls:
            return False
        results[answers.call] = position
        self.turns[position] = turn.members[turn.lead]
        # Results are sent in call order, whatever order they came in.
        turn.members[turn.lead + 1 :] = [results[call] for call in sorted(results)]
        return True
