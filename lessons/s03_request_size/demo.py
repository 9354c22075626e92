"""Four tools, two rules and one short wish: what each request of a small job carries."""

from curriculum import AgentRunner, ContextBudget, Recorder, Staged, Tool, wire_of
from curriculum.agent.scripted import ScriptedModel, Turn, call

FOUR = """read | path | Reads a file of the project and returns its text.
edit | path old new | Puts new text in the place of old text, which must stand there once.
search | words path | Finds words in the files of a folder; returns file, line and text.
run | command | Runs a command in the project's folder and returns what it prints.""".splitlines()
RATES = "".join(f"land {n:02d}: tax {n + 5}; " for n in range(1, 21))
READ = call("read", {"path": "rates.txt"})
EDIT = call("edit", {"path": "rates.txt", "old": "land 07: tax 12", "new": "land 07: tax 13"})
turns = (Turn(calls=(READ,)), Turn(calls=(EDIT,)), Turn("Land seven pays one more."))


def tool(line: str) -> Tool:
    name, fields, about = line.split(" | ")
    schema = {"type": "object", "properties": {f: {"type": "string"} for f in fields.split()}}
    return Tool(name, lambda **_: RATES if name == "read" else "done", about, schema)


def runner(trace: Recorder) -> AgentRunner:
    return AgentRunner(
        model=ScriptedModel(turns),
        tools=map(tool, FOUR),
        trace=trace,
        system_prompt="Read a file before you edit it. When you are done, say what you did.",
        budget=ContextBudget(max_input_chars=4000),
    )


s03 = Staged(runner, ("Raise land seven by one.",))
SCENARIOS = {
    "s03-request-size": s03,
    "s03-request-size/two-tools": s03.under(tools=[tool(line) for line in FOUR[:2]]),
    "s03-request-size/tight": s03.under(budget=ContextBudget(max_input_chars=900)),
    "s03-request-size/tools-do-not-fit": s03.under(budget=ContextBudget(max_input_chars=600)),
}
WIRES = ("openai-chat@2:scripted", "anthropic-messages@1:scripted,400", "gemini@1")
SCENARIOS |= {f"s03-request-size/{w.split('@')[0]}": s03.under(wire=wire_of(w)) for w in WIRES}
if __name__ == "__main__":
    from curriculum.cli.run import show

    show("s03-request-size")
