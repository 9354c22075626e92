"""A small agent with a loop of its own: it forgets old turns and shortens what tools return."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from curriculum import (
    Call,
    Choice,
    ContextBudget,
    OpenAIChat,
    Record,
    Recorder,
    Recording,
    Tool,
)

Ask = Callable[[dict[str, Any]], dict[str, Any]]
"""A model's client: the body of a Chat Completions request goes in, a message comes out."""

FILES = {"rules.txt": "Answer in one sentence.\n" * 40, "notes.txt": "The build is red.\n"}
PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = {
    "list_files": Tool("list_files", lambda: "\n".join(FILES), "Names all files."),
    "read_file": Tool("read_file", lambda path: FILES[path], "Reads one file.", PATH),
}
BUDGET = ContextBudget(max_input_chars=1500, max_tool_output_chars=300)


def run(question: str, ask: Ask, trace: Recorder) -> str:
    """Answer one question. Every step goes into `trace`."""
    with Recording(
        trace, "tiny-agent@1", policy="last-turns@1", budget=BUDGET, wire=OpenAIChat("tiny")
    ) as recording:
        recording.record("tools", tools=TOOLS.values())
        recording.record("instruction", "You are a tiny agent.")
        recording.record("user", question)
        while True:
            recording.assemble(forgotten(recording.records), rest=Choice.admit("kept"))
            request = recording.request()
            message = ask(json.loads(request.body))
            turn = recording.response(message["content"], calls_of(message))
            if not turn.calls:
                return turn.text
            for number, call in enumerate(turn.calls):
                recording.tool_call(number)
                recording.tool_result(number, TOOLS[call.name].run(**json.loads(call.arguments)))


def forgotten(records: Sequence[Record], keep: int = 2) -> dict[str, Choice]:
    """All turns but the last ones, with their results, are left out of the request."""
    turns = [at for at, record in enumerate(records) if record.kind == "assistant"]
    old = records[turns[0] : turns[-keep]] if len(turns) > keep else ()
    return {record.id: Choice.omit("old-turn") for record in old}


def calls_of(message: dict[str, Any]) -> list[Call]:
    """The calls of a Chat Completions message."""
    asked = [(call["id"], call["function"]) for call in message.get("tool_calls", ())]
    return [Call(id, function["name"], function["arguments"]) for id, function in asked]
