"""Settings that do nothing are named with a proof; of two that are nearly the same, one is."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.context.dead_knobs import dead_knobs
from curriculum.context.policy import Policy
from curriculum.context.policy_file import policy_from
from curriculum.context.policy_registry import every_policy
from curriculum.context.pooling import Pooling, Rule, Step
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Answers, Author, Kind, Record, Trust, check

RESULTS = '[[rule]]\npool = "ordinary"\nkind = ["result"]\n'
PLANS = '[[rule]]\npool = "prefer"\nkind = ["plan"]\n'
OLD = '[[rule]]\npool = "evict"\nkind = ["user"]\n'
KEEP = '[[rule]]\npool = "protect"\nname = "keep"\n'
RELEASE = '[smaller]\nname = "s"\nrelease = ["keep"]\n'
EXACT = 'flat = false\npacking = "exact"\n'
SAFE = 'protect = ["instruction", "tools", "constraint", "plan"]\n'


def ladder(*steps: str) -> str:
    return f"ladder = [{', '.join(f'{step!r}' for step in (*steps, 'omit'))}]\n"


def rule(**conditions: Any) -> str:
    lines = [f"{name} = {value!r}\n" for name, value in conditions.items()]
    return "[[rule]]\n" + "".join(lines).replace("True", "true").replace("False", "false")


def found(text: str, limits: dict[str, int] | None = None) -> dict[str, str]:
    return {knob.key: knob.proof for knob in dead_knobs(policy_from(text).policy, limits)}


KNOBS: dict[str, tuple[str, str, str, str]] = {
    # what: the keys, a part of the last one's proof, a policy with the dead knob, one nearly the same without
    "a rule below one that asks for less": (
        "rule 2",
        "rule 1 asks for kind is plan; this one asks for kind is plan, and a tag is x",
        PLANS + rule(pool="evict", kind=["plan"], tag=["x"]),
        rule(pool="prefer", kind=["plan"], tag=["x"]) + rule(pool="evict", kind=["plan"]),
    ),
    "a rule below one for every record": (
        "rule 2",
        "rule 1 asks for any record; this one asks for kind is user",
        rule(pool="prefer") + OLD,
        rule(pool="prefer", kind=["plan"]) + OLD,
    ),
    "older than what is taken already": (
        "rule 2",
        "more than 2 turns old; this one asks for more than 2 turns old",
        rule(pool="prefer", older_than=2) + rule(pool="evict", older_than=2),
        rule(pool="prefer", older_than=2) + rule(pool="evict", older_than=1),
    ),
    "any age is older than none": (
        "rule 2",
        "this one asks for a tag is x, and more than 0 turns old",
        rule(pool="prefer", tag=["x"]) + rule(pool="evict", tag=["x"], older_than=0),
        rule(pool="prefer", tag=["x"], older_than=0) + rule(pool="evict", tag=["x"]),
    ),
    "tools among those of an earlier rule": (
        "rule 2",
        "tool is read or list; this one asks for tool is list",
        rule(pool="prefer", tool=["read", "list"]) + rule(pool="evict", tool=["list"]),
        rule(pool="prefer", tool=["list"]) + rule(pool="evict", tool=["read", "list"]),
    ),
    "any tool, where an earlier rule asks for one": (
        "rule 2",
        "rule 1 asks for kind is result; this one asks for kind is result",
        rule(pool="prefer", kind=["result"]) + rule(pool="evict", kind=["result"]),
        rule(pool="prefer", tool=["read"]) + rule(pool="evict", kind=["result"]),
    ),
    "each of its kinds by another rule": (
        "rule 3",
        "all before it together decide on each of its records: "
        "rule 1 asks for kind is plan (kind plan); rule 2 asks for kind is user (kind user)",
        PLANS + OLD + rule(pool="prefer", kind=["user", "plan"]),
        PLANS + OLD + rule(pool="prefer", kind=["user", "plan", "skill"]),
    ),
    "each of its tags by another rule": (
        "rule 3",
        "all before it together decide",
        rule(pool="evict", tag=["x", "z"]) + rule(pool="prefer", tag=["y"])
        + rule(pool="evict", tag=["y", "x"]),
        rule(pool="evict", tag=["x", "z"]) + rule(pool="prefer", tag=["y"], kind=["plan"])
        + rule(pool="evict", tag=["y", "x"]),
    ),
    "overruled or not, each by another rule": (
        "rule 3",
        "rule 1 asks for kind is plan, and no later record overrules it (kind plan); "
        "rule 2 asks for a later record overrules it (kind plan)",
        rule(pool="prefer", kind=["plan"], active=True) + rule(pool="evict", active=False)
        + rule(pool="prefer", kind=["plan"]),
        rule(pool="prefer", kind=["plan"], active=True)
        + rule(pool="evict", active=False, author=["tool"]) + rule(pool="prefer", kind=["plan"]),
    ),
    "every label that a kind may carry": (
        "rule 2",
        "rule 1 asks for trust is tool or external; this one asks for kind is result",
        rule(pool="evict", trust=["tool", "external"]) + rule(pool="prefer", kind=["result"]),
        rule(pool="evict", trust=["tool", "external"]) + rule(pool="prefer", kind=["memory"]),
    ),
    "kinds that are protected anyway": (
        "rule 1",
        "what is of kind constraint is protected before any rule",
        SAFE + rule(pool="prefer", kind=["constraint"]),
        SAFE + rule(pool="prefer", kind=["constraint", "skill"]),
    ),
    "of a protected kind what no later record overrules": (
        "rule 1",
        "what is of kind plan is protected before any rule",
        SAFE + rule(pool="evict", kind=["plan"], active=True),
        SAFE + rule(pool="evict", kind=["plan"], active=False),
    ),
    "of a protected kind all of which may be overruled": (
        "rule 1",
        "what is of kind constraint is protected before any rule",
        SAFE + rule(pool="evict", kind=["constraint"]),
        SAFE + rule(pool="evict", kind=["plan"]),
    ),
    "tools are protected even if they are not said to be": (
        "rule 1",
        "what is of kind tools is protected before any rule",
        "protect = []\n" + rule(pool="evict", kind=["tools"]),
        "protect = []\n" + rule(pool="evict", kind=["instruction"]),
    ),
    "a tool of what is no result": (
        "rule 1",
        "only a result is of a tool, and the rule asks for plan, user",
        rule(pool="evict", kind=["plan", "user"], tool=["read"]),
        rule(pool="evict", kind=["plan", "result"], tool=["read"]),
    ),
    "a label that the kind cannot carry": (
        "rule 1",
        "no record of kind result may have trust system or user",
        rule(pool="evict", kind=["result"], trust=["system", "user"]),
        rule(pool="evict", kind=["result"], trust=["system", "tool"]),
    ),
    "a label too low for an instruction": (
        "rule 1",
        "no record of kind instruction may have trust user",
        "protect = []\n" + rule(pool="evict", kind=["instruction"], trust=["user"]),
        "protect = []\n" + rule(pool="evict", kind=["instruction"], trust=["developer"]),
    ),
    "overruled where nothing overrules": (
        "rule 1",
        "no later record overrules one of kind user",
        rule(pool="evict", kind=["user"], active=False),
        rule(pool="evict", kind=["memory"], active=False),
    ),
    "a rank in another pool": (
        "rule 1, rank",
        "only the pool evict has ranks, and the rule leads to prefer",
        ladder("evict 1", "evict 2") + PLANS + "rank = 2\n" + OLD + OLD.replace("user", "skill")
        + "rank = 2",
        ladder("evict 1", "evict 2") + PLANS + OLD + OLD.replace("user", "skill") + "rank = 2",
    ),
    "a rank without steps that ask": (
        "rule 1, rank",
        "no step of the ladder asks for ranks: mask, omit",
        ladder("mask") + OLD + "rank = 2",
        ladder("mask") + OLD,
    ),
    "a rank with a step for all of them": (
        "rule 1, rank",
        "ladder 1, evict, is the first step to take rank 2, and to take rank 1",
        ladder("evict") + OLD + "rank = 2",
        ladder("evict 1", "evict") + OLD + "rank = 2\n" + PLANS.replace("prefer", "evict"),
    ),
    "a rank between two that are told apart": (
        "rule 1, rank",
        "ladder 1, evict 3, is the first step to take rank 2, and to take rank 1",
        ladder("evict 3", "evict 5") + OLD + "rank = 2\n" + PLANS.replace("prefer", "evict")
        + "rank = 5",
        ladder("evict 1", "evict 5") + OLD + "rank = 2\n" + PLANS.replace("prefer", "evict"),
    ),
    "a rank that no step reaches": (
        "rule 2, rank",
        "no step of the ladder goes up to rank 6; the highest is evict 5",
        ladder("evict 5") + OLD + PLANS.replace("prefer", "evict") + "rank = 6",
        ladder("evict 5", "evict 6") + OLD + PLANS.replace("prefer", "evict") + "rank = 6",
    ),
    "a handle that no step gives": (
        "rule 1, externalize",
        "no step of the ladder is externalize: mask, omit",
        ladder("mask") + RESULTS + "externalize = true",
        ladder("externalize 9", "mask") + RESULTS + "externalize = true",
    ),
    "a handle for what is protected": (
        "rule 2, externalize",
        "what the rule protects stays whole, and no smaller mode releases it",
        ladder("externalize 9") + RESULTS + 'externalize = true\ntag = ["x"]\n' + KEEP
        + "externalize = true",
        ladder("externalize 9") + RESULTS + 'externalize = true\ntag = ["x"]\n' + KEEP
        + "externalize = true\n" + RELEASE,
    ),
    "a handle for what is no result": (
        "rule 2, externalize",
        "only results are reduced, and the rule asks for kind is plan",
        ladder("externalize 9") + RESULTS + "externalize = true\n" + PLANS + "externalize = true",
        ladder("externalize 9") + RESULTS + "externalize = true\n" + PLANS,
    ),
    "a handle for what is intact": (
        "rule 2, externalize",
        "the rule is intact, so nothing ever stands for its results",
        ladder("externalize 9") + RESULTS + 'externalize = true\ntag = ["x"]\n'
        + RESULTS + "externalize = true\nintact = true",
        ladder("externalize 9") + RESULTS + 'externalize = true\ntag = ["x"]\n'
        + RESULTS + "intact = true",
    ),
    "intact, but no result": (
        "rule 1, intact",
        "only results are reduced, and the rule asks for kind is plan",
        ladder("clear") + PLANS + "intact = true",
        ladder("clear") + PLANS.replace("plan", "result") + "intact = true",
    ),
    "intact, and whole anyway": (
        "rule 1, intact",
        "what the rule protects stays whole",
        ladder("previews") + KEEP + "intact = true",
        ladder("previews") + KEEP + "intact = true\n" + RELEASE,
    ),
    "intact, and nothing that takes from results": (
        "rule 1, intact",
        "no step of the ladder takes from a result: evict, omit",
        ladder("evict") + OLD.replace("user", "result") + "intact = true",
        ladder("evict", "duplicates") + OLD.replace("user", "result") + "intact = true",
    ),
    "the same cut again": (
        "ladder 2",
        "cut 40 reduces nothing: ladder 1, cut 40, has left 40 characters of each old result "
        "or fewer: 40 >= 40",
        ladder("cut 40", "cut 40"),
        ladder("cut 40", "cut 39"),
    ),
    "a cut that is wider": (
        "ladder 3",
        "cut 41 reduces nothing: ladder 1, cut 40, has left 40 characters",
        ladder("cut 40", "duplicates", "cut 41"),
        ladder("cut 41", "duplicates", "cut 40"),
    ),
    "a preview that is longer": (
        "ladder 2",
        "externalize 41 reduces nothing: ladder 1, externalize 40, has left 40 characters",
        ladder("externalize 40", "externalize 41") + RESULTS + "externalize = true",
        ladder("externalize 41", "externalize 40") + RESULTS + "externalize = true",
    ),
    "a cut of what is cleared": (
        "ladder 2",
        "cut 9 reduces nothing: ladder 1, mask, has cleared every old result",
        ladder("mask", "cut 9"),
        ladder("cut 9", "mask"),
    ),
    "a handle for what is cleared": (
        "ladder 2",
        "externalize 9 reduces nothing: ladder 1, mask, has cleared every old result",
        ladder("mask", "externalize 9") + RESULTS + "externalize = true",
        ladder("externalize 9", "mask") + RESULTS + "externalize = true",
    ),
    "cleared again": (
        "ladder 3",
        "mask reduces nothing: ladder 1, mask, has cleared every old result",
        ladder("mask", "duplicates", "mask"),
        ladder("duplicates", "mask"),
    ),
    "a cut of what has been cleared, old or not": (
        "ladder 2",
        "cut 9 reduces nothing: ladder 1, clear, has cleared every result that a step may reduce",
        ladder("clear", "cut 9"),
        ladder("cut 9", "clear"),
    ),
    "previews that have been cleared": (
        "ladder 2",
        "previews reduces nothing: ladder 1, clear, has cleared every result",
        ladder("clear", "previews"),
        ladder("mask", "previews", "clear", "duplicates", "superseded"),
    ),
    "everything cleared again": (
        "ladder 2",
        "clear reduces nothing: ladder 1, clear, has cleared every result",
        ladder("clear", "clear"),
        ladder("mask", "clear"),
    ),
    "the same duplicates again": (
        "ladder 3",
        "duplicates reduces nothing: ladder 1, duplicates, has taken all of them",
        ladder("duplicates", "previews", "duplicates"),
        ladder("duplicates", "previews", "superseded"),
    ),
    "a lower rank behind a higher": (
        "rule 1, rank; ladder 2",
        "evict 1 reduces nothing: ladder 1, evict 2 leaves it none to take: "
        "rule 1 has rank 2, rule 2 has rank 1",
        ladder("evict 2", "evict 1", "evict 3") + OLD + "rank = 2\n"
        + PLANS.replace("prefer", "evict") + OLD.replace("user", "skill") + "rank = 3",
        ladder("evict 1", "evict 2", "evict 3") + OLD + "rank = 2\n"
        + PLANS.replace("prefer", "evict") + OLD.replace("user", "skill") + "rank = 3",
    ),
    "a rank behind all ranks": (
        "ladder 2",
        "evict 2 reduces nothing: ladder 1, evict leaves it none to take: rule 1 has rank 1",
        ladder("evict", "evict 2") + OLD,
        ladder("evict") + OLD,
    ),
    "all ranks behind the last": (
        "ladder 2",
        "evict reduces nothing: ladder 1, evict 1 leaves it none to take: rule 1 has rank 1",
        ladder("evict 1", "evict") + OLD,
        ladder("evict 1", "evict") + OLD + PLANS.replace("prefer", "evict") + "rank = 2",
    ),
    "nothing to evict": (
        "ladder 1",
        "evict reduces nothing: no rule that decides leads to the pool evict",
        ladder("evict") + PLANS,
        ladder("evict") + PLANS + OLD,
    ),
    "nothing to evict but by a rule that never decides": (
        "rule 2; ladder 1",
        "evict reduces nothing: no rule that decides leads to the pool evict",
        ladder("evict") + PLANS + PLANS.replace("prefer", "evict"),
        ladder("evict") + PLANS + 'tag = ["x"]\n' + PLANS.replace("prefer", "evict"),
    ),
    "nothing to give a handle for": (
        "ladder 1",
        "no rule that decides on results of which some may go says externalize = true",
        ladder("externalize 9") + RESULTS,
        ladder("externalize 9") + RESULTS + "externalize = true",
    ),
    "recent, and nothing that asks": (
        "recent",
        "it says which results are old enough for externalize, mask and cut, and no step is one "
        "of them: duplicates, omit",
        ladder("duplicates") + "recent = 2",
        ladder("mask") + "recent = 2",
    ),
    "block, and nothing that asks": (
        "block",
        "and no step is one of them: omit",
        "block = 2",
        "block = 1",
    ),
    "asked again, and nobody looks": (
        "again 1",
        "a call of read that asks again is found by the step superseded, and no step is it: omit",
        '[[again]]\ntool = "read"\nargument = "path"',
        ladder("superseded") + '[[again]]\ntool = "read"\nargument = "path"',
    ),
    "a cap of everything": (
        "pool.ordinary.cap",
        "no pool has more room than the whole ceiling: 100% >= 100%",
        '[pool.ordinary]\ncap = "100%"',
        '[pool.ordinary]\ncap = "99%"',
    ),
    "a cap of what is left at high": (
        "pool.ordinary.cap",
        "no more than high is left for all pools together: 60% >= 60%",
        'high = "60%"\n[pool.ordinary]\ncap = "60%"',
        'high = "60%"\n[pool.ordinary]\ncap = "59%"',
    ),
    "a cap in numbers": (
        "pool.ordinary.cap",
        "no more than high is left for all pools together: 60 >= 60",
        "high = 60\n[pool.ordinary]\ncap = 60",
        "high = 60\n[pool.ordinary]\ncap = 59",
    ),
    "a minimum of nothing": (
        "pool.evict.min",
        "every pool is left 0% without it",
        OLD + '[pool.evict]\nmin = "0%"',
        OLD + '[pool.evict]\nmin = "1%"',
    ),
    "minimums over high": (
        "pool.evict.min",
        "the minimums cannot all be kept: ordinary 50 + evict 41 = 91 % > high 90 %",
        'high = "90%"\n' + PLANS + OLD + '[pool.ordinary]\nmin = "50%"\n[pool.evict]\nmin = "41%"',
        'high = "90%"\n' + PLANS + OLD + '[pool.ordinary]\nmin = "50%"\n[pool.evict]\nmin = "40%"',
    ),
    "minimums over high with that of the pool served first": (
        "pool.ordinary.min",
        "the minimums cannot all be kept: prefer 60 + ordinary 41 = 101 % > high 100 %",
        PLANS + '[pool.prefer]\nmin = "60%"\n[pool.ordinary]\nmin = "41%"',
        PLANS + '[pool.prefer]\nmin = "60%"\n[pool.ordinary]\nmin = "40%"',
    ),
    "minimums over high in numbers": (
        "pool.evict.min",
        "the minimums cannot all be kept: evict 91 > high 90",
        "high = 90\n" + OLD + "[pool.evict]\nmin = 91",
        "high = 90\n" + OLD + "[pool.evict]\nmin = 90",
    ),
    "a cap of a pool without records": (
        "pool.evict.cap",
        "no rule that decides leads to the pool evict",
        PLANS + "[pool.evict]\ncap = 3",
        OLD + "[pool.evict]\ncap = 3",
    ),
    "a cap of a pool to which only a dead rule leads": (
        "rule 2; pool.evict.cap",
        "no rule that decides leads to the pool evict",
        PLANS + PLANS.replace("prefer", "evict") + "[pool.evict]\ncap = 3",
        PLANS.replace("plan", "skill") + PLANS.replace("prefer", "evict") + "[pool.evict]\ncap = 3",
    ),
    "a minimum of a pool without records": (
        "pool.evict.min",
        "no rule that decides leads to the pool evict",
        PLANS + "[pool.evict]\nmin = 3",
        OLD + "[pool.evict]\nmin = 3",
    ),
    "a cap of a pool for a smaller mode": (
        "pool.prefer.cap",
        "no rule that decides leads to the pool prefer",
        KEEP + "[pool.prefer]\ncap = 3",
        KEEP + "[pool.prefer]\ncap = 3\n" + RELEASE,
    ),
    "low above high": (
        "low",
        "leaving out begins above high 80% and ends there already: low 81% >= 80%",
        'high = "80%"\nlow = "81%"',
        'high = "80%"\nlow = "79%"',
    ),
    "low at high": (
        "low",
        "leaving out begins above high 100% and ends there already: low 100% >= 100%",
        'low = "100%"',
        'low = "99%"',
    ),
    "a value without exact packing": (
        "pool.prefer.value",
        "packing is greedy; only exact packing asks what a record is worth",
        PLANS + "[pool.prefer]\nvalue = 3",
        EXACT + PLANS + "[pool.prefer]\nvalue = 3",
    ),
    "values that are all the same": (
        "pool.prefer.value; pool.ordinary.value",
        "all records are worth the same, so it prefers none: prefer 3, ordinary 3",
        EXACT + PLANS + "[pool.prefer]\nvalue = 3\n[pool.ordinary]\nvalue = 3",
        EXACT + PLANS + "[pool.prefer]\nvalue = 3\n[pool.ordinary]\nvalue = 2",
    ),
    "a value of a pool without records": (
        "pool.evict.value",
        "no rule that decides leads to the pool evict",
        EXACT + "[pool.evict]\nvalue = 3",
        EXACT + OLD + "[pool.evict]\nvalue = 3",
    ),
    "a summary of exchanges all of which stay": (
        "compact",
        "a summary stands for one exchange at least, and keep has all of them stay: "
        "compact.keep 2 is assistant",
        '[compact]\nat = "50%"\nkeep = ["plan", "assistant"]',
        '[compact]\nat = "50%"\nkeep = ["plan", "user"]',
    ),
    "a summary that is kept from summaries": (
        "compact.keep 1",
        "a new summary takes an older one in, kept or not",
        '[compact]\nkeep = ["summary", "plan"]',
        '[compact]\nkeep = ["plan", "handoff"]',
    ),
    "protection that is lifted from nothing": (
        "rule 2; smaller.release 1",
        "the rule keep never decides, so it protects none",
        PLANS + KEEP + 'kind = ["plan"]\n' + RELEASE,
        PLANS + KEEP + 'kind = ["plan", "skill"]\n' + RELEASE,
    ),
}  # fmt: skip
UNDER: dict[str, tuple[str, str, str, str, dict[str, int]]] = {
    "a cut that gate 1 has made": (
        "ladder 1",
        "the log holds at most 180 characters of a result (max_tool_output_chars), and the step "
        "keeps 180: 180 >= 180",
        ladder("cut 180"),
        ladder("cut 179"),
        {"max_tool_output_chars": 180},
    ),
    "a preview of all that gate 1 leaves": (
        "ladder 1",
        "externalize 200 reduces nothing: the log holds at most 180 characters",
        ladder("externalize 200") + RESULTS + "externalize = true",
        ladder("externalize 20") + RESULTS + "externalize = true",
        {"max_tool_output_chars": 180},
    ),
    "a number above the ceiling": (
        "high",
        "no request is over the ceiling 300: 301 > 300",
        "high = 301",
        "high = 300",
        {"max_input_chars": 300},
    ),
    "a cap above the ceiling": (
        "pool.ordinary.cap",
        "no pool has more room than the whole ceiling: 300 >= 100% of 300 = 300",
        "[pool.ordinary]\ncap = 300",
        "[pool.ordinary]\ncap = 299",
        {"max_input_tokens": 300},
    ),
    "a number for low, a share for high": (
        "low",
        "low 150 >= 50% of 301 = 150",
        'high = "50%"\nlow = 150',
        'high = "50%"\nlow = 149',
        {"max_input_chars": 301},
    ),
    "minimums in numbers and shares": (
        "pool.evict.min",
        "the minimums cannot all be kept: ordinary 200 + evict 101 = 301 > high 300",
        PLANS + OLD + "[pool.ordinary]\nmin = 200\n[pool.evict]\nmin = 101",
        PLANS + OLD + "[pool.ordinary]\nmin = 200\n[pool.evict]\nmin = 100",
        {"max_input_chars": 300},
    ),
}


class TestEachKind:
    """The policy with the dead knob has it and what follows from it; its near double has none."""

    @pytest.mark.parametrize("what", KNOBS)
    def test_without_a_budget(self, what: str) -> None:
        key, proof, dead, alive = KNOBS[what]
        knobs = found(dead)
        assert key == "; ".join(knobs)
        assert proof in list(knobs.values())[-1]
        assert {} == found(alive)

    @pytest.mark.parametrize("what", UNDER)
    def test_under_a_budget(self, what: str) -> None:
        """Without the budget nothing is proven."""
        key, proof, dead, alive, limits = UNDER[what]
        assert [key] == list(found(dead, limits))
        assert proof in found(dead, limits)[key]
        assert {} == found(dead)
        assert {} == found(alive, limits)


def lawful(kind: Kind, trust: Trust, author: Author) -> bool:
    """Whether the log takes such a record: asked of the log's own check."""
    answers = Answers("r0001", 0) if kind is Kind.RESULT else None
    try:
        check(Record("r0002", kind, trust, author, "s", "t", answers=answers))
    except CurriculumError:
        return False
    return True


