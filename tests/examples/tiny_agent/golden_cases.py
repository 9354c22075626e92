"""The runs that must stay as they are."""

from typing import Any

from agent import run

from curriculum import Case, Recorder


def calling(*names: str) -> dict[str, Any]:
    """A message of the model that calls these tools."""
    calls = [
        {"id": f"c{n}", "function": {"name": x, "arguments": "{}"}} for n, x in enumerate(names)
    ]
    return {"content": None, "tool_calls": calls}


def three_turns(trace: Recorder) -> None:
    """The fourth request no longer has the first turn."""
    turns = [calling("list_files"), calling("read_rules", "read_notes"), calling("read_notes")]
    script = iter([*turns, {"content": "The build is red."}])
    run("What is wrong?", lambda body: next(script), trace)


CASES = [
    Case("three-turns", "old turns are forgotten, the question never is", "completed", three_turns),
]
