"""An agent that keeps its own list of messages, and clears the results of older turns in it."""

import json
from typing import Any

from agent import PATH, TOOLS, Ask, calls_of

from curriculum import Call, Choice, ContextBudget, OpenAIChat, Recorder, Recording

SYSTEM, CLEARED = "You are a tiny agent.", "[old output; call the tool again if you need it]"
BUDGET = ContextBudget(max_input_chars=3000)
OFFERED: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": "list_files", "description": "Names all files."}},
    {
        "type": "function",
        "function": {"name": "read_file", "description": "Reads one file.", "parameters": PATH},
    },
]


class Agent:
    """Answers one question after the other. `close` ends the recording."""

    def __init__(self, ask: Ask, trace: Recorder) -> None:
        names: dict[str, Any] = {"policy": "clear-old-results@1", "wire": OpenAIChat("tiny")}
        self.ask = ask
        self.recording = Recording(trace, "list-agent@1", budget=BUDGET, **names)
        self.recording.record("tools", tools=TOOLS.values())
        self.recording.record("instruction", SYSTEM)
        self.messages: list[dict[str, Any]] = [{"role": "system", "content": SYSTEM}]
        self.results: dict[str, dict[str, Any]] = {}  # tool messages, by record

    def answer(self, question: str, most: int = 3) -> str:
        """The model's last words, or that it gave up after `most` requests."""
        self.recording.record("user", question)
        self.messages.append({"role": "user", "content": question})
        for _ in range(most):
            message = self.complete()
            turn = self.recording.response(message["content"], calls_of(message))
            self.messages.append({"role": "assistant", **message})
            if not turn.calls:
                return turn.text
            self.clear()
            for number, call in enumerate(turn.calls):
                self.recording.tool_call(number)
                text, failed = output_of(call)
                record = self.recording.tool_result(number, text, failed=failed)
                sent = {"role": "tool", "tool_call_id": call.id, "content": text}
                self.messages.append(sent)
                self.results[record.id] = sent
        return "I give up."

    def complete(self) -> dict[str, Any]:
        """Send the list as it is; after a timeout, once more."""
        old = [id for id, sent in self.results.items() if sent["content"] == CLEARED]
        choices = {id: Choice.replace("older-turn", CLEARED) for id in old}
        for last in (False, True):
            self.recording.assemble(choices, rest=Choice.admit("in-the-list"))
            body = {"model": "tiny", "tools": OFFERED, "messages": self.messages}
            self.recording.request(body)
            try:
                return self.ask({**body, "temperature": 0})
            except TimeoutError:
                self.recording.unanswered()
                if last:
                    raise
        raise AssertionError

    def clear(self) -> None:
        """The model has answered what it has seen; all of that may go."""
        for sent in self.results.values():
            sent["content"] = CLEARED

    def close(self) -> None:
        """Write how the run ended."""
        self.recording.stop()


def output_of(call: Call) -> tuple[str, str | None]:
    """What a call gives, shortened; if it went wrong, in words of our own, and how."""
    if call.name not in TOOLS:
        return f"{call.name} is no tool", "unknown-tool"
    try:
        return TOOLS[call.name].run(**json.loads(call.arguments))[:200], None
    except KeyError:
        return "there is no such file", "tool-raised"
