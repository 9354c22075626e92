"""Which of several changes causes which difference: the case is run again, one change at a time.

With all inputs as they were, what still differs comes from the code: a rule changed. With one
input changed and the others as they were, what then matches the new run follows from that input.
"""

import attrs

from curriculum.agent.scenario import Scenario
from curriculum.trace.causes import Cause
from curriculum.trace.diff import Difference
from curriculum.trace.explain import Explanation, explain
from curriculum.trace.reader import Trace

from .inputs import Inputs, grouped, inputs_of
from .rerun import rerun

Group = tuple[Cause, ...]


@attrs.frozen
class Attribution:
    """How many facts follow from each change, from a changed rule, and only from all together.

    `by_cause` counts for causes that were put back together as one. `dependent` are causes that
    go away with another: outputs of tools that were asked for something else. `separable` is
    False where an input could not be put back; then nothing is counted. `rule` explains what
    still differs although all inputs are as they were.
    """

    separable: bool
    by_cause: tuple[tuple[Group, int], ...] = ()
    dependent: Group = ()
    by_rule: int = 0
    together: int = 0
    rule: Explanation | None = None


def attribute(
    scenario: Scenario, expected: Trace, got: Trace, explanation: Explanation
) -> Attribution:
    """Attribute the facts that differ between `expected` and `got` to what changed."""
    before = inputs_of(expected)
    dependent = _dependent(scenario, before, expected, explanation.causes)
    causes = tuple(cause for cause in explanation.causes if cause not in dependent)
    base = rerun(scenario, before, causes)
    if base is None:
        return Attribution(False)
    at_base = explain(expected, base)
    # What is still gone with everything put back was never reached: it follows, it is no cause.
    unreached = {cause.key for cause in at_base.causes}
    causes = tuple(cause for cause in causes if cause.key not in unreached)
    ours = _facts(explanation.facts)
    by_rule = ours.items() & _facts(at_base.facts).items()
    left = dict(ours.items() - by_rule)
    counted = _counted(scenario, before, expected, got, grouped(causes), left)
    if counted is None:
        return Attribution(False)
    explained = {key for follows in counted.values() for key, _ in follows}
    return Attribution(
        True,
        tuple((group, len(follows)) for group, follows in counted.items()),
        dependent,
        len(by_rule),
        len(left.keys() - explained),
        at_base if at_base.facts else None,
    )


def _counted(
    scenario: Scenario,
    before: Inputs,
    expected: Trace,
    got: Trace,
    groups: list[Group],
    left: dict[object, object],
) -> dict[Group, set[tuple[object, object]]] | None:
    """What follows from each group alone; limits that work only together become one group."""
    counted: dict[Group, set[tuple[object, object]]] = {}
    for group in groups:
        others = [cause for other in groups if other is not group for cause in other]
        only = rerun(scenario, before, others) if others else got
        if only is None:
            limits = [g for g in groups if g[0].key[0] == "start"]
            if group not in limits or len(limits) < 2:
                return None
            merged = tuple(cause for g in limits for cause in g)
            rest = [g for g in groups if g not in limits]
            return _counted(scenario, before, expected, got, [merged, *rest], left)
        counted[group] = set(left.items() & _facts(explain(expected, only).facts).items())
    return counted


def _dependent(scenario: Scenario, before: Inputs, expected: Trace, causes: Group) -> Group:
    """Outputs of tools that are as they were once everything else is."""
    outputs = tuple(cause for cause in causes if cause.key[0] == "result")
    others = tuple(cause for cause in causes if cause.key[0] != "result")
    if not outputs or not others:
        return ()
    without = rerun(scenario, before, others)
    if without is None:
        return ()
    still = {cause.key for cause in explain(expected, without).causes}
    return tuple(cause for cause in outputs if cause.key not in still)


def _facts(differences: tuple[Difference, ...]) -> dict[object, object]:
    """Facts by where they stand in the expected trace, or by ordinal where they are new."""
    found: dict[object, object] = {}
    new: dict[str, int] = {}
    for difference in differences:
        if difference.left is not None:
            found[difference.left.seq, difference.field] = difference.got
        else:
            at = new[difference.type] = new.get(difference.type, 0) + 1
            found[difference.type, at] = difference.got
    return found
