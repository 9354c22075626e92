"""The laws of a projection, on random logs, every wire, and ceilings at which things just fit.

What is expected is found from the log and from the bytes that are sent, never by asking the
code that chose.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curriculum.context.assemble import Projection, assemble
from curriculum.context.index import SessionIndex
from curriculum.context.manifest import Decision
from curriculum.count.byte_bound import ByteBound
from curriculum.count.counter import Counter
from curriculum.count.counters import Characters
from curriculum.record.records import Kind, Native, Record, Trust
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Message
from tests.strategies import THOUGHTS, WIRES, edge_limits, edges, logs

many = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
wires = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.id)
COUNTERS: tuple[Counter, ...] = (Characters(), ByteBound())


def place(wire: Wire, record: Record) -> bool:
    """Whether the documentation of the wire names a place for the record."""
    own = {
        Kind.INSTRUCTION: (Trust.SYSTEM, Trust.DEVELOPER),
        Kind.USER: (Trust.USER,),
        Kind.ASSISTANT: (Trust.ASSISTANT,),
    }
    if record.kind in own:
        return record.trust in own[record.kind]
    if wire.id.startswith("plain"):
        return record.kind not in (Kind.IMAGE, Kind.OPAQUE)
    if wire.id.startswith("openai-chat"):
        return record.kind in (Kind.RESULT, Kind.TOOLS)
    name = wire.id.partition("@")[0]
    if record.kind is Kind.THINKING:
        return record.native is not None and record.native == Native(name, THOUGHTS[name])
    if record.kind is Kind.IMAGE:
        return record.image is not None and record.text != ""
    return record.kind is not Kind.OPAQUE


def said(wire: Wire, record: Record) -> bool:
    """Whether a record with a place has something in it, where a wire takes no blank text."""
    if not wire.id.startswith(("anthropic", "gemini")) or record.calls:
        return True
    return record.kind in (Kind.RESULT, Kind.TOOLS, Kind.IMAGE, Kind.THINKING) or any(
        not character.isspace() for character in record.text
    )


def must_stay(wire: Wire, records: list[Record]) -> set[int]:
    """The latest tools, all instructions, and what users said since the last finished turn."""
    kept = {at for at, record in enumerate(records) if record.kind is Kind.INSTRUCTION}
    kept |= set([at for at, record in enumerate(records) if record.kind is Kind.TOOLS][-1:])
    for at in range(len(records) - 1, -1, -1):
        if records[at].kind is Kind.ASSISTANT and not records[at].calls:
            break
        if records[at].kind is Kind.USER:
            kept.add(at)
    return {at for at in kept if place(wire, records[at]) and said(wire, records[at])}


def answered(records: list[Record], turn: int) -> list[int] | None:
    """The positions that answer the calls of `turn`, in call order; None if one is missing."""
    found: dict[int, int] = {}
    for at in range(turn + 1, len(records)):
        if records[at].kind is Kind.ASSISTANT:
            break
        answers = records[at].answers
        if answers is not None and answers.record == records[turn].id:
            found.setdefault(answers.call, at)
    calls = range(len(records[turn].calls))
    return [found[call] for call in calls] if all(call in found for call in calls) else None


def unseen(records: list[Record]) -> list[int]:
    """The positions of the last turn and its results, if it has results and all of them."""
    turns = [at for at, record in enumerate(records) if record.kind is Kind.ASSISTANT]
    results = answered(records, turns[-1]) if turns else None
    return [turns[-1], *results] if results else []


def table(projection: Projection, records: list[Record]) -> dict[int, Decision]:
    """The decision of each candidate; fails if one has two."""
    decided: dict[int, Decision] = {}
    for decision in projection.manifest.decisions:
        first, last = int(decision.first[1:]), int((decision.last or decision.first)[1:])
        assert first <= last <= len(records)
        for at in range(first - 1, last):
            if records[at].kind is not Kind.OPAQUE:
                assert at not in decided
                decided[at] = decision
    return decided


def shown(message: Message) -> object:
    """What a reader of the bytes can know of a message."""
    cut = message.cut and (message.cut.head, message.cut.tail, message.cut.missing)
    return message.kind, message.text, cut, message.calls, message.call_id, message.tools


def setting(data: st.DataObject, wire: Wire) -> tuple[list[Record], int, Counter]:
    records = data.draw(logs())
    counter = data.draw(st.sampled_from(COUNTERS))
    return records, data.draw(edge_limits(records, wire, counter)), counter


@wires
class TestLaw1Pure:
    @settings(many, max_examples=200)
    @given(data=st.data())
    def test_index(self, wire: Wire, data: st.DataObject) -> None:
        """An index that has followed the log from its start changes no byte at any prefix."""
        records, limit, counter = setting(data, wire)
        places = data.draw(st.sampled_from([None, None, 2, 5]))
        index = SessionIndex(wire, counter)
        for end in range(len(records) + 1):
            prefix = records[:end]
            options = {"wire": wire, "counter": counter, "max_messages": places}
            alone = assemble(prefix, limit, **options)
            beside = assemble(prefix, limit, index=index, max_messages=places)
            assert alone.manifest == beside.manifest
            assert alone.messages == beside.messages
            assert (alone.request and alone.request.body) == (
                beside.request and beside.request.body
            )

    @many
    @given(data=st.data())
    def test_nothing_changes(self, wire: Wire, data: st.DataObject) -> None:
        """Assembling leaves the log as it was, and does the same again."""
        records, limit, counter = setting(data, wire)
        before = repr(records)
        first = assemble(records, limit, wire=wire, counter=counter)
        assert before == repr(records)
        assert first.manifest == assemble(records, limit, wire=wire, counter=counter).manifest

    @many
    @given(data=st.data())
    def test_an_old_projection_stays(self, wire: Wire, data: st.DataObject) -> None:
        """What an index learns later does not change the messages of an earlier request."""
        records, limit, counter = setting(data, wire)
        half = len(records) // 2
        index = SessionIndex(wire, counter)
        early = assemble(records[:half], limit, index=index)
        expected = assemble(records[:half], limit, wire=wire, counter=counter).messages
        assemble(records, limit, index=index)
        assert expected == early.messages


@wires
class TestLaw2Ceiling:
    @many
    @given(data=st.data())
    def test_ceiling(self, wire: Wire, data: st.DataObject) -> None:
        """A request is within its ceilings, or numbers say why there is none."""
        records, limit, counter = setting(data, wire)
        places = data.draw(st.sampled_from([None, 1, 3, 6]))
        for ceiling in (limit, *edges(records, wire, counter)):
            self.holds(wire, records, ceiling, counter, places)

    @staticmethod
    def holds(
        wire: Wire, records: list[Record], limit: int, counter: Counter, places: int | None
    ) -> None:
        projection = assemble(records, limit, wire=wire, counter=counter, max_messages=places)
        manifest, request = projection.manifest, projection.request
        if request is None:
            refused = manifest.refused
            assert refused is not None
            assert refused.needed > refused.allowed
            if refused.reason == "protected-does-not-fit":
                total = refused.frame + sum(part.size for part in refused.parts)
                assert total == refused.needed
                limits = {f"max_input_{counter.unit}": limit, "max_messages": places}
                assert limits[refused.limit] == refused.allowed
        else:
            size = len(request.text) if counter.unit == "chars" else len(request.body)
            assert size == manifest.size
            assert size <= limit
            sent = sum(m.kind is not Kind.TOOLS for m in wire.decode(request.body))
            assert sent == manifest.messages
            assert places is None or sent <= places


@wires
class TestLaw3Conserved:
    @many
    @given(data=st.data())
    def test_conserved(self, wire: Wire, data: st.DataObject) -> None:
        """Every candidate has one decision, and frame and sizes add up to the request."""
        records, limit, counter = setting(data, wire)
        projection = assemble(records, limit, wire=wire, counter=counter)
        manifest, request = projection.manifest, projection.request
        candidates = {at for at, record in enumerate(records) if record.kind is not Kind.OPAQUE}
        assert len(candidates) == manifest.candidates
        if request is None:
            return
        assert candidates == set(table(projection, records))
        assert manifest.frame is not None
        sizes = [d.size or 0 for d in manifest.decisions]
        in_bytes = [d.size or 0 if d.bytes is None else d.bytes for d in manifest.decisions]
        body = len(request.text) if counter.unit == "chars" else len(request.body)
        assert body == manifest.frame + sum(sizes)
        assert len(request.body) == manifest.frame + sum(in_bytes)
        assert "".join(s.text for s in request.segments).encode() == request.body

    @many
    @given(data=st.data())
    def test_own_sizes(self, wire: Wire, data: st.DataObject) -> None:
        """The size of a decision is the length of the segments of the records it covers."""
        records, limit, _ = setting(data, wire)
        projection = assemble(records, limit, wire=wire)
        if projection.request is None:
            return
        lengths: dict[str | None, int] = {}
        for segment in projection.request.segments:
            lengths[segment.record] = lengths.get(segment.record, 0) + len(segment.text)
        for decision in projection.manifest.decisions:
            covered = range(int(decision.first[1:]), int((decision.last or decision.first)[1:]) + 1)
            total = sum(lengths.get(f"r{number:04d}", 0) for number in covered)
            assert total == (decision.size or 0)


@wires
class TestLaw4Protected:
    @many
    @given(data=st.data())
    def test_whole(self, wire: Wire, data: st.DataObject) -> None:
        """What must stay is in the request, whole, and decodes to its content."""
        records, limit, counter = setting(data, wire)
        projection = assemble(records, limit, wire=wire, counter=counter)
        if projection.request is None:
            return
        decoded = wire.decode(projection.request.body)
        decided = table(projection, records)
        for at in must_stay(wire, records):
            record = records[at]
            assert decided[at].decision == "admitted"
            assert decided[at].reason.startswith("protected-")
            if record.kind is Kind.TOOLS:
                assert [record.tools] * bool(record.tools) == [m.tools for m in decoded if m.tools]
            else:
                assert (record.kind, record.text) in [(m.kind, m.text) for m in decoded]

    @many
    @given(data=st.data())
    def test_refused_only_by_need(self, wire: Wire, data: st.DataObject) -> None:
        """A request that holds only what must stay is not refused for that: it would fit."""
        records, limit, counter = setting(data, wire)
        refused = assemble(records, limit, wire=wire, counter=counter).manifest.refused
        if refused is None or refused.reason != "protected-does-not-fit":
            return
        stay = {records[at].id for at in must_stay(wire, records)}
        assert stay == {part.record for part in refused.parts}
        roomy = assemble(records, 10**9, wire=wire, counter=counter)
        sizes = {p.record: p.size for p in refused.parts}
        assert roomy.request is not None
        for record, size in sizes.items():
            own = [s.text for s in roomy.request.segments if s.record == record]
            assert size == counter.size("".join(own))


@wires
class TestLaw5Paired:
    @many
    @given(data=st.data())
    def test_pairs(self, wire: Wire, data: st.DataObject) -> None:
        """After each turn come the results of its calls, in call order, and no other result."""
        records, limit, counter = setting(data, wire)
        projection = assemble(records, limit, wire=wire, counter=counter)
        if projection.request is None:
            return
        due: list[str] = []
        for message in wire.decode(projection.request.body):
            if message.kind is Kind.RESULT:
                assert due
                assert due.pop(0) == message.call_id
            else:
                assert due == []
                due = [call.id for call in message.calls]
        assert due == []

    @many
    @given(data=st.data())
    def test_whole_exchanges(self, wire: Wire, data: st.DataObject) -> None:
        """A turn is sent with its results or not at all, and never with a result missing."""
        records, limit, counter = setting(data, wire)
        projection = assemble(records, limit, wire=wire, counter=counter)
        if projection.request is None:
            return
        decided = table(projection, records)
        paired: set[int] = set()
        for turn in (at for at, r in enumerate(records) if r.kind is Kind.ASSISTANT):
            results = answered(records, turn)
            sent = decided[turn].decision != "omitted"
            assert results is not None or not sent
            paired |= set(results or ())
            for at in results or ():
                assert sent == (decided[at].decision != "omitted")
        for at, record in enumerate(records):
            if record.kind is Kind.RESULT and at not in paired:
                assert decided[at].decision == "omitted"


@wires
class TestLaw12Progress:
    @many
    @given(data=st.data())
    def test_unseen(self, wire: Wire, data: st.DataObject) -> None:
        """The exchange that the model has not seen is sent, cut at most; or nothing is sent."""
        records, limit, counter = setting(data, wire)
        projection = assemble(records, limit, wire=wire, counter=counter)
        if projection.request is None:
            return
        decided = table(projection, records)
        for at in unseen(records):
            assert decided[at].decision in ("admitted", "cut")
            if records[at].kind is Kind.ASSISTANT:
                assert decided[at].decision == "admitted"


@wires
class TestBytes:
    @many
    @given(data=st.data())
    def test_decodes_to_messages(self, wire: Wire, data: st.DataObject) -> None:
        """The bytes decode to the messages of the projection: nothing is forged or lost."""
        records, limit, counter = setting(data, wire)
        projection = assemble(records, limit, wire=wire, counter=counter)
        if projection.request is None:
            return
        expected = [
            shown(wire.heard(message))
            for message in projection.messages
            if message.tools or message.kind is not Kind.TOOLS
        ]
        decoded = wire.decode(projection.request.body)
        assert expected == [shown(m) for m in decoded if m.tools or m.kind is not Kind.TOOLS]

    @many
    @given(data=st.data())
    def test_log_order(self, wire: Wire, data: st.DataObject) -> None:
        """Groups are sent in log order; the tools before all, and instructions where they lead."""
        records, limit, counter = setting(data, wire)
        projection = assemble(records, limit, wire=wire, counter=counter)
        order = [int(m.record[1:]) for m in projection.messages if m.kind is not Kind.RESULT]
        kinds = [records[at - 1].kind for at in order]
        if kinds and kinds[0] is Kind.TOOLS:
            order, kinds = order[1:], kinds[1:]
        if wire.id.startswith(("anthropic", "gemini")):
            lead = kinds.count(Kind.INSTRUCTION)
            assert set(kinds[:lead]) <= {Kind.INSTRUCTION}
            assert sorted(order[:lead]) == order[:lead]
            order = order[lead:]
        assert sorted(order) == order
