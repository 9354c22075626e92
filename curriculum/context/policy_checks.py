"""What the parts of a policy file ask of each other: the ladder, the names, the contradictions."""

import re
from collections.abc import Iterator

from .policy import Policy
from .policy_fields import Fields, Reading
from .policy_problems import nearest, shown
from .pooling import PROTECT, SAFETY, STEPS, Amount, Pooling, Smaller, Step
from .toml_lines import Place

NUMBERED = {
    "externalize": ("how many characters of a preview", "externalize 200"),
    "cut": ("how many characters of a result are kept", "cut 400"),
    "evict": ("the rank up to which records go", "evict 2"),
}
"""The steps that take a number, what it says, and an example. `evict` can do without."""
CUTTING = ("externalize", "mask", "cut", "clear")
"""Steps that take from a result some of what it says."""
_NUMBER = re.compile(r"[1-9][0-9]{0,14}\Z")


def ladder_of(top: Fields, default: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps of `ladder`, each a name such as "mask", or a name and a number: "cut 400"."""
    entries = top.entries("ladder")
    if not isinstance(top.given.get("ladder"), list):
        return default
    steps: list[Step] = []
    for number, entry in enumerate(entries, 1):
        top.reading.checked += 1
        if not isinstance(entry, str):
            top.wrong(("ladder", number), "type", entry, "a step is a text")
            continue
        step = _step(top, number, entry)
        if step == "omit" and number < len(entries):
            _broken(top, number, f"ladder {number} of {len(entries)} is omit, which must be last.")
        elif step == "summarise" and any(step == earlier.name for earlier in steps):
            _broken(top, number, f"ladder {number} is a second summarise; one is enough.")
        value = entry.partition(" ")[2]
        steps.append(Step(step, int(value) if _NUMBER.match(value) else None))
    if not entries:
        _broken(top, 0, 'ladder has no steps; the least is ["omit"].')
    elif "omit" not in [step.name for step in steps]:
        _broken(top, 0, "ladder does not end in omit, so a request might never fit.")
    return tuple(steps)


def _step(top: Fields, number: int, entry: str) -> str:
    """The name of a step, whose number is as it has to be; what is wrong is noted."""
    name, blank, value = entry.partition(" ")
    says = f"ladder {number} is {shown(entry)}; "
    if name not in STEPS:
        top.unknown(("ladder", number), name, tuple(STEPS), "step")
    elif name not in NUMBERED:
        if blank:
            _broken(top, number, f"{says}{name} takes no number.", name)
    elif not _NUMBER.match(value) and (blank or name != "evict"):
        meaning, example = NUMBERED[name]
        _broken(top, number, f"{says}{name} takes a whole number from 1 on: {meaning}.", example)
    return name


def _broken(top: Fields, number: int, says: str, near: str = "") -> None:
    place: Place = ("ladder", number) if number else ("ladder",)
    top.reading.problem(top.at(*place), "ladder", says, near)


def check_policy(reading: Reading, policy: Policy) -> None:
    """Note what each part says rightly, and what does not go together."""
    pooling = policy.pooling
    if pooling is None:
        return
    _rules(reading, pooling)
    for place, says in _contradictions(policy, pooling):
        reading.problem(place, "contradiction", says)
    if pooling.packing == "exact":
        for pool in pooling.pools:
            for name, value in (("cap", pool.cap), ("min", pool.min)):
                if value is not None:
                    says = f"pool.{pool.name}.{name} is {shown(value)}, but packing is exact: "
                    more = "exact knows values, not shares."
                    reading.problem(("pool", pool.name, name), "exact", says + more)
    _safety(reading, pooling)


def _rules(reading: Reading, pooling: Pooling) -> None:
    """Each name stands for one rule; what is released is a rule that protects."""
    seen: dict[str, int] = {}
    for number, rule in enumerate(pooling.rules, 1):
        if rule.name and seen.setdefault(rule.name, number) != number:
            says = (
                f"rule {number}, name is {shown(rule.name)}, as rule {seen[rule.name]} is called."
            )
            reading.problem(("rule", number, "name"), "duplicate", says)
    if pooling.smaller is not None:
        _released(reading, pooling, pooling.smaller, seen)


def _released(reading: Reading, pooling: Pooling, smaller: Smaller, seen: dict[str, int]) -> None:
    lifts = [rule.name for rule in pooling.rules if rule.pool == PROTECT and rule.name]
    for number, name in enumerate(smaller.release, 1):
        place, code = ("smaller", "release", number), "release"
        if name not in seen:
            says = f"smaller.release {number}: no rule is called {shown(name)}."
            known = f"known: {', '.join(lifts) or 'no rule protects and has a name'}"
            reading.problem(place, code, says, nearest(name, lifts), known)
            continue
        rule = pooling.rules[seen[name] - 1]
        if rule.pool != PROTECT:
            says = f"smaller.release {number}: the rule {name} is of the pool {rule.pool}, "
            reading.problem(
                place, code, says + "so there is no protection to lift.", nearest(name, lifts)
            )
        elif safe := [kind for kind in rule.kind if kind in SAFETY]:
            says = f"smaller.release {number}: the rule {name} protects {', '.join(safe)}, "
            reading.problem(place, "safety", says + "which no smaller mode releases.")


def _contradictions(policy: Policy, pooling: Pooling) -> Iterator[tuple[Place, str]]:
    if policy.flat and pooling.packing == "exact":
        says = "flat is true, but packing is exact, which looks at the whole log in every turn: "
        yield ("flat",), says + "write flat = false."
    for number, step in enumerate(pooling.ladder, 1):
        if not policy.cut and step.name in CUTTING:
            yield (
                ("ladder", number),
                f"ladder {number} is {step}, but cut is false: no result is cut.",
            )
        if step.name == "summarise" and pooling.compact is None:
            says = f"ladder {number} is summarise, but there is no [compact] that says what of."
            yield ("ladder", number), says
    for pool in pooling.pools:
        if _over(pool.min, pool.cap):
            says = f"pool.{pool.name}.min is {shown(pool.min)}, over its own cap {shown(pool.cap)}."
            yield ("pool", pool.name, "min"), says


def _over(least: Amount | None, most: Amount | None) -> bool:
    """Whether a minimum is over a cap whatever the ceiling is."""
    if isinstance(least, str) and isinstance(most, str):
        return int(least[:-1]) > int(most[:-1])
    return isinstance(least, int) and isinstance(most, int) and least > most


def _safety(reading: Reading, pooling: Pooling) -> None:
    """What governs a task never goes into a summary."""
    compact = pooling.compact
    for name, kinds in (("keep", compact.keep), ("drop", compact.drop)) if compact else ():
        for number, kind in enumerate(kinds, 1):
            if kind in SAFETY:
                says = (
                    f"compact.{name} {number} is {kind}, but no summary stands for such a record."
                )
                reading.problem(("compact", name, number), "safety", says)
