"""A dead knob is turned, and every decision about every log stays as it was.

The proofs are words about the assembly; here the assembly itself is asked, with random policies,
logs and ceilings.
"""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.context.assemble import Projection, assemble
from curriculum.context.dead_knobs import DeadKnob, dead_knobs
from curriculum.context.policy import Policy
from curriculum.context.pooling import (
    PACKED,
    POOLS,
    Again,
    Compaction,
    Pool,
    Pooling,
    Rule,
    Smaller,
    Step,
)
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust, record_id

from . import pool_strategies

TOOL_CEILING = 200
"""Characters: no result of the logs is longer."""
NOT_TURNED = ("the minimums cannot all be kept", "no step of the ladder goes up to rank")
"""Proofs of knobs that do less than they say, and not nothing."""
SHARES = st.sampled_from(["0%", "5%", "30%", "60%", "90%", "100%", 0, 40, 300])


def some(words: Any, most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.sampled_from(words), max_size=most, unique=True).map(tuple)


rules = st.builds(
    Rule,
    pool=st.sampled_from(POOLS),
    name=st.sampled_from(["", "one", "two"]),
    rank=st.sampled_from([1, 1, 2, 4]),
    kind=some([Kind.RESULT, Kind.RESULT, Kind.PLAN, Kind.ASSISTANT, Kind.USER, Kind.CONSTRAINT], 2),
    trust=some([Trust.TOOL, Trust.USER], 1),
    tool=some(["read", "look"], 1),
    tag=some(["verified", "noise"], 2),
    older_than=st.sampled_from([None, None, None, 0, 2]),
    active=st.sampled_from([None, None, None, True, False]),
    externalize=st.booleans(),
    intact=st.sampled_from([False, False, True]),
)
steps = st.one_of(
    st.sampled_from(["duplicates", "superseded", "previews", "mask", "clear", "evict"]).map(Step),
    st.builds(
        Step,
        st.sampled_from(["externalize", "cut"]),
        st.sampled_from([1, 8, 20, TOOL_CEILING]),
    ),
    st.builds(Step, st.just("evict"), st.sampled_from([1, 2, 3])),
)
pools = st.tuples(
    *(st.builds(Pool, st.just(name), SHARES, SHARES, st.sampled_from([1, 3])) for name in PACKED)
).flatmap(lambda three: some(three, 3))
poolings = st.builds(
    Pooling,
    rules=st.lists(rules, max_size=4).map(tuple),
    pools=pools,
    ladder=st.lists(steps, max_size=5).map(lambda found: (*found, Step("omit"))),
    packing=st.sampled_from(["greedy", "greedy", "exact"]),
    order=st.sampled_from(["chronological", "protected-first", "edges"]),
    high=st.sampled_from(["100%", "90%", 40, 10**6]),
    low=st.sampled_from([None, "80%", "20%", "100%", 30]),
    recent=st.sampled_from([0, 1, 2]),
    block=st.sampled_from([1, 2]),
    again=st.sampled_from([(), (Again("read", "path"),)]),
    smaller=st.sampled_from([None, Smaller("bare", ("one",)), Smaller("bare", ("one", "two"))]),
    compact=st.sampled_from(
        [
            *(None, Compaction(1, "50%"), Compaction(1, records=3, keep=(Kind.SUMMARY,))),
            *(Compaction(1, 0, keep=(Kind.PLAN, Kind.ASSISTANT)), Compaction(2, keep=(Kind.PLAN,))),
        ]
    ),
)
policies = st.builds(
    Policy,
    name=st.just("random"),
    protect=st.sampled_from([(), (Kind.CONSTRAINT,), (Kind.PLAN, Kind.CONSTRAINT)]),
    current_request=st.booleans(),
    cut=st.booleans(),
    pooling=poolings,
)


def turned(policy: Policy, knob: DeadKnob) -> Policy:
    """The policy without the setting."""
    pooling = policy.pooling
    assert pooling is not None
    match knob.place:
        case ("rule", int(number)):
            changed: dict[str, Any] = {"rules": without(pooling.rules, number)}
        case ("rule", int(number), str(name)):
            plain = {name: 1 if name == "rank" else False}
            one = attrs.evolve(pooling.rules[number - 1], **plain)
            changed = {"rules": without(pooling.rules, number, one)}
        case ("ladder", int(number)):
            changed = {"ladder": without(pooling.ladder, number)}
        case ("again", int(number)):
            changed = {"again": without(pooling.again, number)}
        case ("pool", str(name), str(term)):
            plain = {term: 1 if term == "value" else None}
            given = [attrs.evolve(p, **plain) if p.name == name else p for p in pooling.pools]
            changed = {"pools": tuple(given)}
        case ("compact",):
            changed = {"compact": None}
        case ("compact", "keep", int(number)):
            assert pooling.compact is not None
            keep = without(pooling.compact.keep, number)
            changed = {"compact": attrs.evolve(pooling.compact, keep=keep)}
        case ("smaller", "release", int(number)):
            assert pooling.smaller is not None
            release = without(pooling.smaller.release, number)
            changed = {"smaller": attrs.evolve(pooling.smaller, release=release)}
        case ("high",):
            changed = {"high": "100%"}
        case ("low",):
            changed = {"low": None}
        case _:
            assert knob.place in (("recent",), ("block",)), knob
            changed = {str(knob.place[0]): 1}
    return attrs.evolve(policy, pooling=attrs.evolve(pooling, **changed))


