"""Which records belong together: an assistant turn and the results up to the next turn.

Grouping is incremental: a group is found when its first record is read, and an exchange
takes results until the next assistant record. Ids of calls are never used to pair: models
reuse them. A result pairs by the record and the position of the call that it answers.
"""

from collections.abc import Iterable

import attrs

from .records import Kind, Record


@attrs.define
class Group:
    """Records that are admitted or omitted together, by position in the log, in sending order.

    `open` holds the positions of calls that have no result yet; `orphan` says that this is a
    lone result whose call is unknown, answered already, or before another turn. `spelled` is
    what a reader remembers of the group; it is forgotten when the group changes.
    """

    members: list[int]
    exchange: bool = False
    orphan: bool = False
    open: set[int] = attrs.field(factory=set[int])
    spelled: tuple[str, int, int] | None = None


class Grouping:
    """The groups of a log, kept up to date as records are appended."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self._turn: Group | None = None
        self._turn_id = ""
        self._results: dict[int, int] = {}

    def read(self, records: Iterable[Record], start: int) -> None:
        """Take in `records`, the first of which stands at position `start` (from 0)."""
        append = self.groups.append
        for position, record in enumerate(records, start):
            kind = record.kind
            if kind is Kind.ASSISTANT:
                self._turn = Group([position], True, False, set(range(len(record.calls))))
                self._turn_id, self._results = record.id, {}
                append(self._turn)
            elif kind is Kind.RESULT:
                self._pair(position, record)
            elif kind is not Kind.OPAQUE:
                append(Group([position]))

    def _pair(self, position: int, record: Record) -> None:
        turn, answers = self._turn, record.answers
        if turn is None or answers is None or answers.record != self._turn_id or answers.call not in turn.open:
            self.groups.append(Group([position], orphan=True))
        else:
            turn.open.remove(answers.call)
            self._results[answers.call] = position
            # Results are sent in call order, whatever order they came in.
            turn.members[1:] = [self._results[call] for call in sorted(self._results)]
            turn.spelled = None
