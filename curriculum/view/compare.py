"""Two policies side by side: each request, the records they treat differently, where they part."""

from typing import Any

from curriculum.context.manifest import Manifest
from curriculum.context.reasons import REASONS
from curriculum.replay.policies import Cell, Comparison, Pair, Turn
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import converter

from .bar import letter
from .safe import many
from .screen import Screen

MANY = 24
"""Records of one request that are shown."""


def show_comparison(screen: Screen, found: Comparison, every: bool) -> None:
    """Print where the two part, then each request. `every` shows records that are alike too."""
    screen.line(("head", found.case), ": one run under each policy", indent=2)
    for mark, trace in (("A", found.left), ("B", found.right)):
        screen.line(f"  {mark}  {_name(trace)}  ", ("quiet", _ended(trace)))
    screen.gap()
    _first(screen, found)
    for turn in found.turns:
        screen.head(f"request {turn.number}")
        _sums(screen, turn)
        pairs = [pair for pair in turn.pairs if pair.differs or every]
        for pair in pairs[:MANY]:
            _pair(screen, pair)
        if len(pairs) > MANY:
            screen.line(f"  ... {many(len(pairs) - MANY, 'record')} more; --json has them all ...")
        alike = len(turn.pairs) - sum(pair.differs for pair in turn.pairs)
        if alike and not every:
            screen.line(("quiet", f"  {many(alike, 'record')} alike under both"))
    screen.gap()


def _name(trace: Trace) -> str:
    return trace.start.components["policy"]


def _ended(trace: Trace) -> str:
    stop = trace.stop
    return (
        f"stopped: {stop.reason} after {many(stop.turns, 'model call')}" if stop else "not stopped"
    )


def _first(screen: Screen, found: Comparison) -> None:
    turn = found.first
    if turn is None:
        screen.line("Both send the same bytes in every request.")
        return
    screen.line(("bad", f"They part at request {turn.number}"), ".")
    pair = turn.first
    if pair is None:
        screen.line("  The same is sent of every record, in another order or by another run.")
        return
    screen.line(f"  the first record: {letter(pair.kind)} {pair.record} ({pair.kind})")
    for mark, cell in (("A", pair.left), ("B", pair.right)):
        if cell is None:
            screen.line(f"  {mark}  not decided: nothing was sent", indent=5)
            continue
        known = REASONS.get(cell.reason)
        why = known.sentence if known else "The harness declares this reason itself."
        said = f" ({cell.sum})" if cell.sum else ""
        screen.line(
            f"  {mark}  ", ("code", cell.decision), f"  {why}{said}",
            ("quiet", f" [{cell.reason}]"), indent=5,
        )  # fmt: skip


def _sums(screen: Screen, turn: Turn) -> None:
    for mark, made in (("A", turn.left), ("B", turn.right)):
        screen.line(f"  {mark}  {_sum(made)}")


def _sum(made: Manifest | None) -> str:
    if made is None:
        return "no request: the run had stopped"
    if made.refused is not None:
        refused = made.refused
        return f"refused: {refused.reason}, {refused.needed} > {refused.allowed} ({refused.limit})"
    rung = f", rung {made.rungs[-1].name}" if made.rungs else ""
    rung += f", packed {made.packing}" if made.packing else ""
    mode = f", mode {made.mode}" if made.mode else ""
    taken = f"{made.size} of {made.limit} {made.unit}, {many(made.messages or 0, 'message')}"
    return f"{taken}{rung}{mode}"


def _pair(screen: Screen, pair: Pair) -> None:
    cells = [f"{_cell(cell):<34}" for cell in (pair.left, pair.right)]
    mark = "*" if pair.differs else " "
    screen.line(f"{mark} {letter(pair.kind)} {pair.record}  A {cells[0]} B {cells[1]}".rstrip())


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "not decided"
    size = f" {cell.size}" if cell.decision != "omitted" else ""
    return f"{cell.decision}{size} [{cell.reason}]"


def comparison_data(found: Comparison) -> dict[str, Any]:
    """The comparison as data: the first difference, and every request with every record."""
    first = found.first
    pair = first.first if first else None
    return {
        "case": found.case,
        "policies": [_name(found.left), _name(found.right)],
        "stops": [t.stop.reason if t.stop else None for t in (found.left, found.right)],
        "first": first and {"request": first.number, "record": pair and pair.record},
        "requests": [
            {
                "number": turn.number,
                "differs": turn.differs,
                "sides": [_side(turn.left), _side(turn.right)],
                "records": [
                    {
                        "record": p.record,
                        "kind": p.kind,
                        "differs": p.differs,
                        "sides": [c and attrs_of(c) for c in (p.left, p.right)],
                    }
                    for p in turn.pairs
                ],
            }
            for turn in found.turns
        ],
    }


def attrs_of(cell: Cell) -> dict[str, Any]:
    """A cell as data."""
    return converter.unstructure(cell)


def _side(made: Manifest | None) -> dict[str, Any] | None:
    if made is None:
        return None
    data = converter.unstructure(made)
    data.pop("decisions", None)
    return data
