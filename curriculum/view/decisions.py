"""The decisions of one request: what became of each record, the reason in words, the sum."""

from collections.abc import Iterator
from itertools import groupby

import attrs

from curriculum.context.manifest import Manifest
from curriculum.context.reasons import REASONS
from curriculum.trace.facts import View
from curriculum.trace.reader import Event
from curriculum.trace.rebuild import TableRow
from curriculum.trace.rules import spell_step

from .bar import letter
from .safe import many
from .screen import Part, Screen

DECLARED = "The harness declares this reason itself; no rule here recomputes it."
MANY = 24
"""Decisions that are shown one by one."""


def show_decisions(
    screen: Screen, view: View, event: Event[Manifest], rows: list[TableRow], alone: bool
) -> None:
    """Print the decisions; in the rich look what stays as in the request before is only named."""
    same: list[TableRow] = []
    number = 0
    if not screen.plain and not alone:
        same, number = _as_before(view, event, rows)
    told = [row for row in rows if row not in same]
    runs = list(_runs(view, event, told, screen.plain))
    shown = runs if len(runs) <= MANY + 1 else [*runs[:8], *runs[8 - MANY :]]
    pad = max((len(run.name) for run in shown if len(run.rows) == 1), default=5)
    if same:
        records = ", ".join(f"{letter(row.record.kind)} {row.record.id}" for row in same)
        screen.line(f"  {records}: whole, as in request {number}", indent=4)
    for at, run in enumerate(shown):
        if at == 8 and len(shown) < len(runs):
            hidden = many(len(runs) - len(shown), "decision")
            screen.line(f"  ... {hidden} not shown; --json has them all ...")
        screen.line(*_decision(run, pad), indent=15 + pad)


def _as_before(
    view: View, event: Event[Manifest], rows: list[TableRow]
) -> tuple[list[TableRow], int]:
    """Rows of records that are protected here as in the request before, and its number."""
    assemblies = view.trace.assemblies
    at = assemblies.index(event)
    if at == 0 or assemblies[at - 1].data.refused is not None:
        return [], 0
    before = {(row.record.id, row.reason) for row in view.rebuild.table(assemblies[at - 1])}
    same = [
        row
        for row in rows
        if row.reason.startswith("protected-") and (row.record.id, row.reason) in before
    ]
    return same, at


@attrs.frozen
class _Run:
    """Neighbours with one decision, one reason and one sum."""

    rows: tuple[TableRow, ...]
    sum: str

    @property
    def name(self) -> str:
        first, last = self.rows[0].record.id, self.rows[-1].record.id
        if len(self.rows) < 3:
            return first if first == last else f"{first}, {last}"
        return f"{first} to {last} ({len(self.rows)} records)"


def _runs(view: View, event: Event[Manifest], rows: list[TableRow], plain: bool) -> Iterator[_Run]:
    """Omitted neighbours of one entry together; in the rich look, all that share reason and sum."""
    for row_key, group in groupby(rows, key=lambda row: _key(view, event, row, plain)):
        yield _Run(tuple(group), row_key[-1])


def _key(view: View, event: Event[Manifest], row: TableRow, plain: bool) -> tuple[str, ...]:
    if row.decision == "omitted":
        return "omitted", row.entry.first, row.reason, _sum(view, event, row.entry.first)
    sums = _sum(view, event, row.record.id)
    sums = "" if sums == f"size {row.size}" else sums
    alone = plain or row.decision != "admitted" or row.reason.startswith("protected-")
    return row.decision, row.record.id if alone else "", row.reason, sums


def _sum(view: View, event: Event[Manifest], record: str) -> str:
    if view.declared:
        return ""  # what a harness declares follows from no sum
    step = view.ladder(event).step(int(record[1:]) - 1)
    return spell_step(step.reason, {**step.sum, **step.fields})


def _decision(run: _Run, pad: int) -> list[Part]:
    """One candidate or a run of them: the decision, the reason in words, the sum in numbers."""
    row = run.rows[0]
    marks = {letter(one.record.kind) for one in run.rows}
    mark = marks.pop() if len(marks) == 1 else " "
    parts: list[Part] = [
        ("" if row.decision == "omitted" else mark, f"  {mark} "),
        f"{run.name:<{pad}}  ",
        ("code" if row.decision != "admitted" else "", f"{row.decision:<8} "),
        REASONS[row.reason].sentence if row.reason in REASONS else DECLARED,
    ]
    if run.sum:
        parts.append(f" ({run.sum})")
    return [*parts, ("quiet", f" [{row.reason}]")]
