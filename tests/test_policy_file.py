"""Policy files: what a text means, and how each mistake in one is told."""

import os
from pathlib import Path

import pytest

from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.context.policy_file import LARGEST, policy_from, read_policy
from curriculum.context.policy_problems import PolicyFileError
from curriculum.context.policy_registry import every_policy, policy_file_of, policy_of
from curriculum.context.pooling import (
    POOLS,
    STEPS,
    Again,
    Compaction,
    Pool,
    Pooling,
    Rule,
    Smaller,
    Step,
)
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Author, Kind, Trust

WHOLE = """
name = "mine.2"
version = 12
about = "Everything that a file can say."
protect = ["tools", "constraint"]
current_request = false
cut = true
flat = false
packing = "greedy"
order = "edges"
ladder = ["duplicates", "externalize 200", "cut 40", "evict 2", "evict", "summarise", "omit"]
high = "90%"
low = 1500
recent = 0
block = 3

[[rule]]
pool = "protect"
name = "keep"
tag = ["spec"]

[[rule]]
pool = "evict"
rank = 2
kind = ["result", "plan"]
author = ["tool", "model"]
trust = ["tool", "external"]
tool = ["read"]
tag = ["old", "stale"]
older_than = 0
active = false
externalize = true
intact = true

[pool.evict]
cap = 100
value = 0
[pool.prefer]
min = "5%"
cap = "100%"

[[again]]
tool = "read"
argument = "path"

[smaller]
name = "bare"
release = ["keep"]

[compact]
recent = 1
at = "0%"
records = 40
least = "5%"
preserve = ["Task:"]
keep = ["plan"]
drop = ["result", "image"]
instruction = "Be brief."
"""
POLICY = Policy(
    name="mine.2",
    version=12,
    protect=(Kind.TOOLS, Kind.CONSTRAINT),
    current_request=False,
    cut=True,
    flat=False,
    pooling=Pooling(
        rules=(
            Rule("protect", "keep", tag=("spec",)),
            Rule(
                "evict",
                rank=2,
                kind=(Kind.RESULT, Kind.PLAN),
                author=(Author.TOOL, Author.MODEL),
                trust=(Trust.TOOL, Trust.EXTERNAL),
                tool=("read",),
                tag=("old", "stale"),
                older_than=0,
                active=False,
                externalize=True,
                intact=True,
            ),
        ),
        pools=(Pool("prefer", "100%", "5%"), Pool("evict", 100, None, 0)),
        ladder=(
            Step("duplicates"),
            Step("externalize", 200),
            Step("cut", 40),
            Step("evict", 2),
            Step("evict"),
            Step("summarise"),
            Step("omit"),
        ),
        packing="greedy",
        order="edges",
        high="90%",
        low=1500,
        recent=0,
        block=3,
        again=(Again("read", "path"),),
        smaller=Smaller("bare", ("keep",)),
        compact=Compaction(
            1, "0%", 40, "5%", ("Task:",), (Kind.PLAN,), (Kind.RESULT, Kind.IMAGE), "Be brief."
        ),
    ),
)


def refused(text: str) -> PolicyFileError:
    with pytest.raises(PolicyFileError) as caught:
        policy_from(text, "p.toml")
    return caught.value


