"""One case run under two policies: what each would have sent, and where they first part."""

from collections.abc import Iterator
from itertools import zip_longest

import attrs

from curriculum.context.manifest import Manifest
from curriculum.record.records import Kind
from curriculum.trace.facts import View
from curriculum.trace.reader import Event, Trace
from curriculum.trace.rebuild import TableRow
from curriculum.trace.rules import spell_step


@attrs.frozen
class Cell:
    """What one policy decided about one record: size is in the counter's unit, 0 if omitted."""

    decision: str
    reason: str
    size: int
    sum: str

    @property
    def what(self) -> tuple[str, int]:
        """What the model sees of it, whatever the reason is."""
        return self.decision, self.size


@attrs.frozen
class Pair:
    """One record under both policies; None where it is not in that run's log yet."""

    record: str
    kind: Kind
    left: Cell | None
    right: Cell | None

    @property
    def differs(self) -> bool:
        """Whether the model sees something else of it."""
        return (self.left and self.left.what) != (self.right and self.right.what)


@attrs.frozen
class Turn:
    """One request under both policies; a manifest is None where that run had stopped."""

    number: int
    left: Manifest | None
    right: Manifest | None
    pairs: tuple[Pair, ...]

    @property
    def first(self) -> Pair | None:
        """The first record that the two treat differently."""
        return next((pair for pair in self.pairs if pair.differs), None)

    @property
    def differs(self) -> bool:
        """Whether the model is sent other bytes."""
        left = self.left.fingerprint if self.left else None
        return left != (self.right.fingerprint if self.right else None)


@attrs.frozen
class Comparison:
    """Two runs of one case, request by request."""

    case: str
    left: Trace
    right: Trace
    turns: tuple[Turn, ...]

    @property
    def first(self) -> Turn | None:
        """The first request in which they part."""
        return next((turn for turn in self.turns if turn.differs), None)


def compare(case: str, left: Trace, right: Trace) -> Comparison:
    """Put the requests of two runs of one case side by side."""
    return Comparison(case, left, right, tuple(_turns(View(left), View(right))))


def _turns(left: View, right: View) -> Iterator[Turn]:
    both = zip_longest(left.trace.assemblies, right.trace.assemblies)
    for number, (one, other) in enumerate(both, 1):
        cells, others = _cells(left, one), _cells(right, other)
        kinds = {r.id: r.kind for trace in (right.trace, left.trace) for r in trace.records}
        pairs = tuple(
            Pair(name, kinds[name], cells.get(name), others.get(name))
            for name in sorted({**cells, **others}, key=lambda name: int(name[1:]))
        )
        yield Turn(number, one and one.data, other and other.data, pairs)


def _cells(view: View, event: Event[Manifest] | None) -> dict[str, Cell]:
    """What was decided about each candidate of one request; nothing if there is none."""
    if event is None or event.data.refused is not None:
        return {}
    return {row.record.id: _cell(view, event, row) for row in view.rebuild.table(event)}


def _cell(view: View, event: Event[Manifest], row: TableRow) -> Cell:
    step = view.ladder(event).step(int(row.record.id[1:]) - 1)
    said = spell_step(step.reason, {**step.sum, **step.fields})
    return Cell(row.decision, row.reason, row.size, said)
