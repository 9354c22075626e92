"""Exercises of order, of one event, and of words: the right answer passes, and no other."""

from curriculum.trace.facts import View
from curriculum.trace.reader import Trace

from .authoring import Desk
from .events_of import before, event_at, run_of_exercise
from .exercise import Exercise, Kind
from .explaining import Explained, cite
from .ordering import grade_order, shuffled
from .result import Verdict
from .spotting import grade_cause, grade_spot, to_choose_from


def check_answered(desk: Desk, exercise: Exercise) -> None:
    """Check one exercise of kind order, spot, cause or explain."""
    with desk.trouble("answer-run", exercise.id, "mend `case`, `harness` or the events"):
        trace = run_of_exercise(exercise)
        match exercise.kind:
            case Kind.ORDER:
                _order(desk, exercise, trace)
            case Kind.EXPLAIN:
                _explain(desk, exercise, trace)
            case _:
                _event(desk, exercise, trace)


def _order(desk: Desk, exercise: Exercise, trace: Trace) -> None:
    happens = [event for event in exercise.events if event.at]
    seqs = {event.key: event_at(trace, event.at).seq for event in happens}
    desk.looked("lines of orders", len(exercise.events))
    right = sorted(seqs, key=lambda key: seqs[key])
    desk.refuse_unless(
        len(set(seqs.values())) == len(seqs),
        "order-twice",
        exercise.id,
        "Two lines are the same event.",
        ", ".join(f"{key}: event {seq}" for key, seq in seqs.items()),
        do="take one of them out",
    )
    bound = sum(seqs[a] in before(trace, seqs[b]) for a in right for b in right)
    desk.looked("orders", 2)
    desk.refuse_unless(
        bound >= len(right) - 1 and grade_order(exercise, trace, right).verdict is Verdict.PASS,
        "order-loose",
        exercise.id,
        f"{bound} pairs of {len(right)} lines have to stand in order.",
        f"the order of the run: {' '.join(right)}",
        do="choose events of which one follows from the other",
    )
    as_shown = [event.key for event in shuffled(exercise) if event.at]
    desk.refuse_unless(
        grade_order(exercise, trace, as_shown).verdict is not Verdict.PASS,
        "order-shown",
        exercise.id,
        "The lines are shown in an order that is right already.",
        " ".join(as_shown),
        do="rename a key; the order that is shown follows from the keys",
    )


def _event(desk: Desk, exercise: Exercise, trace: Trace) -> None:
    shown = [event.seq for event in to_choose_from(exercise, trace)]
    grade = grade_spot if exercise.kind is Kind.SPOT else grade_cause
    event = event_at(trace, exercise.at)
    wanted = event.seq if exercise.kind is Kind.SPOT else event.cause or 0
    desk.looked("events to choose from", len(shown))
    passing = [seq for seq in shown if grade(exercise, trace, seq).verdict is Verdict.PASS]
    desk.refuse_unless(
        passing == [wanted],
        "event-hidden",
        exercise.id,
        f"Event {wanted} is the answer, and is not among those that are shown.",
        f"shown: {', '.join(map(str, shown)) or 'none'}",
        do="add its type to `shows`",
    )
    desk.refuse_unless(
        len(shown) > 2,
        "event-few",
        exercise.id,
        f"{len(shown)} events are shown; with so few, a guess is right too often.",
        do="show more types",
    )


def _explain(desk: Desk, exercise: Exercise, trace: Trace) -> None:
    types = exercise.cites.split()
    citable = [
        (event.seq, str(value))
        for event in trace.events
        if event.type in types
        for value in list(View(trace).facts(event).values())[:40]
        if isinstance(value, int) and not isinstance(value, bool)
    ]
    held = [cite(exercise, trace, Explained("", seq, value))[0] for seq, value in citable[:20]]
    desk.looked("events to cite", len(held))
    desk.refuse_unless(
        any(held),
        "explain-cites",
        exercise.id,
        f"The run has nothing that can be cited of {exercise.cites!r}.",
        f"its types: {', '.join(sorted({event.type for event in trace.events}))}",
        do="name types in `cites` that show a number",
    )
    ticks = {tick.is_ for tick in exercise.ticks}
    desk.looked("facts to tick", len(exercise.ticks))
    desk.refuse_unless(
        len(ticks) == 2,
        "explain-constant",
        exercise.id,
        f"All {len(exercise.ticks)} facts are {'true' if True in ticks else 'false'}: who ticks "
        "them without reading has them right.",
        do="turn one around",
    )
