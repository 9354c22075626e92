"""What an assembly knows of a log, kept beside it so that a turn costs what its request costs.

The index is append-only. Assembling with it and without it gives the same bytes.
"""

from collections.abc import Sequence

from curriculum.count.counters import Counter, utf8
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group, Grouping
from curriculum.record.records import Kind, Record
from curriculum.wire.request import Message, Wire, message_of

from .policy import Policy


class SessionIndex:
    """Groups, items and sizes of one log under one wire and counter; items on first use."""

    def __init__(self, wire: Wire, counter: Counter) -> None:
        self.wire, self.counter = wire, counter
        self.records: list[Record] = []
        self.candidates = 0
        self._grouping = Grouping()
        self._instructions: list[int] = []
        self._tools: int | None = None
        self._request: list[int] = []

    @property
    def groups(self) -> list[Group]:
        """All groups, oldest first."""
        return self._grouping.groups

    def read(self, records: Sequence[Record]) -> None:
        """Take in what `records` has more than at the last call. The log must have only grown."""
        start = len(self.records)
        if start and (len(records) < start or records[start - 1] is not self.records[-1]):
            raise ValueError(
                "this index belongs to another log: the records it knows are not there"
            )
        fresh = records[start:]
        self._grouping.read(fresh, start)
        for position, record in enumerate(fresh, start):
            kind = record.kind
            if kind is Kind.USER:
                self._request.append(position)
            elif kind is Kind.ASSISTANT:
                if not record.calls:
                    self._request = []
            elif kind is Kind.INSTRUCTION:
                self._instructions.append(position)
            elif kind is Kind.TOOLS:
                self._tools = position
            elif kind is Kind.OPAQUE:
                self.candidates -= 1
        self.records += fresh
        self.candidates += len(fresh)

    def protected(self, policy: Policy) -> dict[int, str]:
        """The positions that must stay whole under `policy`, each with its reason."""
        reasons: dict[int, str] = {}
        if Kind.TOOLS in policy.protect and self._tools is not None:
            reasons[self._tools] = "protected-tools"
        if Kind.INSTRUCTION in policy.protect:
            reasons |= dict.fromkeys(self._instructions, "protected-instruction")
        if policy.current_request:
            reasons |= dict.fromkeys(self._request, "protected-request")
        return reasons

    def defect(self, group: Group) -> str | None:
        """Why `group` cannot be sent whatever the room is; None if it can."""
        record = self.records[group.members[0]]
        if group.orphan:
            return "unpaired-result"
        if group.open:
            return "unanswered-call"
        if record.kind is Kind.TOOLS and group.members[0] != self._tools:
            return "superseded"
        return None if self.wire.carries(record) else "no-slot"

    def unseen(self) -> Group | None:
        """The exchange that the model has not seen yet: the last turn, if it has results."""
        for group in reversed(self.groups):
            if group.exchange:
                return group if len(group.members) > 1 and not group.open else None
        return None

    def message(self, position: int, cut: Cut | None = None) -> Message:
        """What is sent for the record at `position`, cut further if `cut` is given."""
        record = self.records[position]
        call_id = ""
        if record.answers is not None:
            turn = self.records[int(record.answers.record[1:]) - 1]
            call_id = turn.calls[record.answers.call].id
        return message_of(record, cut or record.cut, call_id)

    def item(self, position: int, cut: Cut | None = None) -> str:
        """The record as it is spelled in a request."""
        return "".join([text for _, text in self.wire.pieces(self.message(position, cut))])

    def spelled(self, group: Group) -> tuple[str, int, int]:
        """The whole group as it is sent, with its size and bytes without joints; remembered."""
        if group.spelled is None:
            items = [self.item(at) for at in group.members]
            size = sum([self.counter.size(item) for item in items])
            group.spelled = self.wire.joint.join(items), size, sum([utf8(item) for item in items])
        return group.spelled