class TestMeaning:
    """A text says what a policy is; what it leaves out is as the classes have it."""

    def test_every_key(self) -> None:
        found = policy_from(WHOLE)
        assert POLICY == found.policy
        assert "Everything that a file can say." == found.about
        assert WHOLE == found.text

    def test_each_value_and_each_entry_of_a_list_is_counted_once(self) -> None:
        """12 by themselves, 2 kinds, 7 steps; the rules 3 and 15; pools 4, again 2; 2; 9."""
        assert 12 + 2 + 7 + 3 + 15 + 4 + 2 + 2 + 9 == policy_from(WHOLE).checked

    def test_an_empty_file_is_newest_first(self) -> None:
        assert NEWEST_FIRST == policy_from("").policy
        assert ("", 0) == (policy_from("# nothing").about, policy_from("").checked)

    def test_about_is_no_part_of_what_is_hashed(self) -> None:
        one, other = policy_from('about = "a"'), policy_from('about = "b"')
        assert (one.policy.id, "a") == (other.policy.id, one.about)

    @pytest.mark.parametrize(
        "text",
        [
            *(
                'packing = "greedy"',
                'order = "chronological"',
                'ladder = ["omit"]',
                'high = "100%"',
            ),
            *("recent = 1", "block = 1", "rule = []", "again = []", "[pool]"),
        ],
    )
    def test_one_word_about_pools_makes_pools(self, text: str) -> None:
        """Even the defaults: what is said is hashed, and newest first says none of it."""
        assert Pooling() == policy_from(text).policy.pooling

    def test_what_newest_first_cannot_protect_by_itself_needs_classes(self) -> None:
        """Only instructions and tools are protected without them."""
        assert policy_from('protect = ["tools"]').policy.pooling is None
        text = 'protect = ["tools", "constraint"]'
        assert Pooling() == policy_from(text).policy.pooling

    def test_dotted_and_inline_tables_say_the_same(self) -> None:
        text = (
            'rule = [{ pool = "evict" }]\npool.evict.cap = 3\nsmaller = {name="a", release=["b"]}'
        )
        assert "b" in str(refused(text))
        pooling = policy_from(text.partition("\nsmaller")[0]).policy.pooling
        assert Pooling(rules=(Rule("evict"),), pools=(Pool("evict", 3),)) == pooling

    def test_a_byte_order_mark_and_cr_lf_change_nothing(self, tmp_path: Path) -> None:
        file = tmp_path / "p.toml"
        file.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
        assert POLICY == read_policy(file).policy

    def test_a_line_of_a_knob_is_found(self) -> None:
        found = policy_from(WHOLE)
        lines = WHOLE.split("\n")
        assert "rank = 2" == lines[found.line(("rule", 2, "rank")) - 1]
        assert lines[found.line(("ladder", 3)) - 1].startswith("ladder = ")
        assert "[compact]" == lines[found.line(("compact",)) - 1]


