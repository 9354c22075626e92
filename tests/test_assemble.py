"""What `newest-first@1` sends, against numbers that are worked out by hand on the plain wire."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from curriculum.context.assemble import Projection, assemble
from curriculum.context.index import SessionIndex
from curriculum.context.policy import Policy
from curriculum.context.share import share
from curriculum.count.byte_bound import ByteBound
from curriculum.count.counters import Characters
from curriculum.record.cut import Cut
from curriculum.record.records import Answers, Author, Call, Kind, Record, ToolSpec, Trust
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.plain import Plain

TRUST = {
    Kind.INSTRUCTION: Trust.SYSTEM,
    Kind.TOOLS: Trust.DEVELOPER,
    Kind.ASSISTANT: Trust.ASSISTANT,
    Kind.RESULT: Trust.TOOL,
    Kind.OPAQUE: Trust.EXTERNAL,
}


class Log:
    """A log in short: each call appends one record, whatever the laws say."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, kind: Kind, text: str = "", **fields: Any) -> str:
        name = f"r{len(self.records) + 1:04d}"
        trust = TRUST.get(kind, Trust.USER)
        self.records.append(Record(name, kind, trust, Author.HARNESS, "test", text, **fields))
        return name

    def user(self, text: str) -> str:
        return self.add(Kind.USER, text)

    def turn(self, text: str = "", *ids: str) -> str:
        return self.add(Kind.ASSISTANT, text, calls=tuple(Call(id, "t") for id in ids))

    def result(self, turn: str, call: int, text: str) -> str:
        return self.add(Kind.RESULT, text, answers=Answers(turn, call))

    def exchange(self, *texts: str) -> str:
        turn = self.turn("", *(f"c{number + 1}" for number in range(len(texts))))
        for number, text in enumerate(texts):
            self.result(turn, number, text)
        return turn


def body(projection: Projection) -> str:
    assert projection.request is not None
    return projection.request.text


Short = tuple[str, str, str]


def decisions(projection: Projection) -> list[Short]:
    """Records, decision and reason of each entry."""
    return [
        (d.first if d.last is None else f"{d.first}-{d.last}", d.decision, d.reason)
        for d in projection.manifest.decisions
    ]


def s06() -> Log:
    """Tools 14, system 210, user 20, call 20, and a result of 2,000 characters."""
    log = Log()
    log.add(Kind.TOOLS, tools=(ToolSpec("large_result"),))  # +large_result. = 1 + 12 + 1
    log.add(Kind.INSTRUCTION, "s" * 208)  # #...
    log.user("Read large_result.")  # 1 + 18 + 1
    turn = log.add(Kind.ASSISTANT, calls=(Call("c1", "large_result"),))  # !c1 large_result {}.
    log.add(Kind.RESULT, "x" * 2000, answers=Answers(turn, 0))
    return log


