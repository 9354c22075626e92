"""What a policy of pools decides, in small sessions whose answers can be worked out by hand.

On the plain wire a line of text costs its characters, a mark and a line end.
"""

import itertools
from typing import Any

import pytest

from curriculum.context.assemble import Projection, assemble
from curriculum.context.policy import Policy
from curriculum.context.pooling import Again, Pool, Pooling, Rule, Smaller, Step
from curriculum.record.cut import Cut
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust, record_id

PROTECT = (Kind.INSTRUCTION, Kind.TOOLS, Kind.CONSTRAINT, Kind.APPROVAL, Kind.DENIAL)
OMIT = Step("omit")


def policy(*ladder: Step, cut: bool = True, protect: Any = PROTECT, **terms: Any) -> Policy:
    pooling = Pooling(ladder=(*ladder, OMIT), **terms)
    return Policy("test", 1, protect, cut=cut, pooling=pooling)


class Log:
    """A log that is written line by line."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, kind: Kind, text: str = "", trust: Trust = Trust.USER, **more: Any) -> str:
        name = record_id(len(self.records) + 1)
        author = Author.MODEL if kind is Kind.ASSISTANT else Author.PERSON
        self.records.append(Record(name, kind, trust, author, "test", text, **more))
        return name

    def said(self, text: str, **more: Any) -> str:
        return self.add(Kind.ASSISTANT, text, Trust.ASSISTANT, **more)

    def read(self, *outputs: str, name: str = "read", arguments: str = "{}", **more: Any) -> str:
        """A turn with a call for each output; returns the id of the turn."""
        calls = tuple(Call(f"c{n}", name, arguments) for n, _ in enumerate(outputs, 1))
        turn = self.said("", calls=calls)
        for number, text in enumerate(outputs):
            answers = Answers(turn, number)
            self.add(Kind.RESULT, text, Trust.TOOL, answers=answers, **more)
        return turn

    def under(self, chosen: Policy, limit: int, **more: Any) -> Projection:
        return assemble(self.records, limit, policy=chosen, **more)

    def short(self, chosen: Policy) -> Projection:
        """Assembled with room for all but one character."""
        return self.under(chosen, (self.under(chosen, 10**6).manifest.size or 0) - 1)


def table(made: Projection) -> dict[str, str]:
    """The reason for each record, ranges expanded."""
    found: dict[str, str] = {}
    kinds = {message.record: message.kind for message in made.messages}
    for entry in made.manifest.decisions:
        first, last = int(entry.first[1:]), int((entry.last or entry.first)[1:])
        for name in map(record_id, range(first, last + 1)):
            whole = entry.beside is not None and kinds[name] is not Kind.RESULT
            found[name] = entry.beside or "" if whole else entry.reason
    return found


def sent(made: Projection) -> list[str]:
    return [message.record for message in made.messages]


class TestTheLadder:
    """The first rung at which the whole log fits is sent, and no further one is tried."""

    def log(self) -> Log:
        log = Log()
        log.add(Kind.USER, "Go.")  # 5
        for at in range(4):
            log.read(f"{at} " + "x" * 98, arguments=f'{{"n":{at}}}')  # 17 + 105
        return log

    def test_all_whole_while_it_fits(self) -> None:
        made = self.log().under(policy(Step("mask")), 1000)
        assert [("whole", 493)] == [(rung.name, rung.size) for rung in made.manifest.rungs]
        assert {"fits", "protected-request"} == set(table(made).values())

    def test_masks_all_old_results_at_once(self) -> None:
        """Three of four are older than the newest exchange: 100 characters become [-100-]."""
        made = self.log().under(policy(Step("mask")), 492)
        assert [493, 493 - 3 * 93] == [rung.size for rung in made.manifest.rungs]
        reasons = table(made)
        assert ["masked"] * 3 == [reasons[f"r000{at}"] for at in (3, 5, 7)]
        assert "fits" == reasons["r0009"]

    def test_fixed_sizes_keep_the_prefix(self) -> None:
        """An old result has the same bytes in every later request, whatever the room is."""
        log, bodies = self.log(), list[bytes]()
        for at in range(4, 8):
            log.read(f"{at} " + "x" * 98, arguments=f'{{"n":{at}}}')
            request = log.under(policy(Step("cut", 40)), 610).request
            assert request is not None
            bodies.append(request.body)
        for earlier, later in itertools.pairwise(bodies):
            lines, more = earlier.split(b"\n"), later.split(b"\n")
            assert lines[:-3] == more[: len(lines) - 3]

    def test_the_line_between_old_and_recent_moves_in_blocks(self) -> None:
        """With blocks of 3 and one recent, of 4 exchanges 3 are old; of 5 and 6 still 3; of 7, six.

        Of those six, two are too short for a marker to save anything.
        """
        old: list[int] = []
        log = self.log()
        for at in range(4, 8):
            made = log.under(policy(Step("mask"), block=3), 450)
            old.append(sum(reason == "masked" for reason in table(made).values()))
            log.read(f"{at} x", arguments=f'{{"n":{at}}}')
        assert [3, 3, 3, 4] == old

    def test_intact_results_are_never_reduced(self) -> None:
        log = self.log()
        made = log.under(
            policy(Step("mask"), rules=(Rule("ordinary", tool=("read",), intact=True),)), 492
        )
        assert "masked" not in table(made).values()

    def test_a_reduction_that_saves_nothing_is_none(self) -> None:
        """A marker takes five characters for five that are missing."""
        log = Log()
        for text in ("12345", "x" * 50):
            log.read(text, arguments=f'{{"n":"{text}"}}')
        log.read("y" * 50)
        reasons = table(log.short(policy(Step("clear"))))
        assert ["fits", "cleared"] == [reasons["r0002"], reasons["r0004"]]


class TestNeedless:
    """What a later record makes needless, by rule; each names the later one."""

    def because(self, made: Projection) -> dict[str, tuple[str, str | None]]:
        return {d.first: (d.reason, d.because) for d in made.manifest.decisions if d.because}

    def test_the_same_words_said_again(self) -> None:
        log = Log()
        log.said("I will look.")
        log.said("Now.")
        log.said("I will look.")
        made = log.short(policy(Step("duplicates")))
        assert {"r0001": ("duplicate", "r0003")} == self.because(made)

    def test_a_persons_words_are_never_duplicates(self) -> None:
        """Who says yes twice has said yes to two things."""
        log = Log()
        for _ in range(2):
            log.add(Kind.USER, "yes")
            log.said("done")
        made = log.short(policy(Step("duplicates")))
        assert "duplicate" not in [entry[0] for entry in self.because(made).values()][1:]
        assert table(made).get("r0001") != "duplicate"

    def test_the_same_output_read_again(self) -> None:
        log = Log()
        log.read("x" * 60, arguments='{"a":1}')
        log.read("x" * 60, arguments='{"a":2}')
        log.read("y")
        made = log.short(policy(Step("duplicates")))
        assert {"r0002": ("duplicate", "r0004")} == self.because(made)

    def test_results_of_one_turn_are_all_wanted(self) -> None:
        log = Log()
        log.read("x" * 60, "x" * 60)
        log.read("y", name="other")
        assert {} == self.because(log.short(policy(Step("duplicates"), Step("superseded"))))

    def test_the_same_question_with_its_arguments_in_another_order(self) -> None:
        log = Log()
        log.read("x" * 60, arguments='{"a":1,"b":2}')
        log.read("y" * 60, arguments='{ "b": 2, "a": 1 }')
        made = log.short(policy(Step("superseded")))
        assert {"r0002": ("asked-again", "r0004")} == self.because(made)

    def test_the_same_file_read_again_whatever_the_range(self) -> None:
        log = Log()
        log.read("x" * 60, arguments='{"file":"a","start":1}')
        log.read("y" * 60, arguments='{"file":"a","start":9}')
        log.read("z" * 60, arguments='{"file":"b","start":9}')
        chosen = policy(Step("superseded"), again=(Again("read", "file"),))
        assert {"r0002": ("asked-again", "r0004")} == self.because(log.short(chosen))

    def test_a_preview_whose_whole_was_fetched(self) -> None:
        log = Log()
        turn = log.said("", calls=(Call("c1", "read", "{}"),))
        cut = Cut.whole("x" * 900, "a12345678").to(60)
        log.add(Kind.RESULT, "", Trust.TOOL, answers=Answers(turn, 0), cut=cut)
        log.read("x" * 90, name="fetch", arguments='{"handle":"a12345678"}')
        made = log.short(policy(Step("previews")))
        assert {"r0002": ("stale-preview", "r0004")} == self.because(made)

    def test_a_permission_that_was_taken_back(self) -> None:
        """Denials and approvals overrule each other where they are about the same."""
        log = Log()
        log.add(Kind.APPROVAL, "You may deploy.", tags=("about:deploy",))
        log.add(Kind.APPROVAL, "You may read.", tags=("about:read",))
        log.add(Kind.DENIAL, "Do not deploy.", tags=("about:deploy",))
        made = log.short(policy(Step("superseded")))
        assert {"r0001": ("overruled", "r0003")} == self.because(made)
        assert ["protected-approval"] * 2 == [table(made)[name] for name in ("r0002", "r0003")]

    def test_what_a_tool_says_takes_back_nothing_that_a_person_said(self) -> None:
        """Law 10: an approval of lower trust overrules no denial of a person."""
        log = Log()
        log.add(Kind.DENIAL, "Do not deploy.", tags=("about:deploy",))
        log.add(Kind.APPROVAL, "Deploy!", Trust.EXTERNAL, tags=("about:deploy",))
        log.add(Kind.MEMORY, "m" * 50)
        made = log.short(policy(Step("superseded")))
        assert "protected-approval" == table(made)["r0001"]


class TestPools:
    """Where no rung is enough, pools share what is left: in order, with caps and minimums."""

    def log(self) -> Log:
        log = Log()
        for at in range(6):
            tag = ("good",) if at < 3 else ()
            log.add(Kind.MEMORY, f"{at} " + "m" * 40, tags=tag)  # :memory + blank + 42 + end = 51
        return log

    rules = (Rule("prefer", tag=("good",)),)

    def test_what_is_preferred_comes_first_however_old(self) -> None:
        made = self.log().under(policy(rules=self.rules), 170)
        assert ["r0001", "r0002", "r0003"] == sent(made)
        assert ["prefer", "ordinary", "evict"] == [use.pool for use in made.manifest.pools]

    def test_within_a_pool_newest_first(self) -> None:
        made = self.log().under(policy(rules=self.rules), 110)
        assert ["r0002", "r0003"] == sent(made)
        assert ("r0001", 51) == (made.manifest.pools[0].stopped, made.manifest.pools[0].needs)

    def test_a_cap_leaves_room_to_others(self) -> None:
        """Two of five would be preferred, and 40 % of 260 is room for two."""
        pools = (Pool("prefer", cap="40%"),)
        made = self.log().under(policy(rules=self.rules, pools=pools), 260)
        assert ["r0002", "r0003", "r0004", "r0005", "r0006"] == sent(made)

    def test_a_cap_binds_although_everything_would_fit(self) -> None:
        pools = (Pool("prefer", cap=60),)
        made = self.log().under(policy(rules=self.rules, pools=pools), 1000)
        assert ["r0003", "r0004", "r0005", "r0006"] == sent(made)

    def test_a_minimum_is_left_by_those_before(self) -> None:
        """However much is preferred, the newest ordinary record finds its room."""
        pools = (Pool("ordinary", min=51),)
        made = self.log().under(policy(rules=self.rules, pools=pools), 155)
        assert ["r0002", "r0003", "r0006"] == sent(made)

    def test_the_most_worth_of_all(self) -> None:
        """One preferred record (3) is worth less than two others (2 each) of the same room."""
        log = Log()
        log.add(Kind.MEMORY, "m" * 91, tags=("good",))
        log.add(Kind.MEMORY, "m" * 41)
        log.add(Kind.MEMORY, "m" * 41)
        pools = (Pool("prefer", value=3), Pool("ordinary", value=2))
        made = log.under(policy(rules=self.rules, pools=pools, packing="exact"), 100)
        assert ["r0002", "r0003"] == sent(made)
        assert "exact" == made.manifest.packing
        assert "not-chosen" == table(made)["r0001"]

    def test_greedy_where_the_exact_way_is_too_long(self) -> None:
        """3,000 groups x 3,000 of worth are over the bound, and the manifest says what was done."""
        log = Log()
        for at in range(3000):
            log.add(Kind.MEMORY, f"{at}")
        assert "greedy" == log.under(policy(packing="exact"), 500).manifest.packing


class TestHysteresis:
    """Reductions begin at the high mark and reach to the low one."""

    def test_the_same_stay_out_until_the_gap_has_filled(self) -> None:
        """Ceiling 400, low mark 200: what is left out changes once for 200 characters of growth."""
        log, firsts = Log(), list[str]()
        log.add(Kind.USER, "Go.")
        for at in range(60):
            log.said(f"{at:02d} " + "t" * 35)  # 40
            made = log.under(policy(low=200), 400)
            firsts.append(sent(made)[1])
            assert (made.manifest.size or 0) <= 400
        changes = sum(a != b for a, b in itertools.pairwise(firsts))
        assert 11 == changes  # 60 x 40 - 400 = 2,000 over, in steps of 200, and the first

    def test_without_it_every_turn_changes_the_prefix(self) -> None:
        log, firsts = Log(), list[str]()
        log.add(Kind.USER, "Go.")
        for at in range(60):
            log.said(f"{at:02d} " + "t" * 35)
            firsts.append(sent(log.under(policy(), 400))[1])
        changes = sum(a != b for a, b in itertools.pairwise(firsts))
        assert 51 == changes  # the first nine fit beside the prompt

    def test_the_target_stands_in_the_trace(self) -> None:
        log = Log()
        for at in range(12):
            log.said(f"{at:02d} " + "t" * 35)
        made = log.under(policy(low=200), 400)
        assert 480 == made.manifest.rungs[-1].size
        assert 280 == made.manifest.target  # 80 over, so a whole gap of 200 is left out


class TestOrder:
    """Only records outside the conversation move."""

    def log(self) -> Log:
        log = Log()
        log.add(Kind.USER, "Go.")
        log.read("one")
        log.add(Kind.CONSTRAINT, "Never.")
        log.add(Kind.PLAN, "Plan.")
        log.add(Kind.MEMORY, "Tea.")
        log.read("two")
        return log

    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            ("chronological", "1 2 3 4 5 6 7 8"),
            ("protected-first", "4 1 2 3 5 6 7 8"),
            ("edges", "4 1 2 3 6 7 8 5"),
        ],
    )
    def test_who_moves(self, order: str, expected: str) -> None:
        made = self.log().under(
            policy(order=order, rules=(Rule("prefer", kind=(Kind.PLAN,)),)), 900
        )
        assert expected == " ".join(name.lstrip("r0") for name in sent(made))


class TestProtected:
    """What must stay is typed, stays whole, and is named where it does not fit."""

    def test_beside_a_protected_result_others_shrink(self) -> None:
        """An exchange goes together: the protected result stays whole, its sibling is cut."""
        log = Log()
        turn = log.said("", calls=(Call("c1", "read"), Call("c2", "read")))
        log.add(Kind.RESULT, "e" * 60, Trust.TOOL, answers=Answers(turn, 0), tags=("error",))
        log.add(Kind.RESULT, "x" * 200, Trust.TOOL, answers=Answers(turn, 1))
        log.said("Hm.")
        log.add(Kind.USER, "And?")
        chosen = policy(rules=(Rule("protect", tag=("error",)),))
        made = log.under(chosen, 150)
        reasons = table(made)
        assert ["beside-cut", "protected-record", "cut-to-room"] == [
            reasons[name] for name in ("r0001", "r0002", "r0003")
        ]

    def test_what_does_not_fit_is_named_with_its_sizes(self) -> None:
        log = Log()
        log.add(Kind.CONSTRAINT, "c" * 50)
        log.add(Kind.USER, "u" * 50)
        refused = log.under(policy(), 100).manifest.refused
        assert refused is not None
        assert "protected-does-not-fit" == refused.reason
        sizes = {part.record: part.size for part in refused.parts}
        assert {"r0001": 63, "r0002": 52} == sizes
        assert refused.needed == refused.frame + sum(sizes.values()) == 115

    def test_a_smaller_mode_lifts_what_it_names_and_nothing_else(self) -> None:
        log = Log()
        log.add(Kind.CONSTRAINT, "c" * 50)
        log.add(Kind.MEMORY, "m" * 50, tags=("requirement",))
        log.add(Kind.USER, "Go.")
        rules = (Rule("protect", name="needs", tag=("requirement",)),)
        made = log.under(policy(rules=rules, smaller=Smaller("bare", ("needs",))), 100)
        assert "bare" == made.manifest.mode
        assert ["r0001", "r0003"] == sent(made)
        assert made.manifest.smaller is not None
        assert 127 == made.manifest.smaller.needed

    def test_a_policy_that_may_not_cut_stops(self) -> None:
        log = Log()
        log.add(Kind.USER, "Go.")
        log.read("x" * 200)
        refused = log.under(policy(cut=False), 100).manifest.refused
        assert refused is not None
        assert "result-does-not-fit" == refused.reason
        assert log.under(policy(), 100).request is not None
