"""Random sessions in which records repeat, overrule, preview and replace each other; and policies."""

from collections.abc import Sequence
from typing import Any

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from curriculum.context.policy import Policy
from curriculum.context.pooling import Again, Pool, Pooling, Rule, Smaller, Step
from curriculum.record.cut import Cut
from curriculum.record.records import (
    HIGHEST,
    Answers,
    Author,
    Call,
    Kind,
    Native,
    Record,
    Replaced,
    ToolSpec,
    Trust,
    record_id,
    rises,
)

from .strategies import THOUGHTS

HANDLES = ("a0123abc", "a9876def")
TAGS = ("about:door", "about:key", "verified", "noise", "about:")
NAMES = ("read", "look")
ARGUMENTS = (
    '{"path":"a"}',
    '{"path": "a"}',
    '{"path":"a","line":2}',
    '{"path":"b"}',
    "{",
    '"{"',
    "[]",
    *(f'{{"handle":"{handle}"}}' for handle in HANDLES),
)
WORDS = ("Yes.", "Open the door.", "x" * 60, "line\n" * 40, " ", "", "caf\u00e9 " * 30)
BLOCK = Native("anthropic-messages", THOUGHTS["anthropic-messages"])
_ABOUT = (Kind.APPROVAL, Kind.DENIAL, Kind.PLAN, Kind.MEMORY, Kind.SKILL, Kind.HANDOFF)
_SAFE = (Kind.CONSTRAINT, Kind.INSTRUCTION, Kind.TOOLS)


class _Log:
    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, draw: DrawFn, kind: Kind, text: str = "", **fields: Any) -> Record:
        name = record_id(len(self.records) + 1)
        top = HIGHEST.get(kind, Trust.SYSTEM)
        low = Trust.DEVELOPER if kind in (Kind.INSTRUCTION, Kind.TOOLS) else Trust.EXTERNAL
        trusts = [t for t in Trust if not rises(t, top) and not rises(low, t)]
        trust = draw(st.sampled_from([trusts[0]] * 3 + trusts))
        # No summary has a higher label than what it stands for.
        trust = Trust.EXTERNAL if fields.get("replaces") else trust
        tags = tuple(draw(st.lists(st.sampled_from(TAGS), max_size=2)))
        author = draw(st.sampled_from(Author))
        made = Record(name, kind, trust, author, "test", text, tags=tags, **fields)
        self.records.append(made)
        return made


@st.composite
def sessions(draw: DrawFn, most: int = 10) -> list[Record]:
    """A log of up to `most` steps; some of its groups have defects, or a summary stands for them."""
    log = _Log()
    words = st.sampled_from(WORDS)
    for step in draw(st.lists(st.sampled_from("iiktuuuneeeeeeeshod"), min_size=1, max_size=most)):
        if step == "i":
            log.add(draw, draw(st.sampled_from(_SAFE[:2])), draw(words))
        elif step in "kn":
            log.add(draw, draw(st.sampled_from(_ABOUT)), draw(words))
        elif step == "t":
            tools = tuple(ToolSpec(name) for name in NAMES)
            log.add(draw, Kind.TOOLS, tools=draw(st.sampled_from([tools, ()])))
        elif step == "u":
            log.add(draw, Kind.USER, draw(words))
        elif step == "o":
            log.add(draw, Kind.OPAQUE)
        elif step == "h":
            native = draw(st.sampled_from([None, BLOCK]))
            log.add(draw, Kind.THINKING, "Hm.", native=native)
        elif step == "s":
            _summary(draw, log)
        elif step == "d":
            log.add(draw, Kind.RESULT, draw(words), answers=Answers("r0001", 0))
        else:
            _exchange(draw, log)
    return log.records


def _summary(draw: DrawFn, log: _Log) -> None:
    known = [record.id for record in log.records]
    replaces = None
    if known and draw(st.integers(0, 4)):
        first, last = sorted([draw(st.sampled_from(known)), draw(st.sampled_from(known))])
        between = known[known.index(first) : known.index(last) + 1]
        but = draw(st.lists(st.sampled_from(between), unique=True, max_size=2))
        replaces = Replaced(first, last, tuple(sorted(but)))
    log.add(draw, Kind.SUMMARY, draw(st.sampled_from(WORDS)), replaces=replaces)


def _exchange(draw: DrawFn, log: _Log) -> None:
    if draw(st.integers(0, 3)) == 0:
        log.add(draw, Kind.THINKING, "Hm.", native=BLOCK)
    named = st.builds(Call, st.just("c"), st.sampled_from(NAMES), st.sampled_from(ARGUMENTS))
    calls = draw(st.lists(named, max_size=3))
    calls = [attrs.evolve(call, id=f"c{number}") for number, call in enumerate(calls)]
    turn = log.add(draw, Kind.ASSISTANT, draw(st.sampled_from(WORDS)), calls=tuple(calls))
    order = draw(st.permutations(range(len(calls))))
    for call in order[: draw(st.sampled_from([9, 9, 9, 9, 9, 1]))]:
        if draw(st.integers(0, 7)) == 0:
            log.add(draw, draw(st.sampled_from([Kind.USER, Kind.PLAN, Kind.OPAQUE])), "Wait.")
        _result(draw, log, Answers(turn.id, call))