RULE = '[[rule]]\npool = "protect"\nname = "a"\n'
RELEASE = '[smaller]\nname = "s"\nrelease = ["a"]\n'
AGAIN = '[[again]]\ntool = "a"\nargument = "b"\n'
WRONG = {
    # what: text, code, line, says, nearest
    "key": ("\nnam = 1", "unknown-key", 2, "a policy has no key 'nam'.", "name"),
    "key of a rule": (RULE + "ranks = 1", "unknown-key", 4, "rule 1 has no key 'ranks'.", "rank"),
    "key of a pool": ("[pool.prefer]\ncaps = 1", "unknown-key", 2, "no key 'caps'", "cap"),
    "key of again": (AGAIN + "tols = 1", "unknown-key", 4, "again 1 has no key 'tols'.", "tool"),
    "key of smaller": (RELEASE + "x=1", "unknown-key", 4, "smaller has no key 'x'", ""),
    "key of compact": ("[compact]\ndrops=[]", "unknown-key", 2, "has no key 'drops'.", "drop"),
    "pool table": ("\n[pool.protect]\ncap = 1", "unknown-key", 2, "pool has no key 'protect'.", ""),
    "kind": ('[[rule]]\nkind = [\n"plan",\n"reslut"]\npool = "evict"', "unknown-word", 4,
             "rule 1, kind 2: no kind is called 'reslut'.", "result"),
    "protected kind": ('protect = ["tolls"]', "unknown-word", 1, "is called 'tolls'.", "tools"),
    "opaque": ('protect = ["opaque"]', "unknown-word", 1, "opaque records are never sent", ""),
    "trust": (RULE + 'trust = ["use"]', "unknown-word", 4, "trust label is called 'use'.", "user"),
    "author": (RULE + 'author = ["persn"]', "unknown-word", 4, "author is called 'persn'.", "person"),
    "pool": ('[[rule]]\npool = "Prefered"', "unknown-word", 2, "called 'Prefered'.", "prefer"),
    "step": ('\nladder = ["masks", "omit"]', "unknown-word", 2, "step is called 'masks'", "mask"),
    "packing": ('packing = "greed"', "unknown-word", 1, "packing is called 'greed'.", "greedy"),
    "order": ('order = "edge"', "unknown-word", 1, "order is called 'edge'.", "edges"),
    "truth for number": ("version = true", "type", 1, "version is true; it must be a whole", ""),
    "truth for recent": ("recent = false", "type", 1, "recent is false; it must be a whole", ""),
    "truth for rank": (RULE + "rank = true", "type", 4, "rule 1, rank is true; it must", ""),
    "truth for amount": ("high = true", "amount", 1, "high is true; it must be a whole", ""),
    "number for truth": ("flat = 1", "type", 1, "flat is 1; it must be true or false.", ""),
    "number for text": ("name = 7", "type", 1, "name is 7; it must be a text.", ""),
    "empty text": ('about = ""', "type", 1, "about is ''; it must be a text.", ""),
    "text for number": ('block = "1"', "type", 1, "block is '1'; it must be a whole", ""),
    "fraction": ("block = 1.5", "type", 1, "block is 1.5; it must be a whole number from 1 on", ""),
    "date": ("block = 1979-05-27", "type", 1, "block is a date or a time; it must", ""),
    "block 0": ("block = 0", "type", 1, "block is 0; it must be a whole number from 1 on", ""),
    "below 0": ("recent = -1", "type", 1, "recent is -1; it must be a whole number from 0", ""),
    "16 digits": ("recent = 1_000_000_000_000_000", "type", 1, "of at most 15 digits", ""),
    "10-digit version": ("version = 1000000000", "type", 1, "a version has at most 9 digits.", ""),
    "text for list": ('protect = "tools"', "type", 1, "protect is 'tools'; it must be a list.", ""),
    "number in list": ('protect = ["tools",\n3]', "type", 2, "protect 2 is 3; it must be a", ""),
    "table for list": ('[rule]\npool = "evict"', "type", 1, "is a table; write [[rule]].", ""),
    "list of no tables": ("rule = [1]", "type", 1, "rule 1 is 1; it must be a table.", ""),
    "number for table": ("compact = 1", "type", 1, "compact is 1; it must be a table.", ""),
    "number for pool": ("[pool]\nprefer = 1", "type", 2, "pool.prefer is 1; it must be a", ""),
    "twice": ('protect = ["tools", "tools"]', "duplicate", 1, "protect 2 is 'tools'; it stands", ""),
    "101 %": ('high = "101%"', "amount", 1, "high is '101%'; it must", ""),
    "share with blank": ('high = "50 %"', "amount", 1, "high is '50 %'; it must", ""),
    "share of a fraction": ('low = "1.5%"', "amount", 1, "low is '1.5%'; it must", ""),
    "other digits": ('low = "\u0665%"', "amount", 1, "low is '\\u0665%'; it must", ""),
    "below no size": ("low = -5", "amount", 1, "low is -5; it must", ""),
    "cap": ('[pool.evict]\ncap = "all"', "amount", 2, "pool.evict.cap is 'all'; it must", ""),
    "name": ('name = "Mine"', "name", 1, "name is 'Mine'; a name is lower-case letters", ""),
    "name of a rule": ('[[rule]]\npool = "evict"\nname = "a b"', "name", 3, "is 'a b'; a name", ""),
    "name of a mode": (RULE + '[smaller]\nname = "[x]"\nrelease = ["a"]', "name", 5, "'[x]'", ""),
    "no pool": ('\n[[rule]]\nkind = ["plan"]', "missing", 2, "rule 1 has no pool.", ""),
    "no argument": ('[[again]]\ntool = "a"', "missing", 1, "again 1 has no argument.", ""),
    "no release": ('[smaller]\nname = "a"', "missing", 1, "smaller has no release.", ""),
    "empty release": ('[smaller]\nname = "a"\nrelease = []', "release", 3, "must name a rule", ""),
    "empty ladder": ("ladder = []", "ladder", 1, 'has no steps; the least is ["omit"].', ""),
    "ladder is text": ('ladder = "omit"', "type", 1, "ladder is 'omit'; it must be a list.", ""),
    "step is number": ('ladder = [3, "omit"]', "type", 1, "ladder 1 is 3; a step is a text.", ""),
    "no omit": ('ladder = ["mask"]', "ladder", 1, "ladder does not end in omit", ""),
    "omit first": ('ladder = ["omit",\n"mask"]', "ladder", 1, "ladder 1 of 2 is omit, which", ""),
    "omit twice": ('ladder = ["omit",\n"omit"]', "ladder", 1, "ladder 1 of 2 is omit, which", ""),
    "two summaries": ('ladder = ["summarise",\n"summarise", "omit"]\n[compact]', "ladder", 2,
                      "ladder 2 is a second summarise", ""),
    "cut what": ('ladder = ["cut", "omit"]', "ladder", 1, "cut takes a whole number", "cut 400"),
    "cut to 0": ('ladder = ["cut 0", "omit"]', "ladder", 1, "ladder 1 is 'cut 0'; cut takes", ""),
    "two blanks": ('ladder = ["cut  9", "omit"]', "ladder", 1, "is 'cut  9'; cut takes", ""),
    "no preview": ('ladder = ["externalize", "omit"]', "ladder", 1, "externalize takes a", ""),
    "odd rank": ('ladder = ["evict x", "omit"]', "ladder", 1, "evict takes a whole", "evict 2"),
    "number for mask": ('ladder = ["mask 3", "omit"]', "ladder", 1, "mask takes no number.", "mask"),
    "no compact": ('ladder = [\n"summarise", "omit"]', "contradiction", 2, "there is no [compact]", ""),
    "two rules": (RULE * 2, "duplicate", 6, "rule 2, name is 'a', as rule 1 is called.", ""),
    "two tools": (AGAIN * 2, "duplicate", 5, "again 2, tool is", ""),
    "releases none": (RULE + RELEASE.replace('"a"', '"aa"'), "release", 6, "is called 'aa'.", "a"),
    "releases evict": (RULE.replace("protect", "evict") + RELEASE, "release", 6,
                       "the rule a is of the pool evict, so there is no protection to lift.", ""),
    "releases safety": (RULE + 'kind = ["plan", "denial"]\n' + RELEASE, "safety", 7,
                        "the rule a protects denial, which no smaller mode releases.", ""),
    "keeps safety": ('[compact]\nkeep = ["plan",\n"constraint"]', "safety", 3,
                     "compact.keep 2 is constraint, but no summary stands for such a record.", ""),
    "drops safety": ('[compact]\ndrop = ["tools"]', "safety", 2, "compact.drop 1 is tools, but", ""),
    "exact and flat": ('packing = "exact"', "contradiction", 1, "write flat = false.", ""),
    "exact and flat said": ('packing = "exact"\nflat = true', "contradiction", 2, "flat is true", ""),
    "exact and cap": ('flat = false\npacking = "exact"\n[pool.evict]\ncap = 3', "exact", 4,
                      "pool.evict.cap is 3, but packing is exact: exact knows values, not shares.", ""),
    "exact and min": ('flat = false\npacking = "exact"\n[pool.evict]\nmin = "3%"', "exact", 4,
                      "pool.evict.min is '3%', but packing is exact", ""),
    "no cut but mask": ('cut = false\nladder = ["mask",\n"omit"]', "contradiction", 2,
                        "ladder 1 is mask, but cut is false: no result is cut.", ""),
    "no cut but clear": ('cut = false\nladder = ["clear", "omit"]', "contradiction", 2, "is clear", ""),
    "no cut but cut": ('cut = false\nladder = ["cut 3", "omit"]', "contradiction", 2, "is cut 3", ""),
    "no cut but handle": ('cut = false\nladder = ["externalize 3", "omit"]', "contradiction", 2,
                          "ladder 1 is externalize 3, but cut is false", ""),
    "min over cap": ('[pool.evict]\ncap = "30%"\nmin = "31%"', "contradiction", 3,
                     "pool.evict.min is '31%', over its own cap '30%'.", ""),
    "min over cap in numbers": ("[pool.evict]\ncap = 30\nmin = 31", "contradiction", 3, "is 31", ""),
    "ingest": ("\n[[ingest]]\n", "missing", 2, "A truncation rule needs unit", ""),
    "ingest by its key": ('[[ingest]]\nunit = "chars"\nmost = "9"', "number", 3, "most is '9'", ""),
    "ingest by its word": ('[[ingest]]\nmost = 90\n\nunit = "char"', "unit", 4, "unit is 'char'", ""),
    "ingest of no table": ("ingest = [1]", "type", 1, "ingest 1 is 1; it must be a table.", ""),
    "a key of ingest": ('[[ingest]]\nunit="chars"\nmost=90\nkeeps=3', "unknown-key", 4, "'keeps'", "keep"),
    "too many": ("protect = [\n" + '"tools",\n' * 101 + "]", "too-many", 1, "100 entries are", ""),
}  # fmt: skip


