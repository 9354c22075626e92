"""A log in which each call has one result and each result a call, made of one that was cut off.

Nothing is moved or taken out. A call without a result gets one that says so, where its results
stand; a result without a call stays in its place, as a record that is kept and never sent.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import attrs

from curriculum.agent.failures import failure
from curriculum.record.records import Answers, Author, Kind, Record, Trust, record_id
from curriculum.record.replacing import renamed


class Flaw(StrEnum):
    """What was wrong with a log. A closed list."""

    UNANSWERED = "unanswered-call"
    NO_CALL = "result-without-call"
    ANSWERED = "result-of-answered-call"
    LATE = "result-after-next-turn"


SAYS = {
    Flaw.UNANSWERED: "a call without a result; it gets one that says that it was interrupted",
    Flaw.NO_CALL: "a result of a call that is not in the log before it; kept, and never sent",
    Flaw.ANSWERED: "a second result of one call; kept, and never sent",
    Flaw.LATE: "a result that came after the next turn; kept, and never sent",
}
"""One sentence for each, as a person reads it."""


@attrs.frozen
class Mended:
    """One place that was mended: the flaw, the record that is new or kept, and the call if known.

    `record` is its id in the mended log, `was` in the one that was given; empty for a new record.
    """

    flaw: Flaw
    record: str
    was: str = ""
    tool: str = ""
    call: Answers | None = None


@attrs.frozen
class Mending:
    """A mended log, and every place in which it differs from the one that was given."""

    records: tuple[Record, ...]
    mended: tuple[Mended, ...]


def mend(records: Iterable[Record]) -> Mending:
    """Mend a log. One that has no such flaw comes back as it is, and a mended one has none."""
    work = _Work()
    for record in records:
        work.take(record)
    work.close()
    return work.done()


@attrs.define
class _Line:
    """One record on its way: a flaw if it is new or kept, and the record of the log it was."""

    record: Record
    flaw: Flaw | None = None
    was: str = ""


class _Work:
    """The log as it grows, with the calls of the last turn that are open."""

    def __init__(self) -> None:
        self._lines: list[_Line] = []
        self._turn: Record | None = None
        self._open: list[int] = []
        self._behind = 0
        self._turns: dict[str, int] = {}

    def take(self, record: Record) -> None:
        """The next record."""
        if record.kind is Kind.ASSISTANT:
            self.close()
            self._turn, self._open = record, list(range(len(record.calls)))
            self._turns[record.id] = len(record.calls)
            self._behind = len(self._lines) + 1
        elif record.answers is not None:
            flaw = self._flaw(record.answers)
            if flaw is not None:
                self._lines.append(_Line(_kept(record, flaw), flaw, record.id))
                return
            self._open.remove(record.answers.call)
            self._behind = len(self._lines) + 1
        self._lines.append(_Line(record, None, record.id))

    def _flaw(self, answers: Answers) -> Flaw | None:
        calls = self._turns.get(answers.record, 0)
        if not 0 <= answers.call < calls:
            return Flaw.NO_CALL
        if self._turn is None or answers.record != self._turn.id:
            return Flaw.LATE
        return None if answers.call in self._open else Flaw.ANSWERED

    def close(self) -> None:
        """The turn is over: what is open is answered, behind the results that it has."""
        if self._turn is not None:
            made = [_Line(_interrupted(self._turn, call), Flaw.UNANSWERED) for call in self._open]
            self._lines[self._behind : self._behind] = made
        self._turn, self._open = None, []

    def done(self) -> Mending:
        """The log under ids by position, if anything was put in; as it was named, if not."""
        new = any(line.flaw is Flaw.UNANSWERED for line in self._lines)
        records = _renumbered(self._lines) if new else [line.record for line in self._lines]
        pairs = zip(self._lines, records, strict=True)
        return Mending(
            tuple(records),
            tuple(_told(line, record) for line, record in pairs if line.flaw is not None),
        )


def _told(line: _Line, record: Record) -> Mended:
    assert line.flaw is not None
    tool = record.source.removeprefix("tool:")
    return Mended(line.flaw, record.id, line.was, tool, record.answers)


def _kept(record: Record, flaw: Flaw) -> Record:
    """The record with all that it holds, as one that is never a candidate; its tag says why."""
    tags = tuple(dict.fromkeys((*record.tags, flaw)))
    return attrs.evolve(record, kind=Kind.OPAQUE, answers=None, tags=tags)


def _interrupted(turn: Record, call: int) -> Record:
    """The result that the run itself would have written, had it been interrupted."""
    name = turn.calls[call].name
    said = failure("interrupted", tool=name).text
    labels = Trust.TOOL, Author.TOOL, f"tool:{name}"
    return Record("", Kind.RESULT, *labels, said, answers=Answers(turn.id, call))


def _renumbered(lines: Sequence[_Line]) -> list[Record]:
    ids: dict[str, str] = {}
    found: list[Record] = []
    for position, line in enumerate(lines, 1):
        record, id = line.record, record_id(position)
        if line.was:
            ids[line.was] = id
        answers, replaces = record.answers, record.replaces
        if answers is not None:
            answers = Answers(ids[answers.record], answers.call)
        if replaces is not None:
            replaces = renamed(replaces, ids)
        found.append(attrs.evolve(record, id=id, answers=answers, replaces=replaces))
    return found
