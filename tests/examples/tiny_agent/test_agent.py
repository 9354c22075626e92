"""What the agent does, and that its requests stay as they are."""

from agent import run

from curriculum import Recorder


def test_it_answers_without_a_tool(golden_trace: Recorder) -> None:
    answer = run("Hello?", lambda body: {"content": "Hello."}, golden_trace)
    assert answer == "Hello."
