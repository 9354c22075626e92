"""Why two traces differ, for people: what changed, what shows it first, how far it goes."""

from collections.abc import Iterator, Sequence

from curriculum.replay.attribution import Attribution
from curriculum.trace.causes import Cause
from curriculum.trace.diff import Difference
from curriculum.trace.explain import Explanation, First
from curriculum.trace.quoting import apart, change, long_texts, short

from .safe import many
from .screen import Screen, fact

MOST = 8
"""Changed inputs of one kind that are told one by one: a report is read, whatever the trace."""


def show_explanation(
    screen: Screen, explanation: Explanation, attribution: Attribution | None = None
) -> None:
    """Print an explanation, with the attribution of a rerun where there is one."""
    _changes(screen, explanation, attribution)
    rule = attribution.rule if attribution is not None and attribution.rule else None
    if rule is not None and rule.first is not None:
        _rule(screen, rule.first, attribution)
    elif attribution is None and explanation.rules:
        changed = explanation.rules[0]
        words = changed.rule.words if changed.rule else ""
        fact(screen, "changed", f"a rule: {words} (same operands, other value)")
    if explanation.first is not None and (rule is None or explanation.causes):
        _first(screen, explanation.first)
    if attribution is not None and attribution.together:
        fact(
            screen,
            "together",
            f"{attribution.together} of them follow only from all changes together",
        )
    if attribution is not None and not attribution.separable:
        fact(
            screen,
            "",
            "an input cannot be put back from the trace, so the changes are not separated",
        )
    _requests(screen, explanation)


def _cause(cause: Cause) -> str:
    if cause.whole:
        came = cause.expected is None
        return f"{cause.words}, {cause.place}: {'new' if came else 'gone'}"
    values = cause.note or change(cause.expected, cause.got)
    counts = ((cause.more, "more field"), (cause.others, "more record"))
    rest = " and ".join(many(count, noun) for count, noun in counts if count)
    more = f", and {rest}" if rest else ""
    if cause.request:  # the record and the decision on it are one phrase
        return f"{cause.words} in request {cause.request}, {cause.place} {values}{more}"
    return f"{cause.words}, {cause.place}: {values}{more}"


def _changes(screen: Screen, explanation: Explanation, attribution: Attribution | None) -> None:
    """Each input that changed, and how many facts follow; what was put back as one, as one."""
    total = len(explanation.facts)
    if attribution is None or not attribution.separable:
        _causes(screen, explanation.causes)
        if explanation.causes:
            fact(screen, "differ", f"{total} derived facts")
        return
    alone = len(attribution.by_cause) == 1 and not attribution.by_rule
    for group, count in attribution.by_cause:
        _causes(screen, group)
        it = "it" if len(group) == 1 else f"these {len(group)} together"
        rest = f", {total - count} do not" if alone else ""
        fact(screen, "", f"{count} of the {total} facts that differ follow from {it}{rest}")
    for cause in attribution.dependent:
        fact(screen, "changed", _cause(cause))
        fact(screen, "", "only because the tool was asked for something else")


def _causes(screen: Screen, causes: Sequence[Cause]) -> None:
    shown = causes if len(causes) <= MOST + 1 else causes[:MOST]
    for cause in shown:
        fact(screen, "changed", _cause(cause))
    if len(shown) < len(causes):
        fact(screen, "", f"and {len(causes) - len(shown)} more inputs")


def _rule(screen: Screen, first: First, attribution: Attribution | None) -> None:
    count = attribution.by_rule if attribution is not None else 0
    difference = first.difference
    field = f"{difference.type} {first.place}".rstrip()
    values = change(difference.expected, difference.got)
    fact(screen, "changed", f"a rule: {first.formula}")
    fact(
        screen,
        "",
        f"with all inputs as they were, {field} is {values}; {count} facts follow from it",
    )
    if first.expected_sum:
        _sums(screen, first)


def _first(screen: Screen, first: First) -> None:
    difference = first.difference
    event = difference.left or difference.right
    assert event is not None
    where = f"event {event.seq} {difference.type} {first.place}".rstrip()
    fact(screen, "first", f"{where}: {_expected_and_got(difference)}")
    if not first.formula:
        return
    fact(screen, "rule", first.formula)
    if first.expected_sum or first.got_sum:
        _sums(screen, first)
    if first.chain:
        fact(screen, "because", "; ".join(first.chain))


def _expected_and_got(difference: Difference) -> str:
    expected, got = difference.expected, difference.got
    if isinstance(expected, str) and isinstance(got, str) and long_texts(expected, got):
        return apart(expected, got)
    return f"expected {short(expected)}, got {short(got)}"


def _sums(screen: Screen, first: First) -> None:
    """Both sums; if they are the same words, they show nothing that the rule does not say."""
    if first.expected_sum != first.got_sum:
        fact(screen, "expected", first.expected_sum or "no such fact")
        fact(screen, "got", first.got_sum or "no such fact")


def _requests(screen: Screen, explanation: Explanation) -> None:
    total = explanation.requests
    if total == 0:
        fact(screen, "requests", "none was sent, before or after")
        return
    if explanation.invisible:
        same = f"no request changes: all {total} are byte-identical, so the model cannot see it"
        fact(screen, "requests", same)
        return
    changed = ", ".join(_ranges(explanation.changed))
    fact(screen, "requests", f"{len(explanation.changed)} of {total} change: request {changed}")


def _ranges(numbers: Sequence[int]) -> Iterator[str]:
    """Numbers in order, three and more in a row as `2-31`."""
    at = 0
    while at < len(numbers):
        end = at
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1:
            end += 1
        if end - at < 2:
            yield str(numbers[at])
            at += 1
        else:
            yield f"{numbers[at]}-{numbers[end]}"
            at = end + 1