class TestSlice:
    def test_ladder(self) -> None:
        """14 + 210 + 20 + 20 + 36 = 300: the result gives way and keeps 12 and 11 characters."""
        manifest = assemble(s06().records, 300, 100).manifest
        assert (300, 100, 300, 300) == (
            manifest.limit,
            manifest.reserve,
            manifest.size,
            manifest.bytes,
        )
        assert (0, 56, 4, 5) == (
            manifest.frame,
            manifest.room,
            manifest.messages,
            manifest.candidates,
        )
        assert [14, 210, 20, 20, 36] == [d.size for d in manifest.decisions]
        cut = manifest.decisions[-1]
        assert (12, 11, 1977) == (cut.head, cut.tail, cut.missing)
        # =c1 and a blank 4, both ends 23, marker [-1977-] 8, line end 1; whole: 4 + 2000 + 1
        assert (36, 36, 2005, "max_input_chars") == (cut.size, cut.share, cut.full, cut.limit)

    def test_bytes(self) -> None:
        """The request is these five lines."""
        expected = (
            "+large_result\n"
            f"#{'s' * 208}\n"
            ">Read large_result.\n"
            "!c1 large_result {}\n"
            f"=c1 {'x' * 12}[-1977-]{'x' * 11}\n"
        )
        assert expected == body(assemble(s06().records, 300))

    def test_reasons(self) -> None:
        """Each record has its decision, with the reason."""
        assert [
            ("r0001", "admitted", "protected-tools"),
            ("r0002", "admitted", "protected-instruction"),
            ("r0003", "admitted", "protected-request"),
            ("r0004", "admitted", "beside-cut"),
            ("r0005", "cut", "cut-to-room"),
        ] == decisions(assemble(s06().records, 300))

    def test_all_fits(self) -> None:
        """At 14 + 210 + 20 + 20 + 2005 = 2269 all is whole; one less, and it is cut."""
        assert 2269 == assemble(s06().records, 2269).manifest.size
        assert decisions(assemble(s06().records, 2269))[-1] == ("r0004-r0005", "admitted", "newest")
        cut = assemble(s06().records, 2268).manifest.decisions[-1]
        # 2268 - 264 = 2004 for the result: 4 + 1 + marker [-6-] 5 + 1994
        assert ("cut", 2004, 997, 997, 6) == (
            cut.decision,
            cut.size,
            cut.head,
            cut.tail,
            cut.missing,
        )

    def test_protected_does_not_fit(self) -> None:
        """14 + 210 + 20 = 244 must stay; under 243 nothing is sent, and the parts add up."""
        projection = assemble(s06().records, 243)
        refused = projection.manifest.refused
        assert refused is not None
        assert ("protected-does-not-fit", "max_input_chars") == (refused.reason, refused.limit)
        assert (243, 244, 0) == (refused.allowed, refused.needed, refused.frame)
        parts = [("r0001", 14), ("r0002", 210), ("r0003", 20)]
        assert parts == [(part.record, part.size) for part in refused.parts]
        assert projection.request is None
        assert () == projection.messages == projection.manifest.decisions

    def test_result_does_not_fit(self) -> None:
        """The marker line takes 13, with the call 33: 276 is too little, 277 enough."""
        refused = assemble(s06().records, 276).manifest.refused
        assert refused is not None
        assert ("result-does-not-fit", "max_input_chars") == (refused.reason, refused.limit)
        assert (32, 33) == (refused.allowed, refused.needed)
        parts = [("r0004", 20), ("r0005", 13)]
        assert parts == [(part.record, part.size) for part in refused.parts]
        assert body(assemble(s06().records, 277)).endswith("{}\n=c1 [-2000-]\n")

    def test_tokens(self) -> None:
        """Under the byte bound a two-byte letter takes two."""
        log = Log()
        log.user("\u00e4" * 10)
        projection = assemble(log.records, 22, counter=ByteBound())
        assert (22, 22, "tokens") == (
            projection.manifest.size,
            projection.manifest.bytes,
            projection.manifest.unit,
        )
        assert assemble(log.records, 21, counter=ByteBound()).request is None
        in_chars = assemble(log.records, 12).manifest
        assert (12, 22) == (in_chars.size, in_chars.bytes)
        assert (12, 22) == (in_chars.decisions[0].size, in_chars.decisions[0].bytes)


def history() -> Log:
    """Three finished rounds and a question; each round: user 10, call 8, result 20, answer 6."""
    log = Log()
    for number in "123":
        log.user("question")  # 10
        log.exchange("r" * 15)  # !c1 t {}. = 9; =c1 rrrrrrrrrrrrrrr. = 20
        log.turn(f"done{number}")  # 7
    log.user("next")  # 6
    return log