def _result(draw: DrawFn, log: _Log, answers: Answers) -> None:
    text = draw(st.sampled_from(WORDS))
    handle = draw(st.sampled_from([None, None, *HANDLES]))
    cut = None
    if len(text) > 40 and draw(st.booleans()):
        cut, handle, text = Cut.whole(text, handle).to(draw(st.sampled_from([0, 7, 30]))), None, ""
    log.add(draw, Kind.RESULT, text, answers=answers, cut=cut, artifact=handle)


def amounts(low: int = 0, high: int = 600) -> st.SearchStrategy[int | str]:
    """A number of characters, or a share of the ceiling."""
    return st.integers(low, high) | st.sampled_from(["0%", "20%", "50%", "80%", "100%"])


@st.composite
def rules(draw: DrawFn, number: int) -> Rule:
    """A rule with one or two conditions, or none."""
    kinds = st.sampled_from([(), (), (Kind.RESULT,), (Kind.PLAN, Kind.MEMORY), (Kind.ASSISTANT,)])
    maybe = st.sampled_from
    return Rule(
        pool=draw(maybe(["protect", "prefer", "ordinary", "evict", "evict"])),
        name=f"rule-{number}",
        rank=draw(st.integers(1, 3)),
        kind=draw(kinds),
        author=draw(maybe([(), (), (Author.TOOL, Author.MODEL)])),
        trust=draw(maybe([(), (), (Trust.TOOL, Trust.USER)])),
        tool=draw(maybe([(), (), (), ("read",)])),
        tag=draw(maybe([(), (), ("verified",), ("noise", "about:key")])),
        older_than=draw(maybe([None, None, 0, 1, 3])),
        active=draw(maybe([None, None, True, False])),
        externalize=draw(st.booleans()),
        intact=draw(maybe([False, False, True])),
    )


STEPS = ("duplicates", "superseded", "previews", "mask", "clear", "evict", "summarise")
NUMBERED = {"externalize": [0, 5, 40], "cut": [0, 5, 40], "evict": [1, 2]}


@st.composite
def policies(draw: DrawFn) -> Policy:
    """Any policy of pools."""
    made = [draw(rules(number)) for number in range(draw(st.integers(0, 4)))]
    steps = [Step(name) for name in STEPS]
    steps += [Step(name, n) for name, numbers in NUMBERED.items() for n in numbers]
    ladder = draw(st.lists(st.sampled_from(steps), unique=True, max_size=6))
    high = draw(st.sampled_from(["100%", "100%", "80%", "50%"]) | st.integers(1, 900))
    low = draw(st.sampled_from([None, None, "20%", "40%", "90%"]) | st.integers(0, 600))
    smaller = None
    if made and draw(st.booleans()):
        smaller = Smaller("small", tuple(draw(st.lists(st.sampled_from([r.name for r in made])))))
    pooling = Pooling(
        rules=tuple(made),
        pools=draw(pools()),
        ladder=(*ladder, *([Step("omit")] if draw(st.integers(0, 5)) else [])),
        packing=draw(st.sampled_from(["greedy", "greedy", "exact"])),
        order=draw(st.sampled_from(["chronological", "protected-first", "edges"])),
        high=high,
        low=low,
        recent=draw(st.integers(0, 3)),
        block=draw(st.integers(1, 3)),
        again=draw(st.sampled_from([(), (), (Again("read", "path"),)])),
        smaller=smaller,
    )
    protect = [Kind.INSTRUCTION, Kind.TOOLS]
    protect += draw(
        st.lists(st.sampled_from([*_ABOUT, Kind.CONSTRAINT, Kind.SUMMARY, Kind.RESULT]))
    )
    return Policy(
        name="random",
        protect=tuple(dict.fromkeys(protect)),
        current_request=draw(st.integers(0, 3)) > 0,
        cut=draw(st.integers(0, 3)) > 0,
        pooling=pooling,
    )


@st.composite
def pools(draw: DrawFn) -> Sequence[Pool]:
    """Terms of some pools."""
    names = draw(st.lists(st.sampled_from(["prefer", "ordinary", "evict"]), unique=True))
    return tuple(
        Pool(
            name,
            cap=draw(st.none() | amounts()),
            min=draw(st.none() | amounts(high=200)),
            value=draw(st.integers(1, 3)),
        )
        for name in names
    )