class TestMistakes:
    """Each is told with its code, its line, the wrong value and the nearest word."""

    @pytest.mark.parametrize("what", WRONG)
    def test_one(self, what: str) -> None:
        text, code, line, says, near = WRONG[what]
        error = refused(text)
        assert f"policy-{code}" == error.code, error
        assert error.headline.startswith(f"p.toml, line {line}: "), error
        assert says in error.headline
        if near:
            assert f"nearest: {near}" == error.evidence[0]
        assert error.next.startswith("curriculum policy check p.toml ")

    def test_the_known_words_are_listed(self) -> None:
        error = refused('[[rule]]\npool = "x"')
        assert f"known: {', '.join(POOLS)}" == error.evidence[1]
        assert f"known: {', '.join(STEPS)}" in refused('ladder = ["x", "omit"]').evidence

    def test_every_mistake_is_told_at_once_in_the_order_of_lines(self) -> None:
        error = refused('[[rule]]\nrank = "x"\npool = "y"\n[compact]\nrecent = 0\n')
        assert error.headline.startswith("p.toml, line 2: rule 1, rank is 'x';")
        assert (
            "and line 3: rule 1, pool: no pool is called 'y'. nearest: ordinary"
            " [policy-unknown-word]"
        ) == error.evidence[0]
        assert error.evidence[1].startswith("and line 5: compact.recent is 0; it must be a whole")
        assert 2 == len(error.evidence)

    def test_of_what_is_no_table_no_more_is_said(self) -> None:
        for text in ("rule = [1]", "smaller = 1", "again = [true]"):
            assert () == refused(text).evidence

    def test_of_a_flood_the_first_twenty_are_told(self) -> None:
        error = refused("".join(f"x{n} = 1\n" for n in range(50)))
        assert 2 + 19 + 1 == len(error.evidence)
        assert "and 30 more" == error.evidence[-1]

    @pytest.mark.parametrize(
        "near",
        [
            RULE + 'kind = ["plan"]\n' + RELEASE,
            'cut = false\nladder = ["duplicates", "evict", "omit"]',
            'cut = false\nladder = ["omit"]',
            'flat = false\npacking = "exact"\n[pool.evict]\nvalue = 3',
            'ladder = ["summarise", "omit"]\n[compact]',
            '[pool.evict]\ncap = "30%"\nmin = "30%"',
            '[pool.evict]\ncap = 3\nmin = "30%"',
            '[compact]\nkeep = ["plan"]\ndrop = ["user"]',
            'name = "0.a_b-c"\nversion = 0\nhigh = 0\nlow = "0%"',
            RULE + RULE.replace('"a"', '"b"') + '[[rule]]\npool = "evict"\n' * 2,
        ],
    )
    def test_what_is_nearly_the_same_is_taken(self, near: str) -> None:
        assert policy_from(near).policy


