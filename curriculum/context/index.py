"""What an assembly knows of a log, kept beside it so that a turn costs what its request costs.

The index is append-only. Assembling with it and without it gives the same bytes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from curriculum.record.cut import Cut
from curriculum.record.exchange import Group, Grouping, Spelled
from curriculum.record.records import Kind, Record, record_id
from curriculum.wire.frames import charges
from curriculum.wire.request import Message, message_of

from .policy import Policy

if TYPE_CHECKING:
    from curriculum.count.counter import Counter
    from curriculum.wire.protocol import Wire


class SessionIndex:
    """Groups, items and sizes of one log under one wire and counter; items on first use."""

    def __init__(self, wire: "Wire", counter: "Counter") -> None:
        self.wire, self.counter = wire, counter
        self.frame, self.joint = charges(wire, counter.size)
        """What the frame and a joint between messages are charged with, at their dearest."""
        self.frames: dict[str, dict[str, tuple[bytes, int]]] = {}
        """The bytes and the size of the framing between two places: first the one before."""
        for (before, after), text in wire.frames.items():
            self.frames.setdefault(before, {})[after] = text.encode(), counter.size(text)
        self.records: list[Record] = []
        self.candidates = 0
        self.grouping = Grouping(wire.refuses)
        self._instructions: list[Group] = []
        self._tools: Group | None = None
        self.request: list[Group] = []
        """What the user is waiting for."""
        self.retired: dict[int, int] = {}
        """The groups that a summary stands for: their first position, and the summary's."""
        self.places: dict[int, int] = {}
        """Where summaries stand: where what they replace began."""
        self.ledgers: dict[tuple[str, str], Any] = {}
        """What policies of pools keep of this log."""

    @property
    def groups(self) -> list[Group]:
        """All groups, oldest first."""
        return self.grouping.groups

    @property
    def tools(self) -> int:
        """The position of the tools that are offered; -1 if there are none."""
        return -1 if self._tools is None else self._tools.members[0]

    @property
    def offers(self) -> bool:
        """Whether there are tools on offer."""
        return self._tools is not None and bool(self.records[self.tools].tools)

    def read(self, records: Sequence[Record]) -> None:
        """Take in what `records` has more than at the last call. The log must have only grown."""
        start = len(self.records)
        if start and (len(records) < start or records[start - 1] is not self.records[-1]):
            raise ValueError(
                "this index belongs to another log: the records it knows are not there"
            )
        fresh = records[start:]
        self.records += fresh
        self.candidates += sum([record.kind is not Kind.OPAQUE for record in fresh])
        for group in self.grouping.read(fresh, start):
            record = self.records[group.main]
            kind = record.kind
            if record.replaces is not None:
                from .retiring import retire

                retire(self, group.main, record.replaces)
            if kind is Kind.ASSISTANT:
                if not record.calls:
                    self.request = []
            elif kind is Kind.USER:
                self.request.append(group)
            elif kind is Kind.INSTRUCTION:
                self._instructions.append(group)
            elif kind is Kind.TOOLS:
                if self._tools is not None:
                    self._tools.spelled = None  # it can be sent no more
                self._tools = group

    def protected(self, policy: Policy) -> list[tuple[Group, str]]:
        """The records that must stay whole under `policy`, each with its reason, in log order.

        What the wire has no place for cannot be sent, so it is not protected either.
        """
        kept: list[tuple[Group, str]] = []
        if Kind.TOOLS in policy.protect and self._tools is not None:
            kept.append((self._tools, "protected-tools"))
        if Kind.INSTRUCTION in policy.protect:
            kept += [(group, "protected-instruction") for group in self._instructions]
        if policy.current_request:
            waiting = [g for g in self.request if g.members[0] not in self.retired]
            kept += [(group, "protected-request") for group in waiting]
        refuses = self.wire.refuses
        kept = [pair for pair in kept if refuses(self.records[pair[0].members[0]]) is None]
        return sorted(kept, key=lambda pair: pair[0].members[0])

    def defect(self, group: Group) -> str | None:
        """Why `group` cannot be sent whatever the room is; None if it can."""
        record = self.records[group.main]
        if group.members[0] in self.retired:
            return "compacted"
        if group.orphan:
            return "unpaired-result"
        if group.lead == len(group.members):
            return "unpaired-thinking"
        if group.open:
            return "unanswered-call"
        if record.kind is Kind.TOOLS and group is not self._tools:
            return "superseded"
        return self.wire.refuses(record)

    def unseen(self) -> Group | None:
        """The exchange that the model has not seen yet: the last turn, if it has results."""
        turn = self.grouping.turn
        if turn is None or len(turn.members) == turn.lead + 1 or self.defect(turn) is not None:
            return None
        return turn

    def message(self, position: int, sent: Cut | str | None = None) -> Message:
        """What is sent for the record at `position`: cut further, or a text instead, if given.

        A result must be paired: one that is not has no call to name, and is never sent.
        """
        record, id = self.records[position], record_id(position + 1)
        sent = record.cut if sent is None else sent
        if record.answers is None:
            return message_of(record, sent, id)
        turn = self.grouping.turns[position]
        call = self.records[turn].calls[record.answers.call]
        return message_of(record, sent, id, call, record_id(turn + 1))

    def item(self, position: int, sent: Cut | str | None = None) -> str:
        """The record as it is spelled in a request."""
        return "".join([text for _, text in self.wire.pieces(self.message(position, sent))])

    def size(self, position: int, item: str) -> int:
        """What the record takes as `item`, in the counter's unit."""
        image = self.records[position].image
        if image is None:
            return self.counter.size(item)
        from curriculum.count.pictures import pictured

        return pictured(self.counter, self.wire.pieces(self.message(position)), image)

    def spelled(self, group: Group) -> Spelled:
        """The whole group as it is sent; remembered. It must have no defect."""
        if group.spelled is None:
            group.spelled = self.spell(group.members, [self.item(at) for at in group.members])
        return group.spelled

    def spell(self, members: Sequence[int], items: Sequence[str]) -> Spelled:
        """What sending `items` takes, one for each of `members`."""
        places = [self.wire.places[self.records[at].kind] for at in members]
        parts, inner = [items[0].encode()], 0
        for before, place, item in zip(places, places[1:], items[1:], strict=False):
            frame, takes = self.frames[before][place]
            parts += (frame, item.encode())
            inner += takes
        size, byte = sum(map(self.size, members, items)), sum(map(len, parts[::2]))
        end, spent = max(members) + 1, size + inner + self.joint
        beside = end if end - members[0] == len(members) else -1
        known = size, byte, spent, tuple(members), beside, inner, (places[0], places[-1])
        return Spelled(b"".join(parts), *known)

    def leading(self) -> list[int]:
        """The records that lead the body, in its order: the tools, then instructions if so."""
        ahead = [self._tools] if self._tools else []
        if len(self.wire.leads) > 1:
            ahead += self._instructions
        return [group.members[0] for group in ahead]
