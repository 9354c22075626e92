"""The same with syrupy: `assert trace == snapshot`."""

import pytest
from agent import run
from syrupy.assertion import SnapshotAssertion

from curriculum import Recorder
from curriculum.testing.snapshots import GoldenTraceExtension


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(GoldenTraceExtension)


def test_it_answers(snapshot: SnapshotAssertion) -> None:
    trace = Recorder()
    run("Hello?", lambda body: {"content": "Hello."}, trace)
    assert trace == snapshot
