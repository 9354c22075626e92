"""Calls and results: whatever becomes of a call, it has exactly one result."""

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def remove(path: str) -> str:
    if path == "old.log":
        raise PermissionError
    return f"{path} is gone"


TOOLS = (Tool("files", lambda: "notes.txt old.log"), Tool("remove", remove, parameters=PATH))
FILES, OLD = call("files"), call("remove", {"path": "old.log"})
NOTES = call("remove", {"path": "notes.txt"})
MADE_UP = Turn("I call files. The tool says: notes.txt. So there is one file.")
ON = (Turn("I may not remove it."), Turn("Good morning."), Turn("It is Tuesday."))
IN_PIECES = Turn("I look first.", (FILES,), deltas=("I", " look", " first."))


def agent(*turns: Turn, more: tuple[str, ...] = ()) -> Staged:
    def build(trace: Recorder) -> AgentRunner:
        script, wide = ScriptedModel(turns), ContextBudget(max_input_chars=4000)
        return AgentRunner(model=script, tools=TOOLS, trace=trace, budget=wide, wire=OpenAIChat())

    return Staged(build, ("Tidy up.", *more))


SCENARIOS = {
    "s02-tool-calls": agent(Turn(calls=(OLD,)), *ON, more=("Hello.", "Which day?")),
    "s02-tool-calls/two-calls": agent(Turn(calls=(FILES, NOTES)), Turn("Done.")),
    "s02-tool-calls/one-fails": agent(Turn(calls=(FILES, OLD)), Turn("One stayed.")),
    "s02-tool-calls/unknown-tool": agent(Turn(calls=(call("delete"),)), Turn("I cannot.")),
    "s02-tool-calls/bad-arguments": agent(Turn(calls=(call("remove"),)), Turn("Which one?")),
    "s02-tool-calls/made-up": agent(MADE_UP),
    "s02-tool-calls/in-pieces": agent(IN_PIECES, Turn("Two files.")),
}
