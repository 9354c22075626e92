"""From decisions back to bytes: what law 7 means by *sufficient*. It never calls `assemble`."""

from collections.abc import Container, Iterator, Sequence
from functools import cached_property

import attrs

from curriculum.context.manifest import Decision, Manifest
from curriculum.count.counters import Counter, utf8
from curriculum.count.registry import counter_of
from curriculum.record.cut import Cut
from curriculum.record.records import Answers, Call, Kind, Record, ToolSpec
from curriculum.wire.registry import wire_of
from curriculum.wire.request import Message, Request, Wire, message_of
from curriculum.wire.segments import segments_of

from .reader import Event, Trace
from .recorder import TraceError


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


def positions(decision: Decision, records: Sequence[Record]) -> list[int]:
    """The positions (from 0) of the candidates that a decision covers."""
    first = int(decision.first[1:]) - 1
    last = int((decision.last or decision.first)[1:])
    return [at for at in range(first, last) if records[at].kind is not Kind.OPAQUE]


def cut_of(record: Record, decision: Decision) -> Cut | None:
    """What is sent of `record`: None for its whole text."""
    if decision.head is None or decision.tail is None:
        return record.cut
    whole = record.whole()
    source = whole.tail if whole.missing else whole.head
    tail = source[len(source) - decision.tail :]
    return attrs.evolve(whole, head=whole.head[: decision.head], tail=tail)


class Rebuild:
    """The requests of one trace. Items are spelled once and remembered by record."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._items: dict[int, tuple[str, int, int]] = {}

    @cached_property
    def wire(self) -> Wire:
        """The wire that the trace names."""
        return wire_of(self.trace.start.components["wire"])

    @cached_property
    def counter(self) -> Counter:
        """The counter that the trace names."""
        return counter_of(self.trace.start.components["counter"])

    @cached_property
    def appended(self) -> list[int]:
        """The seq of each record's event."""
        return [event.seq for event in self.trace.of("record.append")]

    def message(self, at: int, cut: Cut | None) -> Message:
        """What is sent for the record at position `at`."""
        record = self.trace.records[at]
        if not self.wire.carries(record):
            raise TraceError(
                f"{record.id} is a {record.kind}; {self.wire.id} has no place for it.",
                code="trace-reference",
            )
        if record.answers is None:
            return message_of(record, cut)
        call = self.call(record.answers)
        if call is None:
            raise TraceError(
                f"{record.id} answers call {record.answers.call} of {record.answers.record}, "
                "which does not exist.",
                code="trace-reference",
            )
        return message_of(record, cut, call.id)

    def call(self, answers: Answers) -> Call | None:
        """The call that a result answers; None if there is no such call."""
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
        return paired and self.wire.carries(record)

    def spell(self, at: int, cut: Cut | None) -> str:
        """The item of the record at `at` with its content as `cut` (None: whole)."""
        return "".join([text for _, text in self.wire.pieces(self.message(at, cut))])

    def item(self, at: int) -> tuple[str, int, int]:
        """The item of the record as the log has it, its size and its bytes; remembered."""
        known = self._items.get(at)
        if known is None:
            text = self.spell(at, self.trace.records[at].cut)
            known = self._items[at] = text, self.counter.size(text), utf8(text)
        return known

    def sent(self, manifest: Manifest) -> list[tuple[int, Decision]]:
        """What the decisions let in: positions in sending order, each with its decision."""
        records = self.trace.records
        inside = [
            (at, decision)
            for decision in manifest.decisions
            if decision.decision != "omitted"
            for at in positions(decision, records)
        ]
        return sorted(inside, key=lambda pair: _place(pair[0], records))

    def messages(self, manifest: Manifest) -> tuple[Message, ...]:
        """The messages of the request, the tools first."""
        return tuple(
            self.message(at, cut_of(self.trace.records[at], decision))
            for at, decision in self.sent(manifest)
        )

    def request(self, event: Event[Manifest]) -> Request:
        """The request of one assembly."""
        messages = self.messages(event.data)
        body = "".join(s.text for s in segments_of(self.wire, messages)).encode()
        return Request(body, lambda: segments_of(self.wire, messages))

    def table(self, event: Event[Manifest]) -> list[TableRow]:
        """Ranges expanded: one row for each candidate, in log order."""
        return list(self.rows(event.data))

    def rows(self, manifest: Manifest, only: Container[int] | None = None) -> Iterator[TableRow]:
        """The rows of the table, or those of the records at some positions."""
        for entry in manifest.decisions:
            for at in positions(entry, self.trace.records):
                if only is not None and at not in only:
                    continue
                record = self.trace.records[at]
                _, log, size = self.item(at) if self.spellable(at) else ("", 0, 0)
                if entry.decision == "omitted":
                    yield TableRow(record, entry.decision, entry.reason, log, 0, 0, entry)
                    continue
                spent = log
                if entry.head is not None:
                    text = self.spell(at, cut_of(record, entry))
                    spent, size = self.counter.size(text), utf8(text)
                yield TableRow(record, entry.decision, entry.reason, log, spent, size, entry)


def _place(at: int, records: Sequence[Record]) -> tuple[int, int, int]:
    """Tools first; then by position, but a result stands after its turn, by call."""
    record = records[at]
    if record.answers is not None:
        return 1, int(record.answers.record[1:]) - 1, record.answers.call + 1
    return int(record.kind is not Kind.TOOLS), at, 0
