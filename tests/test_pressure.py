"""One session under six pressures and every policy: what survives, and what can be reached.

The session: a constraint said early, ordinary talk, one large tool result with a fact near its end,
more work, and a last question that needs both. What is read here are the checked-in traces.
"""

from pathlib import Path

import pytest

from curriculum.course.pressure_cases import CEILINGS, CONSTRAINT, FACT, POLICIES, RESERVE, status
from curriculum.golden.files import root
from curriculum.record.artifacts import ArtifactStore
from curriculum.trace.reader import Trace
from curriculum.trace.rebuild import Rebuild

TABLE = (
    # policy, ceiling, the constraint is sent, the fact, admitted, omitted, size
    ("newest-first", 6000, True, "in view", 18, 0, 3415),
    ("newest-first", 3000, False, "in view", 11, 7, 2899),
    ("newest-first", 1500, False, "in view", 10, 8, 1500),
    ("newest-first", 900, False, "by handle", 10, 8, 900),
    ("newest-first", 400, False, "gone", 8, 10, 400),
    ("pools", 6000, True, "in view", 18, 0, 3415),
    ("pools", 3000, True, "by handle", 18, 0, 1180),
    ("pools", 1500, True, "by handle", 18, 0, 1180),
    ("pools", 900, True, "by handle", 14, 4, 670),
    ("pools", 400, True, "gone", 6, 12, 320),
    ("planner-order", 6000, True, "in view", 18, 0, 3415),
    ("planner-order", 3000, True, "gone", 9, 9, 554),
    ("planner-order", 1500, True, "gone", 9, 9, 554),
    ("planner-order", 900, True, "gone", 9, 9, 554),
    ("planner-order", 400, True, "gone", 7, 11, 368),
    ("stage-order", 6000, True, "by handle", 10, 9, 639),
    ("stage-order", 3000, True, "by handle", 11, 9, 677),
    ("stage-order", 1500, True, "by handle", 10, 10, 639),
    ("stage-order", 900, True, "by handle", 9, 14, 530),
    ("stage-order", 400, True, "by handle", 8, 15, 400),
    ("exact-fit", 6000, True, "in view", 18, 0, 3415),
    ("exact-fit", 3000, True, "by handle", 18, 0, 976),
    ("exact-fit", 1500, True, "by handle", 18, 0, 976),
    ("exact-fit", 900, True, "by handle", 17, 1, 846),
    ("exact-fit", 400, True, "gone", 8, 10, 398),
)
HANDLE = ArtifactStore().put(status())


def trace(policy: str, ceiling: int) -> Trace:
    path: Path = root() / "pressure" / f"{policy}-{ceiling}.jsonl"
    return Trace.parse(path.read_text(encoding="ascii"), path.name)


class TestTheLastRequest:
    """The one in which the model is asked for the fact, under the constraint."""

    @pytest.mark.parametrize(
        ("policy", "ceiling", "constraint", "fact", "sent", "left_out", "size"), TABLE
    )
    def test_what_survives(
        self,
        policy: str,
        ceiling: int,
        constraint: bool,
        fact: str,
        sent: int,
        left_out: int,
        size: int,
    ) -> None:
        run = trace(policy, ceiling)
        made = run.assemblies[-1].data
        body = Rebuild(run).request(run.assemblies[-1]).body.decode()
        reached = "in view" if FACT in body else "by handle" if HANDLE in body else "gone"
        rows = run.manifest(len(run.assemblies))
        admitted = [row.record.id for row in rows if row.decision != "omitted"]
        assert (constraint, fact) == (CONSTRAINT in body, reached)
        assert (sent, left_out) == (len(admitted), len(rows) - len(admitted))
        assert size == made.size == len(body) <= ceiling
        assert run.stop is not None
        assert "completed" == run.stop.reason

    def test_the_reserve_is_there_under_every_policy(self) -> None:
        """What the capacity leaves beside the request is at least the reserve."""
        for policy, ceiling, *_, size in TABLE:
            capacity = trace(policy, ceiling).start.budget["capacity"]
            assert capacity - size >= RESERVE

    @pytest.mark.parametrize("policy", POLICIES)
    def test_where_not_even_the_least_fits_the_run_stops_by_name(self, policy: str) -> None:
        """160 characters: the result that the model waits for has no room, and is not left out."""
        run = trace(policy, CEILINGS[-1])
        assert run.stop is not None
        assert ("result-does-not-fit", 1) == (run.stop.reason, run.stop.turns)
        refused = run.assemblies[-1].data.refused
        assert refused is not None
        assert refused.needed == refused.frame + sum(part.size for part in refused.parts)
        assert refused.needed > refused.allowed

    def test_only_newest_first_forgets_the_constraint(self) -> None:
        """Newest wins is not enough: from 3,000 characters down the rule is gone, unsaid."""
        forgot = {(policy, ceiling) for policy, ceiling, kept, *_ in TABLE if not kept}
        assert {("newest-first", c) for c in (3000, 1500, 900, 400)} == forgot

    def test_every_policy_is_pressed_at_every_ceiling(self) -> None:
        told = {(policy, ceiling) for policy, ceiling, *_ in TABLE}
        told |= {(policy, CEILINGS[-1]) for policy in POLICIES}
        assert {(policy, ceiling) for policy in POLICIES for ceiling in CEILINGS} == told
