"""Which event breaks the promise, and which event was the cause? The answer is one event.

The event that is asked for is not given away: what is said is about the one that was named.
"""

from typing import Any

from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Event, Trace

from .answers import AnswerError, number_of
from .events_of import before, broken_law, event_at, shown_events
from .exercise import Exercise
from .result import Finding, Result, Verdict

MOST_SHOWN = 12
"""Events of which one is to be found."""


def to_choose_from(exercise: Exercise, trace: Trace) -> list[Event[Any]]:
    """The events that are shown. Raises `CurriculumError` for more than can be looked through."""
    events = shown_events(trace, exercise.shows)
    if len(events) > MOST_SHOWN:
        raise CurriculumError(
            f"{exercise.id} shows {len(events)} events; {MOST_SHOWN} can be looked through.",
            code="exercise-events",
            next="show fewer types, or a shorter case",
        )
    return events


def event_of(exercise: Exercise, trace: Trace, typed: str) -> int:
    """The number of an event that is shown. Raises `AnswerError`."""
    seq = number_of(typed)
    known = [event.seq for event in to_choose_from(exercise, trace)]
    if seq not in known:
        raise AnswerError(
            f"No event {seq} is shown.", f"shown: {', '.join(map(str, known))}", next="name one"
        )
    return seq


def grade_spot(exercise: Exercise, trace: Trace, given: int) -> Result:
    """Whether the event that was named is the one that breaks the promise."""
    wanted = event_at(trace, exercise.at)
    if given == wanted.seq:
        law = broken_law(trace, given)
        found = [Finding("spot.right", {"seq": given, "promise": exercise.promise})]
        found += [Finding("spot.law", {"text": law})] if law else []
        return Result(exercise.id, Verdict.PASS, tuple(found), (1, 1))
    event = trace.events[given - 1]
    params: dict[str, int | str] = {"seq": given, "type": event.type}
    if given in before(trace, wanted.seq):
        found = [Finding("spot.before", params)]
    elif wanted.seq in before(trace, given):
        found = [Finding("spot.after", params)]
    else:
        found = [Finding("spot.beside", params)]
    found.append(Finding("spot.promise", {"promise": exercise.promise}))
    return Result(exercise.id, Verdict.NOT_YET, tuple(found), (0, 1))


def grade_cause(exercise: Exercise, trace: Trace, given: int) -> Result:
    """Whether the event that was named is the cause of the one that is asked about."""
    effect = event_at(trace, exercise.at)
    wanted = effect.cause or 0
    params: dict[str, int | str] = {"seq": given, "effect": effect.seq}
    if given == wanted:
        return Result(exercise.id, Verdict.PASS, (Finding("cause.right", params),), (1, 1))
    if given == effect.seq:
        itself = Finding("cause.itself", {"seq": given})
        return Result(exercise.id, Verdict.NOT_YET, (itself,), (0, 1))
    if given > effect.seq:
        key = "cause.later"
    elif given in before(trace, wanted):
        key = "cause.earlier"
    else:
        key = "cause.beside"
    return Result(exercise.id, Verdict.NOT_YET, (Finding(key, params),), (0, 1))
