"""`curriculum` alone says what this is and what to run next, in three looks."""

import json

import pytest

from .command import curriculum


@pytest.mark.parametrize("look", [(), ("--plain",)])
def test_the_greeting_ends_with_a_command_that_runs(look: tuple[str, ...]) -> None:
    done = curriculum(*look)
    assert done.code == 0
    assert done.err == ""
    assert done.out.isascii()
    assert "What a coding agent's harness" not in done.out
    assert done.out.splitlines()[0] == ("curriculum: what a coding agent's harness shows its model")
    assert done.out.splitlines()[-1] == "next: curriculum start"


def test_the_greeting_as_data_has_the_same_facts() -> None:
    data = json.loads(curriculum("--json").out)
    assert data["next"] == "curriculum start"
    assert data["lessons"][0]["id"] == "s01-agent-loop"


def test_a_look_stands_after_the_command() -> None:
    """An option in front of the command would be lost silently, so it is refused."""
    done = curriculum("--plain", "lessons")
    assert done.code == 2
    assert "--plain stands after the command: curriculum lessons ... --plain" in done.err
