"""Policies as a list, one in words, and what a check of one has found."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from curriculum.context.dead_knobs import DeadKnob
from curriculum.context.dead_sizes import ceiling_of
from curriculum.context.dead_steps import OF_RESULTS
from curriculum.context.policy import Policy
from curriculum.context.policy_file import PolicyFile
from curriculum.context.pooling import (
    PACKED,
    STEPS,
    Amount,
    Compaction,
    Pooling,
    Rule,
    Smaller,
    amount,
)
from curriculum.context.rule_words import conditions
from curriculum.record.records import Kind

from .safe import many
from .screen import Screen

PACKING = {
    "greedy": "pool by pool, each newest first until one does not fit",
    "exact": "the whole exchanges that are worth most together",
}
ORDER = {
    "chronological": "as in the log",
    "protected-first": "what is protected beside the conversation first, then as in the log",
    "edges": "what is protected beside the conversation first, what is preferred beside it last",
}
NEWEST = "whole exchanges, newest first; all older than the first that does not fit is left out"
Limits = Mapping[str, int]


def show_policies(screen: Screen, files: Sequence[PolicyFile]) -> None:
    """Two lines a policy: its id and how it packs, then what it says about itself."""
    screen.head(f"Policies: {len(files)}")
    wide = max(len(file.policy.id) for file in files)
    for file in files:
        policy = file.policy
        said = f"  {_packing(policy)}{', flat' if policy.flat else ''}"
        screen.line(("head", f"  {policy.id:<{wide}}"), said, indent=4)
        screen.line(("quiet", f"    {file.about}"), indent=4)


def policy_data(file: PolicyFile, limits: Limits | None = None) -> dict[str, Any]:
    """A policy as data; `amounts` are shares in the unit of the ceiling, if that is given."""
    policy = file.policy
    data = {"id": policy.id, "about": file.about, **attrs.asdict(policy)}
    ceiling = ceiling_of(limits or {})
    if ceiling is not None and policy.pooling is not None:
        data["amounts"] = {key: amount(one, ceiling) for key, one in _amounts(policy.pooling)}
    return data


def show_policy(screen: Screen, file: PolicyFile, limits: Limits) -> None:
    """What a policy does, in words."""
    policy, pooling = file.policy, file.policy.pooling
    screen.head(f"Policy {policy.id}")
    _fact(screen, "about", file.about or "nothing said")
    flat = "a late turn costs what an early one does" if policy.flat else "not promised"
    _fact(screen, "flat", flat)
    which = "must be sent and" if pooling else "is the first that"
    cut = f"an exchange that {which} does not fit gives up the middle of its results"
    _fact(screen, "cut", cut if policy.cut else "no result is cut")
    screen.head("Protected: stays whole, or the run stops")
    _fact(screen, "kinds", ", ".join(policy.protect) or "none")
    if policy.current_request:
        request = "all that the user said since the last turn that asked for no tool"
        _fact(screen, "request", request)
    if pooling is None:
        screen.head("The rest")
        _fact(screen, "order", NEWEST)
        return
    if pooling.ingest:
        _show_ingest(screen, pooling)
    _show_classes(screen, pooling)
    _show_pools(screen, pooling, limits)
    _show_ladder(screen, pooling, limits)
    if pooling.compact is not None:
        _show_compact(screen, pooling, pooling.compact, limits)
    if pooling.smaller is not None:
        _show_smaller(screen, pooling.smaller)


def _show_ingest(screen: Screen, pooling: Pooling) -> None:
    screen.head("Ingest: how what a tool returns is cut on its way into the log, for good")
    for number, one in enumerate(pooling.ingest, 1):
        said = ", ".join(f"{key} {value}" for key, value in one.rule.table().items())
        screen.line(
            ("head", f"  {number:>2} {' or '.join(one.tool) or 'any tool'}"), f"  {said}", indent=7
        )


def _show_classes(screen: Screen, pooling: Pooling) -> None:
    screen.head("Classes: the first rule that holds decides")
    wide = max((len(rule.name) for rule in pooling.rules), default=0)
    for number, rule in enumerate(pooling.rules, 1):
        head = ("head", f"  {number:>2} {rule.name:<{wide}}")
        more = "".join(f", {one}" for one in _settings(rule))
        screen.line(head, f"  -> {rule.pool}{more}  if {conditions(rule)}", indent=wide + 7)
    screen.line(("head", f"   - {'':<{wide}}"), "  -> ordinary  every other record")


def _settings(rule: Rule) -> Iterator[str]:
    if rule.pool == "evict":
        yield f"rank {rule.rank}"
    if rule.externalize:
        yield "a handle may stand for it"
    if rule.intact:
        yield "never reduced"


def _show_pools(screen: Screen, pooling: Pooling, limits: Limits) -> None:
    screen.head("Pools: served in this order")
    for name in PACKED:
        pool = pooling.pool(name)
        said = [] if pool.cap is None else [f"takes at most {_size(pool.cap, limits)}"]
        said += [] if pool.min is None else [f"is left at least {_size(pool.min, limits)}"]
        if pooling.packing == "exact":
            said.append(f"an exchange is worth {pool.value}")
        _fact(screen, name, ", ".join(said) or "no share of its own")
    _fact(screen, "packing", f"{pooling.packing}: {PACKING[pooling.packing]}")
    _fact(screen, "order", f"{pooling.order}: {ORDER[pooling.order]}")


def _show_ladder(screen: Screen, pooling: Pooling, limits: Limits) -> None:
    screen.head("Ladder: each step only if those before it were not enough")
    steps = [str(step) for step in pooling.ladder]
    wide = max(map(len, steps))
    for number, (said, step) in enumerate(zip(steps, pooling.ladder, strict=True), 1):
        sentence = STEPS[step.name] + _number(step.name, step.number)
        screen.line(("head", f"  {number:>2} {said:<{wide}}"), f"  {sentence}", indent=wide + 7)
    for again in pooling.again:
        _fact(screen, "again", f"{again.tool} asks the same again if {again.argument} is the same")
    _fact(screen, "high", f"it begins above {_size(pooling.high, limits)}")
    if pooling.low is not None:
        _fact(screen, "low", f"leaving out goes down to {_size(pooling.low, limits)}")
    if set(OF_RESULTS).isdisjoint(step.name for step in pooling.ladder):
        return  # recent and block are about old results
    newest = "exchange is" if pooling.recent == 1 else f"{pooling.recent} exchanges are"
    _fact(screen, "recent", f"the newest {newest} not reduced")
    if pooling.block != 1:
        _fact(screen, "block", f"what is recent changes every {pooling.block} exchanges")


def _number(name: str, number: int | None) -> str:
    if number is None:
        return ""
    return f", up to rank {number}" if name == "evict" else f": {many(number, 'character')}"


def _show_compact(screen: Screen, pooling: Pooling, compact: Compaction, limits: Limits) -> None:
    screen.head("Compaction: a summary stands for older exchanges")
    when = [] if compact.at is None else [f"the log is over {_size(compact.at, limits)}"]
    when += [] if compact.records is None else [f"it has more than {compact.records} candidates"]
    if any(step.name == "summarise" for step in pooling.ladder):
        when.append("the ladder comes to summarise")
    _fact(screen, "when", " or ".join([*when, "whoever drives it asks for one"]))
    _fact(screen, "recent", f"the newest {many(compact.recent, 'exchange')} stay")
    if compact.least:
        _fact(screen, "least", f"not for less than {_size(compact.least, limits)}")
    if compact.preserve:
        said = f"lines that begin with {' or '.join(compact.preserve)} must stand in the summary"
        _fact(screen, "preserve", said)
    if compact.keep:
        _fact(screen, "keep", f"records of kind {', '.join(compact.keep)} stay beside it")
    for kind in compact.drop:
        shown = "only the marker of each" if kind is Kind.RESULT else "none"
        _fact(screen, "drop", f"of kind {kind} whoever writes it sees {shown}")
    _fact(screen, "asks", compact.instruction)


def _show_smaller(screen: Screen, smaller: Smaller) -> None:
    screen.head("Smaller mode: if what is protected does not fit")
    _fact(screen, "name", smaller.name)
    _fact(screen, "releases", f"what these rules protect: {', '.join(smaller.release)}")


def show_check(
    screen: Screen, where: str, file: PolicyFile, knobs: Sequence[DeadKnob], limits: Limits
) -> None:
    """A line for each dead knob with its proof, then the sum."""
    for knob in knobs:
        at = f"{where}, line {file.line(knob.place)}: {knob.key}: "
        screen.line(("bad", "DEAD      "), at, knob.proof, indent=10)
    said = f"{file.policy.id}: {many(file.checked, 'value')} checked, "
    mark = ("bad", "found     ") if knobs else ("good", "ok        ")
    screen.line(mark, said, many(len(knobs), "dead knob"), indent=10)
    missing = [
        name
        for name, given in (
            ("max_input_chars=N", ceiling_of(limits) is not None),
            ("max_tool_output_chars=N", "max_tool_output_chars" in limits),
        )
        if not given
    ]
    if file.policy.pooling is not None and missing:
        screen.line(
            ("quiet", "not checked "),
            f"what a budget decides: add --budget {','.join(missing)}",
            indent=12,
        )


def check_data(
    file: PolicyFile, where: str, knobs: Sequence[DeadKnob], limits: Limits
) -> dict[str, Any]:
    """The same as data."""
    dead = [{"line": file.line(k.place), "key": k.key, "proof": k.proof} for k in knobs]
    return {
        **{"file": where, "id": file.policy.id, "values": file.checked},
        **{"limits": dict(limits), "dead": dead},
    }


def _amounts(pooling: Pooling) -> Iterator[tuple[str, Amount]]:
    given: list[tuple[str, Amount | None]] = [("high", pooling.high), ("low", pooling.low)]
    for pool in pooling.pools:
        given += [(f"pool.{pool.name}.cap", pool.cap), (f"pool.{pool.name}.min", pool.min)]
    given.append(("compact.at", pooling.compact.at if pooling.compact else None))
    yield from ((key, one) for key, one in given if one is not None)


def _size(value: Amount, limits: Limits) -> str:
    """An amount as the file has it; a share also in the unit of the ceiling, if that is given."""
    if isinstance(value, int):
        return str(value)
    ceiling = ceiling_of(limits)
    known = "" if ceiling is None else f" {ceiling} = {amount(value, ceiling)}"
    return f"{value} of the ceiling{known}"


def _packing(policy: Policy) -> str:
    return f"{policy.pooling.packing} packing" if policy.pooling else "newest first"


def _fact(screen: Screen, label: str, text: str) -> None:
    screen.line(("quiet", f"  {label:<9}"), f" {text}", indent=12)
