"""Which records belong together: an assistant turn and the results up to the next turn.

Grouping is incremental: a group is found when its first record is read, and an exchange
takes results until the next assistant record. Ids of calls are never used to pair: models
reuse them. A result pairs by the record and the position of the call that it answers.
"""

from collections.abc import Iterable
from typing import NamedTuple

import attrs

from .records import Kind, Record


class Spelled(NamedTuple):
    """A group as it is sent: its size (the counter's unit) and bytes, without joints.

    `spent` is the size with a joint for each message. `end` is one past the last member where
    the members stand side by side in the log, otherwise -1.
    """

    text: str
    size: int
    bytes: int
    spent: int
    members: tuple[int, ...]
    end: int


@attrs.define
class Group:
    """Records that are admitted or omitted together, by position in the log, in sending order.

    `calls` counts the calls of the turn that opens it; `orphan` says that this is a lone result
    whose call is unknown, answered already, or before another turn. `spelled` is what a reader
    remembers of a group that can be sent, and so takes no more results.
    """

    members: list[int]
    calls: int = 0
    orphan: bool = False
    spelled: Spelled | None = None

    @property
    def open(self) -> bool:
        """Whether a call of the turn has no result yet."""
        return len(self.members) <= self.calls


class Grouping:
    """The groups of a log, kept up to date as records are appended."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.turn: Group | None = None
        """The last exchange, which may still take results."""
        self.turns: dict[int, int] = {}
        """The position of the turn that each paired result answers, by the result's."""
        self._turn_id = ""
        self._results: dict[int, int] = {}

    def read(self, records: Iterable[Record], start: int) -> list[Group]:
        """Take in `records`, the first of which stands at position `start` (from 0).

        Return the groups that begin among them.
        """
        fresh: list[Group] = []
        for position, record in enumerate(records, start):
            kind = record.kind
            if kind is Kind.RESULT:
                if not self._pairs(position, record):
                    fresh.append(Group([position], 0, True))
            elif kind is not Kind.OPAQUE:
                group = Group([position])
                fresh.append(group)
                if kind is Kind.ASSISTANT:
                    group.calls = len(record.calls)
                    self.turn, self._turn_id, self._results = group, record.id, {}
        self.groups += fresh
        return fresh

    def _pairs(self, position: int, record: Record) -> bool:
        turn, answers, results = self.turn, record.answers, self._results
        if turn is None or answers is None or answers.record != self._turn_id:
            return False
        if answers.call in results or not 0 <= answers.call < turn.calls:
            return False
        results[answers.call] = position
        self.turns[position] = turn.members[0]
        # Results are sent in call order, whatever order they came in.
        turn.members[1:] = [results[call] for call in sorted(results)]
        return True
