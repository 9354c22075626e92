from curriculum import (
    AgentRunner,
    ContextBudget,
    Recorder,
    ScriptedModel,
    Tool,
    Trace,
    Turn,
    breaches,
    call,
)

recorder = Recorder()
AgentRunner(
    model=ScriptedModel([Turn(calls=[call("read")]), Turn("It is long.")]),
    tools=[Tool("read", lambda: ", ".join(["a line"] * 120))],
    trace=recorder,
    system_prompt="Be brief.",
    budget=ContextBudget(max_input_tokens=150, max_tool_output_chars=400),
).run("Read the file.")

trace = Trace.parse(recorder.text())
print(trace.request(2).text, end="")
for row in trace.manifest(2):
    print(row.record.id, row.record.kind, row.decision, row.reason, row.size)
print(len(list(breaches(trace))), "laws broken")
