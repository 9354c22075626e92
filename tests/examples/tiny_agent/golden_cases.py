"""The runs that must stay as they are."""

from typing import Any

from agent import run
from own_messages import Agent

from curriculum import Case, Recorder


def calling(*names: str) -> dict[str, Any]:
    """A message of the model that calls these tools."""
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": x, "arguments": "{}"}}
        for n, x in enumerate(names)
    ]
    return {"content": None, "tool_calls": calls}


def three_turns(trace: Recorder) -> None:
    """The fourth request no longer has the first turn."""
    turns = [calling("list_files"), calling("read_rules", "read_notes"), calling("read_notes")]
    script = iter([*turns, {"content": "The build is red."}])
    run("What is wrong?", lambda body: next(script), trace)


def own_messages(trace: Recorder) -> None:
    """Two questions, a timeout, a tool that is none, and an agent that gives up."""
    turns = [calling("read_rules"), TimeoutError(), calling("list_files", "shell")]
    turns += [{"content": "Red."}, *(calling("read_notes") for _ in range(3))]
    script = iter(turns)

    def ask(body: dict[str, Any]) -> dict[str, Any]:
        turn = next(script)
        if isinstance(turn, TimeoutError):
            raise turn
        return turn

    agent = Agent(ask, trace)
    agent.answer("What is wrong?")
    agent.answer("Since when?")
    agent.close()


CASES = [
    Case("three-turns", "old turns are forgotten, the question never is", "completed", three_turns),
    Case("own-messages", "old results give way to a placeholder", "completed", own_messages),
]
