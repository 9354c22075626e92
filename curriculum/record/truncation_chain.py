"""Truncation rules in a row: what they leave, which of them shows, and which can never bind.

Only proven relations between units are used: a character is 1 to 4 bytes of UTF-8, a token of the
estimate is 4 bytes, and each line has a character at least.
"""

from collections.abc import Iterable, Sequence

import attrs

from .cut import Cut, marker
from .truncation import Truncation

LONGEST_MARKER = len(marker(10**15 - 1, "a" + "f" * 64))
"""Characters and bytes: a count of 15 digits, and a handle that is a whole SHA-256."""
AT_MOST = {
    ("chars", "bytes"): 4,
    ("chars", "lines"): 1,
    ("bytes", "chars"): 1,
    ("bytes", "lines"): 1,
}
"""How many of the second unit one of the first is at most. A line may be of any length."""


@attrs.frozen
class Binding:
    """What rules in a row leave, and the positions of those that set where each end stops.

    Both are None while nothing is cut.
    """

    cut: Cut
    head: int | None
    tail: int | None

    @property
    def shows(self) -> tuple[int, ...]:
        """The positions of the rules whose limits are seen in the cut: of two, the tighter."""
        return tuple(sorted({at for at in (self.head, self.tail) if at is not None}))


@attrs.frozen
class Standing:
    """What is proven of one rule behind those before it. `why` gives the numbers.

    `binds`: some text passes all rules before it and is cut by it. `dead`: it cuts no text that
    reaches it. `not-comparable`: its unit or the marker leaves it open, as neither limit bounds
    the other for every text.
    """

    verdict: str
    why: str


def through(rules: Iterable[Truncation], cut: Cut) -> Cut:
    """What all rules leave, applied one after the other. Raises what a rule raises."""
    for rule in rules:
        cut = rule.cut(cut)
    return cut


def binding(rules: Iterable[Truncation], cut: Cut) -> Binding:
    """The same, with the rules that bound. Raises what a rule raises."""
    head = tail = None
    for at, rule in enumerate(rules):
        before, cut = cut, rule.cut(cut)
        first = cut.missing > 0 and before.missing == 0
        if first or len(cut.head) < len(before.head):
            head = at
        if first or len(cut.tail) < len(before.tail):
            tail = at
    return Binding(cut, head, tail)


def standings(rules: Sequence[Truncation]) -> tuple[Standing, ...]:
    """For each rule, whether it can bind behind those before it."""
    return tuple(_standing(rules, at) for at in range(len(rules)))


def dead(rules: Sequence[Truncation]) -> dict[int, str]:
    """The positions of the rules that can never bind, with the numbers that prove it."""
    found = enumerate(standings(rules))
    return {at: standing.why for at, standing in found if standing.verdict == "dead"}


def _standing(rules: Sequence[Truncation], at: int) -> Standing:
    """A rule is dead if each of its limits is; it binds if one of them is sure to for some text."""
    found = [_against(rules, at, unit, most) for unit, most in rules[at].limits.items()]
    for verdict in ("binds", "not-comparable"):
        if of_verdict := [one for one in found if one.verdict == verdict]:
            return of_verdict[0]
    return Standing("dead", "; ".join(one.why for one in found))


def _against(rules: Sequence[Truncation], at: int, unit: str, most: int) -> Standing:
    """One limit of a rule against every limit before it."""
    doubt, why = "", "nothing is limited before it"
    passing = f"{_named(rules[at], unit, most)} pass"
    for before, earlier in enumerate(rules[:at]):
        more = _marker(rules[at], unit, earlier, before == at - 1)
        for other, limit in earlier.limits.items():
            reach, back = _reach(limit, other, unit), _reach(most, unit, other)
            amount = "any number of" if reach is None else f"at most {reach:,}"
            why = f"{_named(earlier, other, limit)} let {amount} {unit} through"
            if reach is not None:
                why += f", {reach + more:,} with a marker" if more else ""
                if reach + more <= most:
                    return Standing("dead", f"{why}; {passing}")
            if unit != other and unit in earlier.limits and (reach is None or reach > most):
                continue  # one line as long as is wanted, or as many empty ones, passes there
            # Of one unit, a text of one more than passes here must have passed there.
            if back is None or back + (unit == other) > limit:
                doubt = doubt or why
    verdict = "not-comparable" if doubt else "binds"
    return Standing(verdict, f"{doubt or why}; {passing}")


def _named(rule: Truncation, unit: str, amount: int) -> str:
    tokens = f" ({rule.most:,} tokens)" if rule.unit == "tokens" and unit == "bytes" else ""
    return f"{amount:,} {unit}{tokens}"


def _marker(rule: Truncation, unit: str, earlier: Truncation, just_before: bool) -> int:
    """What a marker may add to what the earlier rule let through, if the later one counts it."""
    if rule.marker == "outside" or (earlier.marker == "inside" and just_before):
        return 0
    return 1 if unit == "lines" else LONGEST_MARKER


def _reach(amount: int, unit: str, other: str) -> int | None:
    """How many of the other unit so much is at most; None if there is no limit."""
    factor = 1 if unit == other else AT_MOST.get((unit, other))
    return None if factor is None else amount * factor
