"""Which of several changes causes which difference: the case is run again, one change at a time.

With all inputs as they were, what still differs comes from the code: a rule changed. With one
input changed and the others as they were, what then matches the new run follows from that input.
"""

import attrs

from curriculum.agent.scenario import Scenario
from curriculum.trace.diff import Difference
from curriculum.trace.explain import Cause, Explanation, explain
from curriculum.trace.reader import Trace

from .inputs import Inputs, keys_of, rerun


@attrs.frozen
class Attribution:
    """How many facts follow from each cause, from the changed rule, and only from all together.

    `separable` is False where an input could not be put back; then nothing is counted.
    `rule` is the first fact that differs although all inputs are as they were.
    """

    separable: bool
    by_cause: tuple[tuple[Cause, int], ...] = ()
    by_rule: int = 0
    together: int = 0
    rule: Explanation | None = None


def attribute(
    scenario: Scenario, expected: Trace, got: Trace, explanation: Explanation
) -> Attribution:
    """Attribute the facts that differ between `expected` and `got` to what changed."""
    causes = explanation.causes
    before = Inputs.of(expected)
    base = rerun(scenario, before, keys_of(causes))
    if base is None:
        return Attribution(False)
    ours = _facts(explanation.facts)
    at_base = explain(expected, base)
    by_rule = ours.items() & _facts(at_base.facts).items()
    left = dict(ours.items() - by_rule)
    counted: list[tuple[Cause, int]] = []
    explained: set[object] = set()
    for cause in causes:
        others = [other for other in causes if other.key != cause.key]
        only = rerun(scenario, before, keys_of(others)) if others else got
        if only is None:
            return Attribution(False)
        follows = left.items() & _facts(explain(expected, only).facts).items()
        counted.append((cause, len(follows)))
        explained |= {key for key, _ in follows}
    rule = at_base if at_base.facts else None
    together = len(left.keys() - explained)
    return Attribution(True, tuple(counted), len(by_rule), together, rule)


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