def without(entries: tuple[Any, ...], number: int, *instead: Any) -> tuple[Any, ...]:
    return (*entries[: number - 1], *instead, *entries[number:])


def decided(records: list[Record], policy: Policy, limit: int, summarise: str) -> Any:
    """All that an assembly decides.

    What it only says beside that may differ: a needless step is a rung, a cap is told.
    """
    made: Projection = assemble(records, limit, policy=policy, summarise=summarise)
    said = attrs.asdict(made.manifest, recurse=False)
    said["pools"] = [(pool.pool, pool.used) for pool in made.manifest.pools]
    for name in ("policy", "rungs"):
        del said[name]
    return said, None if made.request is None else made.request.body


@given(
    policy=policies | pool_strategies.policies(),
    records=pool_strategies.sessions(),
    share=st.integers(0, 110),
    summarise=st.sampled_from(["", "", "due", "explicit"]),
)
def test_every_decision_stays_as_it_was(
    policy: Policy, records: list[Record], share: int, summarise: str
) -> None:
    whole = assemble(records, 10**6, policy=Policy("whole", pooling=Pooling())).manifest.size or 0
    limit = max(1, whole * share // 100)
    limits = {"max_input_chars": limit, "max_tool_output_chars": TOOL_CEILING}
    for knob in dead_knobs(policy, limits):
        if not knob.proof.startswith(NOT_TURNED):
            before = decided(records, policy, limit, summarise)
            assert before == decided(records, turned(policy, knob), limit, summarise), knob


@pytest.mark.parametrize("high", [5000, 301, "100%"])
def test_no_high_lets_a_request_over_the_ceiling(high: int | str) -> None:
    """Law 2 holds whatever a policy says."""
    made = assemble(talk(), 300, policy=Policy("p", pooling=Pooling(high=high)))
    assert 0 < (made.manifest.size or 0) <= 300


@pytest.mark.parametrize(("high", "low"), [("100%", "100%"), ("50%", "60%"), (100, 100), (9, 300)])
def test_a_low_that_is_not_under_high_is_none(high: int | str, low: int | str) -> None:
    one = assemble(talk(), 300, policy=Policy("p", pooling=Pooling(high=high, low=low)))
    other = assemble(talk(), 300, policy=Policy("p", pooling=Pooling(high=high)))
    assert (other.manifest.decisions, None) == (one.manifest.decisions, one.manifest.target)


def test_a_share_of_a_tiny_ceiling_may_leave_no_gap() -> None:
    """Of 4 characters, 90 % and 80 % are 3 each."""
    pooling = Pooling(high="90%", low="80%")
    made = assemble(talk(0), 4, policy=Policy("p", current_request=False, pooling=pooling))
    assert (None, 0, None) == (made.manifest.refused, made.manifest.size, made.manifest.target)


def test_a_minimum_binds_though_no_pool_is_served_before_it() -> None:
    """What the model has not seen yet leaves it that much: so none of a pool in use is dead."""
    first, *turn = talk(1)
    records = [attrs.evolve(first, kind=Kind.PLAN, text="p" * 90), *turn]
    sent: list[list[str]] = []
    for least in (None, 100):
        pools = (Pool("prefer", min=least),)
        pooling = Pooling(rules=(Rule("prefer", kind=(Kind.PLAN,)),), pools=pools)
        policy = Policy("p", current_request=False, pooling=pooling)
        assert () == dead_knobs(policy)
        made = assemble(records, 150, policy=policy)
        sent.append([message.record for message in made.messages])
    assert [["r0002", "r0003"], ["r0001", "r0002", "r0003"]] == sent


def talk(results: int = 6) -> list[Record]:
    """A request, and turns with a result of 100 characters each: 5 + 17 + 102 each."""
    records = [Record("r0001", Kind.USER, Trust.USER, Author.PERSON, "test", "Go.")]
    for number in range(results):
        turn = record_id(len(records) + 1)
        calls = (Call("c1", "read", f'{{"n":{number}}}'),)
        said = (Kind.ASSISTANT, Trust.ASSISTANT, Author.MODEL, "test")
        records.append(Record(turn, *said, calls=calls))
        name, answers = record_id(len(records) + 1), Answers(turn, 0)
        text = f"{number} " + "x" * 98
        records.append(
            Record(name, Kind.RESULT, Trust.TOOL, Author.TOOL, "test", text, answers=answers)
        )
    return records
