"""`assemble` at 100, 1,000 and 10,000 records under a quarter of their size, cold and with the index.

Aims: 25 ms cold and 1 ms with the index at 10,000, every decision recorded. The fastest of the
trimmers measured (reference figures of the course) takes 22 ms and records nothing.
"""

from collections.abc import Callable
from typing import Any

import pytest

from curriculum.context.assemble import assemble
from curriculum.context.index import SessionIndex
from curriculum.count.counters import Characters
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust
from curriculum.record.session import Session
from curriculum.wire.plain import Plain


def log(count: int) -> tuple[Record, ...]:
    """Questions, turns with two parallel calls, results of 200 characters, answers."""
    session = Session()
    harness: dict[str, Any] = {"author": Author.HARNESS, "source": "bench"}
    session.append(Kind.INSTRUCTION, "Keep it short. " * 14, trust=Trust.SYSTEM, **harness)
    calls = (Call("c1", "read"), Call("c2", "read"))
    while len(session.records) < count:
        session.append(Kind.USER, "Read both files, please.", trust=Trust.USER, **harness)
        turn = session.append(
            Kind.ASSISTANT, "I will.", trust=Trust.ASSISTANT, calls=calls, **harness
        )
        for at in (0, 1):
            answers = Answers(turn.id, at)
            session.append(Kind.RESULT, "y" * 200, trust=Trust.TOOL, answers=answers, **harness)
        session.append(Kind.ASSISTANT, "Both are read.", trust=Trust.ASSISTANT, **harness)
    return session.events


@pytest.mark.parametrize("count", [100, 1_000, 10_000])
@pytest.mark.parametrize("index", ["cold", "indexed"])
def test_assemble(benchmark: Any, figure: Callable[[str], None], count: int, index: str) -> None:
    records = log(count)
    limit = (assemble(records, 10**9).manifest.size or 0) // 4
    known = None
    if index == "indexed":
        known = SessionIndex(Plain(), Characters())
        assemble(records, limit, index=known)
    projection = benchmark(lambda: assemble(records, limit, index=known))
    assert projection.manifest.candidates == len(records)
    milliseconds = benchmark.stats.stats.median * 1000
    figure(f"assemble, {len(records):>6} records, {index:<7}  {milliseconds:8.3f} ms (median)")
