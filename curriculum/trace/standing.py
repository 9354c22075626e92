"""A run as it stood after one of its events: a fold over the events up to there.

What a run has is its log, the calls that wait for a result, and what it has sent and written. All
of it follows from the events, so a trace that was read is as good as the run that wrote it.
"""

from collections.abc import Iterable
from typing import Any

import attrs

from curriculum.record.records import Answers, Call, Kind, Record

from .compacting_events import Compacted
from .errors import TraceError
from .reader import Event, Trace

CHAIN = ("model.response", "tool.result", "artifact.store", "tool.truncate")
"""Events that a record belongs together with, which comes after them."""


@attrs.frozen
class Pending:
    """A call without a result: `asked` is the seq of its `tool.request`, None if it has none."""

    answers: Answers
    call: Call
    asked: int | None = None


@attrs.frozen
class Standing:
    """What a run had after event `seq`.

    `turn` counts assemblies, `requests` those that were sent. `last` is that event. `trying`: a
    summary would be asked for if one were due. `mode` is the smaller mode it is in, if it is.
    """

    seq: int
    session: str
    turn: int
    requests: int
    records: tuple[Record, ...]
    pending: tuple[Pending, ...]
    mode: str
    trying: bool
    last: Event[Any]

    @property
    def incomplete(self) -> bool:
        """Whether a record that belongs to the last event is not in the log yet."""
        last = self.last
        if last.type == "record.append":
            return last.data.kind is Kind.THINKING and last.cause != 1
        done = last.type == "context.compact" and last.data.outcome is Compacted.DONE
        return done or last.type in CHAIN


class Fold:
    """The events of one session taken in one by one."""

    def __init__(self) -> None:
        self._session, self._turn, self._requests = "", 0, 0
        self._records: list[Record] = []
        self._pending: list[Pending] = []
        self._history, self._mode, self._trying = 0, "", True
        self._last: Event[Any] | None = None

    def take(self, event: Event[Any]) -> None:
        """Go on behind `event`."""
        data = event.data
        match event.type:
            case "session.start":
                self._session, self._history = data.session, data.history
            case "session.branch":
                self._session = data.session
            case "record.append":
                self._append(data)
            case "context.assemble":
                self._turn += 1
            case "context.compact":
                self._trying = data.outcome is Compacted.DONE
            case "context.mode":
                self._mode = data.mode
            case "model.request":
                self._requests += 1
            case "tool.request":
                self._asked(Answers(data.record, data.call), event.seq)
            case _:
                pass
        self._last = event

    def _append(self, record: Record) -> None:
        self._records.append(record)
        if len(self._records) <= self._history:
            return  # what an earlier log left open, this run does not answer
        if record.kind is Kind.ASSISTANT:
            numbered = enumerate(record.calls)
            self._pending = [Pending(Answers(record.id, n), call) for n, call in numbered]
        elif record.answers is not None:
            self._pending = [one for one in self._pending if one.answers != record.answers]

    def _asked(self, answers: Answers, seq: int) -> None:
        self._pending = [
            attrs.evolve(one, asked=seq) if one.answers == answers else one for one in self._pending
        ]

    def standing(self) -> Standing:
        """What the run had after the last event. There must be one."""
        assert self._last is not None
        return Standing(
            self._last.seq,
            self._session,
            self._turn,
            self._requests,
            tuple(self._records),
            tuple(self._pending),
            self._mode,
            self._trying,
            self._last,
        )


def folded(events: Iterable[Event[Any]]) -> Standing:
    """What a run had after the last of these events, the first of which is its start."""
    fold = Fold()
    for event in events:
        fold.take(event)
    return fold.standing()


def standing(trace: Trace, at: int) -> Standing:
    """What the run had after its event `at`. Raises `TraceError` if there is no such event."""
    if not 1 <= at <= len(trace.events):
        raise TraceError(
            f"{trace.name} has {len(trace.events)} events; there is no event {at}.",
            code="trace-no-event",
            next=f"curriculum trace show {trace.name}",
        )
    return folded(trace.events[:at])
