"""A log that was cut, by any program, is mended in both directions, and in nothing else."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.context.assemble import assemble
from curriculum.record.exchange import Grouping
from curriculum.record.records import Answers, Author, Call, Kind, Record, Trust
from curriculum.record.session import Session
from curriculum.replay.mending import SAYS, Flaw, mend

from .strategies import WIRES, logs

PERSON: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
MODEL: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "model"}


def log(*words: str) -> list[Record]:
    """`user`, `turn:2` with two calls, `gave:3.0` for call 0 of record 3; ids are positions."""
    found: list[Record] = []
    for at, word in enumerate(words, 1):
        kind, _, rest = word.partition(":")
        id = f"r{at:04d}"
        if kind == "user":
            found.append(Record(id, Kind.USER, text="Go.", **PERSON))
        elif kind == "turn":
            calls = tuple(Call(f"c{n}", f"tool{n}") for n in range(int(rest or 0)))
            found.append(Record(id, Kind.ASSISTANT, calls=calls, **MODEL))
        else:
            record, _, call = rest.partition(".")
            answers = Answers(f"r{int(record):04d}", int(call))
            labels = Trust.TOOL, Author.TOOL, f"tool:tool{call}"
            found.append(Record(id, Kind.RESULT, *labels, f"text of {id}", answers=answers))
    return found


def spelled(records: Sequence[Record]) -> str:
    """A log in a few letters: U, A with its calls, R with what it answers, O for what is kept."""
    said: list[str] = []
    for record in records:
        if record.kind is Kind.USER:
            said.append("U")
        elif record.kind is Kind.ASSISTANT:
            said.append(f"A{len(record.calls)}")
        elif record.answers is not None:
            new = "+" if record.text.startswith("interrupted: ") else ""
            said.append(f"R{int(record.answers.record[1:])}.{record.answers.call}{new}")
        else:
            said.append("O")
    return " ".join(said)


class TestEachFlaw:
    """What a cut leaves, and what becomes of it; a plus is a result that was put in."""

    CASES = (
        (("user", "turn:1"), "U A1 R2.0+", ["unanswered-call"]),
        (("user", "turn:2", "gave:2.0"), "U A2 R2.0 R2.1+", ["unanswered-call"]),
        (("user", "turn:2", "gave:2.1"), "U A2 R2.1 R2.0+", ["unanswered-call"]),
        (("user", "turn:1", "user", "turn:0"), "U A1 R2.0+ U A0", ["unanswered-call"]),
        (("turn:1", "turn:1", "gave:2.0"), "A1 R1.0+ A1 R3.0", ["unanswered-call"]),
        (("gave:1.0", "user"), "O U", ["result-without-call"]),
        (("user", "turn:1", "gave:2.1"), "U A1 R2.0+ O", ["unanswered-call", "result-without-call"]),
        (("turn:1", "gave:1.0", "gave:1.0"), "A1 R1.0 O", ["result-of-answered-call"]),
        (("turn:1", "turn:0", "gave:1.0"), "A1 R1.0+ A0 O", ["unanswered-call", "result-after-next-turn"]),
        (("turn:3", "gave:1.2", "turn:0"), "A3 R1.2 R1.0+ R1.1+ A0", ["unanswered-call"] * 2),
        (("user", "turn:1", "gave:2.0", "turn:0"), "U A1 R2.0 A0", []),
    )  # fmt: skip

    @pytest.mark.parametrize(("words", "want", "flaws"), CASES)
    def test_it(self, words: tuple[str, ...], want: str, flaws: list[str]) -> None:
        made = mend(log(*words))
        assert (want, flaws) == (spelled(made.records), [one.flaw for one in made.mended])

    def test_what_is_kept_holds_all_that_it_held_and_says_why(self) -> None:
        record = mend(log("user", "gave:9.0")).records[1]
        assert ("opaque", "text of r0002", "tool:tool0") == (
            record.kind,
            record.text,
            record.source,
        )
        assert (Flaw.NO_CALL,) == record.tags

    def test_what_is_put_in_says_so_in_our_words(self) -> None:
        record = mend(log("user", "turn:1")).records[2]
        assert "interrupted: tool0 did not finish" == record.text
        assert ("r0003", "tool", "tool", "tool:tool0") == (
            *(record.id, record.trust, record.author, record.source),
        )

    def test_ids_that_move_are_followed(self) -> None:
        """A result behind what was put in answers its own turn under the new id."""
        made = mend(log("turn:1", "turn:1", "gave:2.0"))
        assert ["r0001", "r0002", "r0003", "r0004"] == [record.id for record in made.records]
        assert Answers("r0003", 0) == made.records[3].answers

    def test_a_log_without_a_flaw_is_the_same_log(self) -> None:
        whole = log("user", "turn:2", "gave:2.1", "gave:2.0", "turn:0")
        made = mend(whole)
        assert tuple(whole) == made.records
        assert all(a is b for a, b in zip(whole, made.records, strict=True))

    def test_every_flaw_has_its_sentence(self) -> None:
        assert set(Flaw) == set(SAYS)


def paired(records: Sequence[Record]) -> bool:
    """Each call has one result before the next turn, and each result is that of a call.

    Found by the grouping that every request is made by: no orphan, and no turn that is open.
    """
    grouping = Grouping(lambda record: None)
    grouping.read(records, 0)
    return not any(
        group.orphan or (records[group.main].kind is Kind.ASSISTANT and group.open)
        for group in grouping.groups
    )


class TestAnyLog:
    """Random foreign logs, with results of nothing, results twice, and calls of every number."""

    @given(logs(), st.integers(0, 30), st.integers(0, 30))
    def test_both_directions_hold_and_nothing_else_has_changed(
        self, records: list[Record], start: int, end: int
    ) -> None:
        records = Session().adopt(records)[start : start + end]
        made = mend(records)
        assert paired(made.records)
        again = mend(made.records)
        assert (made.records, ()) == (again.records, again.mended)
        new = [one.record for one in made.mended if not one.was]
        old = [record for record in made.records if record.id not in new] if new else made.records
        assert len(records) == len(old)
        kept = {one.was for one in made.mended}
        for before, after in zip(records, old, strict=True):
            bare: dict[str, Any] = {"id": "", "answers": None, "replaces": None}
            if before.id in kept:
                bare |= {"kind": Kind.OPAQUE, "tags": ()}
            assert attrs.evolve(before, **bare) == attrs.evolve(after, **bare)

    @given(logs(), st.sampled_from(WIRES))
    def test_a_request_can_be_made_of_it_and_leaves_out_no_call_for_want_of_a_result(
        self, records: list[Record], wire: Any
    ) -> None:
        """A session takes it without a word, and no decision is about a half of a pair."""
        made = mend(Session().adopt(records)).records
        adopted = Session().adopt(made)
        projection = assemble(adopted, 10**6, wire=wire)
        reasons = {entry.reason for entry in projection.manifest.decisions}
        assert not reasons & {"unanswered-call", "unpaired-result"}
