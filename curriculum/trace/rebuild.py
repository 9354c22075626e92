"""From decisions back to bytes: what law 7 means by *sufficient*. It never calls `assemble`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

import attrs

from curriculum.context.manifest import Decision, Manifest
from curriculum.count.counter import Counter
from curriculum.count.counters import utf8
from curriculum.count.pictures import pictured
from curriculum.count.registry import counter_of
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group, Grouping
from curriculum.record.records import Answers, Call, Kind, Record, ToolSpec, record_id
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import wire_of
from curriculum.wire.request import Message, Request, message_of
from curriculum.wire.segments import framed, segments_of

from .errors import TraceError
from .events import ToolRequest
from .reader import Event, Trace

LAST = 10**15
"""More than any turn has calls."""


@attrs.frozen
class TableRow:
    """One candidate of one request. Sizes are in the counter's unit.

    `log` is the size of its whole item, 0 if it has none on this wire; `size` is what it takes
    in the request, 0 if it is omitted.
    """

    record: Record
    decision: str
    reason: str
    log: int
    size: int
    bytes: int
    entry: Decision


@attrs.define
class Item:
    """One record as it is spelled: its text, size and bytes, the message that it spells, its place.

    `alone` remembers whether the text alone gives back what it spells; None until it is asked.
    """

    text: str
    size: int
    bytes: int
    message: Message
    place: str
    alone: bool | None = None

    @property
    def told(self) -> bool:
        """Whether it is a message of the request; tools stand beside the messages."""
        return self.message.kind is not Kind.TOOLS


def positions(
    decision: Decision, records: Sequence[Record], only: Collection[int] | None = None
) -> list[int]:
    """The positions (from 0) of the candidates that a decision covers, or of `only` some."""
    first = int(decision.first[1:]) - 1
    last = int((decision.last or decision.first)[1:])
    asked = range(first, last)
    if only is not None:  # these are few, and a late decision covers nearly the whole log
        asked = sorted([at for at in only if first <= at < last])
    opaque = Kind.OPAQUE
    return [at for at in asked if records[at].kind is not opaque]


def sent_of(record: Record, decision: Decision) -> Cut | str | None:
    """What is sent of `record`: a cut, a text instead, or None for its whole text."""
    if decision.text is not None:
        return decision.text
    if as_logged(record, decision):
        return record.cut
    return ends(record.whole(), decision.head or 0, decision.tail or 0)


def as_logged(record: Record, decision: Decision) -> bool:
    """Whether a record that is let in is sent as the log has it."""
    if decision.beside is not None:
        return record.kind is not Kind.RESULT
    return decision.text is None and (decision.head is None or decision.tail is None)


def own_entry(record: Record, decision: Decision) -> Decision:
    """What a decision about many records says of one of them."""
    if decision.beside is None:
        return decision
    if record.kind is not Kind.RESULT:
        return Decision(record.id, "admitted", decision.beside)
    missing = record.cut.original if record.cut is not None else len(record.text)
    said = decision.decision, decision.reason
    return Decision(record.id, *said, head=0, tail=0, missing=missing)


def ends(whole: Cut, head: int, tail: int) -> Cut:
    """The cut that keeps so many characters of both ends."""
    source = whole.tail if whole.missing else whole.head
    kept = whole.head[:head], source[len(source) - tail :]
    return Cut(*kept, whole.original, whole.sha256, whole.artifact)


class Rebuild:
    """The requests of one trace. Items are spelled once and remembered by record."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._items: dict[int, Item] = {}
        # A cut is spelled by who finds it, who rebuilds it and who reads it back, one by one; and
        # what is old is sent in the same form again and again.
        self.cut_item = lru_cache(64)(self._cut_item)
        self._kept_item = lru_cache(4096)(self._with_ends)
        self.whole = lru_cache(64)(self._whole)

    @cached_property
    def wire(self) -> Wire:
        """The wire that the trace names."""
        return wire_of(self._named("wire"))

    @cached_property
    def counter(self) -> Counter:
        """The counter that the trace names."""
        return counter_of(self._named("counter"))

    def _named(self, component: str) -> str:
        named = self.trace.start.components.get(component)
        if named is None:
            raise TraceError(
                f"{self.trace.name} names no {component}, so no request can be rebuilt.",
                code="trace-unlawful",
                next=f"curriculum trace validate {self.trace.name}",
            )
        return named

    @cached_property
    def appended(self) -> list[int]:
        """The seq of each record's event."""
        return [event.seq for event in self.trace.of("record.append")]

    def message(self, at: int, cut: Cut | str | None) -> Message:
        """What is sent for the record at position `at`, with its content as `cut`."""
        record = self.trace.records[at]
        if at in self._items:  # it has a place and a call
            known = self._items[at].message
            answered = Call(known.call_id, known.called)
            return message_of(record, cut, record_id(at + 1), answered, known.turn)
        if self.wire.refuses(record) is not None:
            raise TraceError(
                f"{record.id} is a {record.kind}; {self.wire.id} has no place for it.",
                code="trace-reference",
            )
        if record.answers is None:
            return message_of(record, cut, record_id(at + 1))
        call = self.call(record.answers)
        if call is None:
            raise TraceError(
                f"{record.id} answers call {record.answers.call} of {record.answers.record}, "
                "which does not exist.",
                code="trace-reference",
            )
        return message_of(record, cut, record_id(at + 1), call, record.answers.record)

    def call(self, answers: Answers | ToolRequest) -> Call | None:
        """The call that a result answers or a request asks for; None if there is no such call."""
        at = int(answers.record[1:]) - 1
        calls = self.trace.records[at].calls if at < len(self.trace.records) else ()
        return calls[answers.call] if 0 <= answers.call < len(calls) else None

    @cached_property
    def _tool_sets(self) -> list[tuple[int, tuple[ToolSpec, ...]]]:
        appended = self.trace.of("record.append")
        return [(e.seq, e.data.tools) for e in appended if e.data.kind is Kind.TOOLS]

    def offered(self, seq: int) -> tuple[ToolSpec, ...]:
        """The tools on offer before an event."""
        return next((tools for at, tools in reversed(self._tool_sets) if at < seq), ())

    def spellable(self, at: int) -> bool:
        """Whether the record has a place on the wire and, if it is a result, a call."""
        record = self.trace.records[at]
        paired = record.answers is None or self.call(record.answers) is not None
        return paired and self.wire.refuses(record) is None

    def item(self, at: int) -> Item:
        """The item of the record as the log has it; remembered."""
        known = self._items.get(at)
        if known is None:
            known = self._items[at] = self._cut_item(at, self.trace.records[at].cut)
        return known

    def changed(self, at: int, decision: Decision) -> Item:
        """The item of a record that is not sent as the log has it."""
        if decision.text is not None:
            return self.cut_item(at, decision.text)
        return self._kept_item(at, decision.head or 0, decision.tail or 0)

    def _with_ends(self, at: int, head: int, tail: int) -> Item:
        return self.cut_item(at, ends(self.whole(at), head, tail))

    def _cut_item(self, at: int, cut: Cut | str | None) -> Item:
        """The item of the record at `at` with its content as `cut` (None: whole)."""
        message = self.message(at, cut)
        text = "".join([text for _, text in self.wire.pieces(message)])
        place = self.wire.places[message.kind]
        return Item(text, self._size(message, text), utf8(text), message, place)

    def _size(self, message: Message, text: str) -> int:
        if message.image is None:
            return self.counter.size(text)
        return pictured(self.counter, self.wire.pieces(message), message.image)

    def _whole(self, at: int) -> Cut:
        """The content of the record at `at`, of which less may be sent."""
        return self.trace.records[at].whole()

    @cached_property
    def _places(self) -> list[tuple[int, int, int]]:
        leads = {place: number for number, place in enumerate(self.wire.leads)}
        first = {kind: leads.get(place, len(leads)) for kind, place in self.wire.places.items()}
        records = self.trace.records
        found = [_place(at, record, first) for at, record in enumerate(records)]
        for at, record in enumerate(records):
            if record.replaces is not None:
                found[at] = first[record.kind], *self._behind(int(record.replaces.first[1:]) - 1)
        return found

    def _behind(self, at: int) -> tuple[int, int]:
        """The place behind a record, and behind its exchange if it leads one."""
        for group in self._groups:
            if group.lead and group.members[0] <= at < group.main:
                return group.main, LAST
        return at, LAST

    @cached_property
    def _groups(self) -> list[Group]:
        grouping = Grouping(self.wire.refuses)
        grouping.read(self.trace.records, 0)
        return grouping.groups

    def sent(self, manifest: Manifest) -> list[Item]:
        """What the decisions let in, in sending order."""
        records, places, items = self.trace.records, self._places, self._items
        inside = [
            (at, decision)
            for decision in manifest.decisions
            if decision.decision != "omitted"
            for at in positions(decision, records)
        ]
        inside.sort(key=lambda pair: places[pair[0]])
        if manifest.front or manifest.back:
            inside.sort(key=lambda pair: self._moved(pair[0], manifest))
        return [
            items.get(at) or self.item(at)
            if as_logged(records[at], decision)
            else self.changed(at, decision)
            for at, decision in inside
        ]

    def _moved(self, at: int, manifest: Manifest) -> int:
        """Whether a record leads the body, goes before the conversation, is in it, or after it."""
        if self._places[at][0] < len(self.wire.leads):
            return 0
        id = record_id(at + 1)
        return 1 if id in manifest.front else 3 if id in manifest.back else 2

    def messages(self, manifest: Manifest) -> tuple[Message, ...]:
        """The messages of the request, in sending order."""
        return tuple(item.message for item in self.sent(manifest))

    @cached_property
    def framing(self) -> dict[str, int]:
        """The size of each piece of framing that the wire has."""
        return {text: self.counter.size(text) for text in self.wire.frames.values()}

    def parts(self, items: Sequence[Item]) -> list[str]:
        """The request that sends `items`, as framing and items in turn."""
        return framed(self.wire, [(item.place, item.text) for item in items])

    def body(self, items: Sequence[Item]) -> str:
        """The text of the request that sends `items`."""
        return "".join(self.parts(items))

    def request(self, event: Event[Manifest]) -> Request:
        """The request of one assembly."""
        items = self.sent(event.data)
        body = self.body(items).encode()
        return Request(body, lambda: segments_of(self.wire, [item.message for item in items]))

    def table(self, event: Event[Manifest]) -> list[TableRow]:
        """Ranges expanded: one row for each candidate, in log order."""
        return list(self.rows(event.data))

    def rows(self, manifest: Manifest, only: Collection[int] | None = None) -> Iterator[TableRow]:
        """The rows of the table, or those of the records at some positions."""
        for many in manifest.decisions:
            for at in positions(many, self.trace.records, only):
                record = self.trace.records[at]
                entry = own_entry(record, many)
                whole = self.item(at) if self.spellable(at) else None
                log, size = (whole.size, whole.bytes) if whole else (0, 0)
                if entry.decision == "omitted":
                    yield TableRow(record, entry.decision, entry.reason, log, 0, 0, entry)
                    continue
                spent = log
                if not as_logged(record, entry):
                    sent = self.changed(at, entry)
                    spent, size = sent.size, sent.bytes
                yield TableRow(record, entry.decision, entry.reason, log, spent, size, entry)


def _place(at: int, record: Record, first: Mapping[Kind, int]) -> tuple[int, int, int]:
    """What leads the body first; then by position, but a result stands after its turn, by call."""
    if record.answers is not None:
        return first[record.kind], int(record.answers.record[1:]) - 1, record.answers.call + 1
    return first[record.kind], at, 0