class TestLadder:
    def test_newest_first(self) -> None:
        """6 must stay; of 46 a round the newest comes first: 98 holds two rounds, 97 cuts one."""
        assert [
            ("r0001-r0004", "omitted", "no-room"),
            ("r0005-r0012", "admitted", "newest"),
            ("r0013", "admitted", "protected-request"),
        ] == decisions(assemble(history().records, 98))

    def test_no_room_for_text(self) -> None:
        """A user record of 10 is never cut: with 9 left it and all older wait."""
        projection = assemble(history().records, 97)
        entry = projection.manifest.decisions[0]
        assert ("r0001-r0005", "omitted", "no-room") == decisions(projection)[0]
        assert ("r0005", 10, 9, "max_input_chars") == (
            entry.because,
            entry.needs,
            entry.room,
            entry.limit,
        )

    def test_behind_cut(self) -> None:
        """Room 7 + 28: the exchange of 29 gives way, and older records wait behind it."""
        projection = assemble(history().records, 6 + 7 + 28)
        assert [
            ("r0001-r0009", "omitted", "behind-cut"),
            ("r0010", "admitted", "beside-cut"),
            ("r0011", "cut", "cut-to-room"),
            ("r0012", "admitted", "newest"),
            ("r0013", "admitted", "protected-request"),
        ] == decisions(projection)
        cut = projection.manifest.decisions[2]
        # 28 - 9 = 19 for =c1 and a blank 4, line end 1, marker [-6-] 5, so 9 of 15 stay
        assert (19, 5, 4, 6) == (cut.size, cut.head, cut.tail, cut.missing)
        assert "r0010" == projection.manifest.decisions[0].because

    def test_no_room_even_cut(self) -> None:
        """Call 9 and marker line =c1 [-15-] 11 are 20: with 19 the exchange waits too."""
        projection = assemble(history().records, 6 + 7 + 19)
        entry = projection.manifest.decisions[0]
        assert ("r0001-r0011", "omitted", "no-room") == decisions(projection)[0]
        assert ("r0010", 20, 19) == (entry.because, entry.needs, entry.room)

    def test_unseen_before_newer(self) -> None:
        """What the model has not seen goes before a newer note, which waits behind its cut."""
        log = Log()
        log.user("go")  # 4
        log.exchange("r" * 100)  # 9 + 105
        log.add(Kind.MEMORY, "tea")  # :memory tea. = 12
        projection = assemble(log.records, 60)
        assert [
            ("r0001", "admitted", "protected-request"),
            ("r0002", "admitted", "beside-cut"),
            ("r0003", "cut", "cut-to-room"),
            ("r0004", "omitted", "behind-cut"),
        ] == decisions(projection)
        assert 60 == projection.manifest.size

    def test_no_cut(self) -> None:
        """A policy that does not cut leaves the exchange out, or refuses if it is unseen."""
        policy = Policy(name="whole", cut=False)
        projection = assemble(history().records, 6 + 7 + 28, policy=policy)
        assert ("r0001-r0011", "omitted", "no-room") == decisions(projection)[0]
        assert (29, 28) == (
            projection.manifest.decisions[0].needs,
            projection.manifest.decisions[0].room,
        )
        refused = assemble(s06().records, 300, policy=policy).manifest.refused
        assert refused is not None
        assert ("result-does-not-fit", 2025, 56) == (
            refused.reason,
            refused.needed,
            refused.allowed,
        )

    def test_a_cut_of_a_cut(self) -> None:
        """A result that the log holds cut is cut on from the original: one marker, one count."""
        log = Log()
        turn = log.turn("", "c1")
        cut = Cut("a" * 20, "z" * 20, 1000, "0" * 64, "a1b2c3d4")
        log.add(Kind.RESULT, cut=cut, answers=Answers(turn, 0))
        # 9 + 4 + 40 + marker [-960 a1b2c3d4-] 16 + 1
        assert 70 == assemble(log.records, 100).manifest.size
        assert "!c1 t {}\n=c1 aaa[-995 a1b2c3d4-]zz\n" == body(assemble(log.records, 35))