BROKEN = {
    "no value": ("a = 1\nb =\n", 2),
    "a key twice": ("cut = true\n\ncut = true", 3),
    "a table twice": ("[pool]\n[pool]\n", 2),
    "an open text": ('a = 1\nb = "x', 2),
    "an open list": ("a = [\n1,\n", 2),
    "a word": ("\n\nhello", 3),
    "a null": ("a = 1 # \0", 1),
    "lone CR": ("a = 1\rb = 2", 1),
    "a flood of digits": ("a = 1\nb = " + "9" * 5000, 2),
    "deep lists": ("a = 1\nb = " + "[" * 50_000 + "]" * 50_000, 2),
    "a key of many parts": ("a = 1\n" + "b." * 400_000 + "c = 1", 2),
    "line separators are no lines": ("a = '\u2028\x85'\nb = ]", 2),
    "nor before a key of many parts": ("a = '\u2028\x85'\n" + "b." * 101 + "c = 1", 2),
}


class TestNoToml:
    """What is no TOML is told with its line, whatever the reader makes of it."""

    @pytest.mark.parametrize("what", BROKEN)
    def test_it_has_a_line(self, what: str) -> None:
        text, line = BROKEN[what]
        error = refused(text)
        assert ("policy-toml", f"p.toml, line {line}: this is no TOML.") == (
            error.code,
            error.headline,
        )
        assert error.evidence[0]

    @pytest.mark.parametrize("key", ["most", "unit", "head", "whole_lines"])
    @pytest.mark.parametrize("value", ["0x" + "f" * 9000, '"' + "x" * 9000 + '"', "nan", "[1]"])
    def test_nor_at_the_door_of_the_log(self, key: str, value: str) -> None:
        error = refused(f"[[ingest]]\n{key} = {value}")
        assert ("policy-type", True) == (error.code, len(str(error)) < 300)
        assert error.headline.startswith(f"p.toml, line 2: ingest 1, {key} is ")

    @pytest.mark.parametrize("value", ["0x" + "f" * 9000, '"' + "x" * 9000 + '"', "1e999", "nan"])
    def test_a_value_is_shown_no_longer_than_a_line(self, value: str) -> None:
        error = refused(f"block = {value}")
        assert "policy-type" == error.code
        assert len(error.headline) < 200


