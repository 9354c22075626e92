"""Comparing tables range by range finds what comparing them record by record finds."""

from collections.abc import Sequence
from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from curriculum.record.records import Record
from curriculum.trace import diff as diff_module
from curriculum.trace.diff import Diff
from curriculum.trace.reader import Trace
from curriculum.wire.request import Wire

from . import strategies
from .traces import text_of


def differences(left: Trace, right: Trace) -> list[tuple[Any, ...]]:
    found = Diff(left, right).differences
    return [(d.left and d.left.seq, d.field, d.expected, d.got) for d in found]


def trace(records: Sequence[Record], wire: Wire, limit: int) -> Trace:
    """Assembled after every second record; a refusal ends it."""
    after = [(n, limit) for n in range(1, len(records) + 1) if n % 2 == 0 or n == len(records)]
    return Trace.parse(text_of(records, wire, after))


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
