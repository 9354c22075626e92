"""Four tools that say little, and room for the whole file."""

from curriculum import AgentRunner, ContextBudget, Recorder, Tool
from curriculum.agent.scripted import ScriptedModel, Turn, call

FOUR = (
    ("read", "path", "Reads a file."),
    ("edit", "path old new", "Puts new text for old."),
    ("search", "words path", "Finds words in a folder."),
    ("run", "command", "Runs a command."),
)
RATES = "".join(f"land {n:02d}: tax {n + 5}; " for n in range(1, 21))
READ = call("read", {"path": "rates.txt"})
EDIT = call("edit", {"path": "rates.txt", "old": "land 07: tax 12", "new": "land 07: tax 13"})
PROMPTS = ("Raise land seven by one.",)


def tool(name: str, fields: str, about: str) -> Tool:
    schema = {"type": "object", "properties": {f: {"type": "string"} for f in fields.split()}}
    return Tool(name, lambda **_: RATES if name == "read" else "done", about, schema)


def runner(trace: Recorder) -> AgentRunner:
    turns = (Turn(calls=(READ,)), Turn(calls=(EDIT,)), Turn("Land seven pays one more."))
    return AgentRunner(
        model=ScriptedModel(turns),
        tools=[tool(*each) for each in FOUR],
        trace=trace,
        system_prompt="Read a file before you edit it. When you are done, say what you did.",
        budget=ContextBudget(max_input_chars=1000),
    )
