"""A dead knob is turned, and every decision about every log stays as it was.

The proofs are words about the assembly; here the assembly itself is asked, with random policies,
logs and ceilings.
"""

from typing import Any

import attrs
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

TOOL_CEILING = 90
"""Characters: no result of the logs below is longer."""
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
    tool=some(["read", "list"], 1),
    tag=some(["x", "y"], 2),
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
        st.sampled_from([1, 8, 20, TOOL_CEILING, 200]),
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
    high=st.sampled_from(["100%", "90%"]),
    low=st.sampled_from([None, "80%", "20%"]),
    recent=st.sampled_from([0, 1, 2]),
    block=st.sampled_from([1, 2]),
    again=st.sampled_from([(), (Again("read", "n"),)]),
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


@st.composite
def logs(draw: Any) -> list[Record]:
    """Turns with results, plans that overrule each other, remarks, in any order."""
    records: list[Record] = []

    def add(kind: Kind, text: str, trust: Trust = Trust.USER, **more: Any) -> str:
        name = record_id(len(records) + 1)
        author = Author.MODEL if kind is Kind.ASSISTANT else Author.PERSON
        tags = draw(some(["x", "y"], 1))
        records.append(Record(name, kind, trust, author, "test", text, tags=tags, **more))
        return name

    for number in range(draw(st.integers(1, 9))):
        what = draw(st.sampled_from(["turn", "turn", "turn", Kind.USER, Kind.PLAN, "said", "safe"]))
        if what == "turn":
            names = draw(st.lists(st.sampled_from(["read", "list"]), min_size=1, max_size=2))
            again = draw(st.sampled_from(['{"n":1}', '{"n":1,"m":2}', f'{{"k":{number}}}']))
            calls = tuple(Call(f"c{n}", name, again) for n, name in enumerate(names, 1))
            turn = add(Kind.ASSISTANT, "", Trust.ASSISTANT, calls=calls)
            for at, _ in enumerate(names):
                text = draw(st.sampled_from(["same " * 9, f"{number} " + "x" * 60, "short", ""]))
                artifact = draw(st.sampled_from([None, "a1b2c3d4", f"a000000{number}"]))
                answers = Answers(turn, at)
                add(Kind.RESULT, text, Trust.TOOL, answers=answers, artifact=artifact)
        elif what == "said":
            add(Kind.ASSISTANT, draw(st.sampled_from(["Done.", "y" * 40])), Trust.ASSISTANT)
        elif what == "safe":
            add(Kind.CONSTRAINT, "Never push.")
        else:
            add(what, draw(st.sampled_from(["Go on with it.", "z" * 50])))
    return records


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
    policy=policies,
    records=logs(),
    share=st.integers(1, 110),
    summarise=st.sampled_from(["", "due"]),
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
