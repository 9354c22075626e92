"""Shares, values and terms that never bind, whatever the log holds.

The minimum of a pool binds even if no pool is served before it: what the model has not seen yet
leaves it that much.
"""

from collections.abc import Iterator, Mapping

from curriculum.record.records import Kind

from .dead_rules import Found
from .pooling import ORDINARY, PACKED, PREFER, Amount, Pool, Pooling, amount

CEILINGS = ("max_input_chars", "max_input_tokens")


def ceiling_of(limits: Mapping[str, int]) -> int | None:
    """The input ceiling among the limits of a budget, if it is given."""
    return next((limits[name] for name in CEILINGS if name in limits), None)


def dead_sizes(
    pooling: Pooling, dead: Mapping[int, str], limits: Mapping[str, int]
) -> Iterator[Found]:
    """Sizes that never bind. `dead` has the rules that never decide."""
    ceiling = ceiling_of(limits)
    if isinstance(pooling.high, int) and ceiling is not None and pooling.high > ceiling:
        yield ("high",), f"no request is over the ceiling {ceiling}: {pooling.high} > {ceiling}"
    if pooling.low is not None and (proof := reaches(pooling.low, pooling.high, ceiling)):
        said = f"leaving out begins above high {pooling.high} and ends there already"
        yield ("low",), f"{said}: low {proof}"
    reached = _reached(pooling, dead)
    for pool in pooling.pools:
        if pool.name not in reached:
            yield from _unreached(pool)
        else:
            yield from _cap(pool, pooling, ceiling)
            if pool.min in (0, "0%"):
                yield ("pool", pool.name, "min"), f"every pool is left {pool.min} without it"
    yield from _minimums(pooling, reached, ceiling)
    yield from _values(pooling, reached)
    yield from _terms(pooling, dead)


def reaches(one: Amount, other: Amount, ceiling: int | None) -> str:
    """`ONE >= OTHER` in words if that holds whatever the ceiling is, or under this one."""
    if isinstance(one, str) and isinstance(other, str):
        return f"{one} >= {other}" if int(one[:-1]) >= int(other[:-1]) else ""
    if isinstance(one, int) and isinstance(other, int):
        return f"{one} >= {other}" if one >= other else ""
    if ceiling is None or amount(one, ceiling) < amount(other, ceiling):
        return ""
    return f"{_resolved(one, ceiling)} >= {_resolved(other, ceiling)}"


def _resolved(value: Amount, ceiling: int) -> str:
    return (
        str(value) if isinstance(value, int) else f"{value} of {ceiling} = {amount(value, ceiling)}"
    )


def _reached(pooling: Pooling, dead: Mapping[int, str]) -> set[str]:
    """The pools that a record can be in."""
    rules = [rule for number, rule in enumerate(pooling.rules, 1) if number not in dead]
    smaller = pooling.smaller
    lifted = smaller is not None and any(rule.name in smaller.release for rule in rules)
    return {ORDINARY, *(rule.pool for rule in rules), *([PREFER] if lifted else [])}


def _unreached(pool: Pool) -> Iterator[Found]:
    said = f"no rule that decides leads to the pool {pool.name}"
    for name, given in (("cap", pool.cap), ("min", pool.min), ("value", pool.value)):
        if given is not None and (name, given) != ("value", 1):
            yield ("pool", pool.name, name), said


def _cap(pool: Pool, pooling: Pooling, ceiling: int | None) -> Iterator[Found]:
    if pool.cap is None:
        return
    place = "pool", pool.name, "cap"
    if proof := reaches(pool.cap, "100%", ceiling):
        yield place, f"no pool has more room than the whole ceiling: {proof}"
    elif proof := reaches(pool.cap, pooling.high, ceiling):
        yield place, f"no more than high is left for all pools together: {proof}"


def _minimums(pooling: Pooling, reached: set[str], ceiling: int | None) -> Iterator[Found]:
    """Minimums that cannot all be kept: the last of them is too much."""
    given = [pool for pool in pooling.pools if pool.name in reached and pool.min]
    amounts = [pool.min for pool in given if pool.min is not None]
    if len(amounts) < 1:
        return
    high = pooling.high
    if all(isinstance(one, str) for one in (*amounts, high)):
        sizes, most, sign = [int(str(one)[:-1]) for one in amounts], int(str(high)[:-1]), " %"
    elif all(isinstance(one, int) for one in (*amounts, high)):
        sizes, most, sign = [int(one) for one in amounts], int(high), ""
    elif ceiling is not None:
        sizes, most, sign = [amount(one, ceiling) for one in amounts], amount(high, ceiling), ""
    else:
        return
    if sum(sizes) > most:
        said = " + ".join(f"{pool.name} {size}" for pool, size in zip(given, sizes, strict=True))
        total = f"{said} = {sum(sizes)}" if len(sizes) > 1 else said
        total = f"{total}{sign} > high {most}{sign}"
        yield ("pool", given[-1].name, "min"), f"the minimums cannot all be kept: {total}"


def _values(pooling: Pooling, reached: set[str]) -> Iterator[Found]:
    """Values that choose nothing."""
    values = {name: pooling.pool(name).value for name in PACKED if name in reached}
    for pool in pooling.pools:
        if pool.name not in reached or pool.value == 1:
            continue
        place = "pool", pool.name, "value"
        if pooling.packing != "exact":
            yield (
                place,
                f"packing is {pooling.packing}; only exact packing asks what a record is worth",
            )
        elif len(set(values.values())) == 1:
            said = ", ".join(f"{name} {value}" for name, value in values.items())
            yield place, f"all records are worth the same, so it prefers none: {said}"


def _terms(pooling: Pooling, dead: Mapping[int, str]) -> Iterator[Found]:
    """What is kept from summaries in vain; protection that is lifted from nothing."""
    compact, smaller = pooling.compact, pooling.smaller
    for number, kind in enumerate(compact.keep, 1) if compact else ():
        if kind is Kind.ASSISTANT:
            said = "a summary stands for one exchange at least, and keep has all of them stay"
            yield ("compact",), f"{said}: compact.keep {number} is assistant"
        elif kind is Kind.SUMMARY:
            yield ("compact", "keep", number), "a new summary takes an older one in, kept or not"
    names = {pooling.rules[number - 1].name for number in dead} - {""}
    for number, name in enumerate(smaller.release, 1) if smaller else ():
        if name in names:
            yield (
                ("smaller", "release", number),
                f"the rule {name} never decides, so it protects none",
            )
