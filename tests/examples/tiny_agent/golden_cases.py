"""The runs that must stay as they are."""

from typing import Any

from agent import run
from own_messages import Agent

from curriculum import Case, Recorder


def calling(*asked: str) -> dict[str, Any]:
    """A message of the model that asks for files by name, or for tools."""
    calls: list[dict[str, Any]] = []
    for n, name in enumerate(asked):
        reads = "." in name
        arguments = f'{{"path": "{name}"}}' if reads else "{}"
        function = {"name": "read_file" if reads else name, "arguments": arguments}
        calls.append({"id": f"c{n}", "type": "function", "function": function})
    return {"content": None, "tool_calls": calls}


def three_turns(trace: Recorder) -> None:
    """The fourth request no longer has the first turn."""
    asked = [calling("list_files"), calling("rules.txt", "notes.txt"), calling("notes.txt")]
    script = iter([*asked, {"content": "The build is red."}])
    run("What is wrong?", lambda body: next(script), trace)


def own_messages(trace: Recorder) -> None:
    """Two questions, a timeout, a tool and a file that are none, and an agent that gives up."""
    turns = [calling("rules.txt"), TimeoutError(), calling("list_files", "shell", "gone.txt")]
    turns += [{"content": "Red."}, *(calling("notes.txt") for _ in range(3))]
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