class TestFiles:
    """A path is read once, whole, and no further than it may."""

    def test_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.toml"
        file.write_text(WHOLE, encoding="utf-8")
        assert POLICY == read_policy(file).policy
        assert POLICY == policy_of(str(file))

    def test_a_missing_one_is_answered_with_the_nearest(self, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").touch()
        with pytest.raises(PolicyFileError) as caught:
            read_policy(tmp_path / "mina.toml")
        assert "policy-unreadable" == caught.value.code
        assert (f"nearest: {tmp_path / 'mine.toml'}",) == caught.value.evidence

    @pytest.mark.parametrize(
        ("raw", "code", "says"),
        [
            (b"x" * (LARGEST + 1), "too-large", "has more than 1000000 bytes."),
            (b"# " + b"x" * (LARGEST - 2), "", ""),
            (b"a = '\xff'", "unreadable", "it is no UTF-8 text (byte 5)."),
            ("a = 1".encode("utf-16"), "unreadable", "it is no UTF-8 text (byte 0)."),
        ],
    )
    def test_size_and_encoding(self, raw: bytes, code: str, says: str, tmp_path: Path) -> None:
        file = tmp_path / "p.toml"
        file.write_bytes(raw)
        if not code:
            assert NEWEST_FIRST == read_policy(file).policy
            return
        with pytest.raises(PolicyFileError) as caught:
            read_policy(file)
        assert f"policy-{code}" == caught.value.code
        assert says in caught.value.headline

    def test_a_folder_a_device_and_no_name(self, tmp_path: Path) -> None:
        odd = {str(tmp_path): "it is a folder.", "a\0.toml": "that is no file name."}
        if os.path.exists("/dev/zero"):
            odd["/dev/zero"] = "it is no regular file."
        for path, says in odd.items():
            with pytest.raises(PolicyFileError) as caught:
                read_policy(path)
            assert "policy-unreadable" == caught.value.code
            assert says in caught.value.headline


class TestShipped:
    """The policies that come with the package have names, and can be asked for by them."""

    def test_newest_first_is_the_policy_of_the_first_lessons(self) -> None:
        (file,) = [one for one in every_policy() if one.policy.name == "newest-first"]
        assert NEWEST_FIRST == file.policy
        assert "newest-first@1#33fc9d5b" == file.policy.id

    def test_each_is_there_in_order_and_says_what_it_is(self) -> None:
        names = [one.policy.name for one in every_policy()]
        shipped = ["exact-fit", "newest-first", "planner-order", "pools", "stage-order"]
        assert shipped == sorted(set(names))
        assert sorted(names) == names
        assert all(one.about for one in every_policy())
        assert every_policy() is every_policy()

    def test_the_planner_has_five_steps_and_three_texts_that_it_never_evicts(self) -> None:
        pooling = policy_of("planner-order@1").pooling
        assert pooling is not None
        steps = ["evict 1", "evict 2", "evict 3", "evict 4", "evict 5", "omit"]
        assert steps == [str(step) for step in pooling.ladder]
        assert ("active-spec", "rules-constitution", "project-profile") == pooling.rules[0].tag

    def test_a_name_a_version_and_a_hash(self) -> None:
        policy = policy_of("pools")
        hash = policy.id.partition("#")[2]
        for name in ("pools@1", policy.id, f"pools#{hash}"):
            assert policy is policy_of(name)

    def test_the_newest_version_is_the_one_without_a_version(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        two = [policy_from(f'name = "p"\nversion = {n}') for n in (2, 10)]
        monkeypatch.setattr("curriculum.context.policy_registry.every_policy", lambda: tuple(two))
        assert [10, 2] == [policy_of(name).version for name in ("p", "p@2")]

    @pytest.mark.parametrize(
        ("name", "near"),
        [
            *(("pool", "pools@1"), ("pools@2", "pools@1"), ("Newest-First@1", "newest-first@1")),
            *(("pools@01", "pools@1"), ("pools@1@1", "pools@1"), ("pools@", "pools@1")),
            *(("pools ", "pools@1"), ("stage_order", "stage-order@1")),
        ],
    )
    def test_an_unknown_name_is_answered_with_the_nearest(self, name: str, near: str) -> None:
        with pytest.raises(CurriculumError) as caught:
            policy_of(name)
        error = caught.value
        assert ("policy-unknown", "curriculum policies") == (error.code, error.next)
        assert f"nearest: {near}" == error.evidence[0]

    @pytest.mark.parametrize("name", ["", "@1", "#", "\0", "x" * 100_000])
    def test_what_is_no_name_is_unknown(self, name: str) -> None:
        with pytest.raises(CurriculumError) as caught:
            policy_of(name)
        assert "policy-unknown" == caught.value.code

    def test_another_hash_is_another_policy(self) -> None:
        """A trace that names it was made with something that is not installed here."""
        with pytest.raises(CurriculumError) as caught:
            policy_of("newest-first@1#33fc9d5c")
        error = caught.value
        assert "component-not-installed" == error.code
        assert "'newest-first@1#33fc9d5c'; here is newest-first@1#33fc9d5b." in error.headline

    def test_a_path_is_a_file(self) -> None:
        for path in ("pools.toml", "./pools", "a/pools@1"):
            with pytest.raises(PolicyFileError) as caught:
                policy_file_of(path)
            assert "policy-unreadable" == caught.value.code
