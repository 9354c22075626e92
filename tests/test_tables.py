"""Comparing tables range by range finds what comparing them record by record finds."""

from collections.abc import Sequence
from typing import Any
from unittest import mock

import attrs
from hypothesis import given
from hypothesis import strategies as st

from curriculum.context.manifest import Decision, Manifest
from curriculum.record.records import Author, Kind, Record, Trust, record_id
from curriculum.trace import diff as diff_module
from curriculum.trace.diff import Diff
from curriculum.trace.reader import Trace
from curriculum.trace.tables import differing
from curriculum.wire.protocol import Wire

from . import strategies
from .traces import text_of


def differences(left: Trace, right: Trace) -> list[tuple[Any, ...]]:
    found = Diff(left, right).differences
    return [(d.left and d.left.seq, d.field, d.expected, d.got) for d in found]


def trace(records: Sequence[Record], wire: Wire, limit: int) -> Trace:
    """Assembled after every second record; a refusal ends it."""
    after = [(n, limit) for n in range(1, len(records) + 1) if n % 2 == 0 or n == len(records)]
    return Trace.parse(text_of(records, wire, after))


def longer(records: Sequence[Record], at: int) -> list[Record]:
    """The log with one record more at a position, all ids after it one higher."""

    def moved(id: str) -> str:
        place = int(id[1:])
        return record_id(place + (place > at))

    kept = [
        attrs.evolve(
            r,
            id=moved(r.id),
            answers=r.answers and attrs.evolve(r.answers, record=moved(r.answers.record)),
        )
        for r in records
    ]
    new = Record(record_id(at + 1), Kind.MEMORY, Trust.TOOL, Author.TOOL, "memory", "likes tea")
    return [*kept[:at], new, *kept[at:]]


class TestRanges:
    """The short way gives the same differences as the long one."""

    @given(data=st.data(), records=strategies.logs(), wire=st.sampled_from(strategies.WIRES))
    def test_random_logs_under_two_ceilings(
        self, data: st.DataObject, records: list[Record], wire: Wire
    ) -> None:
        limits = [data.draw(strategies.edge_limits(records, wire)) for _ in range(2)]
        left, right = (trace(records, wire, limit) for limit in limits)

        def everywhere(*_: Any) -> set[int]:
            return set(range(len(records)))

        short = differences(left, right)
        with mock.patch.object(diff_module, "differing", everywhere):
            assert differences(left, right) == short

    @given(data=st.data(), records=strategies.logs(), wire=st.sampled_from(strategies.WIRES))
    def test_random_logs_of_which_one_has_a_record_more(
        self, data: st.DataObject, records: list[Record], wire: Wire
    ) -> None:
        """Every record after it has another id; none of them is another record for that."""
        at = data.draw(st.integers(0, len(records)))
        limit = data.draw(strategies.edge_limits(records, wire))
        left, right = trace(records, wire, limit), trace(longer(records, at), wire, limit)

        def everywhere(*_: Any) -> set[int]:
            return set(range(len(records)))

        short = differences(left, right)
        with mock.patch.object(diff_module, "differing", everywhere):
            assert differences(left, right) == short


def table(*decisions: Decision) -> Manifest:
    named = ("user", "policy", "wire", "counter", "chars", "proven")
    return Manifest(*named, limit=9, reserve=0, candidates=3, decisions=decisions)


class TestAFactThatMoved:
    """A field that is told once, at the first record of a range, is a fact of that record."""

    FIRST = Decision("r0001", "admitted", "newest", size=5)

    def test_a_range_that_begins_at_a_new_record_tells_nothing_of_the_next(self) -> None:
        """In the second trace r0002 is new, and it is there that `because` stands."""
        ours = table(self.FIRST, Decision("r0002", "omitted", "no-room", because="r0001"))
        theirs = table(
            self.FIRST, Decision("r0002", "omitted", "no-room", last="r0003", because="r0001")
        )
        assert {1} == differing(ours, theirs, set(), {0: 0, 2: 1})

    def test_the_same_id_may_name_another_record(self) -> None:
        """r0003 of the second trace is r0002 of the first."""
        ours = table(self.FIRST, Decision("r0002", "omitted", "no-room", because="r0002"))
        same = table(self.FIRST, Decision("r0003", "omitted", "no-room", because="r0003"))
        other = table(self.FIRST, Decision("r0003", "omitted", "no-room", because="r0002"))
        assert set() == differing(ours, same, set(), {0: 0, 2: 1})
        assert {1} == differing(ours, other, set(), {0: 0, 2: 1})
