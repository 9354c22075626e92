"""What must not change when something else does: ceilings, ids, neighbours, the index.

Nothing here knows how a policy of pools decides: each test says how two assemblies hang together.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curriculum.context.assemble import Projection, assemble
from curriculum.context.index import SessionIndex
from curriculum.context.manifest import Decision
from curriculum.context.policy import Policy
from curriculum.context.policy_registry import every_policy
from curriculum.context.pooling import Pooling, Rule
from curriculum.count.counters import Characters
from curriculum.record.exchange import Grouping
from curriculum.record.records import Author, Kind, Record, Trust, record_id
from curriculum.record.session import Session
from curriculum.wire.protocol import Wire

from .pool_strategies import policies, sessions
from .strategies import WIRES

SHIPPED = [one.policy for one in every_policy()]
shipped = pytest.mark.parametrize("policy", SHIPPED, ids=lambda policy: policy.name)
WIRE = st.sampled_from(WIRES)
ANY = st.sampled_from(SHIPPED) | policies()
CEILINGS = st.integers(1, 900)
MESSAGES = st.none() | st.integers(1, 12)
CUTS = {"mask", "cut", "clear", "externalize", "duplicates", "superseded", "previews"}


@st.composite
def tight(draw: st.DrawFn, few: int = 1, many: int = 1) -> tuple[Any, ...]:
    """A policy, a session, a wire, a limit of messages, and ceilings at which something gives way.

    Most ceilings lie between what must be sent at least and what all of it takes: there the
    ladder and the pools have something to decide.
    """
    policy, records, wire = draw(ANY), draw(sessions(most=14)), draw(WIRE)
    places = draw(st.none() | MESSAGES)
    whole = assemble(records, 10**6, policy=policy, wire=wire).manifest.size or 1
    refused = assemble(records, 1, policy=policy, wire=wire).manifest.refused
    least = min(whole, refused.needed if refused is not None else 1)
    between = st.integers(least, whole + 1)
    limits = draw(st.lists(between | between | CEILINGS, min_size=few, max_size=many, unique=True))
    return policy, records, wire, places, limits


def table(made: Projection) -> dict[str, Decision]:
    """The row that each candidate stands in, by its id."""
    found: dict[str, Decision] = {}
    for row in made.manifest.decisions:
        first, last = int(row.first[1:]), int((row.last or row.first)[1:])
        found |= {record_id(at): row for at in range(first, last + 1)}
    return found


def protected(made: Projection, records: Sequence[Record]) -> set[str]:
    """The records that are sent because they must be. An opaque one among them has no decision."""
    opaque = {record.id for record in records if record.kind is Kind.OPAQUE}
    found = {id for id, row in table(made).items() if row.reason.startswith("protected-")}
    return found - opaque


def whole(made: Projection, wire: Wire, records: Sequence[Record], ids: set[str]) -> list[str]:
    """Those of `ids` that are not sent as the log has them."""
    sent = {message.record: message for message in made.messages}
    told = {m.record: m for m in assemble(records, 10**9, wire=wire).messages}
    return [id for id in sorted(ids) if id not in sent or sent[id] != told.get(id, sent[id])]


def body(made: Projection) -> bytes | None:
    return None if made.request is None else made.request.body


def pooled(policy: Policy) -> Pooling:
    assert policy.pooling is not None
    return policy.pooling


class TestALargerCeiling:
    """More room may change much, but it takes nothing away that must stay."""

    @settings(max_examples=80)
    @given(drawn=tight(3, 5))
    def test_never_loses_what_is_protected(self, drawn: tuple[Any, ...]) -> None:
        """If there is a request at some ceiling, there is one at each larger ceiling, and every
        record that was protected in it is protected there too, and whole."""
        policy, records, wire, places, limits = drawn
        kept, made_before = set[str](), False
        index = SessionIndex(wire, Characters())
        for limit in (*sorted(limits), 10**6):
            made = assemble(records, limit, policy=policy, index=index, max_messages=places)
            if made.request is None:
                assert not made_before
                continue
            made_before = True
            now = protected(made, records)
            assert kept <= now
            kept = now
            assert {"admitted"} >= {table(made)[id].decision for id in kept}
            assert [] == whole(made, wire, records, kept)


class TestANeighbour:
    """What has nothing to do with the rest of the log can push out only what may go."""

    UNRELATED = Rule("evict", name="unrelated", tag=("unrelated",))

    def beside(self, policy: Policy, evicted: bool) -> Policy:
        """The policy, which lets an unrelated memory go first, or says nothing of it."""
        protect = tuple(kind for kind in policy.protect if kind is not Kind.MEMORY)
        if policy.pooling is None:
            return attrs.evolve(policy, protect=protect)
        rules = pooled(policy).rules
        mine = self.UNRELATED if evicted else attrs.evolve(self.UNRELATED, pool="ordinary")
        pooling = attrs.evolve(pooled(policy), rules=(mine, *rules))
        return attrs.evolve(policy, protect=protect, pooling=pooling)

    @settings(max_examples=80)
    @given(
        drawn=tight(),
        evicted=st.booleans(),
        long=st.sampled_from([1, 30, 2_000]),
        many=st.integers(1, 4),
    )
    def test_that_is_unrelated_removes_nothing_protected(
        self, drawn: tuple[Any, ...], evicted: bool, long: int, many: int
    ) -> None:
        """There is a request if and only if there was one, and what was protected stands in it
        as it stood before."""
        policy, records, wire, places, (limit,) = drawn
        policy, index = self.beside(policy, evicted), SessionIndex(wire, Characters())
        terms: dict[str, Any] = {"policy": policy, "max_messages": places, "index": index}
        before = assemble(records, limit, **terms)
        log = list(records)
        for number in range(many):
            text, name = f"unrelated {number} " * long, record_id(len(log) + 1)
            made_by = (Trust.EXTERNAL, Author.TOOL, "elsewhere", text)
            log.append(Record(name, Kind.MEMORY, *made_by, tags=("unrelated",)))
        after = assemble(log, limit, **terms)
        assert (before.request is None) == (after.request is None)
        assert before.manifest.refused == after.manifest.refused
        assert protected(before, log) == protected(after, log)
        assert [] == whole(after, wire, log, protected(before, log))


class TestOtherIds:
    """Ids name things and decide nothing."""

    def renamed(self, records: list[Record], to: str) -> list[Record]:
        """The same log, in which the call `c1` of a turn is called by `to` and its number."""
        return [
            attrs.evolve(
                record,
                calls=tuple(attrs.evolve(c, id=c.id.replace("c", to)) for c in record.calls),
            )
            for record in records
        ]

    @settings(max_examples=40)
    @given(policy=ANY, records=sessions(), wire=WIRE, limit=CEILINGS, places=MESSAGES)
    def test_of_calls_of_the_same_length_change_only_themselves(
        self, policy: Policy, records: list[Record], wire: Wire, limit: int, places: int | None
    ) -> None:
        """The manifest is the same but for the fingerprint, and the body but for the ids."""
        made = [
            assemble(log, limit, policy=policy, wire=wire, max_messages=places)
            for log in (self.renamed(records, "QQZ"), self.renamed(records, "ZZQ"))
        ]
        one, other = (attrs.evolve(m.manifest, fingerprint=None) for m in made)
        assert one == other
        bodies = body(made[0]), body(made[1])
        assert (bodies[0] or b"").replace(b"QQZ", b"ZZQ") == (bodies[1] or b"")

    @settings(max_examples=40)
    @given(policy=ANY, records=sessions(), wire=WIRE, more=st.integers(1, 9))
    def test_of_calls_that_are_longer_take_their_own_length(
        self, policy: Policy, records: list[Record], wire: Wire, more: int
    ) -> None:
        """Where all fits, the request is longer by what its ids are longer, as often as they stand
        in it; all that the rows say beside sizes is the same."""
        short, long = (
            assemble(self.renamed(records, mark), 10**6, policy=policy, wire=wire)
            for mark in ("QQZ", "QQZ" + "Z" * more)
        )
        assert (short.request is None) == (long.request is None)
        if short.request is None or long.request is None:
            return
        rows = zip(short.manifest.decisions, long.manifest.decisions, strict=True)
        for row, other in rows:
            sizes = {"size": None, "bytes": None}
            assert attrs.evolve(row, **sizes) == attrs.evolve(other, **sizes)
        ids = short.request.text.count("QQZ")
        sizes = short.manifest.size or 0, long.manifest.size or 0
        assert sizes[0] + more * ids == sizes[1]
        assert len(short.request.text) + more * ids == len(long.request.text)

    @settings(max_examples=40)
    @given(
        policy=ANY,
        records=sessions(),
        wire=WIRE,
        limit=CEILINGS,
        places=MESSAGES,
        before=st.integers(1, 30),
    )
    def test_of_records_change_only_themselves(
        self,
        policy: Policy,
        records: list[Record],
        wire: Wire,
        limit: int,
        places: int | None,
        before: int,
    ) -> None:
        """Behind records that are no candidates, each id is that much higher, in the manifest
        and where a wire sends it; nothing else is different."""
        at_once, behind = Session(), Session()
        for _ in range(before):
            said = {"trust": Trust.EXTERNAL, "author": Author.TOOL, "source": "elsewhere"}
            behind.append(Kind.OPAQUE, "kept", **said)  # type: ignore[arg-type]
        for session in (at_once, behind):
            session.adopt(records)
        terms: dict[str, Any] = {"policy": policy, "wire": wire, "max_messages": places}
        one, other = (assemble(session, limit, **terms) for session in (at_once, behind))
        assert self.shifted(one, before) == self.shifted(other, 0)

    def shifted(self, made: Projection, by: int) -> str:
        """The manifest and the bytes, with each id of a record made higher by `by`."""
        written = json.dumps(attrs.asdict(attrs.evolve(made.manifest, fingerprint=None)))
        written += (body(made) or b"").decode()
        return re.sub(r"\br(\d{4})\b", lambda id: record_id(int(id[1]) + by), written)


class TestNoCutting:
    """A policy that may not cut sends a thing whole or not at all."""

    @settings(max_examples=150)
    @given(drawn=tight())
    def test_whole_or_out_with_its_exchange(self, drawn: tuple[Any, ...]) -> None:
        """Without `cut` and without a step that reduces, each record is as the log has it, and of
        an exchange all members are sent or none."""
        policy, records, wire, places, (limit,) = drawn
        if policy.pooling is None:
            return
        ladder = tuple(step for step in pooled(policy).ladder if step.name not in CUTS)
        pooling = attrs.evolve(pooled(policy), ladder=ladder)
        policy = attrs.evolve(policy, cut=False, pooling=pooling)
        made = assemble(records, limit, policy=policy, wire=wire, max_messages=places)
        if made.request is None:
            return
        rows = table(made)
        assert {"admitted", "omitted"} >= {row.decision for row in rows.values()}
        opaque = {record.id for record in records if record.kind is Kind.OPAQUE}  # in no decision
        sent = {id for id, row in rows.items() if row.decision == "admitted"} - opaque
        assert sent == {message.record for message in made.messages}
        assert [] == whole(made, wire, records, sent)
        grouping = Grouping(wire.refuses)
        grouping.read(records, 0)
        for group in grouping.groups:
            names = {record_id(at + 1) for at in group.members} - opaque
            assert names <= sent or not names & sent


class TestOneIndex:
    """What an index has learned saves work and decides nothing."""

    def prefixes(
        self,
        several: Sequence[Policy],
        records: list[Record],
        wire: Wire,
        limits: Sequence[int],
        places: int | None,
    ) -> None:
        """Every prefix under every policy, with one index for all and with one for each."""
        kept = SessionIndex(wire, Characters())
        for end in range(1, len(records) + 1):
            for policy in several:
                for limit in limits:
                    terms: dict[str, Any] = {"policy": policy, "max_messages": places}
                    one = assemble(records[:end], limit, index=kept, **terms)
                    other = assemble(records[:end], limit, wire=wire, **terms)
                    assert one.manifest == other.manifest
                    assert body(one) == body(other)
                    assert one.messages == other.messages

    @shipped
    @settings(max_examples=15)
    @given(
        records=sessions(most=12),
        wire=WIRE,
        limits=st.lists(CEILINGS, min_size=1, max_size=2),
        places=MESSAGES,
    )
    def test_that_is_kept_says_the_same_as_a_fresh_one(
        self,
        policy: Policy,
        records: list[Record],
        wire: Wire,
        limits: list[int],
        places: int | None,
    ) -> None:
        """Law 1, for each policy that comes with the package: same bytes, same manifest."""
        self.prefixes([policy], records, wire, limits, places)

    @settings(max_examples=50)
    @given(
        policy=policies(),
        records=sessions(most=12),
        wire=WIRE,
        limits=st.lists(CEILINGS, min_size=1, max_size=2),
        places=MESSAGES,
    )
    def test_that_is_kept_says_the_same_under_any_policy(
        self,
        policy: Policy,
        records: list[Record],
        wire: Wire,
        limits: list[int],
        places: int | None,
    ) -> None:
        self.prefixes([policy], records, wire, limits, places)

    @settings(max_examples=40)
    @given(
        several=st.lists(ANY, min_size=2, max_size=4),
        records=sessions(),
        wire=WIRE,
        limits=st.lists(CEILINGS, min_size=1, max_size=2),
        places=MESSAGES,
    )
    def test_serves_several_policies_at_once(
        self,
        several: list[Policy],
        records: list[Record],
        wire: Wire,
        limits: list[int],
        places: int | None,
    ) -> None:
        """None of them sees that another one has used the same index."""
        self.prefixes(several, records, wire, limits, places)

    @settings(max_examples=40)
    @given(
        policy=ANY,
        other=ANY,
        records=sessions(),
        wire=WIRE,
        limit=CEILINGS,
        between=CEILINGS,
    )
    def test_asked_twice_answers_twice_the_same(
        self,
        policy: Policy,
        other: Policy,
        records: list[Record],
        wire: Wire,
        limit: int,
        between: int,
    ) -> None:
        """Whatever is asked between, the answer is the same; no record is changed, and the first
        answer neither."""
        before = [repr(record) for record in records]
        index = SessionIndex(wire, Characters())
        one = assemble(records, limit, policy=policy, index=index)
        read = one.messages
        assemble(records, between, policy=other, index=index)
        two = assemble(records, limit, policy=policy, index=index)
        assert (one.manifest, body(one)) == (two.manifest, body(two))
        assert read == one.messages == two.messages
        assert before == [repr(record) for record in records]