OVERRULED = {
    *(Kind.APPROVAL, Kind.DENIAL, Kind.PLAN, Kind.MEMORY, Kind.SKILL, Kind.HANDOFF),
}
"""Kinds of which a later record may say otherwise."""
Facts = tuple[Kind, Trust, Author, bool, str, tuple[str, ...], int]
"""Kind, trust, author, whether nothing overrules it, its tool, its tags, its age."""


def every_record() -> list[Facts]:
    """Every lawful record that the rules below can tell from another."""
    found: list[Facts] = []
    for kind, trust, author in product(Kind, Trust, Author):
        if kind is Kind.OPAQUE or not lawful(kind, trust, author):
            continue
        for active in (True, False) if kind in OVERRULED else (True,):
            for tool in ("read", "other", "third") if kind is Kind.RESULT else ("",):
                for tags, age in product([(), ("x",), ("y",), ("x", "y")], (0, 1, 2)):
                    found.append((kind, trust, author, active, tool, tags, age))
    return found


def matches(rule: Rule, record: Facts) -> bool:
    kind, trust, author, active, tool, tags, age = record
    return (
        (kind in rule.kind or rule.kind == ())
        and (trust in rule.trust or rule.trust == ())
        and (author in rule.author or rule.author == ())
        and (tool in rule.tool or rule.tool == ())
        and (bool(set(tags) & set(rule.tag)) or rule.tag == ())
        and (rule.older_than is None or age > rule.older_than)
        and rule.active in (None, active)
    )