class TestParallel:
    def test_water_filling(self) -> None:
        """45 for 8, 25 and 85: the small stays whole, the others share 37 as 19 and 18."""
        log = Log()
        log.user("go")  # 4
        log.exchange("abc", "d" * 20, "e" * 80)  # calls 9 * 3 = 27; =c1 abc. 8, 25, 85
        projection = assemble(log.records, 4 + 27 + 45)
        assert [
            ("r0001", "admitted", "protected-request"),
            ("r0002-r0003", "admitted", "beside-cut"),
            ("r0004", "cut", "cut-to-room"),
            ("r0005", "cut", "cut-to-room"),
        ] == decisions(projection)
        two, three = projection.manifest.decisions[2:]
        # 19 - 5 - [-12-] 6 = 8 of 20; 18 - 5 - [-73-] 6 = 7 of 80
        assert (19, 4, 4, 12, 25) == (two.share, two.head, two.tail, two.missing, two.full)
        assert (18, 4, 3, 73, 85) == (
            three.share,
            three.head,
            three.tail,
            three.missing,
            three.full,
        )
        assert (
            ">go\n!c1 t {}\n&c2 t {}\n&c3 t {}\n=c1 abc\n=c2 dddd[-12-]dddd\n=c3 eeee[-73-]eee\n"
        ) == body(projection)

    @pytest.mark.parametrize(
        ("expected", "room", "floors", "sizes"),
        [
            ([8, 19, 18], 45, [8, 11, 11], [8, 25, 85]),
            ([8, 25, 85], 118, [8, 11, 11], [8, 25, 85]),
            ([8, 25, 85], 500, [8, 11, 11], [8, 25, 85]),
            ([8, 11, 11], 30, [8, 11, 11], [8, 25, 85]),
            (None, 29, [8, 11, 11], [8, 25, 85]),
            ([20, 6, 5], 31, [20, 1, 1], [20, 9, 9]),
            ([4, 3, 3], 10, [0, 0, 0], [9, 9, 9]),
            ([], 5, [], []),
        ],
    )
    def test_share(
        self, expected: list[int] | None, room: int, floors: Sequence[int], sizes: Sequence[int]
    ) -> None:
        """Each gets its size or the common level, at least its floor; the first get the rest."""
        assert expected == share(room, floors, sizes)

    def test_joints(self) -> None:
        """On a wire with commas between messages they are counted: the edge is exact."""
        log = Log()
        log.user("go")
        log.exchange("abc", "def")
        whole = assemble(log.records, 10**6, wire=OpenAIChat()).manifest.size
        assert whole is not None
        assert whole == assemble(log.records, whole, wire=OpenAIChat()).manifest.size
        short = assemble(log.records, whole - 1, wire=OpenAIChat())
        assert short.request is None or short.manifest.size != whole

    def test_no_message(self) -> None:
        """A body without messages has no comma to save: its frame is 34, and 33 is refused."""
        frame = '{"model":"scripted","messages":[]}'
        assert 34 == len(frame)
        assert frame == body(assemble([], 34, wire=OpenAIChat()))
        refused = assemble([], 33, wire=OpenAIChat()).manifest.refused
        assert refused is not None
        assert (34, 34, 33) == (refused.needed, refused.frame, refused.allowed)


