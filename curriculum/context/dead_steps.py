"""Steps of a ladder, and what is said for the sake of steps, that reduce nothing.

Each step is done on top of those before it, wholly: what an earlier step has reduced as far, a
later one cannot reduce again. Kept characters stand for size here: with a tokenizer a text may
now and then be a token shorter for a character more, and then a wider cut would still be taken.
"""

from collections.abc import Iterator, Mapping, Sequence

from .dead_rules import Found, externalizes, steps_said
from .pooling import EVICT, Pooling, Rule, Step
from .rule_words import title

OF_RESULTS = ("externalize", "mask", "cut")
"""Steps that reduce old results; what is recent concerns only these."""
ONCE = ("duplicates", "superseded", "previews")
"""Steps that find all there is to find at once."""
TOOL_CEILING = "max_tool_output_chars"


def dead_steps(
    pooling: Pooling, dead: Mapping[int, str], limits: Mapping[str, int]
) -> Iterator[Found]:
    """Steps that reduce nothing. `dead` has the rules that never decide."""
    ladder = pooling.ladder
    for number, step in enumerate(ladder, 1):
        proof = (
            _after(step, ladder[: number - 1])
            or _at_gate_1(step, limits)
            or _of_rules(step, ladder[: number - 1], pooling, dead)
        )
        if proof:
            yield ("ladder", number), f"{step} reduces nothing: {proof}"
    names = [step.name for step in ladder]
    if not set(OF_RESULTS) & set(names):
        for name, value, plain in (("recent", pooling.recent, 1), ("block", pooling.block, 1)):
            if value != plain:
                said = "it says which results are old enough for externalize, mask and cut"
                yield (name,), f"{said}, and no step is one of them: {steps_said(ladder)}"
    if "superseded" not in names:
        for number, again in enumerate(pooling.again, 1):
            said = f"a call of {again.tool} that asks again is found by the step superseded"
            yield ("again", number), f"{said}, and no step is it: {steps_said(ladder)}"


def _after(step: Step, before: Sequence[Step]) -> str:
    """Why nothing is left for a step behind those before it."""
    for number, earlier in enumerate(before, 1):
        said = f"ladder {number}, {earlier}, has"
        if earlier.name == "mask" and step.name in OF_RESULTS:
            return f"{said} cleared every old result that may be reduced, to its marker"
        if earlier.name == "clear" and step.name in (*OF_RESULTS, "previews", "clear"):
            return f"{said} cleared every result that a step may reduce, to its marker"
        if earlier.name == step.name and step.name in ONCE:
            return f"{said} taken all of them"
        if earlier.name != step.name or earlier.number is None:
            continue
        if step.name in OF_RESULTS and (step.number or 0) >= earlier.number:
            least = f"{step.number} >= {earlier.number}"
            return f"{said} left {earlier.number} characters of each old result or fewer: {least}"
    return ""


def _at_gate_1(step: Step, limits: Mapping[str, int]) -> str:
    """Why a step keeps all that gate 1 has let into the log."""
    ceiling = limits.get(TOOL_CEILING)
    if step.name not in ("externalize", "cut") or ceiling is None or step.number is None:
        return ""
    if step.number < ceiling:
        return ""
    said = f"the log holds at most {ceiling} characters of a result ({TOOL_CEILING})"
    return f"{said}, and the step keeps {step.number}: {step.number} >= {ceiling}"


def _of_rules(step: Step, before: Sequence[Step], pooling: Pooling, dead: Mapping[int, str]) -> str:
    """Why no rule gives a step anything to reduce."""
    rules = [(n, rule) for n, rule in enumerate(pooling.rules, 1) if n not in dead]
    if step.name == "externalize":
        if any(externalizes(rule, pooling) for _, rule in rules):
            return ""
        return "no rule that decides on results of which some may go says externalize = true"
    if step.name != EVICT:
        return ""
    evicting = [(n, rule) for n, rule in rules if rule.pool == EVICT]
    if not evicting:
        return "no rule that decides leads to the pool evict"
    if any(_takes(step, rule) and not any(_takes(one, rule) for one in before)
           for _, rule in evicting):  # fmt: skip
        return ""
    ranks = ", ".join(f"{title(n, rule)} has rank {rule.rank}" for n, rule in evicting)
    gone = [f"ladder {n}, {one}" for n, one in enumerate(before, 1) if one.name == EVICT]
    return f"{' and '.join(gone) or 'the step'} leaves it none to take: {ranks}"


def _takes(step: Step, rule: Rule) -> bool:
    """Whether a step evicts the records of a rule."""
    return step.name == EVICT and (step.number is None or rule.rank <= step.number)