class TestRules:
    """A rule is dead exactly if no record reaches it: tried with every record there can be."""

    KINDS = (Kind.PLAN, Kind.RESULT, Kind.USER, Kind.TOOLS)
    TRUSTS = (Trust.DEVELOPER, Trust.TOOL)
    RECORDS = every_record()

    @given(st.data())
    def test_of_random_rules(self, data: st.DataObject) -> None:
        some = st.lists
        rules = data.draw(
            some(
                st.builds(
                    Rule,
                    pool=st.just("prefer"),
                    kind=some(st.sampled_from(self.KINDS), max_size=2).map(tuple),
                    author=some(st.sampled_from(Author), max_size=1).map(tuple),
                    trust=some(st.sampled_from(self.TRUSTS), max_size=2).map(tuple),
                    tool=st.sampled_from([(), (), ("read",), ("read", "other")]),
                    tag=st.sampled_from([(), (), ("x",), ("x", "y"), ("y",)]),
                    older_than=st.sampled_from([None, None, 0, 1]),
                    active=st.sampled_from([None, None, True, False]),
                ),
                min_size=1,
                max_size=5,
            )
        )
        protect = data.draw(st.sampled_from([(), (Kind.PLAN,), (Kind.USER, Kind.PLAN)]))
        policy = Policy(protect=protect, pooling=Pooling(rules=tuple(rules)))
        decides: set[int] = set()
        for record in self.RECORDS:
            if record[0] is Kind.TOOLS or (record[0] in protect and record[3]):
                continue
            first = next((n for n, one in enumerate(rules, 1) if matches(one, record)), None)
            decides |= {first} if first else set()
        dead = {knob.place[1] for knob in dead_knobs(policy) if len(knob.place) == 2}
        assert set(range(1, len(rules) + 1)) - decides == dead