class TestPairing:
    def test_superseded(self) -> None:
        """Only the latest tools are offered; earlier ones can be sent no more."""
        log = Log()
        log.add(Kind.TOOLS, tools=(ToolSpec("old"),))
        log.user("go")
        log.add(Kind.TOOLS, tools=(ToolSpec("new"),))
        projection = assemble(log.records, 100)
        assert "+new\n>go\n" == body(projection)
        assert ("r0001", "omitted", "superseded") == decisions(projection)[0]

    def test_superseded_with_an_index(self) -> None:
        """Nor does an index send tools that it knew as the latest."""
        log = Log()
        log.add(Kind.TOOLS, tools=(ToolSpec("old"),))
        index = SessionIndex(Plain(), Characters())
        policy = Policy(name="loose", protect=())
        assert "+old\n" == body(assemble(log.records, 100, index=index, policy=policy))
        log.add(Kind.TOOLS, tools=(ToolSpec("new"),))
        assert "+new\n" == body(assemble(log.records, 100, index=index, policy=policy))

    def test_unanswered(self) -> None:
        """A turn with a call that has no result waits, with the results that it has."""
        log = Log()
        log.user("go")
        turn = log.turn("", "c1", "c2")
        log.result(turn, 1, "two")
        projection = assemble(log.records, 100)
        assert ">go\n" == body(projection)
        assert ("r0002-r0003", "omitted", "unanswered-call") == decisions(projection)[1]

    def test_out_of_order(self) -> None:
        """Results are sent in call order, whatever order they came in."""
        log = Log()
        turn = log.turn("", "c1", "c2")
        log.result(turn, 1, "two")
        log.result(turn, 0, "one")
        assert "!c1 t {}\n&c2 t {}\n=c1 one\n=c2 two\n" == body(assemble(log.records, 100))

    def test_late_and_twice(self) -> None:
        """A second result, one after the next turn and one for a call that is not there wait."""
        log = Log()
        first = log.turn("", "c1")
        log.result(first, 0, "one")
        log.result(first, 0, "again")
        log.result(first, 7, "seventh")
        log.result(first, -1, "last")
        log.turn("Done.")
        log.result(first, 0, "late")
        projection = assemble(log.records, 100)
        assert "!c1 t {}\n=c1 one\n<Done.\n" == body(projection)
        assert [
            ("r0001-r0002", "admitted", "newest"),
            ("r0003-r0005", "omitted", "unpaired-result"),
            ("r0006", "admitted", "newest"),
            ("r0007", "omitted", "unpaired-result"),
        ] == decisions(projection)

    def test_reused_ids(self) -> None:
        """Two turns whose calls have the same id keep their own results, also within one turn."""
        log = Log()
        log.exchange("one")
        turn = log.turn("", "c1", "c1")
        log.result(turn, 1, "three")
        log.result(turn, 0, "two")
        assert (
            "!c1 t {}\n=c1 one\n!c1 t {}\n&c1 t {}\n=c1 two\n=c1 three\n"
        ) == body(assemble(log.records, 100))  # fmt: skip

    def test_user_between(self) -> None:
        """What a user says between call and result is sent after the result."""
        log = Log()
        turn = log.turn("", "c1")
        log.user("wait")
        log.result(turn, 0, "one")
        projection = assemble(log.records, 100)
        assert "!c1 t {}\n=c1 one\n>wait\n" == body(projection)
        assert [
            ("r0001", "admitted", "newest"),
            ("r0002", "admitted", "protected-request"),
            ("r0003", "admitted", "newest"),
        ] == decisions(projection)
        assert [9, 6, 8] == [d.size for d in projection.manifest.decisions]

    def test_request(self) -> None:
        """All that users said since the last finished turn stays; what stood before it may go."""
        log = Log()
        log.user("old")
        log.turn("Done.")
        log.user("one")
        log.exchange("r" * 50)
        log.user("two")
        projection = assemble(log.records, 35)
        # 35 - 5 - 5 - 9 = 16 for =c1 and a blank 4, line end 1, marker [-45-] 6, so 5 of 50 stay
        assert ">one\n!c1 t {}\n=c1 rrr[-45-]rr\n>two\n" == body(projection)
        assert ("r0001-r0002", "omitted", "behind-cut") == decisions(projection)[0]
        reasons = {d.first: d.reason for d in projection.manifest.decisions}
        assert {"protected-request"} == {reasons["r0003"], reasons["r0006"]}


class TestPlaces:
    def test_limit(self) -> None:
        """Three messages: the question, the newest answer; the exchange of two has no place."""
        projection = assemble(history().records, 1000, max_messages=3)
        entry = projection.manifest.decisions[0]
        assert ("r0001-r0011", "omitted", "no-room") == decisions(projection)[0]
        assert ("max_messages", 2, 1, "r0010") == (
            entry.limit,
            entry.needs,
            entry.room,
            entry.because,
        )
        assert 2 == projection.manifest.messages

    def test_protected(self) -> None:
        """More protected messages than places: nothing is sent. Tools are no message."""
        refused = assemble(s06().records, 1000, max_messages=1).manifest.refused
        assert refused is not None
        assert ("protected-does-not-fit", "max_messages") == (refused.reason, refused.limit)
        assert (1, 2) == (refused.allowed, refused.needed)
        assert [("r0002", 1), ("r0003", 1)] == [(p.record, p.size) for p in refused.parts]
        first = assemble(s06().records[:3], 1000, max_messages=2)
        assert (2, 3) == (first.manifest.messages, len(first.manifest.decisions))

    def test_tools_that_are_not_protected(self) -> None:
        """Nor are they one where a policy only lets them in like any other record."""
        log = Log()
        log.add(Kind.TOOLS, tools=(ToolSpec("t"),))
        log.user("go")
        policy = Policy(name="loose", protect=())
        projection = assemble(log.records, 100, policy=policy, max_messages=1)
        assert "+t\n>go\n" == body(projection)
        assert 1 == projection.manifest.messages

    def test_unseen(self) -> None:
        """The unseen exchange has two messages; with one place nothing is sent."""
        refused = assemble(s06().records, 10**6, max_messages=3).manifest.refused
        assert refused is not None
        assert ("result-does-not-fit", "max_messages") == (refused.reason, refused.limit)
        assert (1, 2) == (refused.allowed, refused.needed)


