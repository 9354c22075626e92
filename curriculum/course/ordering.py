"""In which order do things happen? Graded against the partial order of causes.

Two of the lines are false: they never happen, and belong in no order. Lines of which neither
follows from the other may stand either way.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations

from curriculum.trace.reader import Trace

from .answers import AnswerError, word_of
from .events_of import before, event_at, path
from .exercise import Exercise, Happening
from .feedback import listed
from .result import Finding, Result, Verdict


def shuffled(exercise: Exercise) -> list[Happening]:
    """The lines in an order that says nothing, always the same."""
    return sorted(
        exercise.events, key=lambda event: sha256(f"{exercise.id} {event.key}".encode()).digest()
    )


def order_of(exercise: Exercise, typed: str) -> list[str]:
    """The keys that were typed, in order. Raises `AnswerError`."""
    known = [event.key for event in exercise.events]
    words = typed.replace(",", " ").replace(">", " ").split()
    if not words:
        raise AnswerError("That is no order.", f"keys: {', '.join(known)}")
    keys = [word_of(word, known, "one of the lines") for word in words]
    twice = [key for key in keys if keys.count(key) > 1]
    if twice:
        raise AnswerError(f"{twice[0]} stands twice.", next="name each line once")
    return keys


def grade_order(exercise: Exercise, trace: Trace, given: Sequence[str]) -> Result:
    """Grade an order: false lines, missing lines, then the first pair that stands wrong."""
    happens = {e.key: event_at(trace, e.at).seq for e in exercise.events if e.at}
    false = [e for e in exercise.events if not e.at and e.key in given]
    missing = [e for e in exercise.events if e.at and e.key not in given]
    causes = {key: before(trace, seq) for key, seq in happens.items()}
    placed = [key for key in given if key in happens]
    pairs = list(combinations(placed, 2))
    wrong = [(one, other) for one, other in pairs if happens[other] in causes[one]]
    bound = sum(1 for a, b in pairs if happens[a] in causes[b] or happens[b] in causes[a])
    right = bound - len(wrong)
    found = [Finding("order.right", {"right": right, "of": bound})] if right else []
    spotted = [e for e in exercise.events if not e.at and e.key not in given]
    if spotted:
        names = listed(e.key for e in spotted)
        found.append(Finding("order.spotted", {"names": names}))
    passed = not (false or missing or wrong)
    if false:
        found.append(Finding("order.false", {"key": false[0].key, "why": false[0].why}))
    elif missing:
        found.append(Finding("order.missing", {"key": missing[0].key, "says": missing[0].says}))
    elif wrong:
        late, early = wrong[0]
        way = path(trace, happens[early], happens[late])
        found.append(
            Finding(
                "order.before",
                {"early": early, "late": late, "way": _spelled(way)},
            )
        )
    verdict = Verdict.PASS if passed else Verdict.NOT_YET
    return Result(exercise.id, verdict, tuple(found), (bound - len(wrong), bound))


def _spelled(way: Sequence[int]) -> str:
    """A way from an event back to one before it; a long one by its ends."""
    shown = [str(seq) for seq in way]
    return " <- ".join(shown if len(shown) < 5 else [*shown[:2], "...", shown[-1]])