class TestShipped:
    @pytest.mark.parametrize("name", [file.policy.name for file in every_policy()])
    def test_no_policy_of_the_package_has_a_dead_knob(self, name: str) -> None:
        (file,) = [file for file in every_policy() if file.policy.name == name]
        assert () == dead_knobs(file.policy)
        roomy = {"max_input_tokens": 100_000, "max_tool_output_chars": 20_000}
        assert () == dead_knobs(file.policy, roomy)

    def test_under_a_small_tool_ceiling_some_are_dead(self) -> None:
        (file,) = [file for file in every_policy() if file.policy.name == "stage-order"]
        knobs = dead_knobs(file.policy, {"max_tool_output_chars": 400})
        assert [("ladder", 5)] == [knob.place for knob in knobs]
        assert 12 == file.line(knobs[0].place)


class TestMore:
    def test_newest_first_has_none_whatever_the_budget(self) -> None:
        assert () == dead_knobs(Policy(), {"max_input_chars": 1, "max_tool_output_chars": 18})

    def test_a_summary_may_be_asked_for_at_the_whole_ceiling(self) -> None:
        """The log can be larger than what is sent, so 100 % is no dead end; nor is no share."""
        assert {} == found("[compact]")
        assert {} == found('[compact]\nat = "100%"')

    def test_a_hundred_rules_are_compared_in_seconds(self) -> None:
        """Each with a hundred tags that another rule has taken."""
        tags = tuple(f"t{n}" for n in range(100))
        rules = tuple(Rule("evict", tag=tags) for _ in range(100))
        policy = Policy(pooling=Pooling(rules=rules, ladder=(Step("evict"), Step("omit"))))
        assert list(range(2, 101)) == [knob.place[1] for knob in dead_knobs(policy)]