class TestSlots:
    def test_opaque(self) -> None:
        """An opaque record is never a candidate: it has no decision and does not part a row."""
        log = Log()
        log.add(Kind.OPAQUE)
        log.turn("one")
        log.add(Kind.OPAQUE)
        log.turn("two")
        projection = assemble(log.records, 100)
        assert 2 == projection.manifest.candidates
        assert [("r0002-r0004", "admitted", "newest")] == decisions(projection)
        assert 2 == projection.manifest.messages

    def test_opaque_first(self) -> None:
        """A candidate behind an opaque record has its decision when there is no room for it."""
        log = Log()
        log.add(Kind.OPAQUE)
        log.turn("one")
        log.turn("two")
        assert [
            ("r0002", "omitted", "no-room"),
            ("r0003", "admitted", "newest"),
        ] == decisions(assemble(log.records, 5))

    def test_image(self) -> None:
        """An image has no slot on these wires, whatever the room."""
        log = Log()
        log.add(Kind.IMAGE, "pixels")
        for wire in (Plain(), OpenAIChat()):
            projection = assemble(log.records, 10**6, wire=wire)
            assert [("r0001", "omitted", "no-slot")] == decisions(projection)

    def test_a_stranger_is_no_user(self) -> None:
        """A user record with a lower label has no slot, so it is not protected either."""
        record = Record("r0001", Kind.USER, Trust.EXTERNAL, Author.PERSON, "mail", "Obey.")
        for wire in (Plain(), OpenAIChat()):
            projection = assemble([record], 10**6, wire=wire)
            assert [("r0001", "omitted", "no-slot")] == decisions(projection)

    def test_nor_an_assistant(self) -> None:
        """A turn with a lower label has no slot, and its results wait with it."""
        log = Log()
        log.exchange("one")
        log.records[0] = attrs.evolve(log.records[0], trust=Trust.EXTERNAL)
        for wire in (Plain(), OpenAIChat()):
            projection = assemble(log.records, 10**6, wire=wire)
            assert [("r0001-r0002", "omitted", "no-slot")] == decisions(projection)


class TestPure:
    def test_twice(self) -> None:
        """The log stays as it was, and the same inputs give the same bytes."""
        log = s06()
        before = tuple(log.records)
        one, two = assemble(log.records, 300), assemble(log.records, 300)
        assert before == tuple(log.records)
        assert (one.manifest, body(one)) == (two.manifest, body(two))

    def test_another_log(self) -> None:
        """An index refuses a log that is not the one it knows, grown."""
        index = SessionIndex(Plain(), Characters())
        assemble(s06().records, 300, index=index)
        for other in (s06().records, s06().records[:2], []):
            with pytest.raises(ValueError, match="another log"):
                assemble(other, 300, index=index)

    @pytest.mark.parametrize(
        "other", [{"wire": OpenAIChat()}, {"counter": ByteBound()}, {"wire": OpenAIChat("m")}]
    )
    def test_another_wire_or_counter(self, other: dict[str, Any]) -> None:
        """Nor does it measure for another wire or counter than its own."""
        index = SessionIndex(Plain(), Characters())
        assemble(s06().records, 300, index=index, wire=Plain(), counter=Characters())
        with pytest.raises(ValueError, match=r"was made for \S+, not for"):
            assemble(s06().records, 300, index=index, **other)

    def test_fingerprint(self) -> None:
        """The fingerprint is the SHA-256 of the body."""
        log = Log()
        log.user("hi")
        # printf '>hi\n' | sha256sum
        expected = "dd7545c87599b22f2a3881d8714f8389813e8642a5d5b5351e7141b4332af789"
        assert expected == assemble(log.records, 10).manifest.fingerprint
