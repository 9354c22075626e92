"""A provider says how an output ended in words of its own; the loop knows six names."""

from curriculum import AgentRunner, ContextBudget, Output, Recorder, Tool, call

PROMPTS = ("Why does it fail?",)
TOOLS = (Tool("run_tests", lambda: "1 failed: add"), Tool("read_code", lambda: "add = sub"))
ANSWERS = [
    {"text": "", "calls": ["run_tests"], "ended": "tool_calls"},
    {"text": "One test fails.", "calls": ["read_code"], "ended": "tool_calls"},
    {"text": "It adds wi", "calls": [], "ended": "length"},
]
NAMES = {"tool_calls": "tool-calls"}


def finish_of(word: str) -> str:
    """The loop's name for a provider's word."""
    return NAMES.get(word, "done")  # change this, and the table above


class Provider:
    """Answers one request after the other."""

    def __init__(self) -> None:
        self.left = list(ANSWERS)

    def respond(self, request: object) -> Output:
        answer = self.left.pop(0)
        calls = [call(name) for name in answer["calls"]]
        return Output(answer["text"], calls, finish_of(answer["ended"]))


def runner(trace: Recorder) -> AgentRunner:
    wide = ContextBudget(max_input_chars=2000)
    return AgentRunner(model=Provider(), tools=TOOLS, trace=trace, budget=wide)
